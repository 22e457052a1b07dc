import { type FilterMeanings, type Filters, type MarketDatasets, narrowed } from '../../contract/dataset.js';
import type { MarketFile, MarketFiles, StoredMarket } from './market-file.js';
import { framedPage, lowerCase, oneMarket, type RecordPage, type Slice } from './store.js';
import { SEGMENT, trigramsOf } from './trigrams.js';

/** Gathers the records of one page, and notes whether another one follows. */
class PageOfRecords {
  readonly #records: Buffer[] = [];
  readonly #limit: number;
  #skip: number;
  hasMore = false;

  constructor({ limit, offset }: Slice) {
    this.#limit = limit;
    this.#skip = offset;
  }

  /** Adds the next match, of which it keeps a copy. @returns Whether more are needed. */
  add({ record }: StoredMarket): boolean {
    if (this.#skip > 0) this.#skip--;
    else if (this.#records.length === this.#limit) this.hasMore = true;
    else this.#records.push(Buffer.from(record));
    return !this.hasMore;
  }

  toPage(): RecordPage {
    return pageOfRecords(this.#records, this.hasMore);
  }
}

function pageOfRecords(records: readonly Buffer[], hasMore: boolean): RecordPage {
  const listed = records.flatMap((record, i) => (i === 0 ? [record] : [COMMA, record]));
  const bytes = Buffer.concat([OPEN, ...listed, CLOSE]);
  return framedPage(bytes.length, hasMore, (frame, at) => frame.set(bytes, at));
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/** Which markets a query's filters let pass. */
interface MarketSearch {
  readonly files: MarketFiles;
  readonly markets: MarketFile;
  /** Markets from this place on have too little volume. */
  end: number;
  /** The only place that may pass, if one market is asked for: undefined if there is none, null if only the database knows. */
  only?: { readonly place: number | undefined | null };
  /** Texts in lower case that a market must hold. */
  readonly texts: Buffer[];
  /** Tests that need no market read. */
  readonly ofPlace: ((place: number) => boolean)[];
  readonly ofMarket: ((market: StoredMarket) => boolean)[];
}

/** Adds a text that a market must hold, and how. */
function testText(search: MarketSearch, text: string, test: (market: StoredMarket, text: Buffer) => boolean): void {
  const bytes = Buffer.from(lowerCase(text));
  search.texts.push(bytes);
  search.ofMarket.push((market) => test(market, bytes));
}

/** Whether the market at a place passes, as far as can be told without reading it. */
function passes(search: MarketSearch, place: number): boolean {
  if (place >= search.end) return false;
  for (const test of search.ofPlace) if (!test(place)) return false;
  return true;
}

const MARKET_SEARCH: FilterMeanings<MarketDatasets, MarketSearch> = {
  closed(isClosed, search) {
    const [{ closed }, state] = [search.markets, Number(isClosed)];
    search.ofPlace.push((place) => closed[place] === state);
  },
  min_volume(micros, search) {
    search.end = search.markets.countFrom(micros);
  },
  market_slug: (text, search) => testText(search, text, ({ searched }, bytes) => searched.includes(bytes)),
  // The end of a market without one is NaN, which compares false.
  end_date_min(seconds, search) {
    const [{ ends }, from] = [search.markets, seconds * 1000];
    search.ofPlace.push((place) => (ends[place] as number) >= from);
  },
  end_date_max(seconds, search) {
    const [{ ends }, to] = [search.markets, seconds * 1000];
    search.ofPlace.push((place) => (ends[place] as number) <= to);
  },
  condition_id(id, search) {
    const market = oneMarket(id);
    if (market !== undefined) search.only = { place: search.files.placeOf(market) };
  },
  event_slug: (text, search) => testText(search, text, ({ eventSlug }, bytes) => eventSlug?.equals(bytes) === true),
};

/**
 * Makes a page of market records from the files of markets, equal to what the database's rows give.
 *
 * @returns Undefined if only the database can answer: without the files, or for text of fewer than three bytes.
 */
export function marketPage(files: MarketFiles, filters: Filters<MarketDatasets>, slice: Slice): RecordPage | undefined {
  if (!files.markets) return undefined;
  const { markets } = files;
  const all: MarketSearch = { files, markets, end: markets.length, texts: [], ofPlace: [], ofMarket: [] };
  const search = narrowed(MARKET_SEARCH, filters, all);
  const { only, texts } = search;
  if (only?.place === null || texts.some((text) => text.length < 3)) return undefined;
  if (!only && texts.length === 0) return walk(search, slice);
  const page = new PageOfRecords(slice);
  for (const places of only ? [[only.place ?? NOWHERE]] : candidates(search)) {
    const passing = places.filter((place) => passes(search, place));
    markets.read(passing, (market) => !search.ofMarket.every((test) => test(market)) || page.add(market));
    if (page.hasMore) break;
  }
  return page.toPage();
}

/** A place behind those of all markets. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** Candidates are read in batches of this size, as a page of common text is full long before the last of them. */
const BATCH = 512;

/** The places of markets that may hold the texts. */
function* candidates({ markets, texts }: MarketSearch): Generator<number[]> {
  const trigrams = [...new Set(texts.flatMap(trigramsOf))];
  for (let segment = 0; segment < markets.segments; segment++) {
    const { numbers, length } = markets.lists.candidates(segment, trigrams);
    for (let start = 0; start < length; start += BATCH) {
      const batch = numbers.subarray(start, Math.min(length, start + BATCH));
      yield Array.from(batch, (number) => segment * SEGMENT + number);
    }
  }
}

/** Goes through the markets in order, and reads only those of the page. */
function walk(search: MarketSearch, { limit, offset }: Slice): RecordPage {
  const wanted: number[] = [];
  let skip = offset;
  for (let place = 0; place < search.end && wanted.length <= limit; place++) {
    if (!passes(search, place)) continue;
    if (skip > 0) skip--;
    else wanted.push(place);
  }
  return pageOfRecords(search.markets.records(wanted.slice(0, limit)), wanted.length > limit);
}
