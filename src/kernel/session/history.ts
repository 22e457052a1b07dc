import { appendFile, mkdir, readFile, rename, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError } from '../../base/errors.js';
import { keptFolder } from '../../base/home-folder.js';
import { makeFolder } from '../../base/whole-file.js';
import type { ContentFields } from '../protocol/message.js';

/** The largest cell or output that is kept. */
const MOST_CHARACTERS = 200_000;
/** How many characters of this kernel's latest cells stay in memory; earlier cells are only in the file. */
const MOST_IN_MEMORY = 4_000_000;
/** About how many characters' worth of memory an entry takes besides its texts. */
const ENTRY_CHARACTERS = 100;
/** How long cells wait to be written together: each write costs about as much as a small cell. */
const WRITE_AFTER_MS = 200;

/** A cell as `history_reply` lists it: session, number, and its code or its code and output. */
type HistoryItem = [number, number, string | [string, string | null]];

/** The cells that ran in this kernel and in earlier ones. */
export class History {
  /** This kernel's number: its start time in microseconds, which no other kernel shares. */
  readonly session = nextSession();
  readonly #path: string | undefined;
  readonly #log: (line: string) => void;
  readonly #own: HistoryEntry[] = [];
  /** Characters of `#own`. */
  #size = 0;
  readonly #unwritten: HistoryEntry[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  /** @param path File that outlives the kernel; without it, the latest cells are kept as long as the kernel lives. */
  constructor(path: string | undefined, log: (line: string) => void) {
    this.#path = path;
    this.#log = log;
  }

  /** Keeps a cell; writes the file a little later. */
  add(line: number, code: string, output: string | undefined): void {
    if (code.length > MOST_CHARACTERS) return;
    const isKept = output !== undefined && output.length <= MOST_CHARACTERS;
    const entry = { session: this.session, line, code, ...(isKept ? { output } : {}) };
    this.#own.push(entry);
    this.#size += sizeOf(entry);
    while (this.#size > MOST_IN_MEMORY) this.#size -= sizeOf(this.#own.shift() ?? entry);
    if (this.#path === undefined) return;
    this.#unwritten.push(entry);
    this.#timer ??= setTimeout(() => void this.saved(), WRITE_AFTER_MS);
  }

  /** Writes what is not written yet; resolves once the file holds everything that was kept. */
  saved(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const path = this.#path;
    if (path !== undefined) this.#writing = this.#writing.then(() => this.#write(path));
    return this.#writing;
  }

  /** Answers a `history_request`. */
  async answer(fields: ContentFields): Promise<HistoryItem[]> {
    const hasOutput = fields.flag('output', false);
    const found = await this.#find(fields);
    return found.map(({ session, line, code, output }) => [session, line, hasOutput ? [code, output ?? null] : code]);
  }

  async #find(fields: ContentFields): Promise<HistoryEntry[]> {
    const access = fields.text('hist_access_type', 'tail');
    const count = Math.max(0, fields.integer('n') ?? Number.POSITIVE_INFINITY);
    if (access === 'range') return this.#range(fields);
    if (access !== 'tail' && access !== 'search') {
      throw new InputError('The field "hist_access_type" of the request must be "tail", "range" or "search".');
    }
    const all = await this.#all();
    if (access === 'tail') return last(all, count);
    const pattern = fields.text('pattern', '*');
    const matching = all.filter(({ code }) => globMatches(pattern, code));
    return last(fields.flag('unique', false) ? latestOfEach(matching) : matching, count);
  }

  async #range(fields: ContentFields): Promise<HistoryEntry[]> {
    const asked = fields.integer('session') ?? 0;
    const start = fields.integer('start') ?? 1;
    const stop = fields.integer('stop') ?? Number.POSITIVE_INFINITY;
    const all = await this.#all();
    const sessions = [...new Set(all.map(({ session }) => session))].filter((session) => session < this.session);
    const wanted = asked === 0 ? this.session : asked < 0 ? sessions.sort((a, b) => a - b).at(asked) : asked;
    return all.filter(({ session, line }) => session === wanted && line >= start && line < stop);
  }

  async #all(): Promise<HistoryEntry[]> {
    if (this.#path === undefined) return this.#own;
    await this.saved();
    const kept = await readHistory(this.#path);
    const first = this.#own[0]?.line ?? Number.POSITIVE_INFINITY;
    return [...kept.filter(({ session, line }) => session !== this.session || line < first), ...this.#own];
  }

  async #write(path: string): Promise<void> {
    const entries = this.#unwritten.splice(0);
    if (entries.length === 0) return;
    await appendHistory(path, entries).catch((error: NodeJS.ErrnoException) => {
      const remedy = 'Make its folder writable, or set ODDSLAB_HISTORY=off.';
      if (!this.#hasFailed) this.#log(`Cells are not kept: ${path} cannot be written (${error.code}). ${remedy}`);
      this.#hasFailed = true;
    });
  }
}

let lastSession = 0;

/** A number for a kernel that starts now. Several may run in one process, and a clock may stand still. */
function nextSession(): number {
  const nowMicros = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  lastSession = Math.max(nowMicros, lastSession + 1);
  return lastSession;
}

function sizeOf({ code, output = '' }: HistoryEntry): number {
  return ENTRY_CHARACTERS + code.length + output.length;
}

function last<Item>(items: readonly Item[], count: number): Item[] {
  return count === 0 ? [] : items.slice(-count);
}

/** Only the latest cell of each code. */
function latestOfEach(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const latest = new Map(entries.map((entry) => [entry.code, entry]));
  return entries.filter((entry) => latest.get(entry.code) === entry);
}

/** The size at which a file is replaced; at most two are kept. */
const MOST_BYTES = 4_000_000;
const STALE_LOCK_MS = 10_000;

/** One cell that ran. */
interface HistoryEntry {
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
 * ODDSLAB_HISTORY names another. Undefined if nothing is kept: it is `off`, or the user has no home folder.
 */
export function historyPath(env: NodeJS.ProcessEnv): string | undefined {
  const chosen = env.ODDSLAB_HISTORY;
  if (chosen === 'off') return undefined;
  if (chosen) return chosen;
  const folder = keptFolder(env);
  return folder === undefined ? undefined : join(folder, 'history.jsonl');
}

/** Appends cells in one write, so that several kernels can at once; a file that is too large first becomes the older. */
export async function appendHistory(path: string, entries: readonly HistoryEntry[]): Promise<void> {
  await makeFolder(dirname(path));
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

/** Moves a large file aside: one process at a time, by a lock folder, since another may just have moved it. */
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

/**
 * Whether a whole text matches a pattern: `*` stands for any text, `?` for any one UTF-16 unit, and `[ab]` or `[^ab]`
 * for one that is, or is not, among the listed ones or ranges. Takes at most the product of both lengths in steps.
 *
 * @example globMatches('open?ab*', 'openLab()\nmore'); // true
 */
export function globMatches(pattern: string, text: string): boolean {
  const parts = [''];
  for (const [token] of pattern.matchAll(/\[\^?\]?[^\]]*\]|./gs)) {
    if (token === '*') parts.push('');
    else parts.push(parts.pop() + unitOf(token));
  }
  const [first, ...rest] = parts;
  const last = rest.pop();
  // What is in lookahead keeps its first match, so that a part that is not found makes none before it search again.
  const between = rest.map((part, index) => `(?=([^]*?${part}))\\${index + 1}`).join('');
  return new RegExp(`^${first}${last === undefined ? '' : `${between}[^]*${last}`}$`).test(text);
}

/** A token of a pattern as a regular expression for one UTF-16 unit. */
function unitOf(token: string): string {
  const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (token === '?') return '[^]';
  if (token.length === 1) return escaped(token);
  const [, negation = '', listed = ''] = /^\[(\^?)(.*)\]$/s.exec(token) ?? [];
  const ranges = [...listed.matchAll(/(.)-(.)|./gs)].map(([single, from = single, to = single]) =>
    from <= to ? `${escaped(from)}-${escaped(to)}` : '',
  );
  return `[${negation}${ranges.join('')}]`;
}
