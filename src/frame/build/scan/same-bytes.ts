/**
 * Whether two ranges of bytes are equal, compared eight at a time as doubles. Equal doubles have equal bytes, since
 * text never makes the doubles 0 and -0. Bytes beyond ASCII can make a NaN, which equals nothing; the bytes are then
 * compared as integers.
 *
 * @param length Number of bytes; both ranges must have as many.
 */
export function sameBytes(view: DataView, at: number, other: DataView, from: number, length: number): boolean {
  if (length < 8) return sameFew(view, at, other, from, length);
  const last = length - 8;
  for (let i = 0; i < last; i += 8) {
    if (view.getFloat64(at + i, true) !== other.getFloat64(from + i, true)) {
      return isBeyondAscii(view, at + i) && sameFew(view, at, other, from, length);
    }
  }
  if (view.getFloat64(at + last, true) === other.getFloat64(from + last, true)) return true;
  return isBeyondAscii(view, at + last) && sameFew(view, at, other, from, length);
}

function isBeyondAscii(view: DataView, at: number): boolean {
  return Number.isNaN(view.getFloat64(at, true));
}

function sameFew(view: DataView, at: number, other: DataView, from: number, length: number): boolean {
  let i = 0;
  for (; i + 4 <= length; i += 4) if (view.getInt32(at + i, true) !== other.getInt32(from + i, true)) return false;
  for (; i < length; i += 1) if (view.getUint8(at + i) !== other.getUint8(from + i)) return false;
  return true;
}
