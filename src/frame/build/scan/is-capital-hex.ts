import { lowerHex } from '../lower-hex.js';
import type { Cursor } from './cursor.js';

/** The bit that letters have set, for each byte of a 32-bit word; in capital letters the next lower bit is clear. */
const LETTERS = 0x40404040;

/** Whether the text from `start` to before `end` is `0x` and hexadecimal digits, with some capital letters. */
export function isCapitalHex(cursor: Cursor, start: number, end: number): boolean {
  if (!mayHaveCapitals(cursor.view, start, end)) return false;
  const text = cursor.ascii(start, end);
  return lowerHex(text) !== text;
}

function mayHaveCapitals(view: DataView, start: number, end: number): boolean {
  let at = start;
  for (; at + 4 <= end; at += 4) if (isCapital(view.getInt32(at, true))) return true;
  for (; at < end; at += 1) if (isCapital(view.getUint8(at))) return true;
  return false;
}

function isCapital(bytes: number): boolean {
  return (bytes & ~(bytes << 1) & LETTERS) !== 0;
}
