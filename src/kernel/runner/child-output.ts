import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { INTERRUPTED } from '../wire/runner.js';
import type { CellContext } from './cell-work.js';
import { type Connection, connectNow, type Spawned, whenSpawning } from './node-internals.js';
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
    const inherited = inheritedIn(stdio);
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
 * Calls a function that waits for a child process, whose output is read on behalf of a cell: also what the child leaves
 * in the background, and where another cell runs.
 *
 * @param parameters The parameters of `execSync`, `execFileSync` or `spawnSync`.
 * @param options.lanes The path of a socket that reads a stream of a cell, named in its first line. Without one, the
 * child writes to the streams of this process.
 */
export function waitForChild(
  cell: number,
  parameters: unknown[],
  { call, lanes }: { call: (parameters: unknown[]) => unknown; lanes: string | undefined },
): unknown {
  const at = parameters.findLastIndex((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
  const options = parameters[at] as { stdio?: unknown } | undefined;
  if (!options?.stdio || lanes === undefined) return call(parameters);
  const stdio = listOf(options.stdio);
  const opened = inheritedIn(stdio).map(({ name, at: fd }) => ({ fd, lane: openLane(lanes, cell, name) }));
  try {
    for (const { fd, lane } of opened) if (lane) stdio[fd] = lane.fd;
    return call([...parameters.slice(0, at), { ...options, stdio }, ...parameters.slice(at + 1)]);
  } finally {
    for (const { lane } of opened) lane?.close();
  }
}

function openLane(path: string, cell: number, name: StreamName): Connection | undefined {
  const lane = connectNow(path);
  if (!lane) return undefined;
  try {
    writeSync(lane.fd, `${cell} ${name}\n`);
    return lane;
  } catch {
    lane.close();
    return undefined;
  }
}

/** The `stdio` of a child's options as a list. */
function listOf(stdio: unknown): unknown[] {
  if (Array.isArray(stdio)) return [...stdio];
  return Array.from({ length: 3 }, () => stdio ?? 'pipe');
}

/** Which of a child's streams are this process's standard output or errors, also where it takes one for the other. */
function inheritedIn(stdio: readonly unknown[]): { name: StreamName; at: number }[] {
  return stdio.flatMap((entry, at) => {
    const name = NAMES[inheritedBy(entry, at) ?? 0];
    return name === undefined ? [] : [{ name, at }];
  });
}

/** The descriptor of this process that a child's stream stands for; undefined if none. */
function inheritedBy(entry: unknown, at: number): number | undefined {
  if (entry === 'inherit') return at;
  const fd: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'fd') : entry;
  return typeof fd === 'number' ? fd : undefined;
}

/** Reads a stream that the child's owner must not see: he has said that he does not read it. */
function read(child: Spawned, at: number, take: (text: string) => void): void {
  const stream = child.stdio?.[at] as (Readable & { unref?: () => void }) | null | undefined;
  if (!stream) return;
  child.stdio[at] = null;
  if (at === 1) child.stdout = null;
  if (at === 2) child.stderr = null;
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
