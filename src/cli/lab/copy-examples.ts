import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../errors.js';
import { packageRoot } from '../../package-root.js';
import { writeFailure } from '../../whole-file.js';

/**
 * Copies the example notebooks into `examples` below a folder, once: where that stands already, or the folder itself
 * holds them, everything stays as it is.
 *
 * @returns The new folder, or undefined where nothing was copied.
 * @throws {DataError} If it cannot be written; nothing of it is left then.
 */
export async function copyExamples(folder: string): Promise<string | undefined> {
  const source = join(packageRoot(), 'notebooks');
  const names = readdirSync(source).filter((name) => name.endsWith('.ipynb'));
  const target = join(folder, 'examples');
  if (existsSync(target) || names.some((name) => existsSync(join(folder, name)))) return undefined;
  const beside = `${target}.${randomBytes(6).toString('hex')}.part`;
  try {
    await mkdir(beside);
    for (const name of names) await copyFile(join(source, name), join(beside, name));
    await rename(beside, target);
    return target;
  } catch (cause) {
    await rm(beside, { recursive: true, force: true }).catch(() => {});
    throw new DataError(`Cannot write the examples to ${target}: ${writeFailure(cause)}.`, { cause });
  }
}
