import { types } from 'node:util';
import {
  className,
  functionName,
  type HasTime,
  isObject,
  namesInTime,
  ownValue,
  propertyOf,
  thousands,
} from './property.js';
import { knownTable } from './table.js';

/** A value in words. */
interface Description {
  type: string;
  value: string;
  /** Whether it has parts to be asked for. */
  hasParts: boolean;
}

/** Longest text shown of a value. */
const LONGEST = 100;
/** Parts shown of an array or an object. */
const MOST_PARTS = 5;
/** Texts longer than this are not read: V8 keeps a text that was put together in parts, and would copy it first. */
const LONGEST_READ = 1_000_000;

// The methods of values are taken before any cell can replace them.
const own = {
  typedLength: getter(Object.getPrototypeOf(Uint8Array.prototype), 'length'),
  bufferLength: getter(ArrayBuffer.prototype, 'byteLength'),
  mapSize: getter(Map.prototype, 'size'),
  setSize: getter(Set.prototype, 'size'),
  source: getter(RegExp.prototype, 'source'),
  toIso: Date.prototype.toISOString,
  getTime: Date.prototype.getTime,
  textOf: Function.prototype.toString,
};

function getter(prototype: object, name: string): (this: unknown) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new TypeError(`This version of Node.js has no getter ${name}.`);
  return get;
}

/**
 * Describes a value in one line, in a time that does not grow with its size, and without running any code of it.
 *
 * @param hasTime Whether the names of properties are listed. Default: yes.
 */
export function describeValue(value: unknown, hasTime: HasTime = () => true): Description {
  if (!isObject(value)) return { ...describePrimitive(value), hasParts: false };
  if (types.isProxy(value)) return { type: typeof value, value: 'Proxy', hasParts: false };
  if (typeof value === 'function') return describeFunction(value);
  const table = knownTable(value);
  const type = table?.type ?? className(value);
  if (table) {
    const shape = `${thousands(table.rows)} × ${table.columns.length}`;
    return { type, value: `${type} ${shape}`, hasParts: false };
  }
  if (types.isModuleNamespaceObject(value)) return { type: 'module', value: partsIn(value, hasTime), hasParts: true };
  const length = lengthOf(value);
  if (length !== undefined) return describeList(value, type, length);
  const alone = contentOf(value);
  if (alone !== undefined) return { type, value: alone, hasParts: true };
  const parts = partsIn(value, hasTime);
  return { type, value: type === 'Object' ? parts : `${type} ${parts}`, hasParts: parts !== '{}' };
}

/** @param longest Characters that are shown of a text. */
export function describePrimitive(value: unknown, longest = LONGEST): Omit<Description, 'hasParts'> {
  if (value === null) return { type: 'null', value: 'null' };
  const type = typeof value;
  if (typeof value === 'string') return { type, value: quoted(value, longest) };
  if (typeof value === 'bigint') {
    const isLong = value > LARGEST_BIGINT || value < -LARGEST_BIGINT;
    return { type, value: isLong ? '…n' : `${value}n` };
  }
  return { type, value: Object.is(value, -0) ? '-0' : shortened(String(value)) };
}

/** The digits of a greater one take long to find. */
const LARGEST_BIGINT = 10n ** 100n;

function quoted(text: string, longest: number): string {
  if (text.length > LONGEST_READ) return `(${thousands(text.length)} characters)`;
  if (text.length <= longest) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, longest))}… (${thousands(text.length)} characters)`;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const PARAMETERS = /^(?:async\b\s*)?(?:function\b\s*\*?\s*)?[^(=]*(\([^)]*\))|^(?:async\s+)?([\w$]+)\s*=>/;

function describeFunction(value: object): Description {
  const text = String(Reflect.apply(own.textOf, value, [])).slice(0, 3 * LONGEST);
  const name = functionName(value);
  if (/^class\b/.test(text)) return { type: 'class', value: `class ${name}`.trim(), hasParts: false };
  const [, several, one = ''] = PARAMETERS.exec(text) ?? [];
  const parameters = (several ?? `(${one})`).replace(/\s+/g, ' ');
  return { type: 'function', value: shortened(`${name}${parameters}`), hasParts: false };
}

/** The number of elements of an array or typed array; undefined for anything else. */
export function lengthOf(value: object): number | undefined {
  if (Array.isArray(value)) return Number(ownValue(value, 'length'));
  return types.isTypedArray(value) ? Number(Reflect.apply(own.typedLength, value, [])) : undefined;
}

/** The number of entries of a map or set. */
export function sizeOf(value: object): number {
  return Number(Reflect.apply(types.isMap(value) ? own.mapSize : own.setSize, value, []));
}

/** An array or typed array by its class, length and first elements. */
function describeList(value: object, type: string, length: number): Description {
  const parts: string[] = [];
  for (let at = 0; at < Math.min(length, MOST_PARTS); at += 1) parts.push(partOf(value, String(at)));
  const rest = length > MOST_PARTS ? ', …' : '';
  return { type, value: `${type}(${length}) ${shortened(`[${parts.join(', ')}${rest}]`)}`, hasParts: length > 0 };
}

/** What a value of one of JavaScript's own classes holds; undefined for anything else. */
export function contentOf(value: object): string | undefined {
  if (types.isMap(value) || types.isSet(value)) return `${className(value)}(${sizeOf(value)})`;
  if (types.isDate(value)) {
    const isValid = !Number.isNaN(Reflect.apply(own.getTime, value, []));
    return isValid ? Reflect.apply(own.toIso, value, []) : 'Invalid Date';
  }
  if (types.isRegExp(value)) return shortened(`/${Reflect.apply(own.source, value, [])}/`);
  if (types.isArrayBuffer(value)) return `${className(value)}(${Reflect.apply(own.bufferLength, value, [])} bytes)`;
  if (types.isNativeError(value)) {
    const message = ownValue(value, 'message');
    return shortened(`${className(value)}: ${typeof message === 'string' ? message.slice(0, LONGEST) : ''}`);
  }
  return undefined;
}

function partsIn(value: object, hasTime: HasTime): string {
  const names = namesInTime(value, hasTime);
  if (!names) return '{…}';
  const parts = names.slice(0, MOST_PARTS).map((name) => `${shortened(name)}: ${partOf(value, name)}`);
  const rest = names.length > MOST_PARTS ? [...parts, '…'] : parts;
  return shortened(rest.length === 0 ? '{}' : `{ ${rest.join(', ')} }`);
}

/** A property in a word: of a getter that it is one. */
function partOf(value: object, name: string): string {
  const property = propertyOf(value, name);
  if (!property) return 'empty';
  return 'value' in property ? inAWord(property.value) : '(getter)';
}

/** A value in a word: of an object its class alone. */
export function inAWord(part: unknown): string {
  if (!isObject(part)) return typeof part === 'string' ? quotedPart(part) : describePrimitive(part).value;
  if (types.isProxy(part)) return 'Proxy';
  if (typeof part === 'function') return 'function';
  const length = lengthOf(part);
  return length === undefined ? (contentOf(part) ?? `${className(part)} {…}`) : `${className(part)}(${length})`;
}

function quotedPart(text: string): string {
  return text.length > 40
    ? text.length > LONGEST_READ
      ? '"…"'
      : `${JSON.stringify(text.slice(0, 40))}…`
    : quoted(text, LONGEST);
}
