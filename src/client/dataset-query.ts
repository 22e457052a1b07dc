import { inspect } from 'node:util';
import { AnswerError, UsageError } from '../base/errors.js';
import { ownHook } from '../base/own-hook.js';
import type { Dataset } from '../contract/dataset.js';
import type { CsvFileOptions } from '../frame/csv/csv-options.js';
import type { WrittenFile } from '../frame/csv/named-file.js';
import { parseRecords } from '../frame/decode/decode-records.js';
import { FrameBuilder } from '../frame/decode/frame-builder.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { setProvenance } from '../frame/tabular/provenance.js';
import { PageDecoder } from './paging/page-decoder.js';
import { recordCount } from './paging/page-source.js';
import { type Connection, type QueryDefinition, QueryRun } from './query-run.js';
import { checkCount, type RunOptions } from './run-options.js';

/**
 * A query that is ready to run: nothing is sent before one of its methods is used, and each use runs it anew.
 *
 * All its methods throw a UsageError, before anything is sent, if a filter is missing or of the wrong kind, or an option
 * is unknown or of the wrong kind; a ServiceError if the service refuses or cannot be reached; an AnswerError if its
 * answer contradicts the contract (the message names page, row, field and value) or its pages make no progress; and the
 * reason of the signal that aborted it. Filters that the contract does not know are sent as they are, for the service to
 * judge.
 *
 * Methods that read page by page ({@link pages}, {@link records}, {@link frames}, {@link count}, {@link toCsv}) keep in
 * memory the pages that {@link pages} describes, and 11 to 21 bytes for each record: a hash of its key, by which
 * repeats are recognized. A dataset without a key needs none.
 *
 * @example
 * const frame = await client.pnl({ wallet, granularity: '1w' }).frame();
 * for await (const { date, pnl } of client.pnl({ wallet }).records()) console.log(date, pnl);
 */
export class Query<Row extends object = object> {
  readonly #connection: Connection;
  readonly #definition: QueryDefinition;

  static {
    ownHook(Reflect.get(Query.prototype, Symbol.for('Jupyter.display')));
  }

  /** @internal Queries are made by a client. */
  constructor(connection: Connection, definition: QueryDefinition) {
    this.#connection = connection;
    this.#definition = definition;
  }

  /** All records as one DataFrame with typed columns; if nothing matches, it has all columns and no rows. */
  async frame(...none: []): Promise<DataFrame<Row>> {
    refuseArguments('frame', none);
    return this.#frameOf(this.#definition.run);
  }

  /**
   * The first records as a DataFrame, for a quick look at the data: no others are requested.
   *
   * @param n The largest number of records, a whole number of 1 or more. Default 5.
   */
  async first(n = 5): Promise<DataFrame<Row>> {
    checkCount('n', n);
    const { run } = this.#definition;
    return this.#frameOf({ ...run, maxRecords: Math.min(n, run.maxRecords ?? n) });
  }

  /** The records one by one, with the values that {@link frame} has, page by page as they arrive. */
  async *records(...none: []): AsyncGenerator<Row> {
    refuseArguments('records', none);
    for await (const page of this.pages()) yield* page;
  }

  /**
   * The records page by page, with the values that {@link frame} has. Those of a dataset that the toolkit does not know
   * are the JSON values that were sent, except that numbers that no double holds are text of their digits.
   *
   * The next pages are requested while one is processed: no more than twice `concurrency` are requested or kept at
   * once. Leaving the loop cancels them.
   */
  async *pages(...none: []): AsyncGenerator<Row[]> {
    refuseArguments('pages', none);
    const run = this.#begin(this.#definition.run);
    if (this.#definition.dataset.columns.length === 0) {
      let [page, records]: [number, object[]] = [0, []];
      const appendText = (results: Uint8Array) => {
        page += 1;
        records = parseRecords(results, page);
        return { records: records.length, repeats: 0 };
      };
      for await (const _ of run.pages({ appendText })) yield records as Row[];
      return;
    }
    const decoder = this.#decoder();
    for await (const _ of run.pages(decoder)) yield recordsOf(decoder.take()) as Row[];
  }

  /**
   * The records page by page as frames, each with all columns of the contract; see {@link pages}. These frames have no
   * provenance, which is known only when all pages are read: {@link frame} has it.
   */
  async *frames(...none: []): AsyncGenerator<DataFrame<Row>> {
    refuseArguments('frames', none);
    const run = this.#begin(this.#definition.run);
    const decoder = this.#decoder();
    for await (const _ of run.pages(decoder)) yield decoder.take();
  }

  /** The number of records: as many as {@link frame} has rows, so repeats are not counted. */
  async count(...none: []): Promise<number> {
    refuseArguments('count', none);
    const run = this.#begin(this.#definition.run);
    // Without a key nothing is dropped, so nothing must be decoded.
    const decoder = this.#definition.dataset.key.length > 0 ? this.#decoder() : undefined;
    let count = 0;
    for await (const { results } of run.pages(decoder)) count += decoder?.take().shape[0] ?? recordCount(results);
    return count;
  }

  /**
   * Writes the records to a CSV file, page by page as they arrive. The file appears complete or not at all: a query
   * that fails or is aborted leaves an older file of that name as it was. If a field that the contract does not have
   * first appears on a later page, the query runs again, so that the file has its column from the first line on.
   *
   * @param path The file; its folder has to exist. Compressed if the name ends in `.gz`.
   * @throws {DataError} If the file cannot be written there.
   * @example await client.markets({ closed: true }).toCsv('markets.csv'); // { path: '…/markets.csv', rows: 5120, bytes: 1630233 }
   */
  async toCsv(path: string, options: CsvFileOptions = {}): Promise<WrittenFile> {
    let fields: readonly string[] = [];
    for (let runs = 1; runs <= 3; runs += 1) {
      const written = await this.#writeCsv(path, options, fields);
      if ('path' in written) return written;
      fields = written.fields;
    }
    const { id } = this.#definition.dataset;
    throw new AnswerError(
      `Dataset ${id} sent fields that it had not sent before, each of the three times that it was asked for the CSV file: ` +
        'read it by frame(), and write that by writeCsv().',
    );
  }

  /**
   * Writes the file. If further fields appear after it was begun, returns the names of all fields that are not columns.
   */
  async #writeCsv(
    path: string,
    options: CsvFileOptions,
    known: readonly string[],
  ): Promise<WrittenFile | { readonly fields: readonly string[] }> {
    const run = this.#begin(this.#definition.run);
    const decoder = this.#decoder(known);
    const { openCsvFile } = await import('../frame/csv/write-csv.js');
    const file = openCsvFile(path, options);
    let width: number | undefined;
    let fields: readonly string[] = [];
    try {
      for await (const _ of run.pages(decoder)) {
        const frame = decoder.take();
        width ??= frame.columns.length;
        // Columns are only ever added at the end; the remaining pages are read to learn all of them.
        if (frame.columns.length === width) await file.append(frame);
        else fields = frame.columns.slice(this.#definition.dataset.columns.length);
      }
      if (fields.length === 0) return await file.finish();
      await file.discard();
      return { fields };
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  /** What it asks, and how it is asked: whoever sees this in a notebook most likely forgot the `await`. */
  [Symbol.for('Jupyter.display')](): { 'text/plain': string } {
    return { 'text/plain': describedQuery(this.#definition.dataset, this.#definition.filters) };
  }

  /** The same in the console. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return describedQuery(this.#definition.dataset, this.#definition.filters);
  }

  async #frameOf(options: RunOptions): Promise<DataFrame<Row>> {
    const run = this.#begin(options);
    const { dataset, run: defaults } = this.#definition;
    const { exact = false, strict = false } = defaults;
    const builder = new FrameBuilder<Row>(dataset.columns, { key: dataset.key, exact, strict });
    for await (const _ of run.pages(builder));
    const frame = builder.build();
    setProvenance(frame, run.provenance());
    return frame;
  }

  #begin(options: RunOptions): QueryRun {
    return new QueryRun(this.#connection, { ...this.#definition, run: options });
  }

  #decoder(fields: readonly string[] = []): PageDecoder<Row> {
    const { dataset, run } = this.#definition;
    const { exact = false, strict = false } = run;
    return new PageDecoder<Row>(dataset, { exact, strict, fields });
  }
}

/** Refuses arguments, which would silently do nothing; only TypeScript would report them. */
function refuseArguments(method: string, given: readonly unknown[]): void {
  if (given.length === 0) return;
  throw new UsageError(
    `.${method}() takes no arguments: options of the run stand behind the filters, as in lab.pnl({ wallet }, { maxRecords: 10 }).`,
  );
}

const SHOWN = { breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 3, maxStringLength: 100 } as const;

/** Describes a query for people: what it asks, and how to use it. */
function describedQuery({ name }: Dataset, filters: Readonly<Record<string, unknown>>): string {
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return (
    `Query of ${name} ${inspect(given, SHOWN)}, of which nothing is asked before it is used: ` +
    'await .frame(), .first() or .toCsv(path), or loop over its records: for await (const record of query.records())'
  );
}
