/**
 * Ends a process that leads its own group, and everything that it has started in that group, at once. What it started
 * in another group, such as a `detached` child, lives on; where the system has no process groups, nothing is ended.
 *
 * @param id The leader's process id. It must be alive or have just ended, because the system reuses ids.
 * @returns Whether there was anything to end.
 */
export function endProcessGroup(id: number): boolean {
  try {
    return process.kill(-id, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Ends this process and everything in its group at once; where the system has no process groups, only itself. */
export function endOwnGroup(): void {
  if (!endProcessGroup(process.pid)) process.kill(process.pid, 'SIGKILL');
}
