import type { Dataset } from '../../contract/dataset.js';
import { type Appended, FrameBuilder, type FrameBuilderOptions } from '../../frame/decode/frame-builder.js';
import type { Repeated } from '../../frame/decode/key-guard.js';
import type { DataFrame } from '../../frame/tabular/data-frame.js';
import { vectorOf } from '../../frame/tabular/tabular.js';
import { RepeatFinder } from './repeat-finder.js';

/** Decodes pages that are handed on one by one. Of earlier pages it keeps only hashes of keys, to recognize repeats. */
export class PageDecoder<Row extends object> {
  readonly #builder: FrameBuilder<Row>;
  readonly #finder: RepeatFinder;
  /** The page with its repeats; below, the page without them. */
  #whole: DataFrame<Row> | undefined;
  #frame: DataFrame<Row> | undefined;
  /** Findings about the page's repeats; undefined if it had none. */
  repeated: Repeated | undefined;

  constructor(dataset: Dataset, options: Omit<FrameBuilderOptions, 'key'>) {
    this.#builder = new FrameBuilder<Row>(dataset.columns, options);
    this.#finder = new RepeatFinder(dataset);
  }

  /** Decodes the records of the next page, which replaces the page before. */
  appendText(results: Uint8Array): Appended {
    const { records } = this.#builder.appendText(results);
    this.#whole = this.#builder.take();
    const { frame, repeated } = this.#finder.drop(this.#whole);
    this.#frame = frame;
    this.repeated = repeated;
    return { records, repeats: records - frame.shape[0] };
  }

  /** Finds a text in the page that differs from the one that all records should have. Case is ignored. */
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
