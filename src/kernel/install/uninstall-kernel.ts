import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { DataError, UsageError } from '../../base/errors.js';
import { writeFailure } from '../../base/whole-file.js';
import { readInstalledKernel } from './installed-kernel.js';
import { checkKernelName } from './kernel-name.js';

/**
 * Removes a kernelspec of this package, never another program's.
 *
 * @returns The removed folder; undefined if there was no kernel of that name.
 * @throws {UsageError} If the kernel of that name is another program's.
 * @throws {DataError} If it cannot be removed.
 */
export async function uninstallKernel(kernels: string, name: string): Promise<string | undefined> {
  checkKernelName(name);
  const found = await readInstalledKernel(kernels, name);
  if (!found) return undefined;
  if (found.state === undefined) {
    throw new UsageError(
      `${found.folder} holds another program's kernel: it stays. "jupyter kernelspec remove ${name}" removes it.`,
    );
  }
  const beside = `${found.folder}.${randomBytes(6).toString('hex')}.part~`;
  try {
    await rename(found.folder, beside);
    await rm(beside, { recursive: true, force: true });
  } catch (cause) {
    throw new DataError(`Cannot remove ${found.folder}: ${writeFailure(cause)}.`, { cause });
  }
  return found.folder;
}
