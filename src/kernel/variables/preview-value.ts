import { types } from 'node:util';
import { contentOf, describePrimitive, describeValue, inAWord, lengthOf, sizeOf } from './describe-value.js';
import { className, isObject, namesInTime, propertyOf, thousands, timeFor } from './property.js';
import { saysTable } from './table.js';
import { type Part, partsOf } from './value-parts.js';

/** Characters after which nothing more is written, and of a text that is a part. */
const MOST_CHARACTERS = 10_000;
const LONGEST_TEXT = 1000;
/** Parts of one value that are written, and how deep they may lie. */
const MOST_PARTS = 100;
const DEEPEST = 6;
/** Characters of a line. */
const WIDEST = 100;
/** How long it may take. */
const TIME_MS = 15;

/**
 * A value as text of several lines, much as Node prints it, but without running any code of it: no getter, no trap, and
 * none of the methods by which values show themselves. Large values are cut, so that it takes a time that does not grow
 * with their size.
 *
 * @example previewText({ a: [1, 2] }); // '{ a: [1, 2] }'
 */
export function previewText(value: unknown): string {
  return new Preview().textOf(value, 0);
}

class Preview {
  readonly #hasTime = timeFor(TIME_MS);
  readonly #within: object[] = [];
  #left = MOST_CHARACTERS;

  /** The text of a value that lies so deep in the one that is looked at. */
  textOf(value: unknown, depth: number): string {
    const longest = depth === 0 ? MOST_CHARACTERS : LONGEST_TEXT;
    const text = isObject(value) ? this.#object(value, depth) : describePrimitive(value, longest).value;
    this.#left -= text.length;
    return text;
  }

  #object(value: object, depth: number): string {
    if (this.#within.includes(value)) return '[itself]';
    if (isWhole(value)) return describeValue(value, this.#hasTime).value;
    if (depth > DEEPEST || this.#left <= 0) return inAWord(value);
    this.#within.push(value);
    const text = this.#parts(value, depth);
    this.#within.pop();
    return text;
  }

  #parts(value: object, depth: number): string {
    const length = lengthOf(value);
    const list = (part: Part): string => this.#part(part, depth);
    if (length !== undefined) {
      const { parts, count } = elementsOf(value, length);
      const name = className(value) === 'Array' ? '' : `${className(value)}(${length}) `;
      return written(`${name}[`, this.#each(parts, list), count, ']', depth);
    }
    if (types.isMap(value) || types.isSet(value)) {
      const { parts } = partsOf(value, 0, MOST_PARTS);
      const entry = (part: Part): string => (types.isMap(value) ? `${part.name} => ${list(part)}` : list(part));
      return written(`${className(value)}(${sizeOf(value)}) {`, this.#each(parts, entry), sizeOf(value), '}', depth);
    }
    const names = namesInTime(value, this.#hasTime);
    const of = className(value);
    const begin = of === 'Object' ? '{' : `${of} {`;
    if (!names) return `${begin}…}`;
    const named = ({ name, ...part }: Part): string => `${shortened(name)}: ${list({ name, ...part })}`;
    const parts = names.slice(0, MOST_PARTS).map((name) => partAt(value, name));
    return written(begin, this.#each(parts, named), names.length, '}', depth);
  }

  #part(part: Part, depth: number): string {
    if (!('value' in part)) return '(getter)';
    return part.value === EMPTY ? 'empty' : this.textOf(part.value, depth + 1);
  }

  /** The parts as text, up to the one after which nothing more is written. */
  #each(parts: readonly Part[], write: (part: Part) => string): string[] {
    const texts: string[] = [];
    for (const part of parts) {
      if (this.#left <= 0 || !this.#hasTime()) break;
      texts.push(write(part));
    }
    return texts;
  }
}

/** What stands for a hole in an array. */
const EMPTY = Symbol('empty');

function elementsOf(value: object, length: number): { parts: Part[]; count: number } {
  const names = Array.from({ length: Math.min(length, MOST_PARTS) }, (_, at) => String(at));
  return { parts: names.map((name) => partAt(value, name)), count: length };
}

function partAt(value: object, name: string): Part {
  const property = propertyOf(value, name);
  if (!property) return { name, value: EMPTY };
  return 'value' in property ? { name, value: property.value } : { name };
}

/** Whether a value is told in one line, whatever it holds. */
function isWhole(value: object): boolean {
  return types.isProxy(value) || typeof value === 'function' || saysTable(value) || isContent(value);
}

function isContent(value: object): boolean {
  return !types.isMap(value) && !types.isSet(value) && contentOf(value) !== undefined;
}

function shortened(name: string): string {
  return name.length > WIDEST ? `${name.slice(0, WIDEST)}…` : name;
}

/** Parts between brackets: in one line if they fit, else each on its own. */
function written(begin: string, parts: readonly string[], count: number, end: string, depth: number): string {
  const rest = count - parts.length;
  const all = rest > 0 ? [...parts, `… ${thousands(rest)} more`] : parts;
  const space = end === '}' && all.length > 0 ? ' ' : '';
  const line = `${begin}${space}${all.join(', ')}${space}${end}`;
  if (line.length + 2 * depth <= WIDEST && !line.includes('\n')) return line;
  const indent = '  '.repeat(depth + 1);
  return `${begin}\n${all.map((part) => `${indent}${part}`).join(',\n')}\n${indent.slice(2)}${end}`;
}
