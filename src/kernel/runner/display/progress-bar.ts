import { randomUUID } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { UsageError } from '../../../base/errors.js';
import type { OutputEvent } from '../../events.js';
import { kindOf } from './kind-of.js';
import { endPicture, progressPicture } from './progress-picture.js';
import { endText, type ProgressState } from './progress-state.js';
import { makeQuiet } from './quiet.js';

/** Limits updates to ten a second. */
const INTERVAL_MS = 100;

/** A bar that shows the progress of counted work and updates in place. It ends by itself when it reaches its total. */
export class ProgressBar {
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
