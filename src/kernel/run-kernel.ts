import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../base/errors.js';
import { notebookSession, startNotebookRunner } from './notebook-session.js';
import { readConnectionFile } from './protocol/connection-file.js';

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
  const folder = process.cwd();
  const cells = { folder, file: () => notebookPath(folder, process.env.JPY_SESSION_NAME), env: process.env };
  const runner = startNotebookRunner(cells);
  const { Channels } = await import('./protocol/channels.js');
  const channels = new Channels(connection, log);
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await Promise.race([session.close(), pause(CLOSE_MS)]);
    await channels.close();
    process.exit(0);
  };
  const session = notebookSession({
    ...cells,
    runner,
    outlet: channels,
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

/** The notebook's path, in the kernel's folder: servers name it relative to their own root, which may be any folder. */
function notebookPath(cwd: string, session = ''): string {
  if (isAbsolute(session) && existsSync(dirname(session))) return session;
  return join(cwd, basename(session) || 'notebook.ts');
}

function log(line: string): void {
  process.stderr.write(`[oddslab] ${line}\n`);
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
