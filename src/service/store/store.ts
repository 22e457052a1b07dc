import { UNSEEN_SENT, type WalletRecord } from '../../contract/completeness.js';
import type { Dataset, Filters, MarketDatasets } from '../../contract/dataset.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { PNL } from '../../contract/pnl.js';

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

/** The one market that a `condition_id` asks for; undefined if it is `ALL`. */
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
  /** Wallets with an event, by address. */
  lifetimes(filters: Filters<typeof LIFETIME>, slice: Slice, signal?: AbortSignal): Promise<Lifetime[]>;
  /** The records of those of these wallets that have one, in any order. */
  walletRecords(wallets: readonly string[], signal?: AbortSignal): Promise<WalletRecord[]>;
  /**
   * A whole page from what the store has prepared, equal to the byte to what its rows would give. Undefined where it
   * has nothing prepared for the query: then its rows must be read.
   */
  page?(dataset: Dataset, filters: Readonly<Record<string, unknown>>, slice: Slice): RecordPage | undefined;
  close(): void;
}

/** One page of records, as it goes on the wire. */
export interface RecordPage {
  /** The array `data.results` as JSON in UTF-8, brackets included. It must not be changed, as it may be cached. */
  results: Buffer;
  has_more: boolean;
  /** How complete the record of each wallet asked for is, as JSON; absent in answers to queries that name none. */
  completeness?: string;
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
 * @returns Undefined for a dataset without a filter by wallets.
 */
export function askedWallets(
  { parameters }: Dataset,
  filters: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const filter = parameters.find(({ kind }) => kind === 'wallet');
  return filter && ((filters[filter.name] ?? []) as readonly string[]);
}

/**
 * How complete the records of wallets are, as an answer sends it.
 *
 * @param sentOf Gives what is sent of a wallet's record; undefined if no record mentions the wallet.
 */
export function completenessOfAll(wallets: readonly string[], sentOf: (wallet: string) => string | undefined): string {
  return `{${wallets.map((wallet) => `"${wallet}":${sentOf(wallet) ?? UNSEEN_SENT}`).join(',')}}`;
}

const ASCII = /^[\0-\x7f]*$/;

/** Letters too new in Unicode: DuckDB leaves them as they are, Node may not. */
const TOO_NEW = /[\u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u;

/**
 * Text in lower case as DuckDB's `lower()` gives it, which searches of markets rely on: each letter becomes one letter,
 * whatever its neighbours are. JavaScript's `toLowerCase` makes two letters of `İ`, and a different one of a `Σ` that
 * ends a word.
 *
 * @example lowerCase('İΣ'); // 'iσ'
 */
export function lowerCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.replace(/[^\0-\x7f]|[A-Z]/gu, lowerLetter);
}

function lowerLetter(letter: string): string {
  if (TOO_NEW.test(letter)) return letter;
  return String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0);
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
