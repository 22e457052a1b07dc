import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../errors.js';
import { codeOf } from '../../whole-file.js';

/**
 * Takes the data folder's write lock, so that two ingests never build at once.
 *
 * @returns Gives the lock back.
 * @throws {DataError} While another live process holds it; a dead holder's lock is taken over.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'ingest.lock');
  for (;;) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (holder && isAlive(holder)) {
      throw new DataError(`Another ingest (process ${holder}) is writing ${folder}: wait for it, or stop it.`);
    }
    await rm(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
