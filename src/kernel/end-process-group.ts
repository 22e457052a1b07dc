/**
 * Ends a process that leads a group of its own, and all that it has started in it, at once. What it had started in
 * another group, as a child that is `detached`, lives on; so does all where the system knows no groups.
 *
 * @param id The leader's process id. It must be alive or have ended just now, since the system gives ids out again.
 * @returns Whether there was anything to end.
 */
export function endProcessGroup(id: number): boolean {
  try {
    return process.kill(-id, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Ends this process and all that it has started in its group, at once; where the system knows no groups, itself alone. */
export function endOwnGroup(): void {
  if (!endProcessGroup(process.pid)) process.kill(process.pid, 'SIGKILL');
}
