import { dirname } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { installKernel } from '../../kernel/install/install-kernel.js';
import { kernelsFolders, userKernelsFolder } from '../../kernel/install/jupyter-folders.js';
import { type InstalledKernel, KERNEL_NAME, readInstalledKernel } from '../../kernel/install/kernel-spec.js';
import { remedyFor } from '../kernel-remedy.js';

/**
 * Makes sure that Jupyter finds the kernel: installs it for the user if it is missing, renews it if it would not start,
 * and leaves it alone if it works.
 *
 * @returns A message for the user.
 * @throws {UsageError} If another program's kernel has the same name.
 * @throws {DataError} If the kernelspec cannot be written.
 */
export async function ensureKernel(): Promise<string> {
  const found = await firstKernel();
  if (found === undefined) {
    const { folder } = await installKernel({ kernels: userKernelsFolder() });
    return `installed the kernel "TypeScript (Oddslab)" in ${folder}`;
  }
  if (found.state === undefined) {
    throw new UsageError(
      `${found.folder} holds another program's kernel under our name: Jupyter would open notebooks with that one. ` +
        'Rename or remove that folder.',
    );
  }
  if (found.state === 'broken') {
    await installKernel({ kernels: dirname(found.folder) });
    return `renewed the kernel in ${found.folder}, which would not have started any more`;
  }
  return found.state === 'ready' ? `found the kernel in ${found.folder}` : `found the kernel: ${remedyFor(found)}`;
}

/** The kernel that Jupyter uses: the first in its search order. */
async function firstKernel(): Promise<InstalledKernel | undefined> {
  for (const kernels of kernelsFolders()) {
    const found = await readInstalledKernel(kernels, KERNEL_NAME);
    if (found) return found;
  }
  return undefined;
}
