import timers from 'node:timers';
import type { CellContext } from './cell-context.js';
import { BOUNDED, terminateExecution } from './evaluate-script.js';
import { currentCalls } from './stack.js';
import { STRIKE, STRIKE_URL } from './strike.js';

const DEEPEST = 200;
/** After so many times what is built into V8 is ended where promises call it, most of whose time is spent there. */
const PROMISE_PATIENCE = 10;
/** After so many times a reader need not wait for a moment when the user's code, and none of our own, is at work. */
const PATIENCE = 25;
/** How long the user's code must have been at work. */
const AT_WORK_MS = 0.5;
/** What a cell that is over has left behind must go on and on for so many times to be taken for a loop. */
const LATE_PATIENCE = 5;
/** After so many times a callback is ended even where Node's list of timers is in wrong order afterwards. */
const LAST_PATIENCE = 100;
/** Code of Node that must run to its end: an end in the middle of it would leave its books wrong, and Node aborts. */
const BOOKKEEPING = /^node:(internal\/)?(async_hooks|timers|process\/|async_local_storage)/;
/** Code of Node that calls one callback after another, and must learn of the end of each. */
const CALLER = /^node:internal\/timers/;
/** Code of Node that it calls between two of them. */
const BETWEEN = /^node:internal\/process\/task_queues/;

const setImmediateOfNode = setImmediate;

/** Ends cells from outside, at a moment when only the user's own code is ended by it. */
export class Interrupts {
  readonly #context: CellContext;
  readonly #isOurs: (url: string) => boolean;
  readonly #onInterrupt: (cell: number, isLate: boolean) => void;
  readonly #early = new Set<number>();
  readonly #struck = new Set<number>();
  /** Those of them whose interruption has not been told yet, and whether they were over. */
  readonly #untold = new Map<number, boolean>();
  /** Since when the user's code was at work whenever it was asked. */
  #atWorkSinceMs: number | undefined;
  /** Whether the last request has struck. */
  #hasHit = false;
  /** Whether it waits for the next turn of the loop, too. */
  #awaitsTurn = false;

  /**
   * @param isOurs Whether a script is the runner's.
   * @param onInterrupt Called once a cell has been interrupted, in a turn of its own; `isLate` where the cell was over,
   * and what it had left behind was ended.
   */
  constructor(
    context: CellContext,
    isOurs: (url: string) => boolean,
    onInterrupt: (cell: number, isLate: boolean) => void,
  ) {
    this.#context = context;
    // What the watching thread asks for may come in the middle of what it has asked for before.
    this.#isOurs = (url) => url === STRIKE_URL || isOurs(url);
    this.#onInterrupt = onInterrupt;
    Object.defineProperty(globalThis, STRIKE, {
      value: (cell: number, attempt: number) => this.strike(cell, attempt),
    });
  }

  /** Whether a cell was interrupted before it began. */
  wasEarly(cell: number): boolean {
    return this.#early.delete(cell);
  }

  /** Whether a cell has been interrupted. */
  hasStruck(cell: number | undefined): boolean {
    return cell !== undefined && this.#struck.has(cell);
  }

  /**
   * Called by the watching thread through the inspector: in the middle of whatever JavaScript runs, or by the event
   * loop while none does.
   *
   * @param cell Which is meant; nothing happens where it is over.
   * @returns `again` where this is a bad moment, and until the interruption has been told and nothing of the cell runs:
   * what begins in the same turn may be a loop too.
   */
  strike(cell: number, attempt: number): 'done' | 'again' {
    const { running, last } = this.#context;
    if (attempt === 0) {
      this.#hasHit = false;
      this.#awaitsTurn = false;
      this.#atWorkSinceMs = undefined;
    }
    if (cell > last) this.#early.add(cell);
    else if (cell !== (running ?? last)) return 'done';
    const hasStruck = running === undefined ? this.#hasHit : this.hasStruck(running);
    const isTold = hasStruck && this.#untold.size === 0;
    const calls = interruptedCalls();
    if (calls.length === 0) return this.#strikeNothing(isTold, attempt);
    // What is built into V8 may have been called by Node's code.
    const caller = calls.find(({ url }) => url !== '')?.url ?? '';
    if (running !== undefined && !BOOKKEEPING.test(caller)) this.#settleNextTurn(running);
    const moment = this.#momentOf(calls, isTold, attempt);
    if (moment !== 'now') return moment;
    this.#atWorkSinceMs = undefined;
    forgetAsyncContexts();
    if (!isTold) this.#settle(running ?? this.#context.current());
    terminateExecution(forgetAsyncContexts);
    return 'again';
  }

  /** No JavaScript runs: the cell waits. */
  #strikeNothing(isTold: boolean, attempt: number): 'done' | 'again' {
    this.#atWorkSinceMs = undefined;
    if (!isTold) this.#settle(this.#context.running);
    // The end of what ran can take away the turn in which it was to be told.
    if (attempt > 0 && attempt % PATIENCE === 0) for (const [each] of this.#untold) this.#tellSoon(each);
    return this.#untold.size > 0 ? 'again' : 'done';
  }

  /** Whether what runs may be ended now. */
  #momentOf(calls: readonly Call[], isTold: boolean, attempt: number): 'now' | 'done' | 'again' {
    const { running } = this.#context;
    const beneath = calls.map(({ url }) => url);
    const isUsers = (url: string): boolean => url !== '' && !url.startsWith('node:') && !this.#isOurs(url);
    const users = beneath.findIndex(isUsers);
    // What was ended can have gone on for as long as it takes to begin anew, and then keeps all else from its turn.
    if (isTold && (users === -1 || !this.hasStruck(this.#context.current()))) return 'again';
    if (users === -1 && running === undefined) {
      return attempt < LAST_PATIENCE || this.#untold.size > 0 ? 'again' : 'done';
    }
    if (running === undefined && attempt < LATE_PATIENCE) return 'again';
    // Code that only begins may give way before its end takes effect, which would then hit what runs next.
    const isPromise = beneath[0] === '' && BETWEEN.test(beneath[1] ?? '');
    if (!this.#isAtWork(users !== -1) && attempt < (isPromise ? PROMISE_PATIENCE : PATIENCE)) return 'again';
    if (BOOKKEEPING.test(beneath[0] ?? '') || (endsCaller(calls) && (users === -1 || attempt < LAST_PATIENCE)))
      return 'again';
    const above = users === -1 ? beneath : beneath.slice(0, users);
    return above.some(this.#isOurs) && attempt < PATIENCE ? 'again' : 'now';
  }

  /** Where the loop turns nothing has to be ended; what goes on for ever there is cancelled. */
  #settleNextTurn(cell: number): void {
    if (this.#awaitsTurn) return;
    this.#awaitsTurn = true;
    setImmediateOfNode(() => {
      if (this.#context.running === cell && !this.hasStruck(cell)) this.#settle(cell);
    });
  }

  #settle(cell: number | undefined): void {
    if (cell === undefined || this.#untold.has(cell)) return;
    this.#struck.add(cell);
    this.#untold.set(cell, cell !== this.#context.running);
    this.#hasHit = true;
    this.#tellSoon(cell);
  }

  /** What awaits at this moment may be lost with the code that ends: a new turn is safe. */
  #tellSoon(cell: number): void {
    setImmediateOfNode(() => {
      const isLate = this.#untold.get(cell);
      if (this.#untold.delete(cell)) this.#onInterrupt(cell, isLate === true);
    });
  }

  #isAtWork(isNow: boolean): boolean {
    if (!isNow) {
      this.#atWorkSinceMs = undefined;
      return false;
    }
    this.#atWorkSinceMs ??= performance.now();
    return performance.now() - this.#atWorkSinceMs > AT_WORK_MS;
  }
}

interface Call {
  /** Of the script; empty for what is built into V8. */
  url: string;
  name: string;
}

/** The calls that were interrupted, innermost first. */
function interruptedCalls(): Call[] {
  const calls = currentCalls(DEEPEST).map((site) => ({
    url: site.getScriptNameOrSourceURL() ?? '',
    name: site.getFunctionName() ?? '',
  }));
  return calls.slice(calls.findIndex(({ url }) => url === STRIKE_URL) + 1);
}

/** Whether an end would reach Node's own loop over timers in the middle of a callback: it would call that for ever. */
function endsCaller(calls: readonly Call[]): boolean {
  const bound = calls.findIndex(({ name }) => name === BOUNDED);
  const ended = bound === -1 ? calls : calls.slice(0, bound);
  const caller = ended.findIndex(({ url }) => CALLER.test(url));
  return caller > 0 && !BETWEEN.test(ended[caller - 1]?.url ?? '');
}

/**
 * Node keeps a stack of what caused what, each level of which is to be left in turn; code that is ended leaves none, and
 * Node would abort. What it does after an uncaught exception empties that stack. The turn that it asks for then is none
 * that a cell waits for.
 */
function forgetAsyncContexts(): void {
  const recover: unknown = Reflect.get(process, '_fatalException');
  if (typeof recover !== 'function' || process.hasUncaughtExceptionCaptureCallback()) return;
  const { setImmediate: ofCells } = timers;
  timers.setImmediate = setImmediateOfNode;
  process.setUncaughtExceptionCaptureCallback(() => {});
  Reflect.apply(recover, process, ['interrupt', false]);
  process.setUncaughtExceptionCaptureCallback(null);
  timers.setImmediate = ofCells;
}
