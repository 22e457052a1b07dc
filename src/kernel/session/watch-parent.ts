const INTERVAL_MS = 1000;

/**
 * Calls back once Jupyter, which started the kernel, has ended without notice. JPY_PARENT_PID names Jupyter's process;
 * without it, nothing is watched.
 */
export function watchParent(env: NodeJS.ProcessEnv, onGone: () => void): void {
  const parent = Number(env.JPY_PARENT_PID);
  if (!Number.isInteger(parent) || parent <= 0) return;
  // If a wrapper started the kernel, the parent is another process than the named one.
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
