const INTERVAL_MS = 1000;

/**
 * Calls back once Jupyter, which started the kernel, has ended without saying so. Jupyter names itself in
 * JPY_PARENT_PID; where nobody does, nothing is watched.
 */
export function watchParent(env: NodeJS.ProcessEnv, onGone: () => void): void {
  const parent = Number(env.JPY_PARENT_PID);
  if (!Number.isInteger(parent) || parent <= 0) return;
  // Behind a wrapper, the parent is another process than the one that is named.
  const isChild = process.ppid === parent;
  const timer = setInterval(() => {
    if (isChild ? process.ppid === parent : isAlive(parent)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL_MS);
  timer.unref();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
