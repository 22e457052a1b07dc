import { createHash } from 'node:crypto';
import { AnswerError, type ServiceError } from '../../base/errors.js';
import type { Dataset } from '../../contract/dataset.js';
import { isWildcard } from '../../contract/filters.js';
import { parseRecords } from '../../frame/decode/decode-records.js';
import type { Appended, FrameBuilder } from '../../frame/decode/frame-builder.js';
import { ASCII, blankEnd } from '../../frame/decode/json-ends.js';
import { toIsoTime } from '../../frame/vector/iso-time.js';
import { type AheadWindow, type Page, recordCount } from './page-source.js';
import type { ArrivedPage, RequestedPage } from './requested-page.js';

/**
 * Checks the pages of a series against each other. A service may ignore the offset, cut answers without saying so,
 * claim forever that there is more, or change its data between pages.
 */
export class SeriesChecks {
  readonly #dataset: Dataset;
  readonly #warn: (text: string) => void;
  readonly #window: Pick<AheadWindow, 'warned' | 'mayDiffer'>;
  /**
   * Digests of pages after which more came, for a dataset without a key, whose repeats cannot be recognized otherwise.
   */
  readonly #digests = new Set<string>();
  #before: Page | undefined;
  #asked: Pick<RequestedPage, 'limit'> = { limit: 0 };
  #total: number | undefined;
  #isTotalSteady = true;
  #isVersionSteady = true;
  /** Number of records on the last page but one, if more followed it: probably the most that the service sends. */
  #usual = Number.POSITIVE_INFINITY;
  /** Whether the service has said that there are no more records where there were. */
  #endsTooEarly = false;
  /** Whether the last page has fewer records than were asked for, and looks cut. */
  #isCut = false;
  /** Version of the first page's data, if the service states it. */
  dataVersion: string | undefined;
  /** Whether the next page is requested although the service says that there is none. */
  isProbing = false;

  /** @param window Holds the kinds of warnings given so far; its `mayDiffer` is set when the data changed. */
  constructor(dataset: Dataset, warn: (text: string) => void, window: Pick<AheadWindow, 'warned' | 'mayDiffer'>) {
    this.#dataset = dataset;
    this.#warn = warn;
    this.#window = window;
  }

  /**
   * Takes the next page.
   *
   * @returns The page with its correct offset; undefined if an answer was wrongly suspected to be cut.
   * @throws {AnswerError} If the page makes no progress, or leaves a gap.
   */
  take({ page: came, dataVersion }: ArrivedPage, asked: RequestedPage): Page | undefined {
    let page = came;
    const isEmpty = isEmptyArray(page.results);
    if (this.isProbing && (isEmpty || page.offset !== asked.offset || this.#startsAgain(page))) {
      if (this.#lacks(this.#before)) this.#followData(page, dataVersion);
      return undefined;
    }
    if (isEmpty && page.hasMore)
      this.#fail(`sent an empty page at offset ${asked.offset}, yet says that there is more`);
    if (isEmpty) this.#tellMissing(asked);
    else page = this.#placed(page, asked, this.#isFirstOfOther(dataVersion));
    if (this.isProbing) {
      this.#endsTooEarly = true;
      this.#warnOnce(
        `sent ${this.#before ? recordCount(this.#before.results) : 0} records where ${this.#asked.limit} were asked for and said that there are no ` +
          'more, but there are: they were asked for too. Where it says so again, records may be missing',
      );
    }
    this.#followData(page, dataVersion);
    if (this.#before?.hasMore) this.#usual = recordCount(this.#before.results);
    this.#before = page;
    this.#asked = asked;
    this.isProbing = false;
    return page;
  }

  /**
   * Whether a page that is said to be the last may not be: it was cut at a maximum of the service, or it is full, behind
   * which a service that errs about its end has others. One more request settles it. For a dataset without a key, a
   * service that said "more" before is believed about a cut page: it may start again at its end, and where pages are
   * not of one size, repeats could not be recognized.
   */
  seemsCut(page: Page): boolean {
    const records = recordCount(page.results);
    const isBelieved = this.#dataset.key.length === 0 && this.#usual < Number.POSITIVE_INFINITY;
    const isCut = !isBelieved && Math.min(page.limit, records) < this.#asked.limit && this.#isFull(page);
    const isDoubted = this.#endsTooEarly || !this.#isWhole(page);
    this.#isCut = isCut;
    this.isProbing = records > 0 && (isCut || (isDoubted && records >= this.#asked.limit) || this.#lacks(page));
    return this.isProbing;
  }

  /**
   * Whether the pages may end where the service failed to answer whether any follow: it had announced none. A warning
   * tells of it. Behind a page that looks cut, of a service that has erred about its end, and where records lack by the
   * total, the failure counts.
   */
  mayEndAt(offset: number, { details }: ServiceError): boolean {
    if (!this.isProbing || this.#isCut || this.#endsTooEarly || this.#lacks(this.#before)) return false;
    this.#warnOnce(
      `said that there are no records from offset ${offset} on, and failed when it was asked for them nevertheless ` +
        `(${details.status === undefined ? 'no answer' : `status ${details.status}`}): some may be missing. ` +
        'Run the query again to be sure',
    );
    return true;
  }

  /** Call it before continuing after a page. @throws {AnswerError} If more records came than the service's total. */
  refuseExcess(page: Page): void {
    if (this.#total !== undefined && came(page) > this.#total) this.#contradictTotal(came(page));
  }

  /** Call it when all pages have come. @throws {AnswerError} If fewer records came than the service's total. */
  end(): void {
    if (this.#lacks(this.#before)) this.#contradictTotal(came(this.#before));
  }

  /** Whether a page has as many records as the service's stated limit, or as an earlier page. */
  #isFull({ limit, results }: Page): boolean {
    const records = recordCount(results);
    return (limit > 0 && records >= limit) || records >= this.#usual;
  }

  /**
   * Warns of an empty page where more was announced, unless the page before was full: some services say "more" after
   * every full page. After any other page, records may be missing.
   */
  #tellMissing({ offset }: RequestedPage): void {
    const before = this.#before;
    if (!before?.hasMore || this.#isFull(before)) return;
    this.#warnOnce(
      `said that there are records from offset ${offset} on, but sent none: some may be missing. Count them by a ` +
        'narrower query, or ask who runs the service',
    );
  }

  /** Whether the total says that there are no more records than up to and including a page. */
  #isWhole(page: Page): boolean {
    return this.#total !== undefined && this.#isTotalSteady && came(page) >= this.#total;
  }

  /** Whether the total is larger than the number of records up to and including a page. */
  #lacks(page: Page | undefined): boolean {
    return this.#total !== undefined && this.#isTotalSteady && came(page) < this.#total;
  }

  /** Reports a total that does not match. If the data changed meanwhile, that is only a warning, or nothing. */
  #contradictTotal(records: number): void {
    if (!this.#isTotalSteady) return;
    const what = `says that it has ${this.#total} records for this query, but sent ${records}`;
    if (!this.#isVersionSteady) this.#warnOnce(what);
    else this.#fail(records < (this.#total ?? 0) ? `${what} and none behind them` : what);
  }

  /**
   * A page with its correct offset: the requested one, if the stated one cannot be true.
   *
   * @param isOther Whether it is the first page of other data: where as many records as a page has are new, it holds
   *   those of the page before, and is right.
   */
  #placed(page: Page, asked: RequestedPage, isOther: boolean): Page {
    const isKeyed = this.#dataset.key.length > 0;
    if (isOther) this.#digests.clear();
    const isRepeated = !isOther && this.#isRepeated(page);
    const what = `sent only records that came before at offset ${asked.offset}`;
    if (page.hasMore && (isRepeated || (!isKeyed && this.#isKnown(page)))) {
      this.#fail(`${what}, yet says that there is more`);
    }
    if (isRepeated && !isKeyed) this.#warnOnce(`${what}: they may be doubled`);
    if (page.offset === asked.offset) return page;
    const told = `was asked for offset ${asked.offset} and answered for offset ${page.offset}`;
    if (page.offset > asked.offset) this.#fail(`${told}: the records between would be missing`);
    if (!isKeyed) this.#fail(`${told}: it seems to ignore the offset, so that its pages cannot be followed`);
    this.#warnOnce(`${told}; what came twice is dropped`);
    // Either all its records came before, which their keys will show, or the stated offset is wrong.
    return page.offset + recordCount(page.results) <= asked.offset ? { ...page, offset: asked.offset } : page;
  }

  /** Whether an equal page came before, even many pages ago: a service may go round in circles. */
  #isKnown(page: Page): boolean {
    const digest = digestOf(page);
    const isKnown = this.#digests.has(digest);
    this.#digests.add(digest);
    return isKnown;
  }

  /** Whether a page behind the end is one that came before, which is all that shows it for a dataset without a key. */
  #startsAgain(page: Page): boolean {
    return this.#isRepeated(page) || (this.#dataset.key.length === 0 && this.#digests.has(digestOf(page)));
  }

  #isRepeated({ results }: Page): boolean {
    const before = this.#before?.results;
    return before !== undefined && before.length === results.length && Buffer.compare(before, results) === 0;
  }

  /** Whether the data changed before this page, for the first time. */
  #isFirstOfOther(dataVersion: string | undefined): boolean {
    return this.#isVersionSteady && this.#isOther(dataVersion);
  }

  #isOther(dataVersion: string | undefined): boolean {
    return this.dataVersion !== undefined && dataVersion !== undefined && dataVersion !== this.dataVersion;
  }

  /** Warns if the data changed between pages: records may then be missing or doubled. */
  #followData({ total }: Page, dataVersion: string | undefined): void {
    if (total !== undefined && this.#total !== undefined && total !== this.#total) {
      this.#isTotalSteady = false;
      this.#window.mayDiffer = true;
      const told = `said first that it has ${this.#total} records for this query, then ${total}`;
      this.#warnOnce(`${told}: its data changed meanwhile. Run the query again`);
    }
    this.#total ??= total;
    if (this.#isOther(dataVersion)) {
      this.#isVersionSteady = false;
      this.#window.mayDiffer = true;
      const told = `changed from data version ${this.dataVersion} to ${dataVersion} between two pages`;
      this.#warnOnce(`${told}: records may be missing or doubled. Run the query again`);
    }
    this.dataVersion ??= dataVersion;
  }

  #warnOnce(what: string): void {
    const kind = what.replaceAll(/\d+/g, '#');
    if (!this.#window.warned.has(kind)) this.#warn(`Dataset ${this.#dataset.id} ${what}.`);
    this.#window.warned.add(kind);
  }

  #fail(what: string): never {
    throw new AnswerError(`Dataset ${this.#dataset.id} ${what}.`);
  }
}

function digestOf({ results }: Page): string {
  return createHash('sha1').update(results).digest('base64');
}

/** The number of records up to and including a page. */
function came(page: Page | undefined): number {
  return page ? page.offset + recordCount(page.results) : 0;
}

/** Whether an array is empty, by the first character within its brackets. */
function isEmptyArray(results: Uint8Array): boolean {
  const at = blankEnd(results, 1);
  return at >= results.length || results[at] === ASCII.closeList;
}

const WALLET_COLUMN = 'proxy_wallet';

/** The wallet that a series asks for, and the name of its filter; undefined if it names no wallet. */
export function walletOf(
  { parameters }: Dataset,
  params: Readonly<Record<string, string>>,
): { readonly filter: string; readonly wallet: string } | undefined {
  const parameter = parameters.find(({ kind }) => kind === 'wallet');
  const filter = parameter?.name ?? '';
  const wallet = params[filter];
  return parameter && wallet && !isWildcard(parameter, wallet) ? { filter, wallet } : undefined;
}

/**
 * Refuses a page with a record of another wallet than the one asked for, even if it was dropped as a repeat.
 *
 * @throws {AnswerError} If there is one; the message names both wallets.
 */
export function checkWallet(
  dataset: Dataset,
  params: Readonly<Record<string, string>>,
  builder: Partial<Pick<FrameBuilder, 'otherText'>>,
  { records, repeats }: Appended,
): void {
  const asked = walletOf(dataset, params);
  if (!asked || !dataset.key.includes(WALLET_COLUMN)) return;
  const other = builder.otherText?.(WALLET_COLUMN, asked.wallet, records - repeats);
  if (other === undefined) return;
  throw new AnswerError(
    `a record is of ${WALLET_COLUMN} ${other}, but ${asked.filter} ${asked.wallet} was asked for: ` +
      'the service seems to ignore this filter.',
  );
}

/**
 * Refuses a page with a record that was sent before with other values.
 *
 * @throws {AnswerError} If there is one; the message names its key and the field.
 */
export function checkRepeats({ repeated }: Partial<Pick<FrameBuilder, 'repeated'>>): void {
  if (!repeated?.differing) return;
  const { key, field } = repeated.differing;
  throw new AnswerError(
    `the record of ${key} came before with another "${field}", and nothing tells which of them is right. ` +
      'Run the query again; where that does not help, the service is at fault.',
  );
}

/**
 * Refuses records that have a field under both of its names, such as `close_date` and `closed_date`, with different
 * values. Times are compared as moments. A name without a value is ignored. An empty text under the first name is
 * refused too, since it would hide the value under the second.
 *
 * @param results Text of records that were decoded without an error.
 * @throws {AnswerError} If a record is refused; the message names it, both fields and their values.
 */
export function checkAliases({ columns, key }: Dataset, results: Uint8Array): void {
  for (const { name, alias } of columns) {
    if (alias === undefined || !hasField(results, alias) || !hasField(results, name)) continue;
    for (const record of parseRecords(results, 1)) {
      const [own, other] = [record[name], record[alias]];
      if (isNull(own) || isNull(other) || other === '' || moment(own) === moment(other)) continue;
      const which = key.map((part) => `${part} ${record[part]}`).join(', ');
      throw new AnswerError(
        `the record of ${which} has "${name}" ${JSON.stringify(own)} and "${alias}" ${JSON.stringify(other)}, ` +
          'which are two names of one field: nothing tells which of them is right.',
      );
    }
  }
}

function hasField(results: Uint8Array, name: string): boolean {
  return Buffer.from(results.buffer, results.byteOffset, results.byteLength).includes(`"${name}"`);
}

function isNull(value: unknown): boolean {
  return value === undefined || value === null;
}

function moment(value: unknown): unknown {
  const time = typeof value === 'string' ? toIsoTime(value) : undefined;
  return time?.length === 10 ? `${time}T00:00:00Z` : (time ?? value);
}

/**
 * Refuses a page that holds only repeats although the service says that more follow: a service that goes round in
 * circles would otherwise be read forever.
 *
 * @param mayRepeat Whether the data changed, and no more came twice than there is: of data with many new records before
 *   the others, whole pages came before.
 * @throws {AnswerError} If the page is refused; the message names the offset.
 */
export function checkProgress(
  dataset: Dataset,
  page: Pick<Page, 'hasMore' | 'offset'>,
  { records, repeats }: Appended,
  mayRepeat: boolean,
): void {
  if (!page.hasMore || records === 0 || repeats < records || mayRepeat) return;
  throw new AnswerError(
    `Dataset ${dataset.id} sent only records that came before at offset ${page.offset}, yet says that there is more.`,
  );
}
