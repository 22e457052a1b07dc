/** Room behind a piece's size for the row that goes over it, where that is of usual length. */
const SLACK = 1 << 14;

/** A piece of a file that is being made: bytes that grow where one row needs more than there are. */
export class BytePiece {
  /** The engine drops the code that it compiled for a kind of object with the last one; so this one is kept. */
  static readonly kept = new BytePiece(0);
  /** From here on the piece counts as full. */
  readonly size: number;
  bytes: Buffer;
  view: DataView;

  /** @param size In bytes. */
  constructor(size: number) {
    this.size = size;
    this.bytes = Buffer.allocUnsafeSlow(size + SLACK);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Whether a row needed more than there was. */
  get isGrown(): boolean {
    return this.bytes.length > this.size + SLACK;
  }

  /** Makes sure that so many bytes can be written from a place on; what stands before it is kept. */
  reserve(at: number, bytes: number): void {
    if (at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, at + bytes));
    larger.set(this.bytes.subarray(0, at));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}
