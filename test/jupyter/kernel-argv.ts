import { join } from 'node:path';
import { packageRoot } from '../../src/base/packages.js';

/** How to start a kernel, as in a kernelspec. */
export interface KernelArgv {
  argv: string[];
  interruptMode: 'message' | 'signal';
}

/** Debian's Python, which has Jupyter's packages. */
export const PYTHON = '/usr/bin/python3';

/** Where Debian keeps Python's packages. */
export const PYTHON_PACKAGES = '/usr/lib/python3/dist-packages';

const root = packageRoot();

/** Oddslab's kernel, as built. */
export const OURS: KernelArgv = {
  argv: [process.execPath, join(root, 'dist/kernel/main.cjs'), '{connection_file}'],
  interruptMode: 'message',
};

/** Debian's Python kernel. */
export const IPYKERNEL: KernelArgv = {
  argv: [PYTHON, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
  interruptMode: 'signal',
};

/** Stock tslab. */
export const TSLAB: KernelArgv = {
  argv: [
    process.execPath,
    join(root, 'test/tslab/node_modules/tslab/bin/tslab'),
    'kernel',
    '--config-path={connection_file}',
  ],
  interruptMode: 'signal',
};
