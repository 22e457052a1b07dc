import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { INTERRUPTED } from '../wire/runner.js';
import type { CellContext } from './cell-work.js';
import { type Spawned, whenSpawning } from './node-internals.js';
import { ASKED, ENDED, knownChildren, type Notice } from './waited-children.js';

type StreamName = 'stdout' | 'stderr';
/** Gets what a child process wrote, and the cell that started it. */
type TakeText = (cell: number, name: StreamName, text: string) => void;

const NAMES: readonly (StreamName | undefined)[] = [undefined, 'stdout', 'stderr'];

/**
 * Has child processes whose output is `inherit`ed write to the cell that started them, even if they write after its end:
 * they would write to the streams of this process, of which nobody knows whose a text is.
 *
 * @returns The ids of the child processes that are alive.
 */
export function captureChildren(context: CellContext, take: TakeText): ReadonlySet<number> {
  const alive = new Set<number>();
  const track = (child: Spawned): void => {
    const { pid } = child;
    if (pid === undefined) return;
    alive.add(pid);
    child.once('exit', () => alive.delete(pid));
  };
  whenSpawning((options) => {
    const cell = context.current();
    const stdio = listOf(options.stdio);
    const inherited = NAMES.flatMap((name, at) => (name && isInherited(stdio[at], at) ? [{ name, at }] : []));
    if (inherited.length === 0) return track;
    for (const { at } of inherited) stdio[at] = 'pipe';
    options.stdio = stdio;
    return (child) => {
      track(child);
      for (const { name, at } of inherited) read(child, at, (text) => take(cell, name, text));
    };
  });
  return alive;
}

/** How a wait for a child process is made known, so that an interrupt can end the child. */
export interface Waits {
  /** Holds `ENDED` and `ASKED`. */
  shared: SharedArrayBuffer;
  tell(notice: Notice): void;
}

/**
 * Waits for a child process in a way that an interrupt ends: it ends the child, and the call throws. So does each further
 * call of a cell that was asked to end, and thereby holds still to be ended: a cell may catch errors and call again.
 *
 * @param options.tracked The ids of the child processes that are alive.
 * @param options.cell The cell that is running.
 * @param options.onEnded Called before the call throws because of an interrupt.
 */
export function interruptible(
  { shared, tell }: Waits,
  { tracked, cell, onEnded }: { tracked: ReadonlySet<number>; cell: number | undefined; onEnded: () => void },
  wait: () => unknown,
): unknown {
  const flag = new Int32Array(shared);
  const isEnding = cell !== undefined && Atomics.load(flag, ASKED) === cell;
  if (isEnding) {
    onEnded();
    for (const until = performance.now() + STILL_MS; performance.now() < until; );
    throw interruption(undefined);
  }
  Atomics.store(flag, ENDED, 0);
  tell({ known: knownChildren(tracked), cell });
  let cause: unknown;
  try {
    const result = wait();
    if (Atomics.load(flag, ENDED) === 0) return result;
  } catch (error) {
    if (Atomics.load(flag, ENDED) === 0) throw error;
    cause = error;
  } finally {
    tell('over');
  }
  onEnded();
  throw interruption(cause);
}

/** How long a cell that was asked to end is held still; it is ended much sooner. */
const STILL_MS = 300;

function interruption(cause: unknown): Error {
  const error = new Error('The cell was interrupted: the command for which it waited was ended.', { cause });
  error.name = INTERRUPTED;
  return error;
}

/**
 * Calls a function that waits for a child process. Where the running cell is not the one that waits, what the child writes
 * is kept aside and given to that one.
 *
 * @param parameters The parameters of `execSync`, `execFileSync` or `spawnSync`.
 */
export function waitForChild(
  context: CellContext,
  parameters: unknown[],
  { call, take }: { call: (parameters: unknown[]) => unknown; take: TakeText },
): unknown {
  const cell = context.current();
  const at = parameters.findLastIndex((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
  const options = parameters[at] as { stdio?: unknown } | undefined;
  const stdio = listOf(options?.stdio);
  const inherited = NAMES.flatMap((name, fd) => (name && isInherited(stdio[fd], fd) ? [{ name, fd }] : []));
  if (!options?.stdio || inherited.length === 0 || cell === (context.running ?? context.last)) return call(parameters);
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-child-'));
  const files = inherited.map((each) => ({ ...each, path: join(folder, each.name), file: 0 }));
  try {
    for (const each of files) {
      each.file = openSync(each.path, 'w');
      stdio[each.fd] = each.file;
    }
    return call([...parameters.slice(0, at), { ...options, stdio }, ...parameters.slice(at + 1)]);
  } finally {
    for (const { name, path, file } of files) {
      closeSync(file);
      const text = readFileSync(path, 'utf8');
      if (text !== '') take(cell, name, text);
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The `stdio` of a child's options as a list. */
function listOf(stdio: unknown): unknown[] {
  if (Array.isArray(stdio)) return [...stdio];
  return Array.from({ length: 3 }, () => stdio ?? 'pipe');
}

function isInherited(entry: unknown, at: number): boolean {
  if (entry === 'inherit') return true;
  const fd: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'fd') : entry;
  return fd === at;
}

/** Reads a stream that the child's owner must not see: he has said that he does not read it. */
function read(child: Spawned, at: number, take: (text: string) => void): void {
  const stream = child.stdio?.[at] as (Readable & { unref?: () => void }) | null | undefined;
  if (!stream) return;
  child.stdio[at] = null;
  if (at === 1) child.stdout = null;
  else child.stderr = null;
  stream
    .setEncoding('utf8')
    .on('data', take)
    .on('error', () => {});
  const { unref, ref } = child;
  child.unref = () => {
    stream.unref?.();
    return unref.call(child);
  };
  child.ref = () => {
    (stream as { ref?: () => void }).ref?.();
    return ref.call(child);
  };
}
