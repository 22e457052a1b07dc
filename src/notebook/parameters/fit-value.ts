import { inspect } from 'node:util';
import { UsageError } from '../../base/errors.js';
import { isObject } from '../../base/texts.js';
import type { EnumMember, ParameterShape } from '../../kernel/parameters/parameter-shape.js';
import { NamedValue, type ParameterValue } from './given-parameters.js';

/**
 * Converts data to the value of a parameter: texts become dates or bigints where the parameter takes those, and null
 * becomes undefined where the parameter takes undefined but not null.
 *
 * @param path How errors call the value: `filters.days`.
 * @param onUnchecked Called where only the type checker could tell whether a part fits; that part is taken as it is.
 * @throws {UsageError} If the data do not fit; the message says which part and what would fit.
 */
export function fitValue(
  data: unknown,
  shape: ParameterShape,
  path: string,
  onUnchecked: () => void = () => {},
): ParameterValue {
  const fitted = fittedOrNothing(data, shape, { path, onUnchecked });
  if (fitted !== undefined) return fitted;
  throw new UsageError(`${path} must be ${shapeText(shape)}; got ${shown(data)}.${remedyFor(data, shape)}`);
}

function remedyFor(data: unknown, { kind }: ParameterShape): string {
  if (kind === 'foreign') return FOREIGN;
  if (kind === 'number' && isWholeText(data) && !Number.isSafeInteger(Number(data))) return TOO_LARGE;
  return kind === 'string' && isScalar(data) ? QUOTE : '';
}

function isWholeText(data: unknown): boolean {
  return typeof data === 'bigint' || (typeof data === 'string' && /^-?\d+$/.test(data));
}

const FOREIGN = ' No text or file holds one: make the parameter what it is made from, such as a list.';
const TOO_LARGE = ` It is too large to be exact: beyond ${Number.MAX_SAFE_INTEGER}, make the parameter a bigint, or round.`;
const QUOTE = ' Put it in quotes.';

/** The part of a value that is being fitted. */
interface Part {
  path: string;
  onUnchecked: () => void;
}

function fitPart(data: unknown, shape: ParameterShape, { path, onUnchecked }: Part, key: string): ParameterValue {
  return fitValue(data, shape, `${path}${key}`, onUnchecked);
}

/** Undefined if the data as a whole do not fit; throws if a part of them does not. */
function fittedOrNothing(data: unknown, shape: ParameterShape, part: Part): ParameterValue | undefined {
  switch (shape.kind) {
    case 'any':
      return plainValue(data, part);
    case 'unchecked':
      part.onUnchecked();
      return plainValue(data, part);
    case 'foreign':
      return undefined;
    case 'pattern':
      return typeof data === 'string' && new RegExp(shape.source).test(data) ? data : undefined;
    case 'tuple':
      return Array.isArray(data) ? fittedTuple(data, shape, part) : undefined;
    case 'literal':
      return data === shape.value ? shape.value : undefined;
    case 'enum':
      return memberOf(data, shape.members);
    case 'null':
      return data === null ? data : undefined;
    case 'undefined':
      return data === null ? UNDEFINED : undefined;
    case 'date':
      return dateOf(data);
    case 'bigint':
      return bigIntOf(data);
    case 'array':
      return Array.isArray(data) ? data.map((each, at) => fitPart(each, shape.of, part, `[${at}]`)) : undefined;
    case 'object':
      return isRecord(data) ? fittedObject(data, shape, part) : undefined;
    case 'union':
      return fittedUnion(data, shape.of, part);
    case 'string':
    case 'boolean':
    case 'number':
      return typeof data === shape.kind && !Number.isNaN(data) ? (data as ParameterValue) : undefined;
  }
}

/** JSON and YAML have no undefined, only null. */
const UNDEFINED = new NamedValue(null, 'undefined');

/** Finds the member of an enum by its value, else by its name. */
function memberOf(data: unknown, members: EnumMember[]): NamedValue | undefined {
  const found =
    members.find(({ value }) => value === data) ?? members.find(({ name, source }) => data === name || data === source);
  return found && new NamedValue(found.value, found.source);
}

function fittedUnion(data: unknown, shapes: ParameterShape[], part: Part): ParameterValue | undefined {
  const faults: unknown[] = [];
  const rank = ({ kind }: ParameterShape): number => ['undefined', 'unchecked'].indexOf(kind);
  const ordered = [...shapes].sort((a, b) => rank(a) - rank(b));
  for (const shape of ordered) {
    try {
      const fitted = fittedOrNothing(data, shape, part);
      if (fitted !== undefined) return fitted;
    } catch (fault) {
      faults.push(fault);
    }
  }
  // Only one shape fits the data as a whole, so its error best says which part does not fit.
  if (faults.length === 1) throw faults[0];
  return undefined;
}

function fittedObject(
  data: Record<string, unknown>,
  { fields, rest }: Extract<ParameterShape, { kind: 'object' }>,
  part: Part,
): ParameterValue {
  for (const [name, { isOptional }] of Object.entries(fields)) {
    if (!isOptional && !Object.hasOwn(data, name)) throw new UsageError(`${part.path} lacks the field ${name}.`);
  }
  const entries = Object.entries(data).map(([name, value]) => {
    const shape = (Object.hasOwn(fields, name) ? fields[name]?.shape : rest) ?? { kind: 'unchecked' };
    return [name, fitPart(value, shape, part, `.${name}`)];
  });
  return Object.fromEntries(entries);
}

function fittedTuple(
  data: unknown[],
  { items, required, of }: Extract<ParameterShape, { kind: 'tuple' }>,
  part: Part,
): ParameterValue | undefined {
  if (data.length < required || (!of && data.length > items.length)) return undefined;
  return data.map((each, at) => fitPart(each, items[at] ?? of ?? { kind: 'any' }, part, `[${at}]`));
}

function plainValue(data: unknown, part: Part): ParameterValue | undefined {
  if (Array.isArray(data)) return data.map((each, at) => fitPart(each, { kind: 'any' }, part, `[${at}]`));
  if (isRecord(data)) return fittedObject(data, { kind: 'object', fields: {}, rest: { kind: 'any' } }, part);
  if (Number.isNaN(data)) return undefined;
  const isPlain = data === null || data instanceof Date || /^(string|number|boolean|bigint)$/.test(typeof data);
  return isPlain ? (data as ParameterValue) : undefined;
}

/** A date without a time is midnight UTC, a time without a zone in UTC, so that no result depends on the place. */
function dateOf(data: unknown): Date | undefined {
  if (data instanceof Date) return data;
  const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/;
  const [, day, time = '00:00', zone = 'Z'] = (typeof data === 'string' && form.exec(data)) || [];
  const date = new Date(`${day}T${time}${zone}`);
  const isDay = Boolean(day) && new Date(`${day}T00:00Z`).getUTCDate() === Number(day?.slice(8));
  return isDay && !Number.isNaN(date.getTime()) ? date : undefined;
}

function bigIntOf(data: unknown): bigint | undefined {
  if (typeof data === 'bigint') return data;
  if (typeof data === 'number') return Number.isSafeInteger(data) ? BigInt(data) : undefined;
  return typeof data === 'string' && /^(-?\d+n?|0x[\da-f]+)$/i.test(data) ? BigInt(data.replace(/n$/, '')) : undefined;
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return isObject(data) && !(data instanceof Date);
}

function isScalar(data: unknown): boolean {
  return /^(number|bigint|boolean)$/.test(typeof data) || data instanceof Date;
}

function shown(data: unknown): string {
  const text = typeof data === 'string' ? JSON.stringify(data) : inspect(data, { depth: 1, breakLength: Infinity });
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/**
 * Converts a text from the command line to the value of a parameter; see {@link fitValue}. A parameter of type string
 * takes the text as it is; for other types, a text that is JSON is read as JSON.
 *
 * @throws {UsageError} If the parameter does not take the text.
 */
export function valueFromText(
  text: string,
  shape: ParameterShape,
  name: string,
  onUnchecked: () => void = () => {},
): ParameterValue {
  if (shape.kind === 'string') return text;
  const read = readingOf(text);
  // The text is a list or an object in JSON, so an error can name the part that does not fit.
  if (typeof read === 'object' && read !== null && !takesText(shape)) return fitValue(read, shape, name, onUnchecked);
  for (const data of read === undefined ? [text] : [read, text]) {
    try {
      return fitValue(data, shape, name, onUnchecked);
    } catch (error) {
      if (data === text) throw withRemedy(error, shape, name);
    }
  }
  throw new UsageError(`${name} cannot be ${text}.`);
}

/** Undefined if the text is not JSON, or holds a number that JavaScript would round or that is too large for it. */
function readingOf(text: string): unknown {
  const isRounded = /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
  if (isRounded) return undefined;
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && !/^[+-]?0\d/.test(text)) {
    return Number.isFinite(Number(text)) ? Number(text) : undefined;
  }
  try {
    return JSON.parse(text, finite);
  } catch {
    return undefined;
  }
}

/** @throws {RangeError} If a number is so large that it became infinite. */
function finite(_: string, part: unknown): unknown {
  if (typeof part !== 'number' || Number.isFinite(part)) return part;
  throw new RangeError('No number is that large.');
}

function takesText(shape: ParameterShape): boolean {
  return shape.kind === 'string' || shape.kind === 'pattern' || (shape.kind === 'union' && shape.of.some(takesText));
}

function withRemedy(error: unknown, shape: ParameterShape, name: string): unknown {
  const example = { array: `["a","b"]`, tuple: `["a",1]`, object: `{"a":1}` }[shape.kind as string];
  if (!(error instanceof UsageError) || !example) return error;
  return new UsageError(`${error.message} Write it as JSON, quoted for the shell: -p '${name}=${example}'`);
}

const WORDS_OF_KIND: Readonly<Record<string, string>> = {
  any: 'anything',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  undefined: 'null for undefined',
  bigint: 'a whole number',
  date: 'a date such as 2025-01-31 or 2025-01-31T09:30:00Z',
  object: 'an object',
  unchecked: 'anything',
};

/** What a parameter takes, as part of a sentence. @example shapeText({ kind: 'number' }); // 'a number' */
export function shapeText(shape: ParameterShape): string {
  if (shape.kind === 'literal') return JSON.stringify(shape.value);
  if (shape.kind === 'enum') {
    return shape.members.map(({ source, value }) => `${source} (${JSON.stringify(value)})`).join(' or ');
  }
  if (shape.kind === 'union') return shape.of.map(shapeText).join(' or ');
  if (shape.kind === 'array') return shape.of.kind === 'any' ? 'a list' : `a list, each ${shapeText(shape.of)}`;
  if (shape.kind === 'tuple') return tupleText(shape);
  if (shape.kind === 'pattern') return `a string such as ${shape.text}`;
  if (shape.kind === 'foreign') return shape.name;
  return WORDS_OF_KIND[shape.kind] ?? shape.kind;
}

function tupleText({ items, required, of }: Extract<ParameterShape, { kind: 'tuple' }>): string {
  const most = of ? ' or more' : items.length > required ? ` to ${items.length}` : '';
  return `a list of ${required}${most}${items.length > 0 ? `: ${items.map(shapeText).join(', ')}` : ''}`;
}
