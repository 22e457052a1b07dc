/** More than the longest record of a wallet has: its fixed text, a wallet, a moment, and numbers of at most 32 letters. */
const RECORD_BYTES = 512;

/** Memory that records are written into. */
export interface Scratch {
  readonly bytes: Buffer;
  readonly view: DataView;
}

let scratch = scratchOf(0);

/** Room for so many records of wallets, used again for every page: one is made without a pause in which another could be. */
export function scratchFor(records: number): Scratch {
  // One more, as what lies behind a text may be written over.
  const length = (records + 1) * RECORD_BYTES;
  if (scratch.bytes.length < length) scratch = scratchOf(length);
  return scratch;
}

function scratchOf(length: number): Scratch {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, view: new DataView(bytes.buffer) };
}
