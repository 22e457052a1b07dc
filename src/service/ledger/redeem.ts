import type { Book, Holding } from './book.js';
import type { LedgerEvent } from './event.js';
import { exact, gain, share, take, touch } from './position.js';

/**
 * Counts a redemption. If the result is not known, all shares of the market leave. The payout goes to the side whose
 * shares equal it, or to the only side held; else it is split in proportion to the shares.
 */
export function redeem(book: Book, holding: Holding, event: LedgerEvent): void {
  // It concerns what the wallet holds, but does not tell of an outcome that nothing else was seen of.
  for (const position of holding.sides) if (position.opened <= event.time) touch(position, event.time);
  if (holding.known?.winner !== undefined) {
    if (!holding.settled) book.settle(holding, event.time);
    redeemSettled(book, holding, event);
    return;
  }
  const [a, b] = [holding.sides[0].shares, holding.sides[1].shares];
  const payoutA =
    b === 0 || a === event.usd ? event.usd : a === 0 || b === event.usd ? 0 : share(event.usd, a, exact(a + b));
  let paid = 0;
  [payoutA, event.usd - payoutA].forEach((payout, side) => {
    const position = holding.sides[side === 0 ? 0 : 1];
    if (position.shares === 0) return;
    const taken = take(position, position.shares);
    const proceeds = Math.min(payout, taken.shares);
    paid += proceeds;
    gain(position, proceeds - taken.cost);
    book.realize(holding, event.time, proceeds - taken.cost);
  });
  const row = book.row(holding, event.time);
  row.untracked += event.usd - paid;
  row.over_redeemed += event.usd - paid;
}

/**
 * Compares a payout with the winning shares that were settled, and takes these out; on a tie, those of the first side
 * first. The profit stays as it is. More than those is paid for shares that were never seen to arrive. Less is told,
 * unless a later redemption pays the rest.
 */
function redeemSettled(book: Book, holding: Holding, { usd, time }: LedgerEvent): void {
  const winner = holding.known?.winner;
  const [a, b] = holding.sides;
  let unseen = winner === 2 ? exact(2 * usd) : usd;
  if (winner !== 1) unseen -= book.take(holding, 0, unseen).shares;
  if (winner !== 0) unseen -= book.take(holding, 1, unseen).shares;
  const owed = winner === 2 ? Math.floor((a.shares + b.shares) / 2) : winner === 0 ? a.shares : b.shares;
  if (holding.short) holding.short.short_paid = 0;
  holding.short = undefined;
  // Of a market that nothing else is known of, the row says that there was a redemption.
  if (unseen === 0 && owed === 0 && holding.row) return;
  const row = book.row(holding, time);
  row.untracked += unseen;
  row.over_redeemed += unseen;
  if (owed === 0) return;
  row.short_paid = owed;
  holding.short = row;
}
