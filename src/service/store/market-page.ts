import { type FilterMeanings, type Filters, type MarketDatasets, narrowed } from '../../contract/dataset.js';
import { lowerCase } from './lower-case.js';
import type { MarketFile, MarketFiles, StoredMarket } from './market-file.js';
import { framedPage, oneMarket, type RecordPage, type Slice } from './store.js';
import { SEGMENT, trigramsOf } from './trigrams.js';

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

/** Which markets a query's filters let pass. */
class MarketSearch {
  readonly markets: MarketFile;
  /** Markets from this place on have too little volume. */
  end: number;
  /** The only place that may pass, if one market is asked for: undefined if there is none, null if only the database knows. */
  only: { readonly place: number | undefined | null } | undefined;
  /** 1 or 0 where only closed or only open markets pass. */
  state: number | undefined;
  /** The first and the last end in Unix milliseconds that pass, where they are limited. */
  from: number | undefined;
  to: number | undefined;
  /** Texts in lower case that the searched text of a market must hold. */
  readonly texts: Buffer[] = [];
  readonly #markets: ((market: StoredMarket) => boolean)[] = [];
  readonly #files: MarketFiles;

  constructor(files: MarketFiles, markets: MarketFile) {
    this.#files = files;
    this.markets = markets;
    this.end = markets.length;
  }

  /** Adds a text that must be part of a market's searched text, and how. */
  testText(text: string, test: (market: StoredMarket, text: Buffer) => boolean): void {
    const bytes = Buffer.from(lowerCase(text));
    this.texts.push(bytes);
    this.#markets.push((market) => test(market, bytes));
  }

  /** Lets only one market pass. */
  take(conditionId: string): void {
    this.only = { place: this.#files.placeOf(conditionId) };
  }

  /** Whether the market at a place passes, as far as can be told without reading it. */
  passes(place: number): boolean {
    const { from, to, state, markets } = this;
    if (place >= this.end || (state !== undefined && markets.closed[place] !== state)) return false;
    // The end of a market without one is NaN, which compares false.
    const end = markets.ends[place] as number;
    return (from === undefined || end >= from) && (to === undefined || end <= to);
  }

  /** Whether a market that was read passes the other filters. */
  holds(market: StoredMarket): boolean {
    return this.#markets.every((test) => test(market));
  }
}

const MARKET_SEARCH: FilterMeanings<MarketDatasets, MarketSearch> = {
  closed(isClosed, search) {
    search.state = Number(isClosed);
  },
  min_volume(micros, search) {
    search.end = search.markets.countFrom(micros);
  },
  market_slug: (text, search) => search.testText(text, ({ searched }, bytes) => searched.includes(bytes)),
  end_date_min(seconds, search) {
    search.from = seconds * 1000;
  },
  end_date_max(seconds, search) {
    search.to = seconds * 1000;
  },
  condition_id(id, search) {
    const market = oneMarket(id);
    if (market !== undefined) search.take(market);
  },
  event_slug: (text, search) => search.testText(text, ({ eventSlug }, bytes) => eventSlug?.equals(bytes) === true),
};

/**
 * Makes a page of market records from the files of markets, equal to what the database's rows give.
 *
 * @returns Undefined if only the database can answer: without the files, or for text of fewer than three bytes.
 */
export function marketPage(files: MarketFiles, filters: Filters<MarketDatasets>, slice: Slice): RecordPage | undefined {
  if (!files.markets) return undefined;
  const search = narrowed(MARKET_SEARCH, filters, new MarketSearch(files, files.markets));
  const { only, texts } = search;
  if (only?.place === null || texts.some((text) => text.length < 3)) return undefined;
  const page = new PageOfRecords(slice);
  if (only) takeOnly(search, only.place, page);
  else if (texts.length > 0) searchTexts(search, page);
  else walk(search, slice, page);
  return page.toPage();
}

function takeOnly(search: MarketSearch, place: number | undefined, page: PageOfRecords): void {
  if (place === undefined || !search.passes(place)) return;
  search.markets.read([place], (market) => !search.holds(market) || page.add(() => Buffer.from(market.record)));
}

/** Candidates are read in batches of this size, as a page of common text is full long before the last of them. */
const BATCH = 512;

function searchTexts(search: MarketSearch, page: PageOfRecords): void {
  const { markets } = search;
  const trigrams = [...new Set(search.texts.flatMap(trigramsOf))];
  const take = (market: StoredMarket) => !search.holds(market) || page.add(() => Buffer.from(market.record));
  for (let segment = 0; segment < markets.segments; segment++) {
    const { numbers, length } = markets.lists.candidates(segment, trigrams);
    for (let start = 0; start < length; start += BATCH) {
      const wanted: number[] = [];
      for (const number of numbers.subarray(start, Math.min(length, start + BATCH))) {
        const place = segment * SEGMENT + number;
        if (search.passes(place)) wanted.push(place);
      }
      markets.read(wanted, take);
      if (page.hasMore) return;
    }
  }
}

/** Goes through the markets in order, and reads only those of the page. */
function walk(search: MarketSearch, { limit, offset }: Slice, page: PageOfRecords): void {
  const wanted: number[] = [];
  let skip = offset;
  for (let place = 0; place < search.end && wanted.length <= limit; place++) {
    if (!search.passes(place)) continue;
    if (skip > 0) skip--;
    else wanted.push(place);
  }
  page.take(search.markets.records(wanted.slice(0, limit)), wanted.length > limit);
}
