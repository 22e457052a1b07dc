/** More bytes than the longest record of a wallet: fixed text, an address, a time, numbers of up to 32 letters. */
const RECORD_BYTES = 512;

/** Memory that records are written into. */
export interface Scratch {
  readonly bytes: Buffer;
  readonly view: DataView;
}

let scratch = scratchOf(0);

/** Room for so many records of wallets, shared by all pages, as a page is made synchronously. */
export function scratchFor(records: number): Scratch {
  // One more, as bytes after a text may be overwritten.
  const length = (records + 1) * RECORD_BYTES;
  if (scratch.bytes.length < length) scratch = scratchOf(length);
  return scratch;
}

function scratchOf(length: number): Scratch {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, view: new DataView(bytes.buffer) };
}
