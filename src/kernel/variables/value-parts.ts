import { types } from 'node:util';
import { describeValue, lengthOf, propertyOf, sizeOf } from './describe-value.js';

/** A part of a value; without a value where only a getter would give it. */
export type Part = { name: string; value: unknown } | { name: string };

/** Parts of a value and how many follow them. */
interface Parts {
  parts: Part[];
  rest: number;
}

/** The most parts at once. */
const MOST = 1000;

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
  if (types.isMap(value)) {
    const entries: unknown = Reflect.apply(mapEntries, value, []);
    const part = ([key, held]: [unknown, unknown]): Part => ({ name: describeValue(key).value, value: held });
    return entriesOf(() => Reflect.apply(mapNext, entries, []), { first, most, size: sizeOf(value), part });
  }
  if (types.isSet(value)) {
    const values: unknown = Reflect.apply(setValues, value, []);
    const part = (held: unknown, at: number): Part => ({ name: String(at), value: held });
    return entriesOf(() => Reflect.apply(setNext, values, []), { first, most, size: sizeOf(value), part });
  }
  const length = lengthOf(value);
  if (length !== undefined) {
    const names = Array.from({ length: Math.max(0, Math.min(most, length - first)) }, (_, at) => String(first + at));
    return { parts: namedParts(value, names), rest: Math.max(0, length - first - names.length) };
  }
  const names = Reflect.ownKeys(value);
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

/** What to take of a map or set. */
interface Wanted<Entry> {
  first: number;
  most: number;
  size: number;
  part: (entry: Entry, at: number) => Part;
}

function entriesOf<Entry>(next: () => IteratorResult<Entry>, { first, most, size, part }: Wanted<Entry>): Parts {
  const parts: Part[] = [];
  for (let at = 0; at < Math.min(size, first + most); at += 1) {
    const { done, value } = next();
    if (done) break;
    if (at >= first) parts.push(part(value, at));
  }
  return { parts, rest: Math.max(0, size - first - parts.length) };
}
