import { onAbort, type StopSignal } from '../../base/stop-and-wait.js';
import type { AnswerNotes } from '../../contract/answer-notes.js';
import type { Dataset } from '../../contract/dataset.js';
import { quotedEnd } from '../../frame/decode/json-ends.js';

/** One page of an answer, with its records not yet decoded. */
export interface Page extends AnswerNotes {
  /** The limit that the service says it applied. */
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** Number of records of the whole query, if the service states it. */
  readonly total?: number;
  /** JSON text of the array of records, in UTF-8. */
  readonly results: Uint8Array;
}

/** A request for one series of pages: a dataset with its filters, with at most one wallet. */
export interface SeriesRequest {
  readonly dataset: Dataset;
  /** Filters as they are sent. */
  readonly params: Readonly<Record<string, string>>;
  /** The largest number of records. Default: all. */
  readonly maxRecords?: number | undefined;
  readonly signal?: StopSignal | undefined;
  /** The window that the series of one query share; a source in front of another passes it on. Default: a new one. */
  readonly window?: AheadWindow | undefined;
}

/** Where a series' records came from; known once its last page has been read. */
export interface Origin extends AnswerNotes {
  /** Base address of the service. */
  readonly service: string;
  /** When the first page was answered, ISO 8601 in UTC. */
  readonly queriedAt: string;
  /** Version of the service's data, if it states one. */
  readonly dataVersion?: string;
  /** Name of the snapshot folder that the answer was recorded into or replayed from, without its path. */
  readonly snapshot?: string;
  /** SHA-256 of the recorded answer. */
  readonly sha256?: string;
}

/** A series that is being read. */
export interface Series {
  /** The pages in order; can be read only once. */
  readonly pages: AsyncIterable<Page>;
  /** Call it after the last page. */
  origin(): Origin;
}

/** Answers queries: the service itself, or a snapshot in front of it. Nothing happens before the pages are read. */
export type PageSource = (request: SeriesRequest) => Series;

/**
 * The state that the series of one query share: how many pages they may request before these are handed on, and counts.
 * Series request pages ahead in the order in which they joined.
 */
export class AheadWindow {
  readonly #claims = new Set<() => void>();
  #used = 0;
  /** How many pages of one series may be requested beyond the one being processed. */
  readonly depth: number;
  /** How many pages may be under way or kept at once, over all series. */
  readonly size: number;
  /** Whether the reader has asked for a second page; until then, nothing is requested ahead. */
  isOpen = false;
  /** Number of requests sent; all tries of one count once. */
  requests = 0;
  /** Total time that requests waited between tries and for rate limits. */
  waitedMs = 0;

  /**
   * Whether two records with one key may differ: the data changed between pages, or a recording is replayed, which was
   * checked when it was made.
   */
  mayDiffer = false;
  /** Kinds of warnings given so far, so that each is given only once per query. */
  readonly warned = new Set<string>();

  /**
   * @param concurrency Number of requests in flight at once. There is room for twice as many pages, so that pages that
   * arrived early, and the one being processed, do not block further requests.
   */
  constructor(concurrency: number) {
    this.depth = concurrency;
    this.size = concurrency === 1 ? 1 : 2 * concurrency;
  }

  /** How many further pages may be requested. */
  get free(): number {
    return this.#used < this.size ? this.size - this.#used : 0;
  }

  /** Whether pages besides the one being processed were requested. */
  get hasOthers(): boolean {
    return this.#used > 1;
  }

  /** Counts a requested page, even if the window is full: a page that a reader waits for is always requested. */
  take(): void {
    this.#used += 1;
  }

  /** Counts a page as handed on or dropped, and lets the series request others. */
  give(): void {
    this.#used -= 1;
    for (const claim of this.#claims) if (this.free > 0) claim();
  }

  /** Calls a series back whenever a page may be requested; returns a function that ends this. */
  join(claim: () => void): () => void {
    this.#claims.add(claim);
    return () => this.#claims.delete(claim);
  }
}

/** Limits how many tasks run at the same time; the others wait in order. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param count How many tasks may run at once, 1 or more. */
  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs work as soon as there is a free slot.
   *
   * @param signal Ends the wait for a slot; work that already runs must watch it itself.
   * @throws The signal's reason, or what the work throws.
   */
  async run<T>(work: () => Promise<T>, signal: StopSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  #turn(signal: StopSignal): Promise<void> {
    return new Promise((done, fail) => {
      const leave = () => {
        this.#waiting.delete(enter);
        fail(signal.reason);
      };
      const enter = () => {
        forget();
        done();
      };
      this.#waiting.add(enter);
      const forget = onAbort(signal, leave);
    });
  }

  #give(): void {
    for (const enter of this.#waiting) {
      this.#waiting.delete(enter);
      enter();
      return;
    }
    this.#free += 1;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;

const known = new WeakMap<Uint8Array, number>();

/** Stores the number of records in a text, if it is known, so that {@link recordCount} need not count them. */
export function keepRecordCount(results: Uint8Array, count: number): void {
  known.set(results, count);
}

/** How many records the JSON text of an array holds. */
export function recordCount(results: Uint8Array): number {
  const kept = known.get(results);
  if (kept !== undefined) return kept;
  const { count } = scan(results, Number.POSITIVE_INFINITY);
  known.set(results, count);
  return count;
}

/** The JSON text of an array with the first records of another; the same text if it holds no more. */
export function firstRecords(results: Uint8Array, most: number): Uint8Array {
  const { end } = scan(results, most);
  if (end === results.length) return results;
  const cut = new Uint8Array(end + 1);
  cut.set(results.subarray(0, end));
  cut[end] = 0x5d;
  return cut;
}

/** The JSON text of an array with all but the first `count` records of another, which must hold more. */
export function recordsAfter(results: Uint8Array, count: number): Uint8Array {
  const { end } = scan(results, count);
  const rest = results.slice(end);
  // Replaces the comma after the records that are left out.
  rest[0] = 0x5b;
  return rest;
}

/** Counts at most `most` records and finds the comma after the last of them, or the end of the text. */
function scan(results: Uint8Array, most: number): { count: number; end: number } {
  let [depth, commas, hasAny] = [0, 0, false];
  for (let at = 0; at < results.length; at += 1) {
    const byte = results[at];
    if (byte === QUOTE) {
      at = quotedEnd(results, at) - 1;
      hasAny = true;
    } else if (byte === COMMA) {
      if (depth === 1) commas += 1;
      if (depth === 1 && commas === most) return { count: commas, end: at };
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      hasAny ||= depth > 1;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else hasAny ||= byte !== undefined && byte > 0x20;
  }
  return { count: hasAny ? commas + 1 : 0, end: results.length };
}
