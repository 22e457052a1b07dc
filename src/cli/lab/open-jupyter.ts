import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { OddslabError } from '../../base/errors.js';
import type { Jupyter } from './find-jupyter.js';

/** How Jupyter is opened. */
export interface OpenOptions {
  /** Folder to show. */
  readonly folder: string;
  /** Jupyter's port; if it is undefined or in use, Jupyter picks one itself. */
  readonly port?: number | undefined;
  /** Whether it opens a browser. */
  readonly browser: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Opens Jupyter on this terminal and waits until it ends. A signal ends it cleanly, a second one at once.
 *
 * @returns Its exit code, or 128 plus the signal's number if a signal ended it.
 * @throws {OddslabError} If it cannot be started.
 */
export async function openJupyter(jupyter: Jupyter, options: OpenOptions): Promise<number> {
  const { folder, env } = options;
  const child = spawn(jupyter.command, [...jupyter.args, ...jupyterOptions(options)], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
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
  if (cause.code === 'ENOENT') return 'there is no such command. Without --jupyter, lab looks for Jupyter itself.';
  return cause.code === 'EACCES' ? 'it is no program that may be run.' : `${cause.message}.`;
}

/** Options of Jupyter; it runs as root only with `--allow-root`, which whoever runs this as root has accepted. */
function jupyterOptions({ port, browser }: OpenOptions): string[] {
  return [
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(browser ? [] : ['--no-browser']),
    ...(process.getuid?.() === 0 ? ['--allow-root'] : []),
  ];
}

/**
 * Passes signals on to Jupyter. A terminal sends Ctrl-C to both processes, and Jupyter then asks for confirmation,
 * which a second SIGINT would give. Elsewhere a signal is passed on as SIGTERM, which is harmless if Jupyter is already
 * ending.
 */
function passSignals(child: ChildProcess): () => void {
  let isSecond = false;
  const pass = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(isSecond ? 'SIGKILL' : 'SIGTERM');
    isSecond = true;
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  return () => {
    for (const signal of signals) process.off(signal, pass);
  };
}
