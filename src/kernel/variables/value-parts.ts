import { types } from 'node:util';
import { describeValue, lengthOf, sizeOf } from './describe-value.js';
import { type HasTime, keysInTime, propertyOf, timeFor } from './property.js';

/** A part of a value; without a value where only a getter would give it. */
export type Part = { name: string; value: unknown } | { name: string };

/** Parts of a value and how many follow them; undefined if there are so many that they cannot be listed in time. */
interface Parts {
  parts: Part[];
  rest: number | undefined;
}

/** The most parts at once. */
const MOST = 1000;
/** How long the way to the first wanted entry of a map or set may take. */
const LONGEST_MS = 30;

// Taken before any cell can replace them.
const mapEntries = Map.prototype.entries;
const setValues = Set.prototype.values;
const mapNext = new Map().entries().next;
const setNext = new Set().values().next;

/**
 * The parts of a value, from one on: the elements of an array, the entries of a map or set, and of anything else its own
 * properties. Runs no code of the value.
 */
export function partsOf(value: object, from: number, count: number): Parts {
  if (types.isProxy(value)) return { parts: [], rest: 0 };
  const [first, most] = [Math.max(0, from), Math.min(Math.max(0, count), MOST)];
  if (types.isMap(value) || types.isSet(value)) return entriesOf(value, first, most);
  const length = lengthOf(value);
  if (length !== undefined) {
    const names = Array.from({ length: Math.max(0, Math.min(most, length - first)) }, (_, at) => String(first + at));
    return { parts: namedParts(value, names), rest: Math.max(0, length - first - names.length) };
  }
  const names = keysInTime(value);
  if (!names) return { parts: [], rest: undefined };
  return {
    parts: namedParts(value, names.slice(first, first + most)),
    rest: Math.max(0, names.length - first - most),
  };
}

function namedParts(value: object, names: readonly (string | symbol)[]): Part[] {
  return names.flatMap((key) => {
    const property = propertyOf(value, key);
    const name = String(key);
    if (!property) return [];
    return [property.get || property.set ? { name } : { name, value: property.value }];
  });
}

/** The entries of a map or set as V8 holds them, whatever iterator of its own it has. */
function entriesIn(value: Map<unknown, unknown> | Set<unknown>): () => IteratorResult<unknown> {
  const isMap = types.isMap(value);
  const entries: unknown = Reflect.apply(isMap ? mapEntries : setValues, value, []);
  return () => Reflect.apply(isMap ? mapNext : setNext, entries, []);
}

/** The first values of a set, or entries of a map as pairs of key and value. */
export function heldBy(value: Map<unknown, unknown> | Set<unknown>, most: number): unknown[] {
  const next = entriesIn(value);
  const held: unknown[] = [];
  for (let one = next(); !one.done && held.length < most; one = next()) held.push(one.value);
  return held;
}

function entriesOf(value: Map<unknown, unknown> | Set<unknown>, first: number, most: number): Parts {
  const next = entriesIn(value);
  const parts: Part[] = [];
  const hasTime = timeFor(LONGEST_MS);
  const size = sizeOf(value);
  for (let at = 0; at < Math.min(size, first + most); at += 1) {
    const { done, value: held } = next();
    if (done) break;
    if (at % 1024 === 1023 && !hasTime()) return { parts, rest: undefined };
    if (at >= first) parts.push(types.isMap(value) ? keyed(held, hasTime) : { name: String(at), value: held });
  }
  return { parts, rest: Math.max(0, size - first - parts.length) };
}

function keyed(entry: unknown, hasTime: HasTime): Part {
  const [key, value] = entry as [unknown, unknown];
  return { name: describeValue(key, hasTime).value, value };
}
