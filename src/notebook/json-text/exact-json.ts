import { membersOf } from './members.js';
import { skipSpace, valueEnd } from './value-end.js';

/**
 * Parses JSON as JSON.parse does, except that whole numbers that a double cannot hold exactly become bigints.
 *
 * @throws {SyntaxError} If the text is not JSON.
 * @example parseExactly('[1, 12345678901234567890]'); // [1, 12345678901234567890n]
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const start = skipSpace(text, 0);
  return /\d{16}/.test(text) ? exactValue(text, start, valueEnd(text, start)) : value;
}

/** Converts a bigint to a number if that number is written with the same digits; otherwise returns the bigint. */
export function plainNumber(value: bigint): number | bigint {
  return String(Number(value)) === String(value) ? Number(value) : value;
}

function exactValue(text: string, start: number, end: number): unknown {
  const word = text.slice(start, end);
  if (/^-?\d{16,}$/.test(word)) return plainNumber(BigInt(word));
  if (!/^[[{]/.test(word)) return JSON.parse(word);
  const members = membersOf(text, start).map((member): [string, unknown] => [
    member.key ?? '',
    exactValue(text, member.valueStart, member.end),
  ]);
  return word.startsWith('[') ? members.map(([, value]) => value) : Object.fromEntries(members);
}
