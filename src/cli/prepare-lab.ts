import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataError, UsageError } from '../base/errors.js';
import { packageRoot } from '../base/packages.js';
import { writeFailure } from '../base/whole-file.js';
import { installKernel } from '../kernel/install/install-kernel.js';
import { kernelsFolders, userKernelsFolder } from '../kernel/install/jupyter-folders.js';
import { type InstalledKernel, KERNEL_NAME, readInstalledKernel } from '../kernel/install/kernel-spec.js';
import type { Version } from '../service/folder/version.js';
import { remedyFor } from './kernel.js';
import type { Status } from './terminal-output.js';

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

/**
 * Makes the sample market in a data folder and ingests it. A sample made before that has not changed is used again.
 *
 * @returns The current version of the data.
 * @throws {DataError} If the folder cannot be written, another ingest is writing to it, or it holds data of one's own,
 *   among which the invented ones would stand.
 */
export async function sampleData(data: string, steps: Status, signal: AbortSignal): Promise<Version> {
  if (existsSync(join(data, 'current')) && !existsSync(join(data, 'sample'))) {
    throw new DataError(
      `${data} holds data of your own, and the simulated market would stand among them: name another folder, such as ` +
        '--data sample-data.',
    );
  }
  const { simulate } = await import('../service/sample/simulate-sample.js');
  const sample = await simulate({
    out: join(data, 'sample'),
    signal,
    onProgress: ({ fills, of }) => steps.show(`simulating the sample market: ${Math.floor((100 * fills) / of)}%`),
  });
  const { counts } = sample.manifest;
  steps.done(
    `${sample.reused ? 'reused' : 'simulated'} the sample market: ${counts.markets} markets, ${counts.fills} fills`,
  );
  const { ingest } = await import('../service/ingest/ingest-inputs.js');
  const onProgress = (doing: string) => steps.show(doing);
  const { version, reports } = await ingest({ folder: data, inputs: sample.files, onProgress, signal });
  steps.done(`${reports.length > 0 ? 'ingested' : 'reused'} the data of ${data} (version ${version.name})`);
  return version;
}

/**
 * The wallets of a data folder for notebooks that are given none: those that were fetched, else the busiest.
 *
 * @returns An empty list for the sample, whose wallets the example notebooks know, and for a folder without data.
 */
export async function ownWallets(folder: string): Promise<readonly string[]> {
  if (!existsSync(join(folder, 'current'))) return [];
  const { currentVersion } = await import('../service/folder/current-version.js');
  const { fetched, busiest = [] } = (await currentVersion(folder).catch(() => undefined))?.manifest ?? {};
  return fetched ?? (existsSync(join(folder, 'sample', 'trades.json')) ? [] : busiest);
}
