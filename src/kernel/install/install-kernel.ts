import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, UsageError } from '../../errors.js';
import { makeFolder } from '../../make-folder.js';
import { codeOf, writeFailure, writeWhole } from '../../whole-file.js';
import { readInstalledKernel } from './installed-kernel.js';
import { checkKernelName } from './kernel-name.js';
import { KERNEL_NAME, type KernelSpec, type KernelSpecOptions, kernelSpec } from './kernel-spec.js';
import { logos } from './logos.js';

/** Where a kernelspec goes, and what it says. */
export interface InstallOptions extends KernelSpecOptions {
  /** The kernels folder; made where it is missing. */
  kernels: string;
}

/** What an install did. */
export interface Installed {
  /** The kernelspec's folder. */
  folder: string;
  /** Whether an earlier one of ours was renewed. */
  updated: boolean;
}

/**
 * Installs the kernelspec, or renews ours where it stands already, with the type checking that was chosen for it unless
 * another is. It appears whole or not at all.
 *
 * @throws {UsageError} If the name is none that Jupyter takes, or another program's kernel has it.
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

/** Written beside under a name that Jupyter takes for no kernel's, then renamed. */
async function appear(folder: string, spec: KernelSpec): Promise<void> {
  const beside = `${folder}.${randomBytes(6).toString('hex')}.part~`;
  try {
    await makeFolder(beside);
    await writeFiles(beside, spec);
    // What stands there by now can only be the logos of a torn install.
    await rm(folder, { recursive: true, force: true });
    await rename(beside, folder);
  } catch (cause) {
    await rm(beside, { recursive: true, force: true }).catch(() => {});
    if (cause instanceof DataError) throw cause;
    // The folders above were there or were made: this is a place, such as /proc, that takes none.
    const why = codeOf(cause) === 'ENOENT' ? 'no folder can be made there; choose another' : writeFailure(cause);
    throw new DataError(`Cannot write ${folder}: ${why}. --prefix DIR or JUPYTER_DATA_DIR name another place.`, {
      cause,
    });
  }
}

/** The kernel.json comes last: by it Jupyter knows that a kernel is there. */
async function writeFiles(folder: string, spec: KernelSpec): Promise<void> {
  for (const { name, content } of logos()) await writeWhole(join(folder, name), content);
  await writeWhole(join(folder, 'kernel.json'), `${JSON.stringify(spec, undefined, 2)}\n`);
}
