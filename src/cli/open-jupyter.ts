import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { OddslabError, UsageError } from '../base/errors.js';
import { installKernel } from '../kernel/install/install-kernel.js';
import { kernelsFolders, userKernelsFolder } from '../kernel/install/jupyter-folders.js';
import { type InstalledKernel, KERNEL_NAME, readInstalledKernel } from '../kernel/install/kernel-spec.js';
import { SIGNALS } from './exit-code.js';
import type { Jupyter } from './find-jupyter.js';
import { remedyFor } from './kernel.js';

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

/** How Jupyter is opened. */
export interface JupyterOptions {
  /** The folder that it shows. */
  readonly folder: string;
  /** The environment of its notebooks. */
  readonly env: NodeJS.ProcessEnv;
  /** Undefined for its own: 8888 or the next free one. */
  readonly port: number | undefined;
  /** Whether it opens a browser. */
  readonly browser: boolean;
}

/**
 * Opens Jupyter on this terminal until it ends.
 *
 * @returns Its exit code, or 128 plus the number of a signal.
 * @throws {OddslabError} If it cannot be started.
 */
export async function openJupyter(jupyter: Jupyter, { folder, env, port, browser }: JupyterOptions): Promise<number> {
  const given = [
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(browser ? [] : ['--no-browser']),
    // Whoever runs this as root has accepted that.
    ...(process.getuid?.() === 0 ? ['--allow-root'] : []),
  ];
  const child = spawn(jupyter.command, [...jupyter.args, ...given], { cwd: folder, env, stdio: 'inherit' });
  const release = passSignals(child);
  try {
    return await new Promise<number>((done, fail) => {
      child.once('error', (cause) => {
        fail(new OddslabError(`Cannot start ${jupyter.command}: ${reasonOf(cause)}`, { cause }));
      });
      child.once('close', (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    release();
  }
}

function reasonOf(cause: NodeJS.ErrnoException): string {
  if (cause.code === 'ENOENT') return 'there is no such command. With --jupyter alone, lab looks for Jupyter itself.';
  return cause.code === 'EACCES' ? 'it is no program that may be run.' : `${cause.message}.`;
}

/**
 * Passes signals on to Jupyter, as SIGTERM. A terminal itself sends Ctrl-C to both processes, and Jupyter then asks for
 * confirmation, which a second SIGINT would give.
 */
function passSignals(child: ChildProcess): () => void {
  let isSecond = false;
  const pass = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(isSecond ? 'SIGKILL' : 'SIGTERM');
    isSecond = true;
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return () => {
    for (const signal of SIGNALS) process.off(signal, pass);
  };
}
