import { setImmediate as nextTurn } from 'node:timers/promises';
import { AnswerError, ServiceError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { onAbort, Stop, shownDuration } from '../base/stop-and-wait.js';
import { counted } from '../base/texts.js';
import { unknownWords } from '../contract/answer-notes.js';
import { faultsOf } from '../contract/completeness-words.js';
import type { Dataset } from '../contract/dataset.js';
import { LEADERBOARD } from '../contract/leaderboard.js';
import type { Appended, FrameBuilder } from '../frame/decode/frame-builder.js';
import type { Repeated } from '../frame/decode/key-guard.js';
import type { Provenance } from '../frame/tabular/provenance.js';
import { encodeParams, endOfDayHint } from './paging/encode-params.js';
import { checkAliases, checkProgress, checkRepeats, checkWallet, walletOf } from './paging/page-checks.js';
import {
  AheadWindow,
  keepRecordCount,
  type Origin,
  type Page,
  type PageSource,
  recordCount,
} from './paging/page-source.js';
import { SeriesInOrder } from './paging/series-in-order.js';
import { checkRunOptions, type Progress, type ProgressLine, progressLine, type RunOptions } from './run-options.js';
import type { KeyHider } from './transport/server-text.js';

/** What a client's queries run on. */
export interface Connection {
  readonly source: PageSource;
  /** Address that queries are posted to, for errors. */
  readonly url: string;
  readonly pageSize: number;
  readonly concurrency: number;
  readonly warn: (text: string) => void;
  /** Whether a terminal shows the progress of a query. */
  readonly showsProgress: boolean;
  /** Whether answers are recorded, so that a series that was begun is read to its end. */
  readonly records: boolean;
  /** Removes the API key from what is shown. */
  readonly hide: KeyHider;
}

/** Decodes the text of a page's records. */
interface Decoder extends Pick<FrameBuilder, 'appendText'>, Partial<Pick<FrameBuilder, 'otherText' | 'repeated'>> {}

/** How many unknown names one warning says. */
const MOST_UNKNOWN = 5;

/** One run of a query: encodes it, reads and decodes its pages, and counts. */
export class QueryRun {
  readonly #connection: Connection;
  readonly #definition: QueryDefinition;
  readonly #params: readonly Readonly<Record<string, string>>[];
  readonly #window: AheadWindow;
  readonly #series: SeriesInOrder;
  readonly #stop = new Stop();
  readonly #start = performance.now();
  /** Number of records of each series, without repeats. */
  readonly #kept: number[] = [];
  /** Number of records of all series, without repeats. */
  #records = 0;
  #pages = 0;
  #repeats = 0;
  /** Number of records that repeat one of the same page. */
  #within = 0;
  /** The first record that came again with another value, if that is allowed. */
  #differing: Repeated['differing'];

  /** @throws {UsageError} If a filter or an option is missing or invalid. */
  constructor(connection: Connection, definition: QueryDefinition) {
    checkRunOptions(definition.run);
    this.#connection = connection;
    this.#definition = definition;
    this.#params = encodeParams(definition.dataset, definition.filters);
    this.#window = new AheadWindow(connection.concurrency);
    this.#series = new SeriesInOrder(connection.source, {
      dataset: definition.dataset,
      params: this.#params,
      maxRecords: definition.run.maxRecords,
      signal: this.#stop,
      pageSize: connection.pageSize,
      readsWhole: connection.records,
      window: this.#window,
    });
  }

  /**
   * The pages in order, each decoded by the builder before it is handed on. However the loop ends, requests under way
   * are cancelled.
   */
  async *pages(builder?: Decoder): AsyncGenerator<Page> {
    const { onProgress, onProvenance } = this.#definition.run;
    const forget = this.#watchBounds();
    const line = this.#line();
    try {
      for await (const { page, at } of this.#series.pages()) {
        if (this.#window.hasOthers) {
          // Answers that came with it are read, and the next requests sent, so that the service works meanwhile.
          await nextTurn();
          this.#stop.throwIfAborted();
        }
        this.#decode(page, at, builder);
        if (line || onProgress) {
          const progress = this.#progress(this.#series.done);
          line?.update(progress);
          onProgress?.(progress);
        }
        yield page;
      }
      this.#conclude();
      onProgress?.(this.#progress(this.#params.length));
      onProvenance?.(this.provenance());
    } finally {
      forget();
      line?.end();
      this.#stop.abort();
    }
  }

  /** The origins of the records, one for each series; call it when all pages have been read. */
  provenance(): Provenance[] {
    return this.#series.origins().map((origin, at) => ({
      ...this.#ownCompleteness(origin, at),
      dataset: this.#definition.dataset.id,
      params: this.#paramsOf(at),
      records: this.#kept[at] ?? 0,
    }));
  }

  /** An origin that says of no other wallet than those asked for how complete its record is. */
  #ownCompleteness({ completeness = {}, ...origin }: Origin, at: number): Origin {
    const { wallet = '' } = walletOf(this.#definition.dataset, this.#paramsOf(at)) ?? {};
    // A leaderboard of all wallets tells of those that it lists.
    if (wallet === '' && this.#definition.dataset.id === LEADERBOARD.id) return { completeness, ...origin };
    const asked = wallet.toLowerCase().split(/\s*,\s*/);
    const own = Object.entries(completeness).filter(([name]) => asked.includes(name));
    return own.length === 0 ? origin : { ...origin, completeness: Object.fromEntries(own) };
  }

  /** Ends the run when the caller aborts it or its time is up. Returns a function that stops watching. */
  #watchBounds(): () => void {
    const { signal, timeoutMs } = this.#definition.run;
    const abort = () => this.#stop.abort(signal?.reason);
    if (signal?.aborted) abort();
    const forget = signal?.aborted === false ? onAbort(signal, abort) : undefined;
    // Requests under way keep the process alive; this timer must not, in case the reader has left.
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#timeUp(timeoutMs), timeoutMs).unref();
    return () => {
      clearTimeout(timer);
      forget?.();
    };
  }

  #timeUp(timeoutMs: number): void {
    const { url } = this.#connection;
    const { id, name } = this.#definition.dataset;
    const within = `within ${shownDuration(timeoutMs)} (timeoutMs)`;
    const [records, pages] = [counted(this.#records, 'record'), counted(this.#pages, 'page')];
    const message =
      `The query of dataset ${id} (${name}) did not end ${within}: ${records} had come, on ${pages} (POST ${url}). ` +
      'Allow it more time, or ask for less.';
    this.#stop.abort(new ServiceError(message, { attempts: this.#window.requests, method: 'POST', url }));
  }

  #decode(page: Page, at: number, builder: Decoder | undefined): void {
    const appended = builder ? this.#append(page, at, builder) : { records: recordCount(page.results), repeats: 0 };
    const { records, repeats } = appended;
    keepRecordCount(page.results, records);
    this.#repeats += repeats;
    this.#records += records - repeats;
    const mayRepeat = this.#window.mayDiffer && this.#repeats <= this.#records;
    checkProgress(this.#definition.dataset, page, appended, mayRepeat);
    this.#series.dropped(repeats);
    this.#pages += 1;
    this.#kept[at] = (this.#kept[at] ?? 0) + records - repeats;
  }

  /** Appends a page. Errors name its place, without the API key, which the records may repeat. */
  #append(page: Page, at: number, builder: Decoder): Appended {
    try {
      const appended = builder.appendText(page.results);
      checkAliases(this.#definition.dataset, page.results);
      this.#judge(appended, at, builder);
      return appended;
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      const { hide } = this.#connection;
      const { dataset } = this.#definition;
      const { wallet } = walletOf(dataset, this.#paramsOf(at)) ?? {};
      const place = [`Dataset ${dataset.id}`, ...(wallet ? [`wallet ${wallet}`] : []), `offset ${page.offset}`].join(
        ', ',
      );
      const cause = hide.cause(error.cause);
      throw new AnswerError(hide.text(`${place}: ${error.message}`), cause === undefined ? undefined : { cause });
    }
  }

  #paramsOf(at: number): Readonly<Record<string, string>> {
    return itemAt(this.#params, at);
  }

  /** Checks what no single record shows: that records are of the right wallet and do not contradict others. */
  #judge(appended: Appended, at: number, builder: Decoder): void {
    checkWallet(this.#definition.dataset, this.#paramsOf(at), builder, appended);
    if (!this.#window.mayDiffer) checkRepeats(builder);
    this.#within += builder.repeated?.within ?? 0;
    this.#differing ??= builder.repeated?.differing;
  }

  /** What repeats on later pages may mean, unless the service said that these pages begin earlier than was asked. */
  #mayLack(): string {
    const isExplained = [...this.#window.warned].some((kind) => kind.includes('and answered for offset'));
    if (this.#within === this.#repeats || isExplained) return '';
    return (
      ' Where its order changes from page to page, as many others may be missing: run the query again, or ask for less ' +
      'at once and compare the counts.'
    );
  }

  #progress(seriesDone: number): Progress {
    return {
      records: this.#records,
      pages: this.#pages,
      requests: this.#window.requests,
      series: this.#params.length,
      seriesDone,
      waitedMs: this.#window.waitedMs,
      elapsedMs: performance.now() - this.#start,
    };
  }

  #line(): ProgressLine | undefined {
    if (!this.#connection.showsProgress) return undefined;
    return progressLine(process.stderr, this.#definition.dataset.name, this.#definition.run.maxRecords);
  }

  /**
   * Warns of names that the data lack and of records that are not complete, once each however many wallets were asked
   * for. Whoever takes the provenance has them there.
   */
  #warnOfMissing(): void {
    const { dataset, run } = this.#definition;
    if (run.onProvenance) return;
    const names = this.provenance();
    const clauses = names.flatMap(({ unknown = [] }) => unknown.map(unknownWords));
    const records = names.flatMap(({ completeness = {} }) =>
      Object.entries(completeness).flatMap(([wallet, record]) => {
        if (!record.seen) return `no record mentions wallet ${wallet}`;
        const faults = faultsOf(record);
        return faults.length === 0 ? [] : `the record of wallet ${wallet} is not complete (${faults.join(', ')})`;
      }),
    );
    const all = [...new Set([...clauses, ...records])];
    const more = all.length > MOST_UNKNOWN ? ` And ${all.length - MOST_UNKNOWN} more like these.` : '';
    if (all.length === 0) return;
    const text = `Dataset ${dataset.id} (${dataset.name}): ${all.slice(0, MOST_UNKNOWN).join('; ')}.${more}`;
    this.#connection.warn(this.#connection.hide.text(text));
  }

  /** Warns of what was odd about the answer as a whole. */
  #conclude(): void {
    const { warn } = this.#connection;
    const { id } = this.#definition.dataset;
    const hint = endOfDayHint(this.#definition.dataset, this.#definition.filters);
    if (hint !== undefined) warn(hint);
    this.#warnOfMissing();
    const within = this.#within === 0 ? 'on later pages' : 'on the same page';
    const where = this.#within === 0 || this.#within === this.#repeats ? within : `${within} or on later ones`;
    if (this.#repeats > 0) {
      warn(`Dataset ${id} repeated ${counted(this.#repeats, 'record')} ${where}; they were dropped.${this.#mayLack()}`);
    }
    if (this.#differing) {
      const { key, field } = this.#differing;
      const which = `The record of ${key} came again with another "${field}"; the one that came first was kept`;
      warn(this.#connection.hide.text(`Dataset ${id}: ${which}. Run the query again.`));
    }
    const versions = new Set(this.#series.origins().flatMap(({ dataVersion = [] }) => dataVersion));
    const isSaid = [...this.#window.warned].some((kind) => kind.includes('data version'));
    if (versions.size > 1 && !isSaid) {
      const [first, second] = versions;
      warn(
        `Dataset ${id} changed from data version ${first} to ${second} between two queries: they are not of one time. ` +
          'Run the query again.',
      );
    }
  }
}

/** What a query asks, before it is encoded. */
export interface QueryDefinition {
  readonly dataset: Dataset;
  /** Filters, by the client's names or the wire's. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly run: RunOptions;
}
