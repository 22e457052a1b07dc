import { existsSync } from 'node:fs';
import { kernelInfo } from './kernel-info.js';
import { startRunner } from './runner-process.js';
import type { TypeSource } from './session/cell-types.js';
import { historyPath } from './session/history.js';
import { KernelSession, type SessionOptions } from './session/kernel-session.js';
import { TYPES_MODES, type TypesMode } from './types/type-service.js';
import type { Runner } from './wire/runner.js';

/** Where a notebook's cells run and how its kernel speaks with front ends. */
export interface NotebookSessionOptions extends Pick<SessionOptions, 'outlet' | 'ports' | 'log' | 'onShutdown'> {
  /** Full path of the notebook's folder: the cells' working folder, from which imports resolve. */
  folder: string;
  /** Full path of the notebook, for `import.meta`. Asked whenever a process starts: a notebook may be renamed. */
  file: () => string;
  /** The whole environment of the cells' processes. It also chooses how types are checked and where cells are kept. */
  env: NodeJS.ProcessEnv;
  /** The first process for the cells, if one has already been started by {@link startNotebookRunner}. */
  runner?: Runner;
}

/** Makes the session of one notebook's kernel; its cells run in a process of their own, which starts at once. */
export function notebookSession(options: NotebookSessionOptions): KernelSession {
  const { folder, env, outlet, ports, log, onShutdown } = options;
  let first = options.runner;
  const info = kernelInfo();
  return new KernelSession({
    outlet,
    startRunner: () => {
      const runner = first ?? startNotebookRunner(options);
      first = undefined;
      return runner;
    },
    obstacle: () => goneFolder(folder),
    types: { mode: typesMode(env, log), open: () => openTypes(folder) },
    historyPath: historyPath(env),
    info: () => info,
    ports,
    log,
    onShutdown,
  });
}

/** Starts a process for a notebook's cells. */
export function startNotebookRunner({
  folder,
  file,
  env,
}: Pick<NotebookSessionOptions, 'folder' | 'file' | 'env'>): Runner {
  return startRunner({ cwd: folder, file: file(), env });
}

async function openTypes(folder: string): Promise<TypeSource> {
  const [{ openTypeService }, { diagnosticsText }] = await Promise.all([
    import('./types/open-type-service.js'),
    import('./types/cell-diagnostics.js'),
  ]);
  return { service: openTypeService({ folder }), describe: diagnosticsText };
}

function goneFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return `The cells cannot run: their folder ${folder} is gone. Make it again, or open the notebook elsewhere.`;
}

function typesMode(env: NodeJS.ProcessEnv, log: (line: string) => void): TypesMode {
  const given = env.ODDSLAB_TYPES || 'warn';
  const mode = TYPES_MODES.find((known) => known === given);
  if (mode) return mode;
  log(`ODDSLAB_TYPES is neither "off", "warn" nor "block": taken as "warn".`);
  return 'warn';
}
