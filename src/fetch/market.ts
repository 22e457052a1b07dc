import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SourceError } from '../base/errors.js';
import { leastOf } from '../base/many.js';
import { fieldOf, jsonIn } from '../base/texts.js';
import { FetchFolder, type FetchKind, type FetchManifest, type FetchOptions } from './fetch-folder.js';
import { FetchProgress } from './fetch-progress.js';
import { findEvent, findMarket } from './find-market.js';
import { idOf } from './market-facts.js';
import { MarketRecords } from './market-records.js';
import { RecordFile } from './record-file.js';
import type { SourceRecord } from './records.js';
import { type FeedOf, type FetchedTrades, fetchTrades, TRADES } from './trade-feed.js';

/** What a fetch of a market or an event did. */
export interface MarketFetch {
  readonly slug: string;
  readonly folder: string;
  readonly manifest: FetchManifest;
  /** Fills that are new since the run before. */
  readonly fresh: number;
  /** Whether nothing but the source's word says that its list of fills was whole. */
  readonly isEndUntold: boolean;
}

/** What is to be known of a market or an event before its fills are fetched. */
interface Subject {
  readonly kind: Extract<FetchKind, 'market' | 'event'>;
  readonly slug: string;
  readonly conditions: readonly string[];
  readonly feed: Pick<FeedOf, 'v1' | 'v2' | 'since'>;
  /** The event's own record. */
  readonly event?: SourceRecord;
}

/**
 * Fetches the fills of a market, with its record. Splits, merges and redemptions of a whole market have no feed, so
 * that profits of wallets that made some are partial.
 *
 * @param named The market's slug, Gamma's number or condition id.
 * @throws {UsageError} If there is no such market.
 * @throws {SourceError} If a source gives nothing at all.
 * @throws {DataError} If the folder cannot be written, or holds another fetch.
 */
export async function fetchMarket(named: string, options: FetchOptions): Promise<MarketFetch> {
  const { value } = await findMarket(options.sources, named);
  const condition = idOf(value.conditionId ?? value.condition_id);
  return fetchSubject(options, {
    kind: 'market',
    slug: String(value.slug ?? value.market_slug ?? condition),
    conditions: [condition],
    feed: { v2: { condition }, v1: { market: condition }, since: startOf(value) },
  });
}

/**
 * Fetches the fills of all markets of an event, with their records; see {@link fetchMarket}.
 *
 * @param named The event's slug, Gamma's number, or the condition id of one of its markets.
 */
export async function fetchEvent(named: string, options: FetchOptions): Promise<MarketFetch> {
  const event = await findEvent(options.sources, named);
  const { id, slug, markets } = event.value;
  const conditions = (Array.isArray(markets) ? markets : []).flatMap((market) => {
    const condition = fieldOf(market, 'conditionId');
    return typeof condition === 'string' && condition !== '' ? [idOf(condition)] : [];
  });
  return fetchSubject(options, {
    kind: 'event',
    slug: String(slug),
    conditions,
    feed: { v2: { event_id: String(id) }, v1: { eventId: String(id) }, since: startOf(event.value) },
    event,
  });
}

/** Unix seconds since when a market or an event may have fills; null if its record does not say. */
function startOf({ createdAt, creationDate, startDate }: SourceRecord['value']): number | null {
  const dates = [createdAt, creationDate, startDate].flatMap((text) => {
    const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    return Number.isNaN(time) ? [] : [Math.floor(time / 1000)];
  });
  return dates.length === 0 ? null : leastOf(dates);
}

async function fetchSubject(options: FetchOptions, subject: Subject): Promise<MarketFetch> {
  const { sources, out, onProgress } = options;
  const { kind, slug, feed } = subject;
  const progress = new FetchProgress(slug, onProgress);
  const folder = await FetchFolder.open(out, `${kind}-${slug.replaceAll(/[^\w.-]+/g, '-')}`, kind, slug);
  let isEmpty = true;
  try {
    const { rows, conditions } = await fetchRecords(options, folder, subject, progress);
    isEmpty = false;
    const event = subject.event ? { event: slug } : {};
    const trades = await fetchTrades({ sources, folder, progress, kind, conditions, ...event, ...feed }).catch(
      (error): FetchedTrades => {
        if (!(error instanceof SourceError)) throw error;
        folder.miss('trades', error.message, feed.since);
        return { fresh: 0, rows: 0, until: null, isEndUntold: false };
      },
    );
    const manifest = await folder.finish(trades.until, { trades: trades.rows, ...rows });
    return { slug, folder: folder.path, manifest, fresh: trades.fresh, isEndUntold: trades.isEndUntold };
  } finally {
    await folder.close({ empty: isEmpty });
  }
}

/**
 * Fetches the records of the markets, and of their event.
 *
 * @returns The number of records in each file, and all condition ids of the markets.
 */
async function fetchRecords(
  { sources }: FetchOptions,
  folder: FetchFolder,
  { conditions, event }: Subject,
  progress: FetchProgress,
): Promise<{ rows: Record<string, number>; conditions: Set<string> }> {
  const markets = new MarketRecords(sources, folder, progress);
  const events = new RecordFile(
    folder.path,
    'events',
    '/events',
    ({ id }) => String(id),
    () => undefined,
  );
  try {
    await Promise.all([markets.load(), events.load()]);
    if (event) await events.add([event]);
    const missing = await markets.fetchMarkets(conditions);
    // A market that moved to other tokens has fills of both.
    await markets.fetchTokens(conditions);
    for (const { what, why } of markets.faults) folder.miss(what, why);
    if (missing.length > 0) folder.miss('markets', `no source has a record of ${missing.join(', ')}`);
  } finally {
    await markets.close();
    await events.close();
  }
  return {
    rows: { ...markets.rows, ...(event ? { events: events.rows } : {}) },
    conditions: new Set([...conditions, ...markets.tokenConditions]),
  };
}

/** The wallets of the fills in a folder that {@link fetchMarket} wrote, those of most fills first. */
export async function walletsOf(folder: string): Promise<string[]> {
  const path = join(folder, TRADES);
  const fills = new Map<string, number>();
  if (!existsSync(path)) return [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const row = jsonIn(line);
    const wallet = String(fieldOf(row, 'proxy_wallet') ?? fieldOf(row, 'proxyWallet') ?? '').toLowerCase();
    if (/^0x[0-9a-f]{40}$/.test(wallet)) fills.set(wallet, (fills.get(wallet) ?? 0) + 1);
  }
  return [...fills].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([wallet]) => wallet);
}
