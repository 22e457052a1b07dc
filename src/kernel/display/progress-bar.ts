import { randomUUID } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { UsageError } from '../../base/errors.js';
import { escapeHtml } from '../../base/texts.js';
import type { MimeBundle, OutputEvent } from '../wire/runner.js';
import { kindOf, makeQuiet } from './mime-bundle.js';

/** Limits updates to ten a second. */
const INTERVAL_MS = 100;

/** A bar that shows the progress of counted work and updates in place. It ends by itself when it reaches its total. */
class ProgressBar {
  readonly #emit: (event: OutputEvent) => void;
  readonly #id = `progress-${randomUUID()}`;
  readonly #label: string;
  readonly #total: number | undefined;
  readonly #startedMs = performance.now();
  #count = 0;
  #shownMs = this.#startedMs;
  #later: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(emit: (event: OutputEvent) => void, label: string, total: number | undefined) {
    this.#emit = emit;
    this.#label = label;
    this.#total = total;
    makeQuiet(this);
    emit({ type: 'display', id: this.#id, ...progressPicture(this.#state()) });
  }

  /** The number of steps done. */
  get count(): number {
    return this.#count;
  }

  /** Adds to the count; reaching the total ends the bar. */
  tick(steps = 1): void {
    this.set(this.#count + checkedNumber('tick(steps)', steps));
  }

  /** Sets the count; reaching the total ends the bar. */
  set(count: number): void {
    if (this.#isOver) return;
    this.#count = Math.max(0, checkedNumber('set(count)', count));
    if (this.#total !== undefined && this.#count >= this.#total) this.done();
    else this.#show();
  }

  /** Ends the bar; only its label and this text stay. */
  done(text: string = endText(this.#state())): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#later);
    this.#emit({ type: 'update', id: this.#id, ...endPicture(this.#label, String(text)) });
  }

  #show(): void {
    const dueMs = this.#shownMs + INTERVAL_MS - performance.now();
    if (dueMs <= 0) this.#showNow();
    // If the work pauses right after a step, the bar must not keep showing the state before it.
    else this.#later ??= setTimeout(() => this.#showNow(), dueMs).unref();
  }

  #showNow(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (this.#isOver) return;
    this.#shownMs = performance.now();
    this.#emit({ type: 'update', id: this.#id, ...progressPicture(this.#state()) });
  }

  #state(): ProgressState {
    const elapsedMs = performance.now() - this.#startedMs;
    return { label: this.#label, count: this.#count, total: this.#total, elapsedMs };
  }
}

function checkedNumber(call: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new UsageError(`A progress bar's ${call} takes a finite number; got ${kindOf(value)}.`);
}

type Emit = (event: OutputEvent) => void;

/** Makes `display.progress`: a bar for a number of steps, or an iterable that shows its progress as it is iterated. */
export function createProgress(emit: Emit): (work: unknown, label?: string) => ProgressBar {
  return (work, label = '') => {
    const open = (total: number | undefined): ProgressBar => new ProgressBar(emit, String(label), total);
    if (typeof work === 'number' && work >= 0 && Number.isFinite(work)) return open(work);
    if (isIterable(work)) return walked(open(sizeOf(work)), work);
    if (isAsyncIterable(work)) return streamed(open(undefined), work);
    throw new UsageError(
      `display.progress(work, label) takes how many steps there are, or a list or stream to walk through; got ${kindOf(work)}.`,
    );
  };
}

const ROW = 'display:flex;flex-wrap:wrap;align-items:center;gap:.75em;font-size:.92em;color:inherit';
const BAR = 'width:16em;max-width:100%';
const WORDS = 'font-variant-numeric:tabular-nums;opacity:.8';

/** Makes a bar iterate over a list and count its items. */
function walked(bar: ProgressBar, items: Iterable<unknown>): ProgressBar {
  return Object.defineProperty(bar, Symbol.iterator, {
    *value(): Generator<unknown, void> {
      try {
        for (const item of items) {
          yield item;
          bar.tick();
        }
      } finally {
        bar.done();
      }
    },
  });
}

/** Makes a bar iterate over a stream and count its items. */
function streamed(bar: ProgressBar, items: AsyncIterable<unknown>): ProgressBar {
  return Object.defineProperty(bar, Symbol.asyncIterator, {
    async *value(): AsyncGenerator<unknown, void> {
      try {
        for await (const item of items) {
          yield item;
          bar.tick();
        }
      } finally {
        bar.done();
      }
    },
  });
}

function isIterable(work: unknown): work is Iterable<unknown> {
  return typeof work === 'object' && work !== null && Symbol.iterator in work;
}

function isAsyncIterable(work: unknown): work is AsyncIterable<unknown> {
  return typeof work === 'object' && work !== null && Symbol.asyncIterator in work;
}

function sizeOf(items: Iterable<unknown>): number | undefined {
  if (Array.isArray(items) || ArrayBuffer.isView(items)) return Reflect.get(items, 'length') as number;
  return items instanceof Map || items instanceof Set ? items.size : undefined;
}

/** The bar while the work goes on: HTML without script in the page's colours, and a line of plain text. */
function progressPicture(state: ProgressState): MimeBundle {
  const words = progressText(state);
  const name = escapeHtml(state.label);
  const value = state.total === undefined ? '' : ` value="${state.count}" max="${state.total || 1}"`;
  const html =
    `<div style="${ROW}">${name && `<span>${name}</span>`}` +
    `<progress${value} style="${BAR}" aria-label="${name || 'Progress'}"></progress>` +
    `<span style="${WORDS}">${escapeHtml(words)}</span></div>`;
  return { data: { 'text/html': html, 'text/plain': withLabel(state.label, words) }, metadata: {} };
}

/** The short line that stays once the work is over. */
function endPicture(label: string, words: string): MimeBundle {
  const line = withLabel(label, words);
  const html = `<div style="font-size:.92em;color:inherit;opacity:.8">${escapeHtml(line)}</div>`;
  return { data: { 'text/html': html, 'text/plain': line }, metadata: {} };
}

function withLabel(label: string, words: string): string {
  return [label, words].filter(Boolean).join(': ');
}

/** The progress of counted work. */
interface ProgressState {
  /** Empty if there is none. */
  label: string;
  count: number;
  /** Undefined if unknown. */
  total: number | undefined;
  elapsedMs: number;
}

/**
 * Progress, speed and time left in words, without the label.
 *
 * @example progressText({ label: '', count: 30, total: 120, elapsedMs: 2000 }); // '30 of 120, 15/s, 6 s left'
 */
export function progressText({ count, total, elapsedMs }: ProgressState): string {
  const perSecond = elapsedMs > 0 ? (count / elapsedMs) * 1000 : 0;
  const left = total !== undefined && perSecond > 0 ? (total - count) / perSecond : undefined;
  const parts = [counted(count, total)];
  if (count > 0 && perSecond > 0) parts.push(rateText(perSecond));
  if (left !== undefined && left > 0) parts.push(`${durationText(left)} left`);
  return parts.join(', ');
}

/**
 * How the work ended, in words without the label. No times, so that a notebook gives the same output when run again.
 *
 * @example endText({ label: '', count: 30, total: 120, elapsedMs: 2000 }); // 'stopped at 30 of 120'
 */
export function endText({ count, total }: ProgressState): string {
  if (total === undefined) return `${number(count)} done`;
  return count >= total ? `${number(count)} done` : `stopped at ${counted(count, total)}`;
}

function counted(count: number, total: number | undefined): string {
  return total === undefined ? number(count) : `${number(count)} of ${number(total)}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

function rateText(perSecond: number): string {
  if (perSecond < 1) return `${(1 / perSecond).toPrecision(2)} s each`;
  return `${perSecond.toLocaleString('en-US', { maximumSignificantDigits: perSecond < 100 ? 2 : 3 })}/s`;
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
