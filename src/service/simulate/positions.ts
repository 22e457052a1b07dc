/**
 * What every wallet holds of a market's two outcomes, in thousandths of a share. One instance serves all markets in
 * turn, so that memory does not grow with their number.
 */
export class Positions {
  /** The wallets that took part in the market, in the order in which they first did. */
  readonly touched: number[] = [];
  private readonly held: Float64Array;
  private readonly grewAt: Float64Array;
  private readonly isTouched: Uint8Array;

  constructor(wallets: number) {
    this.held = new Float64Array(2 * wallets);
    this.grewAt = new Float64Array(wallets);
    this.isTouched = new Uint8Array(wallets);
  }

  /** The shares held, whether or not they can be sold yet. */
  of(wallet: number, outcome: number): number {
    return this.held[2 * wallet + outcome] ?? 0;
  }

  /**
   * The shares that may leave at a time: none in a second in which the wallet got shares. Records carry whole seconds,
   * and a reader that orders the records of a second differently must not see shares leave before they arrive.
   */
  sellable(wallet: number, outcome: number, time: number): number {
    return (this.grewAt[wallet] ?? 0) < time ? this.of(wallet, outcome) : 0;
  }

  /** Adds shares that arrive. */
  add(wallet: number, outcome: number, size: number, time: number): void {
    if (this.isTouched[wallet] === 0) {
      this.isTouched[wallet] = 1;
      this.touched.push(wallet);
    }
    this.grewAt[wallet] = time;
    this.held[2 * wallet + outcome] = this.of(wallet, outcome) + size;
  }

  /** Removes shares that leave; they must be sellable. */
  remove(wallet: number, outcome: number, size: number): void {
    this.held[2 * wallet + outcome] = this.of(wallet, outcome) - size;
  }

  /** Empties all positions for the next market. */
  clear(): void {
    for (const wallet of this.touched) {
      this.held.fill(0, 2 * wallet, 2 * wallet + 2);
      this.grewAt[wallet] = 0;
      this.isTouched[wallet] = 0;
    }
    this.touched.length = 0;
  }
}
