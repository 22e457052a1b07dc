import type { Filters } from '../../contract/dataset.js';
import type { MARKETS } from '../../contract/markets.js';
import type { MarketFile, MarketFiles, StoredMarket } from './market-file.js';
import { framedPage, lowerCase, type RecordPage, type Slice } from './store.js';
import { SEGMENT, trigramsOf } from './trigrams.js';

type MarketFilters = Filters<typeof MARKETS>;

/** Gathers the records of one page, and notes whether another one follows. */
class PageOfRecords {
  readonly #records: Buffer[] = [];
  readonly #limit: number;
  #bytes = 0;
  #skip: number;
  hasMore = false;

  constructor({ limit, offset }: Slice) {
    this.#limit = limit;
    this.#skip = offset;
  }

  /** Adds the next match, whose bytes must not change later. @returns Whether more are needed. */
  add(record: () => Buffer): boolean {
    if (this.#skip > 0) this.#skip--;
    else if (this.#records.length === this.#limit) this.hasMore = true;
    else {
      const bytes = record();
      this.#records.push(bytes);
      this.#bytes += bytes.length;
    }
    return !this.hasMore;
  }

  /** Adds a whole page of records at once. */
  take(records: readonly Buffer[], hasMore: boolean): void {
    for (const record of records) {
      this.#records.push(record);
      this.#bytes += record.length;
    }
    this.hasMore = hasMore;
  }

  toPage(): RecordPage {
    const records = this.#records;
    // The brackets, and a comma before each record but the first.
    const length = 2 + this.#bytes + Math.max(0, records.length - 1);
    return framedPage(length, this.hasMore, (frame, start) => {
      let at = start;
      frame[at] = OPEN;
      for (const record of records) {
        if (at > start) frame[at] = COMMA;
        frame.set(record, at + 1);
        at += 1 + record.length;
      }
      frame[start + length - 1] = CLOSE;
    });
  }
}

const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/**
 * Makes a page of market records from the files of markets, equal to what the database's rows give.
 *
 * @returns Undefined if only the database can answer: without the files, or for text of fewer than three bytes.
 */
export function marketPage(files: MarketFiles, filters: MarketFilters, slice: Slice): RecordPage | undefined {
  const { markets } = files;
  const texts = [filters.market_slug, filters.event_slug].flatMap((text) =>
    text === undefined ? [] : [Buffer.from(lowerCase(text))],
  );
  if (!markets || texts.some((text) => text.length < 3)) return undefined;
  const page = new PageOfRecords(slice);
  const passes = plainTest(markets, filters);
  const holds = textTest(filters);
  const { condition_id } = filters;
  if (condition_id !== undefined && condition_id !== 'ALL') {
    const place = files.placeOf(condition_id);
    if (place === null) return undefined;
    if (place !== undefined && passes(place))
      markets.read([place], (market) => !holds(market) || page.add(() => Buffer.from(market.record)));
  } else if (texts.length > 0) searchTexts(markets, texts, passes, holds, page);
  else walk(markets, filters, passes, slice, page);
  return page.toPage();
}

/** Makes the test of the filters that can be decided without reading a market. */
function plainTest(markets: MarketFile, filters: MarketFilters): (place: number) => boolean {
  const { closed, ends } = markets;
  const state = filters.closed === undefined ? undefined : Number(filters.closed);
  const count = countOf(markets, filters);
  const [from, to] = [millis(filters.end_date_min), millis(filters.end_date_max)];
  return (place) => {
    if (place >= count || (state !== undefined && closed[place] !== state)) return false;
    const end = ends[place] ?? Number.NaN;
    // The end of a market without one is NaN, which compares false.
    return (from === undefined || end >= from) && (to === undefined || end <= to);
  };
}

function countOf(markets: MarketFile, { min_volume }: MarketFilters): number {
  return min_volume === undefined ? markets.length : markets.countFrom(min_volume);
}

function millis(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function textTest({ market_slug, event_slug }: MarketFilters): (market: StoredMarket) => boolean {
  const part = market_slug === undefined ? undefined : Buffer.from(lowerCase(market_slug));
  const event = event_slug === undefined ? undefined : Buffer.from(lowerCase(event_slug));
  return ({ searched, eventSlug }) =>
    (part === undefined || searched.includes(part)) && (event === undefined || eventSlug?.equals(event) === true);
}

/** Candidates are read in batches of this size, as a page of common text is full long before the last of them. */
const BATCH = 512;

function searchTexts(
  markets: MarketFile,
  texts: readonly Buffer[],
  passes: (place: number) => boolean,
  holds: (market: StoredMarket) => boolean,
  page: PageOfRecords,
): void {
  const trigrams = [...new Set(texts.flatMap(trigramsOf))];
  const take = (market: StoredMarket) => !holds(market) || page.add(() => Buffer.from(market.record));
  for (let segment = 0; segment < markets.segments; segment++) {
    const { numbers, length } = markets.lists.candidates(segment, trigrams);
    for (let start = 0; start < length; start += BATCH) {
      const wanted: number[] = [];
      for (let i = start; i < Math.min(length, start + BATCH); i++) {
        const place = segment * SEGMENT + (numbers[i] ?? 0);
        if (passes(place)) wanted.push(place);
      }
      markets.read(wanted, take);
      if (page.hasMore) return;
    }
  }
}

/** Goes through the markets in order, and reads only those of the page. */
function walk(
  markets: MarketFile,
  filters: MarketFilters,
  passes: (place: number) => boolean,
  { limit, offset }: Slice,
  page: PageOfRecords,
): void {
  const count = countOf(markets, filters);
  const wanted: number[] = [];
  let skip = offset;
  for (let place = 0; place < count && wanted.length <= limit; place++) {
    if (!passes(place)) continue;
    if (skip > 0) skip--;
    else wanted.push(place);
  }
  page.take(markets.records(wanted.slice(0, limit)), wanted.length > limit);
}
