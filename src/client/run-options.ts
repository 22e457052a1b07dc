import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import type { Provenance } from '../frame/tabular/provenance.js';

/** Options for running a query. */
export interface RunOptions {
  /** The largest number of records, over all wallets together: a whole number of 1 or more. Default: all. */
  readonly maxRecords?: number | undefined;
  /** Aborts the query, which then throws the reason of the signal; requests under way are cancelled. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of the whole query in milliseconds, including the time that the reader takes between its pages: a whole
   * number from 1 to 2,147,483,647. Beyond it the query ends with a ServiceError that says how many records had
   * arrived. Default: none; each request has a limit of its own, see `connect()`.
   */
  readonly timeoutMs?: number | undefined;
  /** Called with the progress after each page, and once more when all have been read. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Called when all has been read with the queries behind the records, as `frame.provenance` has them: for records that
   * are read page by page or written to a file. With it, the query does not warn of names that the data lack, such as a
   * wallet that no record mentions: the provenance has them.
   */
  readonly onProvenance?: ((provenance: readonly Provenance[]) => void) | undefined;
  /** Keeps amounts as exact integer micro-units, for sums that are right to the last digit. Default false. */
  readonly exact?: boolean | undefined;
  /** Refuses records with a field that the contract does not have, instead of adding a column. Default false. */
  readonly strict?: boolean | undefined;
}

const NAMES = [
  'maxRecords',
  'signal',
  'timeoutMs',
  'onProgress',
  'onProvenance',
  'exact',
  'strict',
] as const satisfies (keyof RunOptions)[];

/** The longest delay of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Checks the options of a run, for callers without TypeScript.
 *
 * @throws {UsageError} If an option has an unknown name, `maxRecords` or `timeoutMs` is no whole number within its
 * bounds, or `signal` is none.
 */
export function checkRunOptions(run: RunOptions): void {
  knownOptions('running a query', run, NAMES);
  if (run.maxRecords !== undefined) checkCount('maxRecords', run.maxRecords);
  if (run.signal !== undefined && !isSignal(run.signal)) {
    throw new UsageError(
      'signal must be an AbortSignal, such as AbortSignal.timeout(5000) or the signal of an AbortController.',
    );
  }
  const { timeoutMs = 1 } = run;
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= LONGEST_TIMER_MS) return;
  const most = LONGEST_TIMER_MS.toLocaleString('en-US');
  throw new UsageError(`timeoutMs must be a whole number from 1 to ${most}; got ${String(timeoutMs)}.`);
}

/** Whether a value has the members of a signal that are used; a signal of another realm counts too. */
function isSignal(signal: unknown): boolean {
  const { aborted, addEventListener } = Object(signal) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** @throws {UsageError} If a number of records is not a whole number of 1 or more. */
export function checkCount(name: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 1) return;
  throw new UsageError(`${name} must be a whole number of 1 or more; got ${String(count)}.`);
}

/** The progress of a query. */
export interface Progress {
  /** Records received, without those that were dropped as repeats. */
  readonly records: number;
  /** Pages received. */
  readonly pages: number;
  /** Requests sent, including those for pages ahead of the one that is read. */
  readonly requests: number;
  /** Number of series of pages in the query: one for each wallet and each hundred condition ids, else one. */
  readonly series: number;
  /** Series read to their end; all of them once the query is done, even if `maxRecords` left some unread. */
  readonly seriesDone: number;
  /**
   * Sum of the times that requests waited between tries and for rate limits, in milliseconds; several may wait at once.
   */
  readonly waitedMs: number;
  /** Time since the query began, in milliseconds. */
  readonly elapsedMs: number;
}

/** A terminal, as far as a line of progress needs it. */
interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A line that shows the progress of a query. */
export interface ProgressLine {
  update(progress: Progress): void;
  /** Removes the line. */
  end(): void;
}

/** Global function in cells of Oddslab's kernel that shows a line of progress in place of the one before. */
const NOTEBOOK = Symbol.for('oddslab.progress');

const QUIET_MS = 1000;
const REFRESH_MS = 200;
const BAR = 20;
/** Back to the first column, and clear the line. */
const CLEAR = '\r\u001b[K';

/**
 * Shows the progress of a query on a terminal or in a notebook's cell, from one second after its start on; nothing if
 * `terminal` is a file or a pipe. `most`, the largest number of records, is for the bar.
 */
export function progressLine(terminal: Terminal, title: string, most?: number): ProgressLine | undefined {
  const show = placeOf(terminal);
  if (!show) return undefined;
  const start = performance.now();
  let latest: Progress | undefined;
  let isShown = false;
  const draw = () => {
    const elapsedMs = performance.now() - start;
    if (elapsedMs < QUIET_MS) return;
    const text = latest ? progressText(title, { ...latest, elapsedMs }, most) : `${title}: waiting for the first page`;
    show(text);
    isShown = true;
  };
  const timer = setInterval(draw, REFRESH_MS);
  timer.unref();
  return {
    update(progress) {
      latest = progress;
    },
    end() {
      clearInterval(timer);
      if (isShown) show('');
    },
  };
}

/** A function that shows a line in place of the one before; an empty line removes it. */
function placeOf(terminal: Terminal): ((line: string) => void) | undefined {
  const notebook: unknown = Reflect.get(globalThis, NOTEBOOK);
  if (typeof notebook === 'function') return (line) => notebook(line);
  if (!terminal.isTTY || process.env.TERM === 'dumb') return undefined;
  return (line) => terminal.write(CLEAR + line.slice(0, (terminal.columns || 80) - 1));
}

/** The progress as one line, with a bar if the end is known. */
export function progressText(title: string, progress: Progress, most?: number): string {
  const { records, pages, series, seriesDone, waitedMs, elapsedMs } = progress;
  const share = Math.max(series > 1 ? seriesDone / series : 0, most === undefined ? 0 : records / most);
  const filled = Math.min(BAR, Math.round(share * BAR));
  const parts = [
    `${title}:`,
    ...(series > 1 || most !== undefined ? [`${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`] : []),
    `${counted(records, 'record')} in ${counted(pages, 'page')},`,
    ...(series > 1 ? [`${seriesDone} of ${series} queries,`] : []),
    ...(waitedMs >= 1000 ? [`waited ${seconds(waitedMs)},`] : []),
    seconds(elapsedMs),
  ];
  return parts.join(' ');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
