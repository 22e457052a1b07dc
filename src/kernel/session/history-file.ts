import { appendFile, mkdir, readFile, rename, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homeFolder } from '../home-folder.js';

/** The size at which a file is replaced; at most two are kept. */
const MOST_BYTES = 4_000_000;
const STALE_LOCK_MS = 10_000;

/** One cell that ran. */
export interface HistoryEntry {
  /** Number of the kernel's run; later runs have greater numbers. */
  session: number;
  /** The cell's execution count in that run. */
  line: number;
  code: string;
  /** The plain text of its value, if it had one. */
  output?: string;
}

/**
 * The file that keeps cells from one kernel to the next: `oddslab/history.jsonl` in the user's data folder, unless
 * ODDSLAB_HISTORY names another.
 *
 * @returns Undefined if nothing is kept: ODDSLAB_HISTORY is `off`, or the user has no home folder.
 */
export function historyPath(env: NodeJS.ProcessEnv): string | undefined {
  const chosen = env.ODDSLAB_HISTORY;
  if (chosen === 'off') return undefined;
  if (chosen) return chosen;
  const folder = dataFolder(env);
  return folder === undefined ? undefined : join(folder, 'oddslab', 'history.jsonl');
}

/**
 * Appends cells in one write, so that several kernels can append at once. A file that is too large first becomes the
 * older file.
 */
export async function appendHistory(path: string, entries: readonly HistoryEntry[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (await isLarge(path)) await rotate(path);
  await appendFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
}

/** Reads the kept cells, oldest first; skips damaged lines. */
export async function readHistory(path: string): Promise<HistoryEntry[]> {
  const texts = await Promise.all([olderOf(path), path].map((file) => readFile(file, 'utf8').catch(() => '')));
  return texts.join('').split('\n').flatMap(parseEntry);
}

function parseEntry(line: string): HistoryEntry[] {
  try {
    const { session, line: number, code, output } = JSON.parse(line) as Partial<HistoryEntry>;
    if (typeof session !== 'number' || typeof number !== 'number' || typeof code !== 'string') return [];
    return [{ session, line: number, code, ...(typeof output === 'string' ? { output } : {}) }];
  } catch {
    return [];
  }
}

/**
 * Moves a large file aside. Only the process that made the lock folder may do so, and only if the file is still large:
 * another process may just have moved it.
 */
async function rotate(path: string): Promise<void> {
  const lock = `${path}.lock`;
  try {
    await mkdir(lock);
  } catch {
    const madeAt = await stat(lock).catch(() => undefined);
    if (madeAt && Date.now() - madeAt.mtimeMs > STALE_LOCK_MS) await rmdir(lock).catch(() => {});
    return;
  }
  try {
    if (await isLarge(path)) await rename(path, olderOf(path));
  } finally {
    await rmdir(lock);
  }
}

async function isLarge(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > MOST_BYTES,
    () => false,
  );
}

function olderOf(path: string): string {
  return `${path.replace(/\.jsonl$/, '')}.older.jsonl`;
}

function dataFolder(env: NodeJS.ProcessEnv): string | undefined {
  const own = process.platform === 'win32' ? env.APPDATA : process.platform === 'darwin' ? '' : env.XDG_DATA_HOME;
  const home = homeFolder();
  if (own || home === undefined) return own || undefined;
  if (process.platform === 'win32') return join(home, 'AppData', 'Roaming');
  return process.platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.local', 'share');
}
