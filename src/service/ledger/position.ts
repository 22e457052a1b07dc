/** Shares of one outcome that a wallet holds, and what they cost: integer millionths and integer micro-USD. */
export interface Position {
  shares: number;
  cost: number;
}

/** What left a position: at most what it held, at its average cost. */
export interface Taken {
  shares: number;
  cost: number;
}

/** Takes shares out at average cost; the average of what stays is unchanged, and emptying takes the whole cost. */
export function take(position: Position, shares: number): Taken {
  const taken = Math.min(shares, position.shares);
  const cost = taken === position.shares ? position.cost : share(position.cost, taken, position.shares);
  position.shares -= taken;
  position.cost -= cost;
  return { shares: taken, cost };
}

/**
 * `amount · part / whole` in integers, rounded half away from zero: exact also where the product leaves the integers
 * that doubles keep.
 */
export function share(amount: number, part: number, whole: number): number {
  const product = amount * part;
  if (Number.isSafeInteger(2 * product + whole)) {
    const magnitude = Math.floor((2 * Math.abs(product) + whole) / (2 * whole));
    return product < 0 ? -magnitude : magnitude;
  }
  const exact = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole);
  const magnitude = (2n * (exact < 0n ? -exact : exact) + divisor) / (2n * divisor);
  return Number(exact < 0n ? -magnitude : magnitude);
}
