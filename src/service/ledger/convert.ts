import type { Book } from './book.js';
import type { LedgerEvent } from './event.js';
import { exact, put, share, take } from './position.js';

/**
 * Counts one negative-risk conversion: NO shares of some questions leave at their own average cost, and YES shares of
 * the event's other questions arrive, each at (Σ no prices − (n − 1)) / (questions − n). Nothing is realized, unless no
 * question is left for YES shares to arrive in: then the dollars paid out are. Where the wallet was not seen to get some
 * of the NO shares, as many YES shares arrive as it had of every question; the rest leaves without a profit or a loss.
 *
 * @see Polymarket's published subgraph rules for negative-risk conversions.
 * @param batch The conversion's rows: one NO token that left each, of one transaction.
 */
export function convert(book: Book, batch: readonly LedgerEvent[]): void {
  const rows = oneEach(batch);
  const [first] = rows;
  if (!first) return;
  const left = new Set(rows.map((row) => row.market));
  const arriving = (book.markets[first.market]?.siblings ?? []).filter((market) => !left.has(market));
  if (arriving.length === 0 && rows.length === 1) {
    // One question is no event: the others are not known here, and what arrived for these shares cannot be told.
    const holding = book.holding(first.market);
    take(holding.sides[1], first.shares);
    book.row(holding, first.time).untracked += first.shares;
    return;
  }
  const leaving = rows.map((row) => {
    const holding = book.holding(row.market);
    const taken = take(holding.sides[1], row.shares);
    book.row(holding, row.time).untracked += row.shares - taken.shares;
    return taken;
  });
  // All of them have left, but of what arrived for those beside untracked ones the cost cannot be told.
  const shares = Math.min(...leaving.map((taken) => taken.shares));
  const cost = leaving.reduce(
    (sum, taken) => exact(sum + (shares > 0 ? share(taken.cost, shares, taken.shares) : 0)),
    0,
  );
  const yesCost = exact(cost - exact((rows.length - 1) * shares));
  if (arriving.length === 0) {
    const row = book.row(book.holding(first.market), first.time);
    if (shares > 0) row.pnl = exact(row.pnl - yesCost);
    return;
  }
  let remaining = yesCost;
  arriving.forEach((market, index) => {
    const holding = book.holding(market);
    const part = Math.trunc(remaining / (arriving.length - index));
    remaining -= part;
    put(holding.sides[0], shares, part);
    book.settleArrival(holding, first.time);
  });
}

/** One row a market: of a transaction that converts the same NO token twice, the shares together. */
function oneEach(batch: readonly LedgerEvent[]): LedgerEvent[] {
  const rows = new Map<number, LedgerEvent>();
  for (const row of batch) {
    rows.set(row.market, { ...row, shares: exact(row.shares + (rows.get(row.market)?.shares ?? 0)) });
  }
  return [...rows.values()];
}
