import { UsageError } from '../../../base/errors.js';
import type { OutputEvent } from '../../events.js';
import { kindOf } from './kind-of.js';
import { ProgressBar } from './progress-bar.js';

type Emit = (event: OutputEvent) => void;

/**
 * Makes `display.progress`: a bar for a number of steps, or an iterable that shows its progress as it is iterated.
 *
 * @returns A function that throws a UsageError if given anything else.
 */
export function createProgress(emit: Emit): (work: unknown, label?: string) => ProgressBar {
  return (work, label = '') => {
    if (typeof work === 'number' && work >= 0 && Number.isFinite(work))
      return new ProgressBar(emit, String(label), work);
    if (isIterable(work)) return new ListProgress(emit, String(label), work);
    if (isAsyncIterable(work)) return new StreamProgress(emit, String(label), work);
    throw new UsageError(
      `display.progress(work, label) takes how many steps there are, or a list or stream to walk through; got ${kindOf(work)}.`,
    );
  };
}

/** A list that shows the progress of its iteration. */
class ListProgress extends ProgressBar implements Iterable<unknown> {
  readonly #items: Iterable<unknown>;

  constructor(emit: Emit, label: string, items: Iterable<unknown>) {
    super(emit, label, sizeOf(items));
    this.#items = items;
  }

  *[Symbol.iterator](): Generator<unknown, void> {
    try {
      for (const item of this.#items) {
        yield item;
        this.tick();
      }
    } finally {
      this.done();
    }
  }
}

/** A stream that shows the progress of its iteration. */
class StreamProgress extends ProgressBar implements AsyncIterable<unknown> {
  readonly #items: AsyncIterable<unknown>;

  constructor(emit: Emit, label: string, items: AsyncIterable<unknown>) {
    super(emit, label, undefined);
    this.#items = items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    try {
      for await (const item of this.#items) {
        yield item;
        this.tick();
      }
    } finally {
      this.done();
    }
  }
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
