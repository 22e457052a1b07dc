import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, UsageError } from '../../base/errors.js';
import { makeFolder, systemErrorCode, writeFailure, writeWhole } from '../../base/whole-file.js';
import { readInstalledKernel } from './installed-kernel.js';
import { checkKernelName } from './kernel-name.js';
import { KERNEL_NAME, type KernelSpec, type KernelSpecOptions, kernelSpec } from './kernel-spec.js';
import { logos } from './logos.js';

/** Where to write a kernelspec and what it says. */
export interface InstallOptions extends KernelSpecOptions {
  /** The kernels folder; made if it is missing. */
  kernels: string;
}

/** What an installation did. */
export interface Installed {
  /** The kernelspec's folder. */
  folder: string;
  /** Whether an earlier kernelspec of this package was renewed. */
  updated: boolean;
}

/**
 * Installs the kernelspec, or renews it if it is installed already; then it keeps its type checking unless another is
 * chosen. A new one appears whole or not at all.
 *
 * @throws {UsageError} If Jupyter does not allow the name or another program's kernel has it.
 * @throws {DataError} If the folder cannot be written.
 * @example await installKernel({ kernels: userKernelsFolder() });
 */
export async function installKernel(options: InstallOptions): Promise<Installed> {
  const { kernels, name = KERNEL_NAME } = options;
  checkKernelName(name);
  const older = await readInstalledKernel(kernels, name);
  if (older && older.state === undefined) {
    throw new UsageError(
      `${older.folder} holds another program's kernel: it stays as it is. Take another name with --name, or remove it ` +
        `first ("jupyter kernelspec remove ${name}").`,
    );
  }
  const folder = join(kernels, name);
  const types = options.types ?? older?.types;
  const spec = kernelSpec({ name, ...(types ? { types } : {}) });
  if (older) await writeFiles(folder, spec);
  else await appear(folder, spec);
  return { folder, updated: older !== undefined };
}

/** Writes the kernelspec beside its place, under a name that is not a kernel's to Jupyter, then renames it. */
async function appear(folder: string, spec: KernelSpec): Promise<void> {
  const beside = `${folder}.${randomBytes(6).toString('hex')}.part~`;
  try {
    await makeFolder(beside);
    await writeFiles(beside, spec);
    // Only the logos of an interrupted installation can be there by now.
    await rm(folder, { recursive: true, force: true });
    await rename(beside, folder);
  } catch (cause) {
    await rm(beside, { recursive: true, force: true }).catch(() => {});
    if (cause instanceof DataError) throw cause;
    // The folders above exist, so this is a place, such as /proc, where no folder can be made.
    const why =
      systemErrorCode(cause) === 'ENOENT' ? 'no folder can be made there; choose another' : writeFailure(cause);
    throw new DataError(`Cannot write ${folder}: ${why}. --prefix DIR or JUPYTER_DATA_DIR name another place.`, {
      cause,
    });
  }
}

/** Writes kernel.json last: Jupyter recognizes a kernel by it. */
async function writeFiles(folder: string, spec: KernelSpec): Promise<void> {
  for (const { name, content } of logos()) await writeWhole(join(folder, name), content);
  await writeWhole(join(folder, 'kernel.json'), `${JSON.stringify(spec, undefined, 2)}\n`);
}
