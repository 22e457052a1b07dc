import type { Column } from '../contract/column.js';
import type { DataFrame } from '../frame/data-frame.js';
import { FrameBuilder } from '../frame/frame-builder.js';
import { recordsOf } from '../frame/records-of.js';
import type { RawPage } from './pages.js';

/**
 * A query that is ready to run: nothing is sent before one of its methods is used, and each use runs it anew.
 *
 * @example
 * const frame = await client.pnl({ wallet, granularity: '1w' }).frame();
 * for await (const { date, pnl } of client.pnl({ wallet }).records()) console.log(date, pnl);
 */
export class Query<Row extends object = object> {
  readonly #columns: readonly Column[];
  readonly #run: () => AsyncGenerator<RawPage>;

  /** @internal Queries are made by a client. */
  constructor(columns: readonly Column[], run: () => AsyncGenerator<RawPage>) {
    this.#columns = columns;
    this.#run = run;
  }

  /**
   * All records as one DataFrame with typed columns; without a match it is empty but has all its columns.
   *
   * @throws {UsageError} If a filter is missing or of the wrong kind.
   * @throws {ServiceError} If the service refuses or cannot be reached.
   * @throws {AnswerError} If what it sends contradicts the contract: page, row, field and value are named.
   */
  async frame(): Promise<DataFrame<Row>> {
    const builder = new FrameBuilder<Row>(this.#columns);
    for await (const page of this.#run()) builder.append(page);
    return builder.build();
  }

  /** The records one after the other, decoded as in {@link frame}, a page in memory at a time. */
  async *records(): AsyncGenerator<Row> {
    for await (const page of this.pages()) yield* page;
  }

  /** The records page by page, decoded, as the service cuts them. */
  async *pages(): AsyncGenerator<Row[]> {
    for await (const page of this.#run()) {
      const builder = new FrameBuilder<Row>(this.#columns);
      builder.append(page);
      yield recordsOf(builder.build()) as Row[];
    }
  }
}
