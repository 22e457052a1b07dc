import { SourceError } from '../base/errors.js';
import type { FetchFolder } from './fetch-folder.js';
import type { FetchProgress } from './fetch-progress.js';
import { PageFile } from './page-file.js';
import type { SourceRecord } from './records.js';
import type { Sources } from './sources.js';
import { walkOffsets } from './walk-offsets.js';
import { type RecordPage, walkV2 } from './walk-pages.js';

/** File of the fills of a market or an event in its folder. */
export const TRADES = 'trades.ndjson';

/** Whose fills are wanted. */
export interface FeedOf {
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

/**
 * Fetches the fills of a market or an event, makers' included: the newest first, on a later run down to those that are
 * there. What the source does not give is noted as missing.
 *
 * @returns The number of new fills, that of all, and the Unix seconds up to which they are known.
 * @throws {SourceError} If the source gives nothing at all.
 * @throws {DataError} If they cannot be written.
 */
export async function fetchTrades(asked: Asked): Promise<{ fresh: number; rows: number; until: number | null }> {
  const older = await PageFile.stateOf(asked.folder.path, TRADES);
  asked.progress.begin('trades');
  let feed = await Feed.open(asked, older && older.rows > 0 && older.endpoint === V1 ? V1 : V2);
  try {
    await feed.walk().catch(async (error) => {
      if (!isRefused(error) || feed.file.state.rows > 0 || feed.endpoint === V1) throw error;
      await feed.file.close();
      feed = await Feed.open(asked, V1);
      await feed.walk();
    });
    const { rows } = feed.file.state;
    noteFeedsReach(asked);
    return { fresh: rows - feed.file.rowsBefore, rows, until: feed.until };
  } finally {
    await feed.file.close();
  }
}

function isRefused(error: unknown): error is SourceError {
  return error instanceof SourceError && error.details.kind === 'refused';
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
        if (!this.#refusesCursor(error) || this.file.state.rows === rows) return this.#giveUp(error);
        rows = this.file.state.rows;
      }
    }
  }

  async #pages(cursor: string | undefined): Promise<void> {
    this.#again = cursor === undefined ? await this.#reached() : undefined;
    let before: readonly SourceRecord[] = [];
    for await (const page of this.#walk(cursor)) {
      const records = this.endpoint === V1 ? page.records.slice(overlap(before, page.records)) : page.records;
      before = page.records;
      if (await this.#take(records, page)) return;
    }
  }

  /** Where this walk came to before it was broken off; undefined if it wrote nothing yet. */
  async #reached(): Promise<{ time: number; texts: string[] } | undefined> {
    const texts: string[] = [];
    let time: number | undefined;
    for await (const line of this.file.linesFromEnd()) {
      const { timestamp } = JSON.parse(line) as { timestamp: number };
      time ??= timestamp;
      if (timestamp !== time) break;
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
    const params = { ...v2, taker_only: false, limit: 1000 };
    return walkV2(sources, { source: 'data', path: V2, params, cursor });
  }

  /** Writes what is wanted of a page. @returns Whether it reached what was there before the walk. */
  async #take(records: readonly SourceRecord[], { next }: RecordPage): Promise<boolean> {
    const { start, time: latest } = this.file.state;
    const texts: string[] = [];
    let [time, isReached]: [number | null, boolean] = [null, false];
    for (const { value, text } of records) {
      this.#asked.folder.drift.count(this.endpoint, this.endpoint === V2 ? 'v2 trades' : 'v1 trades', value);
      time = Number(value.timestamp);
      if (start !== null && time <= start) isReached = true;
      else if (time <= (latest ?? 0) && !this.#isThere(time, text)) texts.push(text);
    }
    const isLast = isReached || next === undefined;
    await this.file.append(texts, { cursor: isLast ? null : (next ?? null), ended: isLast });
    this.#asked.progress.page(texts.length, { time });
    return isReached;
  }

  #isThere(time: number, text: string): boolean {
    if (!this.#again || time < this.#again.time) return false;
    if (time > this.#again.time) return true;
    const at = this.#again.texts.indexOf(text);
    if (at >= 0) this.#again.texts.splice(at, 1);
    return at >= 0;
  }

  #refusesCursor(error: unknown): boolean {
    return this.endpoint === V2 && isRefused(error) && error.details.status === 400 && this.file.state.rows > 0;
  }

  /** Notes what is missing, if some fills came; what is there is kept. @throws The error, if none came. */
  async #giveUp(error: unknown): Promise<void> {
    if (!(error instanceof SourceError) || this.file.state.rows === 0) throw error;
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
