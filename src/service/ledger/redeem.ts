import type { Book, Holding } from './book.js';
import type { LedgerEvent } from './event.js';
import { exact, share, take } from './position.js';

/**
 * Counts a redemption. If the result is known, the shares are settled, here or earlier at the close, and the redemption
 * changes nothing else. If not, all shares of the market leave. The payout goes to the side whose shares equal it, or
 * to the only side held; else it is split in proportion to the shares.
 */
export function redeem(book: Book, holding: Holding, event: LedgerEvent): void {
  if (holding.settled) return;
  if (holding.known?.winner !== undefined) {
    book.settle(holding, event.time);
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
    book.realize(holding, event.time, proceeds - taken.cost);
  });
  book.row(holding, event.time).untracked += event.usd - paid;
}
