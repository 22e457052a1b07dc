import type { Book, Holding } from './book.js';
import type { LedgerEvent } from './event.js';
import { exact, gain, put, share, touch } from './position.js';

/**
 * Carries shares with their cost over to the market that follows this one, which has other token ids for the same
 * outcomes. Nothing is realized. If that market is not known, the shares leave untracked. If the event does not tell
 * their side, and neither do the shares that are held, none leave, and all are untracked.
 */
export function migrate(book: Book, holding: Holding, event: LedgerEvent): void {
  const successor = holding.known?.successor;
  if (successor === event.market) return;
  const row = book.row(holding, event.time);
  const side = event.side === 0 || event.side === 1 ? event.side : heldSide(holding, event.shares);
  if (side === undefined) {
    row.untracked += event.shares;
    return;
  }
  touch(holding.sides[side], event.time);
  const taken = book.take(holding, side, event.shares);
  row.untracked += successor === undefined ? event.shares : event.shares - taken.shares;
  if (successor === undefined || taken.shares === 0) return;
  const next = book.holding(successor);
  touch(next.sides[side], event.time);
  put(next.sides[side], taken.shares, taken.cost);
  book.settleArrival(next, event.time);
}

/** The only side held, or the only one of so many shares; undefined if that does not tell it. */
function heldSide({ sides: [a, b] }: Holding, shares: number): 0 | 1 | undefined {
  if (b.shares === 0) return 0;
  if (a.shares === 0) return 1;
  if ((a.shares === shares) === (b.shares === shares)) return undefined;
  return a.shares === shares ? 0 : 1;
}

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
    touch(holding.sides[1], first.time);
    book.take(holding, 1, first.shares);
    book.row(holding, first.time).untracked += first.shares;
    return;
  }
  const leaving = rows.map((row) => {
    const holding = book.holding(row.market);
    touch(holding.sides[1], row.time);
    const taken = book.take(holding, 1, row.shares);
    book.row(holding, row.time).untracked += row.shares - taken.shares;
    return taken;
  });
  // All shares have left, but only as many as are tracked of every question have a known cost.
  const shares = leaving.reduce((least, taken) => Math.min(least, taken.shares), Number.POSITIVE_INFINITY);
  const cost = leaving.reduce(
    (sum, taken) => exact(sum + (shares > 0 ? share(taken.cost, shares, taken.shares) : 0)),
    0,
  );
  const yesCost = exact(cost - exact((rows.length - 1) * shares));
  if (arriving.length === 0) {
    const holding = book.holding(first.market);
    const row = book.row(holding, first.time);
    if (!(shares > 0)) return;
    row.pnl = exact(row.pnl - yesCost);
    gain(holding.sides[1], -yesCost);
    return;
  }
  let remaining = yesCost;
  arriving.forEach((market, index) => {
    const holding = book.holding(market);
    const part = Math.trunc(remaining / (arriving.length - index));
    remaining -= part;
    put(holding.sides[0], shares, part);
    if (shares === 0) return;
    touch(holding.sides[0], first.time);
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
