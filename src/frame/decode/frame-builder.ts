import type { Column } from '../../contract/definition.js';
import type { DataFrame } from '../danfo/danfo.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import type { InferredColumn } from '../tabular/infer-column.js';
import { decodeRecords, parsePage } from './decode-records.js';
import { compareRepeats, KeyGuard, type Repeated } from './key-guard.js';
import { PageScanner } from './page-scanner.js';
import { RowStore } from './row-store.js';
import { TextBuilder } from './text-builder.js';

/** How a {@link FrameBuilder} reads. */
export interface FrameBuilderOptions {
  /**
   * Columns of text that together identify a record; a record whose key came before is dropped. Times are compared as
   * moments, where a day is its midnight. Default: none.
   */
  readonly key?: readonly string[];
  /** Whether decimal and dollar columns are kept exactly, as integer micro-units. Default: false, as doubles. */
  readonly exact?: boolean;
  /** Whether fields that are not columns are refused. Default: false, they become further columns. */
  readonly strict?: boolean;
  /** Fields that are not columns but are expected, in order: they become further columns from the first take on. */
  readonly fields?: readonly string[];
}

/** Counts of an appended page. */
export interface Appended {
  /** Number of records of the page. */
  readonly records: number;
  /** How many of them were dropped because their key came before. */
  readonly repeats: number;
}

/**
 * Builds a frame from pages of JSON records, straight into columns. Fields are matched by name, never by position. Any
 * split of the same records into pages gives the same frame; without records it has no rows, but all columns and
 * dtypes. Fields that are not columns become further columns, inferred over all rows (see {@link inferColumn}).
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
  /** Number of rows that were taken. */
  #taken = 0;
  #repeated: Repeated | undefined;
  /** Codes of each text column in the rows that were dropped from the last page. */
  readonly #dropped = new Map<string, Int32Array>();

  /**
   * @param columns The dataset's columns; none for a dataset of unknown shape.
   * @throws {UsageError} If a key is no column of text.
   */
  constructor(
    columns: readonly Column[],
    { key = [], exact = false, strict = false, fields = [] }: FrameBuilderOptions = {},
  ) {
    this.#columns = columns;
    this.#store = new RowStore(columns, key, { exact, strict, fields });
    this.#scanner = new PageScanner(this.#store);
    this.#guard = key.length > 0 ? new KeyGuard(this.#store.builders, key) : undefined;
  }

  /** Rows kept since the last {@link take}. */
  get rows(): number {
    return this.#store.rows;
  }

  /** Findings about the repeats of the last page; undefined if it had none. */
  get repeated(): Repeated | undefined {
    return this.#repeated;
  }

  /**
   * Finds a text in the last page that differs from the one that all its records should have. Case is ignored.
   *
   * @param name A column of text that is part of the key.
   * @param rows How many of the page's records were kept.
   * @returns Undefined if there is none.
   */
  otherText(name: string, text: string, rows: number): string | undefined {
    const builder = this.#store.builders.find(({ column }) => column.name === name);
    if (!(builder instanceof TextBuilder)) return undefined;
    const wanted = text.toLowerCase();
    for (const codes of [builder.codes.subarray(this.rows - rows, this.rows), this.#dropped.get(name) ?? []]) {
      let right = -1;
      for (const code of codes) {
        if (code === right) continue;
        const found = builder.words[code] as string;
        if (found.toLowerCase() !== wanted) return found;
        right = code;
      }
    }
    return undefined;
  }

  /**
   * Takes the decoded records of the next page.
   *
   * @throws {AnswerError} If a record is no object, or a value has the wrong type or is missing; the message names
   * page, row (both counted from 1), field and value. The builder cannot be used afterwards.
   */
  append(records: readonly unknown[]): Appended {
    const start = this.#store.rows;
    this.#pages += 1;
    decodeRecords(this.#store, records, this.#pages);
    return this.#withoutRepeats(start);
  }

  /**
   * Takes the records of the next page from text; the same as {@link append} of the parsed text, but faster.
   *
   * @param results UTF-8 JSON text of an array of records.
   * @throws {AnswerError} As {@link append}, and if the text is not UTF-8, JSON or an array, or a record repeats a
   * field.
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
   * Takes the rows since the last take as a frame. The builder continues: it still knows all keys and counts the pages.
   * Fields that are not columns keep their values as sent, since only all rows together show their type: see
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
