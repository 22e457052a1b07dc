import { type DataError, OddslabError } from '../../base/errors.js';
import type { NamedFilter } from '../../contract/answer-notes.js';
import type { CANDLES } from '../../contract/candles.js';
import { UNSEEN_SENT, type WalletRecord } from '../../contract/completeness.js';
import type { Dataset, Filters, MarketDatasets } from '../../contract/dataset.js';
import type { LEADERBOARD } from '../../contract/leaderboard.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { PNL } from '../../contract/pnl.js';
import type { POSITIONS } from '../../contract/positions.js';
import type { TRADES } from '../../contract/trades.js';

/** A market as a store holds it: times in Unix milliseconds, volume in micro-USD, winner 0, 1 or 2 for a tie. */
export interface MarketRow {
  condition_id: string;
  question: string;
  slug: string;
  event_slug: string | null;
  closed: boolean;
  volume: bigint;
  start_ms: bigint | null;
  end_ms: bigint | null;
  close_ms: bigint | null;
  token_a: string;
  token_b: string;
  outcome_a: string;
  outcome_b: string;
  winner: number | null;
}

/** The columns of a market that may hold any text; `condition_id` is plain hexadecimal. */
export const MARKET_TEXTS: readonly (keyof MarketRow)[] = [
  'question',
  'slug',
  'event_slug',
  'token_a',
  'token_b',
  'outcome_a',
  'outcome_b',
];

/** A wallet's realized result of one UTC day; money in micro-USD. */
export interface WalletDay {
  wallet: string;
  /** Days since 1970-01-01. */
  day: number;
  invested: bigint;
  pnl: bigint;
  trades: number;
  wins: number;
  losses: number;
}

/** A wallet's whole history; money in micro-USD, time in Unix seconds. */
export interface Lifetime {
  wallet: string;
  trades: number;
  traded: bigint;
  invested: bigint;
  pnl: bigint;
  last_ts: bigint;
}

/** A wallet's result in one bucket, of which `day` is the first day, told by market, event or category, or in all. */
export interface GroupDay extends WalletDay {
  /** The market's id, the event or the category; null of markets without one, and if it is not told by any. */
  key: string | null;
  /** The category that all markets of the event share; null if it is not told by event. */
  event_category: string | null;
}

/** What a wallet holds or held of one outcome: shares in millionths, money in micro-USD, times in Unix seconds. */
export interface PositionRow {
  wallet: string;
  condition_id: string;
  side: number;
  shares: bigint;
  cost: bigint;
  /** Average cost in micro-USD a share; null if no share was ever held. */
  average: bigint | null;
  realized: bigint;
  invested: bigint;
  opened: bigint;
  last_traded: bigint;
}

/** One side of a market; texts are null where no record states them. */
export interface MarketSide {
  condition_id: string;
  side: number;
  token: string | null;
  outcome: string | null;
  slug: string | null;
  question: string | null;
  event_slug: string | null;
  category: string | null;
  /** The category that all markets of the event share. */
  event_category: string | null;
  /** In micro-USD a share. */
  last_price: number | null;
  /** 0, 1 or 2 for a tie. */
  winner: number | null;
  /** 1 once the market has closed, with a known winner or without. */
  closed: number;
  close_ms: bigint | null;
}

/** The columns of {@link MarketSide} that may hold any text. */
export const SIDE_TEXTS: readonly (keyof MarketSide)[] = [
  'token',
  'outcome',
  'slug',
  'question',
  'event_slug',
  'category',
  'event_category',
];

/** What a wallet did within a period: money in micro-USD; `roi`, `win_rate` and `sharpe` in millionths. */
export interface Standing {
  /** Its place among all that pass the filters, from 1. */
  rank: number;
  wallet: string;
  pnl: bigint;
  traded: bigint;
  trades: number;
  markets: number;
  roi: bigint | null;
  win_rate: bigint | null;
  sharpe: bigint | null;
}

/** The token of a fill and what is known of its market; texts are null where no record states them. */
export interface FillToken {
  token: string;
  condition_id: string;
  slug: string | null;
  event_slug: string | null;
  category: string | null;
  outcome: string | null;
}

/** The columns of {@link FillToken}. */
export const TOKEN_TEXTS: readonly (keyof FillToken)[] = [
  'token',
  'condition_id',
  'slug',
  'event_slug',
  'category',
  'outcome',
];

/** A fill: shares in millionths, money in micro-USD, time in Unix seconds. */
export interface FillRow extends FillToken {
  wallet: string;
  /** 1 for a sale, 0 for a buy. */
  sells: number;
  ts: bigint;
  shares: bigint;
  usd: bigint;
  /** Of one share, in micro-USD. */
  price: number;
  tx: string | null;
  /** Its place among the fills of its wallet and second, from 0. */
  nth: number;
}

/** One interval of a token: prices in micro-USD, shares in millionths, time in Unix seconds. */
export interface Candle {
  time: bigint;
  open: number;
  high: number;
  low: number;
  close: number;
  /** One side of each trade, as `gross`, `rest` and `trades` are. */
  volume: bigint;
  /** Price times shares: whole micro-USD of each fill, and millionths of one beside them. */
  gross: bigint;
  rest: bigint;
  trades: number;
}

/** The days that a leaderboard counts, as UTC day numbers, both included. */
export interface BoardWindow {
  first_day: number;
  last_day: number;
  /** Wallets with a counted event in it. */
  wallets: number;
  /** The other wallets of the data. */
  others: number;
}

/** The candles of a token; undefined if it has no fill. */
export type CandlesOf = { of: FillToken; candles: Candle[] } | undefined;

/** A dataset was asked for that the version lacks, since an earlier release built it. */
export class NotBuilt extends OddslabError {
  override name = 'NotBuilt';

  constructor() {
    super(
      'The data that are served were ingested by an earlier release, which did not prepare this dataset: run "oddslab ingest" ' +
        'once more, with any of its inputs; a ClickHouse cluster then needs another push.',
    );
  }
}

/** Which part of an ordered list is asked for. */
export interface Slice {
  limit: number;
  offset: number;
}

/** The one market that a `condition_id` of markets asks for; undefined if it is `ALL`. */
export function oneMarket(conditionId: string | undefined): string | undefined {
  return conditionId === 'ALL' ? undefined : conditionId;
}

/**
 * One data version, open for queries. Every engine gives the same answers, to the byte. Once a given signal is aborted,
 * because nobody waits for the rows any more, the engine stops its work and the promise is rejected.
 */
export interface Store {
  /** Markets that pass every filter, by volume descending, then condition id. */
  markets(filters: Filters<MarketDatasets>, slice: Slice, signal?: AbortSignal): Promise<MarketRow[]>;
  /** Days with an event that pass every filter, by wallet, then day; its reader makes buckets of them. */
  walletDays(filters: Filters<typeof PNL>, signal?: AbortSignal): Promise<WalletDay[]>;
  /**
   * Days of wallets in single markets that pass every filter, summed by bucket and by what `by` names: by day, wallet and
   * key, null last. Without a start time, `3d` counts from the wallet's first such day.
   *
   * @throws {NotBuilt} As {@link leaderboard}, if events or categories are asked for.
   */
  groupDays(filters: Filters<typeof PNL>, slice: Slice, signal?: AbortSignal): Promise<GroupDay[]>;
  /**
   * Positions that pass every filter, by wallet, market and side.
   *
   * @throws {NotBuilt} As {@link leaderboard}.
   */
  positions(filters: Filters<typeof POSITIONS>, slice: Slice, signal?: AbortSignal): Promise<PositionRow[]>;
  /**
   * Both sides of those of these markets that have a counted event, in any order.
   *
   * @throws {NotBuilt} As {@link leaderboard}.
   */
  marketSides(conditionIds: readonly string[], signal?: AbortSignal): Promise<MarketSide[]>;
  /**
   * Wallets in the order that is asked for, each with its place among all that pass the other filters.
   *
   * @throws {NotBuilt} If the version was built by a release that did not know them.
   */
  leaderboard(filters: Filters<typeof LEADERBOARD>, slice: Slice, signal?: AbortSignal): Promise<Standing[]>;
  /** The days that a leaderboard counts; undefined if the data have none. @throws {NotBuilt} As {@link leaderboard}. */
  leaderboardWindow(filters: Filters<typeof LEADERBOARD>, signal?: AbortSignal): Promise<BoardWindow | undefined>;
  /** Wallets with an event, by address. */
  lifetimes(filters: Filters<typeof LIFETIME>, slice: Slice, signal?: AbortSignal): Promise<Lifetime[]>;
  /**
   * Fills that pass every filter, the latest first, then by wallet, then by `nth`.
   *
   * @throws {NotBuilt} As {@link candles}.
   */
  fills(filters: Filters<typeof TRADES>, slice: Slice, signal?: AbortSignal): Promise<FillRow[]>;
  /**
   * The candles of a token, by time.
   *
   * @throws {NotBuilt} If the version was built by a release that did not know them.
   */
  candles(filters: Filters<typeof CANDLES>, slice: Slice, signal?: AbortSignal): Promise<CandlesOf>;
  /**
   * Which names of a filter the data have, in any order: of ids, those of these that they have; of others, the names that
   * these texts may mean.
   *
   * @throws {NotBuilt} As {@link leaderboard}.
   */
  names(filter: NamedFilter, texts: readonly string[], signal?: AbortSignal): Promise<string[]>;
  /** The records of those of these wallets that have one, in any order. */
  walletRecords(wallets: readonly string[], signal?: AbortSignal): Promise<WalletRecord[]>;
  /**
   * A whole page from what the store has prepared, equal to the byte to what its rows would give. Undefined where it
   * has nothing prepared for the query: then its rows must be read.
   */
  page?(dataset: Dataset, filters: Readonly<Record<string, unknown>>, slice: Slice): RecordPage | undefined;
  /** Why only some queries can be answered; undefined while nothing is known, which `settle` finds out. */
  readonly damage?: DataError | undefined;
  settle?(): Promise<void>;
  close(): void;
}

/** One page of records, as it goes on the wire. */
export interface RecordPage {
  /** The array `data.results` as JSON in UTF-8, brackets included. It must not be changed, as it may be cached. */
  results: Buffer;
  has_more: boolean;
  /**
   * How complete the record of each wallet asked for is, as JSON; in a leaderboard that names none, that of each wallet
   * on the page. Absent in other answers to queries that name none.
   */
  completeness?: string;
  /** The days that a leaderboard counts, as JSON; absent in answers of other datasets. */
  window?: string;
  /** Names in the filters that nothing in the data has, as JSON; absent if there is none. */
  unknown?: string;
  /** This page's own buffer, which holds `results` with free bytes around it; see {@link framedPage}. */
  frame?: Buffer;
}

/**
 * Makes a page of records. Its caller has asked for one record more than the page may hold, to see whether more follow.
 *
 * @param records Up to `limit + 1` records.
 */
export function pageOf(records: readonly object[], limit: number): RecordPage {
  return { results: Buffer.from(JSON.stringify(records.slice(0, limit))), has_more: records.length > limit };
}

/**
 * The wallets whose records an answer speaks of: those that the query names.
 *
 * @returns Undefined if it names none, or the dataset has no filter by wallets.
 */
export function askedWallets(
  { parameters }: Dataset,
  filters: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const filter = parameters.find(({ kind }) => kind === 'wallet');
  const asked = filter && ((filters[filter.name] ?? []) as readonly string[]);
  return filter?.required || asked?.length ? asked : undefined;
}

/**
 * How complete the records of wallets are, as an answer sends it.
 *
 * @param sentOf Gives what is sent of a wallet's record; undefined if no record mentions the wallet.
 */
export function completenessOfAll(wallets: readonly string[], sentOf: (wallet: string) => string | undefined): string {
  return `{${wallets.map((wallet) => `"${wallet}":${sentOf(wallet) ?? UNSEEN_SENT}`).join(',')}}`;
}

/** Bytes before a page's records in its frame; the beginning of the answer mostly fits into them. */
export const ROOM_BEFORE = 1024;
const ROOM_BEHIND = 16;

/** Most pages of a few hundred records fit into this size; pages below `LEAST_BYTES` use no frame that is kept. */
const FRAME_BYTES = 1 << 18;
const LEAST_BYTES = 1 << 13;

/** How many free frames are kept: about as many as there are answers on their way at a busy moment. */
const MOST_FREE = 32;

/**
 * Frames of pages that were sent; the last one is used again first. Used memory is still in the processor's caches, and
 * neither the system has to clear it nor the garbage collector to find it. They save more than a tenth of a query's CPU
 * time: without them a PnL query of a random wallet took 1.23 and 1.34 times as long in 60 and 100 pairs over 16
 * connections, and 1.14 times by weeks.
 */
const free: Buffer[] = [];

/**
 * Makes a page whose records are written into a frame, so that the answer can be built around them without a copy.
 *
 * @param length The length of the records in bytes.
 * @param write Writes the records into the frame, from an offset on.
 */
export function framedPage(length: number, has_more: boolean, write: (frame: Buffer, at: number) => void): RecordPage {
  const bytes = ROOM_BEFORE + length + ROOM_BEHIND;
  const isUsual = bytes >= LEAST_BYTES && bytes <= FRAME_BYTES;
  const frame = isUsual ? (free.pop() ?? Buffer.allocUnsafeSlow(FRAME_BYTES)) : Buffer.allocUnsafe(bytes);
  write(frame, ROOM_BEFORE);
  return { results: frame.subarray(ROOM_BEFORE, ROOM_BEFORE + length), has_more, frame };
}

/** Takes back a page's frame, once nobody reads its records any more, nor the answer that was written around them. */
export function takeBackFrame(page: RecordPage): void {
  const { frame } = page;
  delete page.frame;
  if (frame?.length === FRAME_BYTES && free.length < MOST_FREE) free.push(frame);
}
