import type { DataFrame } from '../../src/frame/tabular/data-frame.js';

/** A row of profits, like a query's. */
export interface Profit {
  date: string;
  wallet: string;
  pnl: number;
  trades: number | null;
  closed: boolean | null;
}

/** A row of facts about a wallet; its `pnl` clashes with that of the profits. */
export interface Wallet {
  wallet: string;
  pnl: number;
  label: string;
}

export declare const profits: DataFrame<Profit>;
export declare const wallets: DataFrame<Wallet>;
/** A frame of unknown columns. */
export declare const unknown: DataFrame;

/** Fails to compile unless two types are the same. */
export declare function same<A, B>(
  same: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;
