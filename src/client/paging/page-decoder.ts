import type { Dataset } from '../../contract/dataset.js';
import type { Repeated } from '../../frame/build/compare-repeats.js';
import { type Appended, FrameBuilder, type FrameBuilderOptions } from '../../frame/build/frame-builder.js';
import type { DataFrame } from '../../frame/danfo/data-frame.js';
import { vectorOf } from '../../frame/vector/vectors-of.js';
import { RepeatFinder } from './repeat-finder.js';

/** Decodes pages that are handed on one by one: of those before it keeps nothing but what tells repeats. */
export class PageDecoder<Row extends object> {
  readonly #builder: FrameBuilder<Row>;
  readonly #finder: RepeatFinder;
  /** The page with its repeats, and without. */
  #whole: DataFrame<Row> | undefined;
  #frame: DataFrame<Row> | undefined;
  /** What there is to say of the repeats of the page; undefined where it had none. */
  repeated: Repeated | undefined;

  constructor(dataset: Dataset, options: Omit<FrameBuilderOptions, 'key'>) {
    this.#builder = new FrameBuilder<Row>(dataset.columns, options);
    this.#finder = new RepeatFinder(dataset);
  }

  /** Takes the text of the next page's records, in the place of the page before. */
  appendText(results: Uint8Array): Appended {
    const { records } = this.#builder.appendText(results);
    this.#whole = this.#builder.take();
    const { frame, repeated } = this.#finder.drop(this.#whole);
    this.#frame = frame;
    this.repeated = repeated;
    return { records, repeats: records - frame.shape[0] };
  }

  /** A text of the page other than the one that all of its records should have, whatever their case. */
  otherText(name: string, text: string): string | undefined {
    const vector = this.#whole && vectorOf(this.#whole, name);
    if (vector?.kind !== 'text') return undefined;
    const { codes, words } = vector;
    const wanted = text.toLowerCase();
    let right = -1;
    for (const code of codes) {
      if (code === right) continue;
      const found = words[code] ?? '';
      if (found.toLowerCase() !== wanted) return found;
      right = code;
    }
    return undefined;
  }

  /** The records of the page without repeats. */
  take(): DataFrame<Row> {
    return this.#frame ?? this.#builder.take();
  }
}
