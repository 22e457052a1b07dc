import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../base/errors.js';
import { versionOf } from '../base/packages.js';
import { readConnectionFile } from './protocol/connection-file.js';
import { PROTOCOL_VERSION } from './protocol/message.js';
import { startRunner } from './runner-process.js';
import type { TypeSource } from './session/cell-types.js';
import { historyPath } from './session/history.js';
import { KernelSession } from './session/kernel-session.js';
import { TYPES_MODES, type TypesMode } from './types/type-service.js';
import type { Runner } from './wire/runner.js';

/** How long the processes that the kernel started may take to end. */
const CLOSE_MS = 800;

/**
 * Runs a kernel until its front end or Jupyter ends it; then the process exits.
 *
 * @param connectionFile Path of the file in which Jupyter says where to listen.
 * @throws {UsageError} If no path is given.
 * @throws {InputError} If the file cannot be used.
 */
export async function runKernel(connectionFile: string | undefined): Promise<void> {
  if (connectionFile === undefined) {
    throw new UsageError('Jupyter starts this program, with the path of a connection file. Try: oddslab lab');
  }
  const connection = readConnectionFile(connectionFile);
  // The runner takes longest to start, so it starts while the sockets are opened.
  let first: Runner | undefined = newRunner();
  const { Channels } = await import('./protocol/channels.js');
  const channels = new Channels(connection, log);
  const info = kernelInfo();
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await Promise.race([session.close(), pause(CLOSE_MS)]);
    await channels.close();
    process.exit(0);
  };
  const session = new KernelSession({
    outlet: channels,
    startRunner: () => {
      const runner = first ?? newRunner();
      first = undefined;
      return runner;
    },
    obstacle: () => goneFolder(process.cwd()),
    types: { mode: typesMode(), open: openTypes },
    historyPath: historyPath(process.env),
    info: () => info,
    ports: Object.fromEntries(Object.entries(connection.ports).map(([name, port]) => [`${name}_port`, port])),
    log,
    onShutdown: end,
  });
  process.on('SIGINT', () => session.interrupt());
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
  watchParent(end);
  await channels.listen((channel, message) => session.handle(channel, message));
  session.begin();
}

async function openTypes(): Promise<TypeSource> {
  const [{ openTypeService }, { diagnosticsText }] = await Promise.all([
    import('./types/open-type-service.js'),
    import('./types/cell-diagnostics.js'),
  ]);
  return { service: openTypeService({ folder: process.cwd() }), describe: diagnosticsText };
}

function newRunner(): Runner {
  const cwd = process.cwd();
  return startRunner({ cwd, file: notebookPath(cwd, process.env.JPY_SESSION_NAME) });
}

/** The notebook's path, in the kernel's folder: servers name it relative to their own root, which may be any folder. */
function notebookPath(cwd: string, session = ''): string {
  if (isAbsolute(session) && existsSync(dirname(session))) return session;
  return join(cwd, basename(session) || 'notebook.ts');
}

function goneFolder(cwd: string): string | undefined {
  if (existsSync(cwd)) return undefined;
  return `The cells cannot run: their folder ${cwd} is gone. Make it again, or open the notebook elsewhere.`;
}

function typesMode(): TypesMode {
  const given = process.env.ODDSLAB_TYPES || 'warn';
  const mode = TYPES_MODES.find((known) => known === given);
  if (mode) return mode;
  log(`ODDSLAB_TYPES is neither "off", "warn" nor "block": taken as "warn".`);
  return 'warn';
}

function log(line: string): void {
  process.stderr.write(`[oddslab] ${line}\n`);
}

/** The content of `kernel_info_reply`. */
function kernelInfo(): object {
  const version = versionOf('oddslab');
  const typescript = versionOf('typescript');
  return {
    protocol_version: PROTOCOL_VERSION,
    implementation: 'oddslab',
    implementation_version: version,
    language_info: {
      name: 'typescript',
      version: typescript,
      mimetype: 'text/typescript',
      file_extension: '.ts',
      pygments_lexer: 'typescript',
      codemirror_mode: { name: 'javascript', typescript: true },
      nbconvert_exporter: 'script',
    },
    banner: `Oddslab ${version}: TypeScript ${typescript} on Node.js ${process.versions.node}`,
    debugger: false,
    help_links: [
      { text: 'TypeScript', url: 'https://www.typescriptlang.org/docs/' },
      { text: 'Node.js', url: 'https://nodejs.org/docs/latest/api/' },
    ],
  };
}

const INTERVAL_MS = 1000;

/**
 * Calls back once Jupyter, which started the kernel, has ended without notice. JPY_PARENT_PID names Jupyter's process;
 * without it, nothing is watched.
 */
function watchParent(onGone: () => void): void {
  const parent = Number(process.env.JPY_PARENT_PID);
  if (!Number.isInteger(parent) || parent <= 0) return;
  // If a wrapper started the kernel, the parent is another process than the named one.
  const isChild = process.ppid === parent;
  const timer = setInterval(() => {
    if (isChild ? process.ppid === parent : isAlive(parent)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL_MS);
  timer.unref();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
