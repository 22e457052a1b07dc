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

/** The columns of a market that hold any text; `condition_id` is plain hexadecimal. */
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

/** A part of a list, in the list's own order. */
export interface Slice {
  limit: number;
  offset: number;
}

/** Which days of which wallets are asked for; days are inclusive, undefined is open-ended. */
export interface DayRange {
  wallets: readonly string[];
  from: number | undefined;
  to: number | undefined;
  /** One market alone; undefined for all. */
  conditionId: string | undefined;
}

/**
 * One data version, ready to be asked. Every engine answers the same to the byte. A signal, where one is given, tells
 * that nobody waits for the rows any more: the engine then stops its work and the promise is rejected.
 */
export interface Store {
  /** Markets that pass every filter, by volume descending, then condition id. */
  markets(filters: Filters<typeof MARKETS>, slice: Slice, signal?: AbortSignal): Promise<MarketRow[]>;
  /** Days with an event, by wallet, then day. */
  walletDays(range: DayRange, signal?: AbortSignal): Promise<WalletDay[]>;
  /** Wallets with an event, by address. */
  lifetimes(wallets: readonly string[], slice: Slice, signal?: AbortSignal): Promise<Lifetime[]>;
  /**
   * A whole page straight from what the store keeps for it, to the byte what its rows would give; undefined where it
   * keeps nothing for that query, and must be asked for rows.
   */
  page?(dataset: Dataset, filters: Readonly<Record<string, unknown>>, slice: Slice): Page | undefined;
  close(): void;
}
