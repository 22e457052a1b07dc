import { quotedEnd } from '../../frame/decode/json-ends.js';

const QUOTE = 0x22;
const COMMA = 0x2c;

const known = new WeakMap<Uint8Array, number>();

/** Stores the number of records in a text, if it is known, so that {@link recordCount} need not count them. */
export function keepRecordCount(results: Uint8Array, count: number): void {
  known.set(results, count);
}

/** How many records the JSON text of an array holds. */
export function recordCount(results: Uint8Array): number {
  const kept = known.get(results);
  if (kept !== undefined) return kept;
  const { count } = scan(results, Number.POSITIVE_INFINITY);
  known.set(results, count);
  return count;
}

/** The JSON text of an array with the first records of another; the same text if it holds no more. */
export function firstRecords(results: Uint8Array, most: number): Uint8Array {
  const { end } = scan(results, most);
  if (end === results.length) return results;
  const cut = new Uint8Array(end + 1);
  cut.set(results.subarray(0, end));
  cut[end] = 0x5d;
  return cut;
}

/** The JSON text of an array with all but the first `count` records of another, which must hold more. */
export function recordsAfter(results: Uint8Array, count: number): Uint8Array {
  const { end } = scan(results, count);
  const rest = results.slice(end);
  // Replaces the comma after the records that are left out.
  rest[0] = 0x5b;
  return rest;
}

/** Counts at most `most` records and finds the comma after the last of them, or the end of the text. */
function scan(results: Uint8Array, most: number): { count: number; end: number } {
  let [depth, commas, hasAny] = [0, 0, false];
  for (let at = 0; at < results.length; at += 1) {
    const byte = results[at];
    if (byte === QUOTE) {
      at = quotedEnd(results, at) - 1;
      hasAny = true;
    } else if (byte === COMMA) {
      if (depth === 1) commas += 1;
      if (depth === 1 && commas === most) return { count: commas, end: at };
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      hasAny ||= depth > 1;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else hasAny ||= byte !== undefined && byte > 0x20;
  }
  return { count: hasAny ? commas + 1 : 0, end: results.length };
}
