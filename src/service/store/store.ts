import type { Dataset, Filters } from '../../contract/dataset.js';
import type { MARKETS } from '../../contract/markets.js';
import type { Page } from './page.js';

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

/** Which part of an ordered list is asked for. */
export interface Slice {
  limit: number;
  offset: number;
}

/** Which days of which wallets are asked for. Both ends are included; an undefined end is open. */
export interface DayRange {
  wallets: readonly string[];
  from: number | undefined;
  to: number | undefined;
  /** The only market that counts; undefined for all. */
  conditionId: string | undefined;
}

/**
 * One data version, open for queries. Every engine gives the same answers, to the byte. Once a given signal is aborted,
 * because nobody waits for the rows any more, the engine stops its work and the promise is rejected.
 */
export interface Store {
  /** Markets that pass every filter, by volume descending, then condition id. */
  markets(filters: Filters<typeof MARKETS>, slice: Slice, signal?: AbortSignal): Promise<MarketRow[]>;
  /** Days with an event, by wallet, then day. */
  walletDays(range: DayRange, signal?: AbortSignal): Promise<WalletDay[]>;
  /** Wallets with an event, by address. */
  lifetimes(wallets: readonly string[], slice: Slice, signal?: AbortSignal): Promise<Lifetime[]>;
  /**
   * A whole page from what the store has prepared, equal to the byte to what its rows would give. Undefined where it
   * has nothing prepared for the query: then its rows must be read.
   */
  page?(dataset: Dataset, filters: Readonly<Record<string, unknown>>, slice: Slice): Page | undefined;
  close(): void;
}
