import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { appendAll } from '../../base/many.js';

/** What the watching thread is told of the main thread as that begins to wait for a child. */
export interface WaitNotice {
  /** The children that it had before. */
  known: number[];
  /** The cell that is running. */
  cell: number | undefined;
}

/** What the watching thread is told once that wait is over. */
export type Notice = WaitNotice | 'over';

/** The children of this process that its main thread has started; those of `tracked` where the system does not tell. */
export function knownChildren(tracked: Iterable<number>): number[] {
  return readChildren(process.pid, process.pid) ?? [...tracked];
}

/** What the two threads share: whether the child that is waited for was ended, and the cell that was last asked to end. */
export const [ENDED, ASKED] = [0, 1];

/** How long what was to end may hold up the call that waits for it before that is looked after again. */
const LEFT_MS = 1000;

/** Ends the child processes for which a main thread waits in a call, which can itself not be interrupted. */
export class WaitedChildren {
  readonly #flag: Int32Array;
  #known: readonly number[] | undefined;
  /** What was to end at the first call: what has lost its parent since cannot be found any more. */
  #ended: readonly number[] = [];

  /** @param shared Holds {@link ENDED} and {@link ASKED}. */
  constructor(shared: SharedArrayBuffer) {
    this.#flag = new Int32Array(shared);
  }

  take(notice: Notice): void {
    this.#known = notice === 'over' ? undefined : notice.known;
    this.#ended = [];
    // The cell was asked to end just before it began to wait.
    if (notice !== 'over' && notice.cell === Atomics.load(this.#flag, ASKED)) this.#end();
  }

  /**
   * Ends what the main thread waits for on behalf of a cell, with all that it has started: by SIGINT, as a terminal does,
   * and at the next call by SIGKILL. If the command ends and what it had in the background holds up the call, that is
   * ended as well. What a shell had just begun may lose the signal: it gets another. Children from before are left alone.
   * If the main thread does not wait, it will not begin to.
   */
  end(cell: number): void {
    Atomics.store(this.#flag, ASKED, cell);
    this.#end();
  }

  #end(): void {
    const waited = this.#waited();
    const isFirst = this.#ended.length === 0;
    if (!this.#known || (waited.length === 0 && isFirst)) return;
    Atomics.store(this.#flag, ENDED, 1);
    const all = [...new Set([...treeOf(waited), ...this.#ended])];
    this.#ended = all;
    signalAll(all, isFirst ? 'SIGINT' : 'SIGKILL');
    if (isFirst) this.#endLeft(this.#known);
  }

  /** @param known Tells this wait from a later one. */
  #endLeft(known: readonly number[]): void {
    setTimeout(() => {
      if (this.#known !== known) return;
      if (this.#waited().length === 0) return signalAll(this.#ended, 'SIGKILL');
      signalAll(this.#ended.filter(endsBySigint), 'SIGINT');
      this.#endLeft(known);
    }, LEFT_MS).unref();
  }

  /** The children for which the main thread waits. */
  #waited(): number[] {
    const known = this.#known;
    return known ? childrenOf(process.pid).filter((pid) => !known.includes(pid)) : [];
  }
}

/** Processes and all that they have started, parents first, so that a shell does not go on to its next command. */
function treeOf(pids: readonly number[]): number[] {
  const tree = [...pids];
  for (const each of tree) appendAll(tree, childrenOf(each));
  return tree;
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const each of pids) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended by itself.
    }
  }
}

/** Whether SIGINT would end a process, where the system tells: what it neither catches nor ignores, it had not got. */
function endsBySigint(pid: number): boolean {
  try {
    const masks = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^Sig(?:Ign|Cgt):\s*([0-9a-f]+)$/gm);
    return [...masks].every(([, mask]) => (BigInt(`0x${mask}`) & SIGINT_BIT) === 0n);
  } catch {
    return false;
  }
}

const SIGINT_BIT = 1n << BigInt(constants.signals.SIGINT - 1);

/** The ids of a process's children. */
function childrenOf(pid: number): number[] {
  if (pid === process.pid) {
    const own = readChildren(pid, pid);
    if (own) return own;
  } else {
    const threads = threadsOf(pid).map((thread) => readChildren(pid, thread));
    if (threads.length > 0 && threads.every((each) => each !== undefined)) return threads.flat();
  }
  return listedChildren(pid);
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/** The children that a thread has started, where the system tells. */
function readChildren(pid: number, thread: number): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return undefined;
  }
}

function listedChildren(pid: number): number[] {
  try {
    // Loaded here, since few systems need it.
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const rows = listed.split('\n').map((line) => line.trim().split(/\s+/));
    return rows.filter(([, parent, name]) => Number(parent) === pid && name !== 'ps').map(([child]) => Number(child));
  } catch {
    return [];
  }
}
