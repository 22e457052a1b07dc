import type { Filters } from '../../contract/dataset.js';
import type { MARKETS } from '../../contract/markets.js';
import type { MarketFile, StoredMarket } from '../store/market-file.js';
import type { MarketFiles } from '../store/market-files.js';
import type { Page } from '../store/page.js';
import type { Slice } from '../store/store.js';
import { SEGMENT } from '../store/trigrams.js';

type MarketFilters = Filters<typeof MARKETS>;

/** Gathers the records of one page, and notices the one after it. */
class PageOfRecords {
  readonly #records: Buffer[] = [];
  readonly #limit: number;
  #skip: number;
  hasMore = false;

  constructor({ limit, offset }: Slice) {
    this.#limit = limit;
    this.#skip = offset;
  }

  /** Whether the next match would only be counted, not kept. */
  get skips(): boolean {
    return this.#skip > 0;
  }

  /** Takes the next match; false where no more are needed. */
  add(record: Buffer): boolean {
    if (this.#skip > 0) this.#skip--;
    else if (this.#records.length / 2 === this.#limit) this.hasMore = true;
    else this.#records.push(COMMA, Buffer.from(record));
    return !this.hasMore;
  }

  /** Counts a match before the page. */
  pass(): void {
    this.#skip--;
  }

  toPage(): Page {
    const [, ...rest] = this.#records;
    return { results: Buffer.concat([OPEN, ...rest, CLOSE]), has_more: this.hasMore };
  }
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/**
 * A page of market records from the files of markets, equal to what the database's rows give.
 *
 * @returns Undefined where only the database can tell: without the files, and for text of fewer than three bytes.
 */
export function marketPage(files: MarketFiles, filters: MarketFilters, slice: Slice): Page | undefined {
  const { markets } = files;
  const texts = [filters.market_slug, filters.event_slug].flatMap((text) =>
    text === undefined ? [] : [Buffer.from(text.toLowerCase())],
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
      markets.read([place], (market) => !holds(market) || page.add(market.record));
  } else if (texts.length > 0) searchTexts(markets, texts, passes, holds, page);
  else walk(markets, filters, passes, slice, page);
  return page.toPage();
}

/** What can be told of a market without reading it. */
function plainTest(markets: MarketFile, filters: MarketFilters): (place: number) => boolean {
  const { closed, ends } = markets;
  const state = filters.closed === undefined ? undefined : Number(filters.closed);
  const count = countOf(markets, filters);
  const [from, to] = [millis(filters.end_date_min), millis(filters.end_date_max)];
  return (place) => {
    if (place >= count || (state !== undefined && closed[place] !== state)) return false;
    const end = ends[place] ?? Number.NaN;
    // A market without an end compares false to any.
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
  const part = market_slug === undefined ? undefined : Buffer.from(market_slug.toLowerCase());
  const event = event_slug === undefined ? undefined : Buffer.from(event_slug.toLowerCase());
  return ({ searched, eventSlug }) =>
    (part === undefined || searched.includes(part)) && (event === undefined || eventSlug?.equals(event) === true);
}

function searchTexts(
  markets: MarketFile,
  texts: readonly Buffer[],
  passes: (place: number) => boolean,
  holds: (market: StoredMarket) => boolean,
  page: PageOfRecords,
): void {
  for (let segment = 0; segment < markets.segments && !page.hasMore; segment++) {
    const places = Array.from(markets.lists.candidates(segment, texts), (place) => segment * SEGMENT + place);
    markets.read(places.filter(passes), (market) => !holds(market) || page.add(market.record));
  }
}

/** Goes through the markets in their order; only those of the page are read. */
function walk(
  markets: MarketFile,
  filters: MarketFilters,
  passes: (place: number) => boolean,
  { limit }: Slice,
  page: PageOfRecords,
): void {
  const count = countOf(markets, filters);
  const wanted: number[] = [];
  for (let place = 0; place < count && wanted.length <= limit; place++) {
    if (!passes(place)) continue;
    if (page.skips) page.pass();
    else wanted.push(place);
  }
  markets.read(wanted, (market) => page.add(market.record));
}
