import { randomBytes } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError, UsageError } from '../../base/errors.js';
import { assetPath } from '../../base/packages.js';
import { makeFolder, systemErrorCode, writeFailure, writeWhole } from '../../base/whole-file.js';
import {
  KERNEL_NAME,
  type KernelSpec,
  type KernelSpecOptions,
  kernelSpec,
  readInstalledKernel,
} from './kernel-spec.js';

/** Where to write a kernelspec and what it says. */
interface InstallOptions extends KernelSpecOptions {
  /** The kernels folder; made if it is missing. */
  kernels: string;
}

/** What an installation did. */
interface Installed {
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

/** The files of the logo, by the names that Jupyter looks for; PNG is for front ends without SVG. */
const LOGOS = ['logo-svg.svg', 'logo-64x64.png', 'logo-32x32.png'];

/** Writes kernel.json last: Jupyter recognizes a kernel by it. */
async function writeFiles(folder: string, spec: KernelSpec): Promise<void> {
  for (const name of LOGOS) await writeWhole(join(folder, name), await readFile(assetPath(`kernel/install/${name}`)));
  await writeWhole(join(folder, 'kernel.json'), `${JSON.stringify(spec, undefined, 2)}\n`);
}

/**
 * Removes a kernelspec of this package, never another program's. Undefined if there was no kernel of that name.
 *
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

/** @throws {UsageError} If Jupyter does not allow the name of a kernel; says what it allows. */
function checkKernelName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return;
  throw new UsageError(
    `${JSON.stringify(name)} is no name for a kernel: take lower-case letters a–z, digits, and . _ - between them, ` +
      'such as oddslab-strict.',
  );
}
