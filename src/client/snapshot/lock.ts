import { setTimeout as wait } from 'node:timers/promises';
import { DataError } from '../../base/errors.js';
import { takeLock } from '../../base/lock-file.js';

/**
 * How long a writer waits for others. Their turns take milliseconds; this is longer than a dead one's lock can remain.
 */
const PATIENCE_MS = 90_000;

/**
 * Does work while it holds a lock file, so that no other process does the same. A lock left behind by a process that
 * died is taken over.
 *
 * @throws {DataError} If the lock is not free within a minute and a half, or cannot be created.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let pauseMs = 2; ; pauseMs = Math.min(50, pauseMs * 2)) {
    const taken = await takeLock(path);
    if (typeof taken === 'function') return work().finally(taken);
    if (Date.now() > until) {
      throw new DataError(
        `${path} has been held for ${PATIENCE_MS / 1000} seconds, by process ${taken.pid}` +
          `${taken.elsewhere ? ` on ${taken.elsewhere}` : ''}: if it is not recording, delete the file.`,
      );
    }
    await wait(pauseMs * (0.5 + Math.random()));
  }
}
