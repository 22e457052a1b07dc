import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The pipes between a runner's process and its parent, by file descriptor: `events` to the parent, `commands` from it,
 * and `lifeline`, which carries the ids of cells to interrupt and ends when the parent does.
 */
export const PIPES = { events: 3, commands: 4, lifeline: 5 } as const;

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

/** Removes the folder of the socket that reads what children print, as the parent does unless it was killed. */
export function removeLanes(path: string | undefined): void {
  if (path) rmSync(dirname(path), { recursive: true, force: true });
}

/** Ends this process and everything in its group at once; where the system has no process groups, only itself. */
export function endOwnGroup(): void {
  if (!endProcessGroup(process.pid)) process.kill(process.pid, 'SIGKILL');
}

/** Name of the script by which the watching thread asks the main thread to interrupt a cell. */
export const STRIKE_URL = 'oddslab:interrupt';

/** The global function that this script calls, with the cell's id and the number of earlier attempts, or {@link LEFT}. */
export const STRIKE = Symbol.for('oddslab.interrupt');

/** For an attempt to end what an interrupted cell has left behind. */
export const LEFT = -1;

/** The global function by which the watching thread has the main thread send held output. */
export const SHOW = Symbol.for('oddslab.show');
