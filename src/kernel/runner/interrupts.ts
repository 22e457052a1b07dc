import { LEFT, STRIKE, STRIKE_URL } from '../wire/lifeline.js';
import type { CellContext } from './cell-work.js';
import { forgetHalfLoaded } from './fresh-modules.js';
import {
  BETWEEN_CALLBACKS,
  BUILTIN_LOADER,
  ES_MODULE_LOADERS,
  forgetAsyncContexts,
  MODULE_LOADERS,
  MODULE_READER,
  NODE_BOOKKEEPING,
  setImmediateOfNode,
  TIMER_CALLER,
} from './node-internals.js';
import { BOUNDED, terminateExecution } from './repl-scripts.js';
import { currentCalls } from './stack.js';

const DEEPEST = 200;
/** After so many attempts, built-in V8 code that promises call is ended: they spend most of their time there. */
const PROMISE_PATIENCE = 10;
/** After so many attempts, the reader no longer waits for a moment when only the user's code is at work. */
const PATIENCE = 25;
/** How long the user's code must have been at work before it is ended. */
const AT_WORK_MS = 0.5;
/** So many attempts must find the work of an ended cell still running before it counts as a loop. */
const LATE_PATIENCE = 5;
/** After so many attempts, a callback is ended even if that leaves Node's list of timers in the wrong order. */
const LAST_PATIENCE = 100;
/** How long a package may go on loading: one that is ended midway cannot be imported again. */
const LOADING_MS = 2500;

/** For how long what an interrupted cell has left behind is ended where it loops: the handler of a connection, say. */
const LEFT_MS = 3000;
/** How long such work must have been at it, with no turn of the event loop, before it counts as a loop. */
const LEFT_LOOP_MS = 2000;

/** What the watching thread is to do next: nothing, another attempt, the same once more, or another attempt in a while. */
export type Struck = 'done' | 'again' | 'wait' | 'later';

/** Interrupts cells from outside, at moments when only the user's own code is affected. */
export class Interrupts {
  readonly #context: CellContext;
  readonly #isOurs: (url: string) => boolean;
  readonly #onInterrupt: (cell: number, isLate: boolean) => void;
  readonly #early = new Set<number>();
  readonly #struck = new Set<number>();
  /** Struck cells whose interruption is yet to be reported, and whether each had already ended. */
  readonly #untold = new Map<number, boolean>();
  /** Cells that were ended in the middle of loading a package. */
  readonly #halfLoaded = new Set<number>();
  /** Since when every attempt has found the user's code at work. */
  #atWorkSinceMs: number | undefined;
  /** Since when attempts, also those of several requests, have found a package being loaded, and never nothing running. */
  #loadingSinceMs: number | undefined;
  /** Until when what interrupted cells have left behind is ended where it loops. */
  #endsLeftUntilMs = 0;
  /** The cell whose code goes on although it was to end; its async context is forgotten. */
  #ongoing: number | undefined;
  /** Whether the current request has interrupted anything. */
  #hasHit = false;
  /** Whether the current request also waits for the next turn of the event loop. */
  #awaitsTurn = false;

  /**
   * @param isOurs Whether a script belongs to the runner.
   * @param onInterrupt Called once a cell has been interrupted, in a turn of its own; `isLate` if the cell had ended
   * and work that it left behind was interrupted.
   */
  constructor(
    context: CellContext,
    isOurs: (url: string) => boolean,
    onInterrupt: (cell: number, isLate: boolean) => void,
  ) {
    this.#context = context;
    // The watching thread's request may interrupt an earlier request of its own.
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

  /** Whether a package that a cell was loading was ended midway, so that only a new process is sure to load it. */
  hasHalfLoaded(cell: number): boolean {
    return this.#halfLoaded.has(cell);
  }

  /**
   * Called by the watching thread through the inspector, in the middle of running JavaScript or in the idle event loop.
   *
   * @param cell The cell to interrupt; nothing happens if it is over.
   * @param attempt How many were made before; {@link LEFT} once the cell was interrupted.
   * @returns `again` if this is a bad moment, and until the interruption has been reported and nothing of the cell
   * runs: what begins in the same turn may be a loop, too. `wait` if the attempt does not count. `later` for a while
   * after the report: what the cell has begun, such as a connection, may come to run only then, and block the next cell.
   */
  strike(cell: number, attempt: number): Struck {
    const { running, last } = this.#context;
    if (attempt === 0) {
      this.#hasHit = false;
      this.#awaitsTurn = false;
      this.#atWorkSinceMs = undefined;
      this.#ongoing = undefined;
    }
    if (attempt === LEFT) return this.#strikeLeft();
    if (cell > last) this.#early.add(cell);
    else if (cell !== (running ?? last)) {
      this.#loadingSinceMs = undefined;
      return this.hasStruck(cell) ? 'later' : 'done';
    }
    const hasStruck = running === undefined ? this.#hasHit : this.hasStruck(running);
    const isTold = hasStruck && this.#untold.size === 0;
    const calls = interruptedCalls();
    if (calls.length === 0) return this.#strikeNothing(cell, isTold, attempt);
    // Built-in V8 code has no URL; Node's code may have called it.
    const caller = calls.find(({ url }) => url !== '')?.url ?? '';
    if (running !== undefined && !NODE_BOOKKEEPING.test(caller)) this.#settleNextTurn(running);
    const moment = this.#momentOf(calls, isTold, attempt);
    if (moment !== 'now') return moment;
    // Known only as long as the contexts are.
    const struck = running ?? this.#current();
    return this.#end(calls, struck, isTold);
  }

  /** Ends what an interrupted cell has left behind if that loops, whichever cell runs by now. */
  #strikeLeft(): Struck {
    if (this.#untold.size > 0) return 'later';
    // What began in that time is looked at to its end.
    if (performance.now() > this.#endsLeftUntilMs && this.#atWorkSinceMs === undefined) return 'done';
    const calls = interruptedCalls();
    if (calls.length === 0) this.#ongoing = undefined;
    const struck = this.#current();
    const isLeft = this.hasStruck(struck) && calls.some(({ url }) => this.#isUsers(url));
    if (!this.#isAtWork(isLeft, LEFT_LOOP_MS)) return 'later';
    const moment = this.#momentOf(calls, true, PATIENCE);
    // It is said once more that the cell was interrupted.
    return moment === 'now' ? this.#end(calls, struck, false) : moment;
  }

  /** Ends the calls that run now, on behalf of a cell. */
  #end(calls: readonly Call[], struck: number, isTold: boolean): Struck {
    this.#atWorkSinceMs = undefined;
    // Also where a package calls the user's code while it is imported.
    if (this.#isLoadingPackage(calls.map(({ url }) => url)) || calls.some(({ url }) => ES_MODULE_LOADERS.test(url)))
      this.#halfLoaded.add(struck);
    forgetAsyncContexts();
    if (!isTold) this.#settle(struck);
    terminateExecution((failure) => {
      // The next attempt, if it came first, was ended instead, and what runs goes on.
      const goesOn = !failure && currentCalls(DEEPEST).some((site) => this.#isUsers(urlOf(site)));
      this.#ongoing = goesOn ? struck : undefined;
      forgetAsyncContexts();
      forgetHalfLoaded();
    });
    return 'again';
  }

  /** Whose code runs now. */
  #current(): number {
    return this.#ongoing ?? this.#context.current();
  }

  #isUsers(url: string): boolean {
    return url !== '' && !url.startsWith('node:') && !this.#isOurs(url);
  }

  /** Handles an attempt that finds no JavaScript running: the cell waits. */
  #strikeNothing(cell: number, isTold: boolean, attempt: number): Struck {
    this.#atWorkSinceMs = undefined;
    this.#ongoing = undefined;
    this.#loadingSinceMs = undefined;
    if (!isTold) this.#settle(this.#context.running);
    // Ending the running code may also have dropped the turn that was to report the interruption.
    if (attempt > 0 && attempt % PATIENCE === 0) for (const [each] of this.#untold) this.#tellSoon(each);
    // Until the cell has ended, what is left of its work may still begin.
    if (this.#untold.size > 0 || this.hasStruck(this.#context.running)) return 'again';
    return this.hasStruck(cell) ? 'later' : 'done';
  }

  /** Whether what runs may be ended now. */
  #momentOf(calls: readonly Call[], isTold: boolean, attempt: number): 'now' | Struck {
    const { running } = this.#context;
    const beneath = calls.map(({ url }) => url);
    const users = beneath.findIndex((url) => this.#isUsers(url));
    // Interrupted work may have begun again and then blocks everything else; after the report, only such work is ended.
    if (isTold && (users === -1 || !this.hasStruck(this.#current()))) return 'again';
    if (users === -1 && running === undefined) {
      return attempt < LAST_PATIENCE || this.#untold.size > 0 ? 'again' : 'done';
    }
    if (running === undefined && attempt < LATE_PATIENCE) return 'again';
    if (this.#isLoadingPackage(beneath) && !this.#hasLoadedLong()) return 'wait';
    // Code that has just begun may finish before the termination takes effect, which would then hit what runs next.
    const isPromise = beneath[0] === '' && BETWEEN_CALLBACKS.test(beneath[1] ?? '');
    if (!this.#isAtWork(users !== -1) && attempt < (isPromise ? PROMISE_PATIENCE : PATIENCE)) return 'again';
    if (NODE_BOOKKEEPING.test(beneath[0] ?? '') || (endsCaller(calls) && (users === -1 || attempt < LAST_PATIENCE)))
      return 'again';
    const above = users === -1 ? beneath : beneath.slice(0, users);
    if (above.includes(BUILTIN_LOADER)) return 'again';
    return above.some(this.#isOurs) && attempt < PATIENCE ? 'again' : 'now';
  }

  /** Settles the cell in the next turn: if there is one, nothing need be ended, and repeating work is cancelled. */
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

  /** Reports in a new turn, because what awaits at this moment may be lost with the code that ends. */
  #tellSoon(cell: number): void {
    setImmediateOfNode(() => {
      const isLate = this.#untold.get(cell);
      if (!this.#untold.delete(cell)) return;
      this.#endsLeftUntilMs = performance.now() + LEFT_MS;
      this.#onInterrupt(cell, isLate === true);
    });
  }

  /**
   * Whether what runs is the code by which a package is loaded, Node's or its own, and not the user's, which a package may
   * call. A package's many files are loaded by way of the runner, which may be installed as a package itself.
   */
  #isLoadingPackage(beneath: readonly string[]): boolean {
    const others = beneath.filter((url) => !this.#isOurs(url));
    const outwards = others.findIndex((url) => url !== '' && !url.startsWith('node:') && !isInPackage(url));
    const inner = outwards === -1 ? others : others.slice(0, outwards);
    const loader = inner.findLastIndex((url) => MODULE_LOADERS.test(url));
    if (inner.slice(0, Math.max(0, loader)).some(isInPackage) || inner.some((url) => ES_MODULE_LOADERS.test(url)))
      return true;
    return inner.length === others.length && !inner.some(isInPackage) && inner.includes(MODULE_READER);
  }

  #hasLoadedLong(): boolean {
    this.#loadingSinceMs ??= performance.now();
    return performance.now() - this.#loadingSinceMs > LOADING_MS;
  }

  #isAtWork(isNow: boolean, leastMs = AT_WORK_MS): boolean {
    if (!isNow) {
      this.#atWorkSinceMs = undefined;
      return false;
    }
    this.#atWorkSinceMs ??= performance.now();
    return performance.now() - this.#atWorkSinceMs > leastMs;
  }
}

interface Call {
  /** URL of the script; empty for code built into V8. */
  url: string;
  name: string;
}

/** The calls that were interrupted, innermost first. */
function interruptedCalls(): Call[] {
  const calls = currentCalls(DEEPEST).map((site) => ({
    url: urlOf(site),
    name: site.getFunctionName() ?? '',
  }));
  return calls.slice(calls.findIndex(({ url }) => url === STRIKE_URL) + 1);
}

function urlOf(site: NodeJS.CallSite): string {
  return site.getScriptNameOrSourceURL() ?? '';
}

/** Whether a script, named by its path or URL, belongs to an installed package. */
function isInPackage(url: string): boolean {
  return /[\\/]node_modules[\\/]/.test(url);
}

/**
 * Whether ending the code would hit Node's timer loop in the middle of a callback, which Node would then repeat for
 * ever.
 */
function endsCaller(calls: readonly Call[]): boolean {
  const bound = calls.findIndex(({ name }) => name === BOUNDED);
  const ended = bound === -1 ? calls : calls.slice(0, bound);
  const caller = ended.findIndex(({ url }) => TIMER_CALLER.test(url));
  return caller > 0 && !BETWEEN_CALLBACKS.test(ended[caller - 1]?.url ?? '');
}
