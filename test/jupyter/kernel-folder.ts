import { temporaryFolder } from '../support/temporary-folder.js';
import { type KernelFolder, type SpecOptions, writeKernelSpec } from './write-kernel-spec.js';

/** Writes a kernelspec for the current test into a folder of its own. */
export async function kernelFolder(options: SpecOptions = {}): Promise<KernelFolder> {
  return writeKernelSpec(await temporaryFolder(), options);
}
