import type { Column } from '../../contract/column.js';
import type { DataFrame } from '../danfo/danfo.js';
import { frameFromVectors } from '../frame-from-vectors.js';
import { compareRepeats, type Repeated } from './compare-repeats.js';
import { decodeRecords } from './decode-records.js';
import type { InferredColumn } from './infer-column.js';
import { keepShapes } from './keep-shapes.js';
import { KeyGuard } from './key-guard.js';
import { parsePage } from './parse-page.js';
import { RowStore } from './row-store.js';
import { PageScanner } from './scan/page-scanner.js';
import { TextBuilder } from './text-builder.js';

/** How a {@link FrameBuilder} reads. */
export interface FrameBuilderOptions {
  /**
   * Columns of text that together tell records apart: a record whose key came before is dropped. Times are compared as
   * moments, where a day is its midnight. Default none.
   */
  readonly key?: readonly string[];
  /** Keep decimal and dollar columns as integer micro-units, exactly. Default false: doubles. */
  readonly exact?: boolean;
  /** Refuse fields that are no column. Default false: they stand behind the columns. */
  readonly strict?: boolean;
  /** Fields that are no column but are known to come, in order: they stand behind the columns from the first take on. */
  readonly fields?: readonly string[];
}

/** What a page brought. */
export interface Appended {
  /** Records of the page. */
  readonly records: number;
  /** Those of them that were dropped, since their key came before. */
  readonly repeats: number;
}

/**
 * Builds a frame from pages of JSON records, by key and never by position, straight into columns. Any split of the same
 * records into pages gives the same frame; without records it has no rows but all its columns and dtypes. Fields that
 * are no column are kept behind the columns, inferred over all rows (see {@link inferColumn}).
 *
 * @example
 * const builder = new FrameBuilder<PnlRecord>(PNL_COLUMNS, { key: ['date', 'proxy_wallet'] });
 * for await (const page of pages) builder.appendText(page.results);
 * const frame = builder.build();
 */
export class FrameBuilder<Row extends object = object> {
  readonly #columns: readonly Column[];
  readonly #store: RowStore;
  readonly #scanner: PageScanner;
  readonly #guard: KeyGuard | undefined;
  #pages = 0;
  /** Rows that were taken. */
  #taken = 0;
  #repeated: Repeated | undefined;
  /** What each column of text held in the rows that were dropped from the page appended last. */
  readonly #dropped = new Map<string, Int32Array>();

  /**
   * @param columns The dataset's; none for a dataset of unknown shape.
   * @throws {UsageError} If a key is no column of text.
   */
  constructor(
    columns: readonly Column[],
    { key = [], exact = false, strict = false, fields = [] }: FrameBuilderOptions = {},
  ) {
    keepShapes();
    this.#columns = columns;
    this.#store = new RowStore(columns, key, { exact, strict, fields });
    this.#scanner = new PageScanner(this.#store);
    this.#guard = key.length > 0 ? new KeyGuard(this.#store.builders, key) : undefined;
  }

  /** Rows kept since the last {@link take}. */
  get rows(): number {
    return this.#store.rows;
  }

  /** What there is to say of the repeats of the page that was appended last; undefined where it had none. */
  get repeated(): Repeated | undefined {
    return this.#repeated;
  }

  /**
   * A text of the page that was appended last other than the one that all of its records should have, whatever their case.
   *
   * @param name A column of text that is part of the key.
   * @param rows How many of the records were kept.
   * @returns Undefined where there is none.
   */
  otherText(name: string, text: string, rows: number): string | undefined {
    const builder = this.#store.builders.find(({ column }) => column.name === name);
    if (!(builder instanceof TextBuilder)) return undefined;
    const wanted = text.toLowerCase();
    for (const codes of [builder.codes.subarray(this.rows - rows, this.rows), this.#dropped.get(name) ?? []]) {
      let right = -1;
      for (const code of codes) {
        if (code === right) continue;
        const found = builder.words[code] ?? '';
        if (found.toLowerCase() !== wanted) return found;
        right = code;
      }
    }
    return undefined;
  }

  /**
   * Takes the decoded records of the next page.
   *
   * @throws {AnswerError} If a record is no object, or a value has the wrong type or is missing: names page, row (both
   * counted from 1), field and value. The builder is of no more use then.
   */
  append(records: readonly unknown[]): Appended {
    const start = this.#store.rows;
    this.#pages += 1;
    decodeRecords(this.#store, records, this.#pages);
    return this.#withoutRepeats(start);
  }

  /**
   * Takes the records of the next page from text: the same as {@link append} of the parsed text, but faster.
   *
   * @param results UTF-8 JSON text of an array of records.
   * @throws {AnswerError} Also if the text is no UTF-8, no JSON or no array, or a record has a field twice.
   */
  appendText(results: Uint8Array): Appended {
    const start = this.#store.rows;
    this.#pages += 1;
    if (this.#columns.length === 0 || !this.#scanner.scan(results)) {
      decodeRecords(this.#store, parsePage(results, this.#pages, this.#store.exact), this.#pages);
    }
    return this.#withoutRepeats(start);
  }

  /**
   * The rows since the last take as a frame; then goes on, and still knows the keys and counts the pages. Fields that
   * are no column hold their values as they were sent, since their kind shows over all rows alone: see
   * {@link sentColumn}.
   */
  take(): DataFrame<Row> {
    const { builders, extra, rows } = this.#store;
    const vectors = builders.map((builder) => builder.take(rows));
    const frame = this.#frame(vectors, extra.take(rows));
    this.#store.truncate(0);
    this.#taken += rows;
    return frame;
  }

  /** The frame of all rows since the last {@link take}; call it once, at the end. */
  build(): DataFrame<Row> {
    const { builders, extra, rows } = this.#store;
    const vectors = builders.map((builder) => builder.finish(rows));
    return this.#frame(vectors, extra.infer(rows));
  }

  #frame(vectors: ReturnType<RowStore['builders'][number]['take']>[], extra: readonly InferredColumn[]) {
    return frameFromVectors<Row>(
      [...this.#columns, ...extra.map(({ column }) => column)],
      [...vectors, ...extra.map(({ vector }) => vector)],
    );
  }

  #withoutRepeats(start: number): Appended {
    const records = this.#store.rows - start;
    const repeats = this.#guard?.findRepeats(start, this.#store.rows, this.#pages);
    this.#repeated =
      repeats && this.#guard && compareRepeats(this.#store, this.#guard, { start, marks: repeats, taken: this.#taken });
    this.#dropped.clear();
    if (repeats) {
      for (const builder of this.#store.builders) {
        if (!(builder instanceof TextBuilder)) continue;
        const codes = builder.codes.subarray(start, this.#store.rows).filter((_, row) => repeats[row] === 1);
        this.#dropped.set(builder.column.name, codes);
      }
      this.#store.drop(start, repeats);
    }
    return { records, repeats: records - (this.#store.rows - start) };
  }
}
