import childProcess, { type ForkOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';
import { PROGRAM, PROGRAM_FLAG, PROGRAM_FLAGS } from '../wire/own-program.js';
import { findLocal } from './find-local.js';

type Worker = InstanceType<typeof workerThreads.Worker>;

/**
 * Lets `new Worker(file)` and `fork(file)` take files of TypeScript, and run them as `import` would. Other files are left
 * to Node.
 *
 * @param entry The runner's file, which runs them.
 * @param onProgram Gets the path of each, when it is started.
 */
export function startTypeScriptPrograms(entry: string, onProgram: (path: string) => void): void {
  const { Worker: NodeWorker } = workerThreads;
  const { fork: nodeFork } = childProcess;
  const started = (file: unknown): string | undefined => {
    const path = programPath(file);
    if (path !== undefined) onProgram(path);
    return path;
  };
  /** Its instances are Node's own, whose class it extends. */
  class TypeScriptWorker extends NodeWorker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const path = options.eval ? undefined : started(file);
      if (path === undefined) super(file, options);
      else {
        const execArgv = [...PROGRAM_FLAGS, ...(options.execArgv ?? [])];
        super(workerCode(entry, path), { name: path, ...options, eval: true, execArgv });
      }
    }
  }
  Object.defineProperty(TypeScriptWorker, 'name', { value: 'Worker' });
  const fork = (file: string | URL, ...rest: unknown[]): unknown => {
    const path = started(file);
    if (path === undefined) return Reflect.apply(nodeFork, childProcess, [file, ...rest]);
    const args = Array.isArray(rest[0]) ? (rest[0] as string[]) : [];
    const options = (Array.isArray(rest[0]) ? rest[1] : (rest[0] ?? rest[1])) as ForkOptions | undefined;
    const execArgv = [...PROGRAM_FLAGS, ...(options?.execArgv ?? process.execArgv)];
    return nodeFork(entry, [PROGRAM_FLAG, path, ...args], { ...options, execArgv });
  };
  Reflect.set(workerThreads, 'Worker', TypeScriptWorker satisfies new (...given: never[]) => Worker);
  Reflect.set(childProcess, 'fork', fork);
  syncBuiltinESMExports();
}

/** The full path of a program in TypeScript; undefined for everything that Node runs itself, or refuses. */
function programPath(file: unknown): string | undefined {
  const isUrl = file instanceof URL || (typeof file === 'string' && file.startsWith('file:'));
  if (!isUrl && typeof file !== 'string') return undefined;
  const path = isUrl ? pathOf(file) : resolve(String(file));
  if (path === undefined) return undefined;
  // A file of TypeScript may be meant by the name of what it would be compiled to, as in an import.
  const found = existsSync(path) ? path : findLocal(path, '/');
  return found !== undefined && /\.([mc]?ts|[jt]sx)$/.test(found) ? found : undefined;
}

function pathOf(file: string | URL): string | undefined {
  const url = new URL(file);
  return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
}

function workerCode(entry: string, path: string): string {
  const named = `globalThis[Symbol.for(${JSON.stringify(PROGRAM.description)})] = ${JSON.stringify(path)};`;
  return `${named} require(${JSON.stringify(entry)});`;
}
