import type { Book } from './book.js';
import type { LedgerEvent } from './event.js';
import { exact, put, share, take } from './position.js';

/**
 * Counts one negative-risk conversion. NO shares of n questions leave at their average cost, and YES shares of the
 * event's other questions arrive, each at (Σ no prices − (n − 1)) / (questions − n). Nothing is realized, unless there
 * is no other question: then the dollars paid out are. If the ledger does not know where some NO shares came from, only
 * as many YES shares arrive as it knows of every question; the other NO shares leave without a profit or a loss.
 *
 * @see Polymarket's published subgraph rules for negative-risk conversions.
 * @param batch The conversion's rows, all of one transaction. Each is one NO token that left.
 */
export function convert(book: Book, batch: readonly LedgerEvent[]): void {
  const rows = oneEach(batch);
  const [first] = rows;
  if (!first) return;
  const left = new Set(rows.map((row) => row.market));
  const arriving = (book.markets[first.market]?.siblings ?? []).filter((market) => !left.has(market));
  if (arriving.length === 0 && rows.length === 1) {
    // A conversion has several questions. The others are not known here, nor is what arrived for these shares.
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
  // All shares have left, but only as many as are tracked of every question have a known cost.
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

/** One row a market, with the shares added up if a transaction converts the same NO token twice. */
function oneEach(batch: readonly LedgerEvent[]): LedgerEvent[] {
  const rows = new Map<number, LedgerEvent>();
  for (const row of batch) {
    rows.set(row.market, { ...row, shares: exact(row.shares + (rows.get(row.market)?.shares ?? 0)) });
  }
  return [...rows.values()];
}
