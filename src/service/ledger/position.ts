import type { Winner } from './event.js';

/** The shares of one outcome that a wallet holds, in integer millionths, and their cost in integer micro-USD. */
export interface Position {
  shares: number;
  cost: number;
}

/** What left a position: at most what it held, at its average cost. */
export interface Taken {
  shares: number;
  cost: number;
}

/**
 * The amount itself, or NaN if it is beyond the integers that doubles hold exactly. Everything computed from NaN is
 * NaN, so an inexact result shows, however small it becomes.
 */
export function exact(amount: number): number {
  return Number.isSafeInteger(amount) ? amount : Number.NaN;
}

/** Adds shares with their cost. */
export function put(position: Position, shares: number, cost: number): void {
  position.shares = exact(position.shares + shares);
  position.cost = exact(position.cost + cost);
}

/** Takes shares out at average cost. The average of the rest stays as it is; emptying takes the whole cost. */
export function take(position: Position, shares: number): Taken {
  const taken = Math.min(shares, position.shares);
  const cost = taken === position.shares ? position.cost : share(position.cost, taken, position.shares);
  position.shares -= taken;
  position.cost -= cost;
  return { shares: taken, cost };
}

/**
 * `amount · part / whole` in integers, rounded half away from zero. It is exact even if the product is beyond the
 * integers that doubles hold exactly. NaN if an argument is NaN.
 */
export function share(amount: number, part: number, whole: number): number {
  const product = amount * part;
  if (Number.isSafeInteger(2 * product + whole)) {
    const magnitude = Math.floor((2 * Math.abs(product) + whole) / (2 * whole));
    return product < 0 ? -magnitude : magnitude;
  }
  if (Number.isNaN(amount + part + whole)) return Number.NaN;
  const wide = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole);
  const magnitude = (2n * (wide < 0n ? -wide : wide) + divisor) / (2n * divisor);
  return Number(wide < 0n ? -magnitude : magnitude);
}

/** What shares of a side are worth, in micro-USD, once the winner is known. */
export function worth(winner: Winner, side: 0 | 1, shares: number): number {
  return winner === 2 ? share(shares, 1, 2) : winner === side ? shares : 0;
}
