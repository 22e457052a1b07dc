import { ASCII } from './ascii.js';
import { blankEnd, quotedEnd, valueEnd } from './value-end.js';

/** Counts the fields of a decoded JSON value, at all levels. */
export function countFields(value: unknown): number {
  let count = 0;
  // A work list instead of recursion: JSON.parse takes any depth, the stack does not.
  for (const rest = [value]; rest.length > 0; ) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const value of inner) if (typeof value === 'object' && value !== null) rest.push(value);
  }
  return count;
}

/** Counts the fields in valid JSON text, at all levels: each has one colon outside of strings. */
export function countWrittenFields(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === ASCII.colon) count += 1;
    else if (byte === ASCII.quote) {
      for (at += 1; at < end && bytes[at] !== ASCII.quote; at += 1) if (bytes[at] === ASCII.escape) at += 1;
    }
  }
  return count;
}

/** A field that a record has twice, which JSON.parse silently accepts. */
export interface RepeatedField {
  /** Index of the record in its page. */
  readonly at: number;
  readonly name: string;
}

/** Finds the first record of a valid JSON array that has a field twice, at any level, and the field. */
export function repeatedField(bytes: Uint8Array): RepeatedField | undefined {
  let at = blankEnd(bytes, blankEnd(bytes, 0) + 1);
  for (let record = 0; at < bytes.length && bytes[at] !== ASCII.closeList; record += 1) {
    const end = valueEnd(bytes, at);
    const name = repeatedIn(bytes, at, end);
    if (name !== undefined) return { at: record, name };
    at = blankEnd(bytes, end);
    if (bytes[at] === ASCII.comma) at = blankEnd(bytes, at + 1);
  }
  return undefined;
}

function repeatedIn(bytes: Uint8Array, start: number, end: number): string | undefined {
  const levels: Set<string>[] = [];
  for (let at = start; at < end; ) {
    const byte = bytes[at];
    if (byte === ASCII.openRecord) levels.push(new Set());
    else if (byte === ASCII.closeRecord) levels.pop();
    if (byte !== ASCII.quote) {
      at += 1;
      continue;
    }
    const close = quotedEnd(bytes, at);
    const next = blankEnd(bytes, close);
    if (bytes[next] === ASCII.colon) {
      const name: string = JSON.parse(new TextDecoder().decode(bytes.subarray(at, close)));
      const level = levels.at(-1);
      if (level?.has(name)) return name;
      level?.add(name);
    }
    at = next;
  }
  return undefined;
}
