/**
 * Kinds of events, numbered in the order in which events of one second count. Those that bring shares come before those
 * that take them, so that shares bought and sold in the same second are not sold before they are bought. Income
 * (rewards, rebates, yield) is no event of a market: it is kept among the raw records, and the ledger never sees it.
 */
export const KIND = { split: 0, buy: 1, conversion: 2, sell: 3, merge: 4, migration: 5, redeem: 6, income: 7 } as const;

/** The number of a transaction that is not known; it sorts after all others. */
export const NO_TX = 2 ** 31 - 1;

/** One event of one wallet in one market. */
export interface LedgerEvent {
  kind: number;
  /** Unix seconds. */
  time: number;
  /** The market's index. */
  market: number;
  /** The outcome, 0 or 1; -1 if the event concerns both. */
  side: number;
  /** Millionths of a share. */
  shares: number;
  /** Micro-USD paid or received. */
  usd: number;
  /** The transaction's number, which the rows of one conversion share, or {@link NO_TX}. */
  tx: number;
}

/** How a market ended: side 0 or 1 won, or 2 for a tie; undefined if not known. */
export type Winner = 0 | 1 | 2 | undefined;

/** What the ledger knows of a market. */
export interface LedgerMarket {
  /** Unix seconds at which remaining shares are paid out; undefined if not known. */
  closeTime: number | undefined;
  winner: Winner;
  /** Indices of this market and all that exclude it and each other; empty if there are no others. */
  siblings: readonly number[];
  /**
   * The market to whose token ids its shares are carried over by a migration; itself if it has two ids for each outcome,
   * and undefined if it is not known.
   */
  successor?: number | undefined;
}

/** What happened to a wallet in one market on one UTC day; money in micro-USD, shares in millionths. */
export interface DayRow {
  market: number;
  day: number;
  invested: number;
  pnl: number;
  /** Dollars of buy and sell fills, for the average trade size. */
  traded: number;
  trades: number;
  wins: number;
  losses: number;
  /** Shares sold, merged, converted, carried over or redeemed beyond those that the ledger saw arrive. */
  untracked: number;
  /** Those of them that were redeemed. */
  over_redeemed: number;
  /** Micro-USD by which the last redemption fell below what the winning shares held were worth. */
  short_paid: number;
  /** Unix seconds of the last event. */
  last: number;
}
