import { resolve } from 'node:path';
import { DataError } from '../../base/errors.js';
import { takeLock } from '../../base/lock-file.js';

/**
 * Takes the data folder's write lock, so that two ingests never build at once, nor an ingest and a rollback.
 *
 * @returns A function that releases the lock.
 * @throws {DataError} If another live process holds it. The lock of a dead process is taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const taken = await takeLock(resolve(folder, 'ingest.lock'));
  if (typeof taken === 'function') return taken;
  const { pid, elsewhere } = taken;
  throw new DataError(
    elsewhere === undefined
      ? `Another ingest (process ${pid}) is writing ${folder}: wait for it, or stop it.`
      : `Another ingest (process ${pid} on ${elsewhere}) is writing ${folder}: wait for it, or stop it; a minute after ` +
          'it has ended, its lock is free.',
  );
}
