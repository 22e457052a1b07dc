import { SourceError } from '../base/errors.js';
import type { FetchFolder } from './fetch-folder.js';
import type { FetchProgress } from './fetch-progress.js';
import { idOf } from './market-facts.js';
import { PageFile } from './page-file.js';
import { recordsOf, type SourceRecord, timeless, timeOf } from './records.js';
import { afterVersion2, refusesCursor } from './refusals.js';
import type { SourceParams, Sources } from './sources.js';
import { walkOffsets } from './walk-offsets.js';
import { type RecordPage, repeats, walkV2 } from './walk-pages.js';

/** File of the fills of a market or an event in its folder. */
export const TRADES = 'trades.ndjson';

/** Whose fills are wanted. */
export interface FeedOf {
  readonly kind: 'market' | 'event';
  /** Condition ids that its fills may have. */
  readonly conditions: ReadonlySet<string>;
  /** Slug of an event, which its fills may name where they have another condition id. */
  readonly event?: string;
  /** Parameters that choose them: of the Data API v2, and of v1. */
  readonly v2: Readonly<Record<string, string>>;
  readonly v1: Readonly<Record<string, string>>;
  /** Unix seconds since when there may be fills; null if not known. */
  readonly since: number | null;
}

interface Asked extends FeedOf {
  readonly sources: Sources;
  readonly folder: FetchFolder;
  readonly progress: FetchProgress;
}

const V2 = '/v2/trades';
const V1 = '/trades';

/** The last minutes may still change, so that they are left to the next run; in seconds. */
const UNFINAL = 300;
/** How far back the feeds of markets and events go: some three years, in seconds. */
const FEED_SECONDS = 3 * 365 * 86_400;

/** What a fetch of fills did. */
export interface FetchedTrades {
  /** Fills that are new. */
  readonly fresh: number;
  readonly rows: number;
  /** Unix seconds up to which they are known. */
  readonly until: number | null;
  /** Whether nothing but the source's word says that its list was whole. */
  readonly isEndUntold: boolean;
}

/**
 * Fetches the fills of a market or an event, makers' included: the newest first, on a later run down to those that are
 * there. What the source does not give is noted as missing.
 *
 * @throws {SourceError} If the source gives nothing at all.
 * @throws {DataError} If they cannot be written.
 */
export async function fetchTrades(asked: Asked): Promise<FetchedTrades> {
  const older = await PageFile.stateOf(asked.folder.path, TRADES);
  asked.progress.begin('trades');
  let feed = await Feed.open(asked, older && older.rows > 0 && older.endpoint === V1 ? V1 : V2);
  try {
    await feed.walk().catch(async (error) => {
      if (!isUnfit(error) || feed.file.state.rows > 0 || feed.endpoint === V1) throw error;
      await feed.file.close();
      feed = await Feed.open(asked, V1);
      await afterVersion2(error, () => feed.walk());
    });
    const { rows } = feed.file.state;
    noteFeedsReach(asked);
    return { fresh: rows - feed.file.rowsBefore, rows, until: feed.until, isEndUntold: feed.isEndUntold };
  } finally {
    await feed.file.close();
  }
}

/** Whether a version of the Data API cannot give these fills, whenever it is asked. */
function isUnfit(error: unknown): error is SourceError {
  return error instanceof SourceError && ['refused', 'repeats', 'shape'].includes(error.details.kind);
}

function noteFeedsReach({ folder, since }: Asked): void {
  const reach = Math.floor(Date.now() / 1000) - FEED_SECONDS;
  if (since === null || since >= reach) return;
  folder.miss('trades', 'the source gives the fills of the last three years', since, reach);
}

/**
 * One walk through a feed, the newest first. In its file's state, `start` is the second below which everything is
 * there, and `time` the one up to which everything will be once the walk has ended. Only whole seconds between them are
 * written, so that a fill is neither lost nor written twice, whenever the walk is killed.
 */
class Feed {
  readonly file: PageFile;
  readonly endpoint: string;
  readonly #asked: Asked;
  /** Of a walk that begins again: the second of the last fill that is there, and the fills of that second. */
  #again: { time: number; texts: string[] } | undefined;
  /** Unix seconds of the last record of the walk: those that follow are not later. */
  #down = Number.POSITIVE_INFINITY;
  isEndUntold = false;

  private constructor(asked: Asked, file: PageFile, endpoint: string) {
    this.#asked = asked;
    this.file = file;
    this.endpoint = endpoint;
  }

  static async open(asked: Asked, endpoint: string): Promise<Feed> {
    const params = endpoint === V2 ? asked.v2 : asked.v1;
    return new Feed(asked, await PageFile.open(asked.folder.path, TRADES, { endpoint, params }), endpoint);
  }

  /** The second up to which the fills are known; null if none is. */
  get until(): number | null {
    const { ended, start, time } = this.file.state;
    return ended ? time : start;
  }

  async walk(): Promise<void> {
    const { ended, time, cursor } = this.file.state;
    if (ended || time === null) {
      const latest = Math.floor(Date.now() / 1000) - UNFINAL;
      await this.file.append([], { start: time, time: latest, cursor: null, ended: false });
    }
    // Pages by offset move on as fills come: there is no place to continue at.
    let from = this.endpoint === V2 && !ended ? (cursor ?? undefined) : undefined;
    for (let rows = -1; ; from = undefined) {
      try {
        await this.#pages(from);
        return;
      } catch (error) {
        // As long as each try brings new fills, another one may bring the rest.
        if (!this.#leadsNowhere(error) || this.file.state.rows === rows) return this.#giveUp(error);
        rows = this.file.state.rows;
      }
    }
  }

  /** Walks from a cursor on; without one from where the walk was broken off, if the source can begin there. */
  async #pages(cursor: string | undefined): Promise<void> {
    const reached = await this.#reached();
    this.#again = cursor === undefined ? reached : undefined;
    this.#down = cursor === undefined ? Number.POSITIVE_INFINITY : (reached?.time ?? Number.POSITIVE_INFINITY);
    let before: readonly SourceRecord[] = [];
    let place = 'The Data API';
    for await (const page of this.#walk(cursor)) {
      const records = this.endpoint === V1 ? page.records.slice(overlap(before, page.records)) : page.records;
      [before, place] = [page.records, page.place];
      if (await this.#take(records, page)) return;
    }
    if (await this.#endsEarly()) throw repeats(place, 'a list that ends before its oldest fill');
    await this.file.append([], { ended: true });
  }

  /**
   * Whether the list ended before its oldest fill. The source is asked for the oldest one before the last that came, by
   * order and by time; where it ignores both, version 1 for the one after as many as there are. A fill that is older
   * than all that came shows it.
   */
  async #endsEarly(): Promise<boolean> {
    const { start, time: latest, rows } = this.file.state;
    if (start !== null && (await this.#firstTime()) <= start) return true;
    const down = Math.min(this.#down, this.#again?.time ?? Number.POSITIVE_INFINITY);
    const known = Number.isFinite(down) ? down : (latest ?? 0) + 1;
    const { v1, v2 } = this.#asked;
    const v1Only = { ...v1, takerOnly: false, limit: 1 };
    const questions: [string, SourceParams][] = [
      this.endpoint === V1
        ? [V1, { ...v1Only, end: known - 1, offset: 0 }]
        : [V2, { ...v2, taker_only: false, limit: 1, sort_direction: 'ASC', end: known - 1 }],
      [V1, { ...v1Only, offset: rows }],
    ];
    for (const [path, params] of questions) {
      const oldest = await this.#ask(path, params);
      if (oldest === null || oldest === known) return false;
      if (oldest !== undefined && oldest < known) return true;
    }
    this.isEndUntold = true;
    return false;
  }

  /** The time of the first record of an answer; null if it has none, undefined if it cannot be used. */
  async #ask(path: string, params: SourceParams): Promise<number | null | undefined> {
    try {
      const answer = await this.#asked.sources.get('data', path, params);
      const [first] = recordsOf(answer, path === V1 ? undefined : 'data');
      if (!first) return null;
      return this.#isForeign(first) ? undefined : timeOf(first.value);
    } catch (error) {
      if (isUnfit(error)) return undefined;
      throw error;
    }
  }

  /** The time of the first fill that was ever written; infinite without one. */
  async #firstTime(): Promise<number> {
    for await (const line of this.file.lines()) return timeOf(JSON.parse(line));
    return Number.POSITIVE_INFINITY;
  }

  /** Where this walk came to before it was broken off; undefined if it wrote nothing yet. */
  async #reached(): Promise<{ time: number; texts: string[] } | undefined> {
    const texts: string[] = [];
    let time: number | undefined;
    for await (const line of this.file.linesFromEnd()) {
      const second = timeOf(JSON.parse(line));
      time ??= second;
      if (second !== time) break;
      texts.push(line);
    }
    return time === undefined || time <= (this.file.state.start ?? 0) ? undefined : { time, texts };
  }

  #walk(cursor: string | undefined): AsyncGenerator<RecordPage> {
    const { sources, v1, v2 } = this.#asked;
    if (this.endpoint === V1) {
      const params = { ...v1, takerOnly: false };
      return walkOffsets(sources, { source: 'data', path: V1, params }, 10_000);
    }
    // A source that does not take the end begins at the newest: what is there is then passed over.
    const end = this.#again && this.#again.time + 1;
    const params = { ...v2, taker_only: false, limit: 1000, end };
    return walkV2(sources, { source: 'data', path: V2, params, cursor });
  }

  /**
   * Writes what is wanted of a page.
   *
   * @returns Whether it reached what was there before the walk.
   * @throws {SourceError} If the page shows that the source ignores a parameter. Nothing of it is then written.
   */
  async #take(records: readonly SourceRecord[], { next, place }: RecordPage): Promise<boolean> {
    const { start, time: latest } = this.file.state;
    const down = this.#checked(records, place);
    const texts: string[] = [];
    let isReached = false;
    for (const { value, text } of records) {
      this.#asked.folder.drift.count(this.endpoint, this.endpoint === V2 ? 'v2 trades' : 'v1 trades', value);
      const time = timeOf(value);
      if (start !== null && time <= start) isReached = true;
      else if (time <= (latest ?? 0) && !this.#isThere(time, text)) texts.push(text);
    }
    this.#down = down;
    await this.file.append(texts, { cursor: isReached ? null : (next ?? null), ended: isReached });
    this.#asked.progress.page(texts.length, { time: Number.isFinite(down) ? down : null });
    return isReached;
  }

  /** Unix seconds down to which a page leads. @throws {SourceError} If it is not what was asked for. */
  #checked(records: readonly SourceRecord[], place: string): number {
    let down = this.#down;
    for (const record of records) {
      const time = timeOf(record.value);
      if (Number.isNaN(time)) throw timeless(place);
      if (this.#isForeign(record)) throw repeats(place, `fills of another ${this.#asked.kind}`);
      if (time > down) throw repeats(place, 'fills that go forward in time');
      down = time;
    }
    return down;
  }

  #isForeign({ value }: SourceRecord): boolean {
    const { conditions, event } = this.#asked;
    const condition = value.condition_id ?? value.conditionId ?? '';
    // Combinations have conditions of their own.
    if (condition === '' || value.is_combo === true || value.isCombo === true) return false;
    const named = value.event_slug ?? value.eventSlug;
    return !conditions.has(idOf(condition)) && (event === undefined || named !== event);
  }

  #isThere(time: number, text: string): boolean {
    if (!this.#again || time < this.#again.time) return false;
    if (time > this.#again.time) return true;
    const at = this.#again.texts.indexOf(text);
    if (at >= 0) this.#again.texts.splice(at, 1);
    return at >= 0;
  }

  /** Whether a cursor was refused or led astray, so that a walk that begins anew may come further. */
  #leadsNowhere(error: unknown): boolean {
    if (this.endpoint === V1 || this.file.state.rows === 0) return false;
    return refusesCursor(error) || (error instanceof SourceError && error.details.kind === 'repeats');
  }

  /** Notes what is missing, if some fills came; what is there is kept. @throws The error, if none came. */
  async #giveUp(error: unknown): Promise<void> {
    if (!(error instanceof SourceError) || this.file.state.rows === 0) throw error;
    // A cursor that led astray is not used again; one whose source failed is.
    if (this.#leadsNowhere(error)) await this.file.append([], { cursor: null });
    const oldest = (await this.#reached())?.time ?? this.file.state.time;
    const from = this.file.state.start ?? this.#asked.since;
    this.#asked.folder.miss('trades', error.message, from, oldest);
  }
}

/** How many records of a page's beginning are the end of the page before, as fills came in between. */
function overlap(before: readonly SourceRecord[], page: readonly SourceRecord[]): number {
  for (let count = Math.min(before.length, page.length); count > 0; count--) {
    const from = before.length - count;
    if (page.slice(0, count).every(({ text }, at) => text === before[from + at]?.text)) return count;
  }
  return 0;
}
