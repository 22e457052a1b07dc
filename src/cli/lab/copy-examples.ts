import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../base/errors.js';
import { packageRoot } from '../../base/packages.js';
import { writeFailure } from '../../base/whole-file.js';

/**
 * Copies the example notebooks into `examples` below a folder. Does nothing if that exists already, or if the folder
 * itself holds an example notebook.
 *
 * @returns The new folder, or undefined if nothing was copied.
 * @throws {DataError} If it cannot be written; no part of it is left behind.
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
