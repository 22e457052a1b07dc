/** Extra room for the last row, which may extend past the piece's size. */
const SLACK = 1 << 14;

/** A piece of a file that is being written: bytes that grow if a row needs more room. */
export class BytePiece {
  /** V8 discards the compiled code of a class with its last object; this one is kept to prevent that. */
  static readonly kept = new BytePiece(0);
  /** Number of bytes from which the piece counts as full. */
  readonly size: number;
  bytes: Buffer;
  view: DataView;

  /** @param size In bytes. */
  constructor(size: number) {
    this.size = size;
    this.bytes = Buffer.allocUnsafeSlow(size + SLACK);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Whether a row needed more room than there was. */
  get isGrown(): boolean {
    return this.bytes.length > this.size + SLACK;
  }

  /** Makes sure that this many bytes can be written from `at` on; the bytes before are kept. */
  reserve(at: number, bytes: number): void {
    if (at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, at + bytes));
    larger.set(this.bytes.subarray(0, at));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}
