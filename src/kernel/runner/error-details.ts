import { type InspectOptions, inspect, types } from 'node:util';
import { InputError } from '../../base/errors.js';
import { withOwnCalls } from '../display/mime-bundle.js';
import { withWrittenNames } from '../transform/top-level-names.js';
import { isRefusedImport } from './import-package.js';

/** Depth to which causes, parts and fields are shown; reduced if that takes more than `MOST_LINES` lines. */
const DEEPEST = 4;
const MOST_LINES = 40;
/** Fields that are shown above the details. */
const TOLD = ['name', 'message', 'stack'];
const HIDDEN = new Set(['cause', 'errors']);
/** Parts of a SuppressedError, which Node prints only as fields. */
const SUPPRESSED = new Set(['error', 'suppressed']);
const ABOVE = 'Error\n    at what is told above';

/**
 * What an error has besides its name, message and calls, as Node prints it: fields such as `code`, its cause and, if it
 * combines several errors, its parts. Errors of requests hold everything that the request was made of. To stay within
 * some forty lines, fields are shown less deep, then causes and parts by message only, and then only the first lines of
 * the fields.
 *
 * @returns One string a line, from the opening brace to the closing one; empty if there is nothing to show.
 * @example errorDetails(new Error('a', { cause: 'b' })); // ['{', "  [cause]: 'b'", '}']
 */
export function errorDetails(error: Error): string[] {
  const { cause } = error;
  // To an InputError, Node's error of the same import adds nothing but local paths.
  const untold = error instanceof InputError && isRefusedImport(cause) ? [...TOLD, 'cause'] : TOLD;
  const kept = Object.entries(Object.getOwnPropertyDescriptors(error)).filter(
    ([name, { enumerable }]) => !untold.includes(name) && (enumerable || isPart(name)),
  );
  if (kept.length === 0) return [];
  const whole = kept.map((detail) => printedBy(inDepth, detail));
  for (let depth = DEEPEST; depth >= 0; depth--) {
    const lines = detailLines(whole, depth);
    if (lines.length <= MOST_LINES - 2) return inBraces(lines);
  }
  const fields = detailLines(kept.filter(([name]) => !isPart(name)));
  const parts = detailLines(kept.filter(([name]) => isPart(name)).map((detail) => printedBy(inShort, detail)));
  const room = Math.max(1, MOST_LINES - 2 - parts.length);
  const told =
    fields.length > 0 && parts.length > 0 ? [...clipped(fields, room, ','), ...parts] : [...fields, ...parts];
  return inBraces(clipped(told, MOST_LINES - 2));
}

type Detail = [name: string, field: PropertyDescriptor];

function isPart(name: string): boolean {
  return HIDDEN.has(name) || SUPPRESSED.has(name);
}

function inBraces(lines: string[]): string[] {
  return lines.length === 0 ? [] : ['{', ...lines, '}'];
}

/** The first lines, and how many are left out; if all fit, `end` is appended to the last. */
function clipped(lines: string[], most: number, end = ''): string[] {
  if (lines.length <= most) return [...lines.slice(0, -1), `${lines.at(-1)}${end}`];
  const left = lines.length - most + 1;
  return [...lines.slice(0, most - 1), `  … ${left} lines more, which the error itself holds`];
}

type Print = (value: unknown, depth: number, options: InspectOptions) => string;

/** Prints a cause or list of errors at least deep enough to show the errors themselves rather than their class names. */
const inDepth: Print = (value, depth, options) =>
  inspect(value, { ...options, depth: Math.max(depth, Array.isArray(value) ? 1 : 0) });

/** Prints it by messages only. */
const inShort: Print = (value, _, options) =>
  inspect(byMessage(value, DEEPEST), { ...options, depth: null, compact: false });

/** A detail that prints itself, if it is a cause or part. */
function printedBy(print: Print, [name, field]: Detail): Detail {
  const { value }: { value?: unknown } = field;
  if (!isPart(name)) return [name, field];
  const enumerable = isListed(name, field);
  if (typeof value !== 'object' || value === null) return [name, { ...field, enumerable }];
  // Node shows `errors` only if it is a list.
  const shape = Array.isArray(value) ? [] : {};
  const custom = (depth: number, options: InspectOptions): string => print(value, depth, options);
  return [name, { value: Object.assign(shape, { [inspect.custom]: custom }), enumerable }];
}

function isListed(name: string, field: PropertyDescriptor): boolean {
  return field.enumerable === true || SUPPRESSED.has(name);
}

/** An error without calls that has only its cause and parts as fields. */
function byMessage(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((each) => byMessage(each, depth));
  if (!isError(value)) return { [inspect.custom]: () => inspect(value, { depth: -1 }) };
  const [stack] = Error.prototype.toString.call(value).split('\n', 1);
  const parts = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([name]) => depth > 0 && isPart(name));
  const told = parts.map(([name, field]): Detail => {
    return [name, { value: byMessage(field.value, depth - 1), enumerable: isListed(name, field) }];
  });
  return Object.defineProperties(new Error(), { ...Object.fromEntries(told), stack: { value: stack } });
}

/** One string a line, without the braces around them. */
function detailLines(details: Detail[], depth = 0): string[] {
  // Node prints an error's details like nothing else, after its stack, so a bare error carries them.
  const bare = Object.defineProperties(new Error(), { ...Object.fromEntries(details), stack: { value: ABOVE } });
  const text = inspected(bare, depth);
  return text.startsWith(`${ABOVE} {`) ? text.slice(ABOVE.length).split('\n').slice(1, -1) : [];
}

function inspected(error: Error, depth: number): string {
  try {
    return withWrittenNames(withOwnCalls(inspect(error, { depth, breakLength: 120 })));
  } catch {
    return '';
  }
}

/** Whether a value is an error, even one of another realm, such as a context of `node:vm`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
