import { Book } from './book.js';
import type { DayRow, LedgerMarket } from './event.js';

/**
 * Columns of a chunk of events, in the order wallet, group, time, kind and then content, so that any order and
 * batching of the input gives the same ledger: wallet, group, market, side, kind, time, shares, usd, tx.
 */
export type EventChunk = readonly [
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
  (string | null)[],
];

/**
 * Folds sorted events into rows by wallet, market and day. A group is the markets of a wallet that touch each other;
 * only one group's state is held at a time, so memory does not grow with the input.
 *
 * @param emit Called with a wallet's rows when one of its groups ends.
 * @returns How many events it was given.
 */
export async function foldLedger(
  chunks: AsyncIterable<EventChunk>,
  markets: readonly LedgerMarket[],
  emit: (wallet: number, rows: DayRow[]) => void,
): Promise<number> {
  let folded = 0;
  let [currentWallet, currentGroup] = [-1, -1];
  let book = new Book(markets);
  for await (const [wallet, group, market, side, kind, time, shares, usd, tx] of chunks) {
    folded += wallet.length;
    for (let i = 0; i < wallet.length; i++) {
      const [nextWallet, nextGroup] = [wallet[i] ?? -1, group[i] ?? -1];
      if (nextWallet !== currentWallet || nextGroup !== currentGroup) {
        if (currentWallet !== -1) emit(currentWallet, book.finish());
        book = new Book(markets);
        [currentWallet, currentGroup] = [nextWallet, nextGroup];
      }
      book.add({
        kind: kind[i] ?? 0,
        time: time[i] ?? 0,
        market: market[i] ?? 0,
        side: side[i] ?? -1,
        shares: shares[i] ?? 0,
        usd: usd[i] ?? 0,
        tx: tx[i] ?? null,
      });
    }
  }
  if (currentWallet !== -1) emit(currentWallet, book.finish());
  return folded;
}
