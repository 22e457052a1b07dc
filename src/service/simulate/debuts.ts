/**
 * Ensures that every wallet gets a fill. Whenever the share of wallets that have traded falls behind the share of rows
 * written, a wallet that has not traded is due, so that such fills are spread over the whole sample.
 */
export class Debuts {
  private readonly seen: Uint8Array;
  private count = 0;
  private next = 0;

  constructor(
    private readonly wallets: number,
    private readonly fills: number,
  ) {
    this.seen = new Uint8Array(wallets);
  }

  /**
   * The wallet that must take the next row, or -1 if any may.
   *
   * @param row The number of rows before it.
   */
  due(row: number): number {
    if (this.count >= Math.ceil((this.wallets * (row + 1)) / this.fills)) return -1;
    while (this.seen[this.next] === 1) this.next++;
    return this.next < this.wallets ? this.next : -1;
  }

  /** Records that a wallet has a fill. */
  note(wallet: number): void {
    if (this.seen[wallet] === 1) return;
    this.seen[wallet] = 1;
    this.count++;
  }
}
