import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/packages.js';
import { PYTHON } from '../jupyter/kernel-argv.js';
import { type KernelFolder, writeKernelSpec } from '../jupyter/write-kernel-spec.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The command of stock tslab. */
export const TSLAB_COMMAND = join(packageRoot(), 'test/tslab/node_modules/.bin/tslab');

/**
 * A folder where Jupyter finds stock tslab, installed by its own command, and tslab finds a copy of this package: it
 * watches the files that it resolves, and fails the cell that runs while one of them changes, as other tests may cause.
 */
export async function tslabFolder(): Promise<KernelFolder> {
  const { folder, env } = await writeKernelSpec(await temporaryFolder());
  const words = ['install', `--python=${PYTHON}`, `--binary=${TSLAB_COMMAND}`, `--prefix=${folder}`];
  await promisify(execFile)(TSLAB_COMMAND, words, { env });
  const copy = join(folder, 'node_modules/oddslab');
  await mkdir(copy, { recursive: true });
  for (const part of ['package.json', 'dist'])
    await cp(join(packageRoot(), part), join(copy, part), { recursive: true });
  await symlink(join(packageRoot(), 'node_modules'), join(copy, 'node_modules'));
  return { name: 'tslab', folder, env };
}
