import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/packages.js';
import { PYTHON } from '../jupyter/kernel-argv.js';
import { type KernelFolder, writeKernelSpec } from '../jupyter/write-kernel-spec.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The command of stock tslab. */
export const TSLAB_COMMAND = join(packageRoot(), 'test/tslab/node_modules/.bin/tslab');

/** A folder where Jupyter finds stock tslab, installed by its own command, and tslab finds this package. */
export async function tslabFolder(): Promise<KernelFolder> {
  const { folder, env } = await writeKernelSpec(await temporaryFolder());
  const words = ['install', `--python=${PYTHON}`, `--binary=${TSLAB_COMMAND}`, `--prefix=${folder}`];
  await promisify(execFile)(TSLAB_COMMAND, words, { env });
  await mkdir(join(folder, 'node_modules'));
  await symlink(packageRoot(), join(folder, 'node_modules/oddslab'));
  return { name: 'tslab', folder, env };
}
