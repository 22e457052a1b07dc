/**
 * Sees to it that every wallet gets a fill: spread over the whole sample, a wallet that chance passed over is called in
 * whenever fewer have traded than their share of the fills written.
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
   * The wallet that must take the next row, or -1 where anyone may.
   *
   * @param row How many rows went before.
   */
  due(row: number): number {
    if (this.count >= Math.ceil((this.wallets * (row + 1)) / this.fills)) return -1;
    while (this.seen[this.next] === 1) this.next++;
    return this.next < this.wallets ? this.next : -1;
  }

  /** Notes that a wallet has a fill. */
  note(wallet: number): void {
    if (this.seen[wallet] === 1) return;
    this.seen[wallet] = 1;
    this.count++;
  }
}
