import type { Winner } from './event.js';

/** The shares of one outcome that a wallet holds, in integer millionths, and their cost in integer micro-USD. */
export interface Position {
  shares: number;
  cost: number;
  /** Micro-USD that were realized by its shares. */
  realized: number;
  /** Micro-USD that buys and splits paid for its shares. */
  invested: number;
  /** Unix seconds of its first and last event, settlements and redemptions of nothing aside; `opened` is infinite before the first. */
  opened: number;
  last: number;
  /** The shares that it held when they last all left or were settled, and their cost then; 0 before. */
  lastShares: number;
  lastCost: number;
}

/** A position without any event. */
export function emptyPosition(): Position {
  const [opened, last] = [Number.POSITIVE_INFINITY, 0];
  return { shares: 0, cost: 0, realized: 0, invested: 0, opened, last, lastShares: 0, lastCost: 0 };
}

/** Makes a position one without any event again. */
export function emptied(position: Position): void {
  position.shares = position.cost = position.realized = position.invested = 0;
  position.lastShares = position.lastCost = position.last = 0;
  position.opened = Number.POSITIVE_INFINITY;
}

/** Notes an event of a position; they come in order of time. */
export function touch(position: Position, time: number): void {
  if (position.opened === Number.POSITIVE_INFINITY) position.opened = time;
  position.last = time;
}

/** Notes what a position cost, before all its shares leave or are settled. */
export function noteCost(position: Position): void {
  if (position.shares === 0) return;
  position.lastShares = position.shares;
  position.lastCost = position.cost;
}

/** Adds to what a position has realized. */
export function gain(position: Position, profit: number): void {
  position.realized = exact(position.realized + profit);
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
  if (taken === position.shares) noteCost(position);
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
