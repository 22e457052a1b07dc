/**
 * What an event does, numbered in the order in which events of one second count: what brings shares comes before what
 * takes them, so that a wallet is never said to sell what it bought in the same second.
 */
export const KIND = { split: 0, buy: 1, conversion: 2, sell: 3, merge: 4, redeem: 6 } as const;

/** In place of a transaction's number where none is told; it comes behind all others. */
export const NO_TX = 2 ** 31 - 1;

/** One event of one wallet in one market. */
export interface LedgerEvent {
  kind: number;
  /** Unix seconds. */
  time: number;
  /** Index of the market. */
  market: number;
  /** 0 or 1: the outcome's token; -1 where the event concerns both. */
  side: number;
  /** Millionths of a share. */
  shares: number;
  /** Micro-USD paid or received. */
  usd: number;
  /** Number of the transaction, which binds the rows of one conversion together, or {@link NO_TX}. */
  tx: number;
}

/** How a market ended: side 0 or 1 won, or 2 for a tie; undefined while that is not known. */
export type Winner = 0 | 1 | 2 | undefined;

/** What the ledger knows of a market. */
export interface LedgerMarket {
  /** Unix seconds at which remaining shares are paid out; undefined where that is not known. */
  closeTime: number | undefined;
  winner: Winner;
  /** Indices of all markets that exclude each other with this one, itself included; none where there are no others. */
  siblings: readonly number[];
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
  /** Shares sold, merged or redeemed beyond what the ledger saw bought. */
  untracked: number;
  /** Unix seconds of the last event. */
  last: number;
}
