import { type InspectOptions, inspect, types } from 'node:util';
import { jsonCopy } from '../../base/texts.js';
import type { MimeBundle } from '../wire/runner.js';
import { textBeside } from './bundle-text.js';
import { drawnElements } from './dom-elements.js';
import { drawnBundle } from './drawn-values.js';
import type { RenderElement } from './jsx-element.js';

const DISPLAY = Symbol.for('Jupyter.display');

/**
 * How a value is shown. Its own method `Symbol.for('Jupyter.display')` comes first; it may be async and returns parts
 * by MIME type or `{ data, metadata }`. Bytes of a PNG, JPEG, GIF, WebP or SVG are shown as that picture, a DOM
 * element, such as jsdom's, as what it draws, an element of JSX as the HTML that it becomes, charts and tables of
 * common libraries as {@link drawnBundle} says, and everything else as Node prints it.
 *
 * @param render Renders elements of JSX. Default: they are printed.
 * @returns Undefined for what is not shown: undefined, and the promise of a `display(x)`. A promise only if the value's
 * own method returns one, for an element of JSX, or a canvas that draws later; otherwise the value is shown as it is at the call, whatever the next statement does to it.
 * @throws Whatever the value's own method throws.
 */
export function mimeBundle(value: unknown, render?: RenderElement): MimeBundle | undefined | Promise<MimeBundle> {
  if (value === undefined) return undefined;
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return printed(value);
  if (quiet.has(value)) return undefined;
  const own = ownPicture(value);
  if (isThenable(own)) return Promise.resolve(own).then((made) => bundleWith(made, value));
  const rendered = own === undefined ? render?.(value) : undefined;
  return rendered ? rendered.then((html) => htmlBundle(html) ?? bundleWith(own, value)) : bundleWith(own, value);
}

function htmlBundle(html: string | undefined): MimeBundle | undefined {
  return html === undefined ? undefined : bundleOf({ 'text/html': html, 'text/plain': html });
}

function bundleWith(own: unknown, value: object): MimeBundle | Promise<MimeBundle> {
  const known = bundleOf(own) ?? heldBundle(value);
  if (known) return known;
  const drawn = drawnBundle(value, heldBundle, inspectValue);
  return drawn instanceof Promise ? drawn.then((made) => made ?? printed(value)) : (drawn ?? printed(value));
}

/** The bundle of bytes that are a picture, or of an element. */
function heldBundle(value: unknown): MimeBundle | undefined {
  return pictureBundle(value) ?? elementBundle(value);
}

function printed(value: unknown): MimeBundle {
  const text = inspectValue(value);
  const isPending = types.isPromise(value) && text.startsWith('Promise { <pending>');
  return { data: { 'text/plain': isPending ? `${text} (a promise: await it)` : text }, metadata: {} };
}

function ownPicture(value: object): unknown {
  const method = displayMethod(value);
  return typeof method === 'function' ? Reflect.apply(method, value, []) : undefined;
}

function displayMethod(value: object): unknown {
  try {
    return Reflect.get(value, DISPLAY);
  } catch (error) {
    // A proxy may throw at unknown names; it is printed. A getter that throws has something to say.
    if (types.isProxy(value)) return undefined;
    throw error;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** The bundle of what a DOM element, or a list of them, draws. */
function elementBundle(value: unknown): MimeBundle | undefined {
  const drawn = drawnElements(value);
  if (drawn && 'svg' in drawn) return pictureBundle(Buffer.from(drawn.svg));
  return drawn && bundleOf({ 'text/html': drawn.html, 'text/plain': drawn.html });
}

/**
 * A value's picture in the form that messages carry: bytes as base64, JSON types as values, everything else as text.
 * Parts that are undefined or null are left out. Where none of them is plain text, {@link textBeside} adds it.
 *
 * @param picture Parts by MIME type, or `{ data, metadata }` with the parts in `data`. MIME types contain a slash, so
 * the two cannot be confused.
 * @returns Undefined if it is not such an object or has no parts.
 */
export function bundleOf(picture: unknown): MimeBundle | undefined {
  if (typeof picture !== 'object' || picture === null) return undefined;
  const { data, metadata = {} } = isWhole(picture) ? picture : { data: picture };
  const parts = Object.entries(data).filter(([, part]) => part !== undefined && part !== null);
  if (parts.length === 0) return undefined;
  const written = Object.fromEntries(parts.map(([type, part]) => [type, partOf(type, part)]));
  const describe = (bytes: Buffer): unknown => pictureBundle(bytes)?.data['text/plain'];
  const beside =
    'text/plain' in written ? {} : { 'text/plain': textBeside(written, { print: inspectValue, picture: describe }) };
  return { data: { ...written, ...beside }, metadata: jsonCopy(metadata) as Record<string, unknown> };
}

/** The MIME types that front ends take as a JSON value. */
const JSON_TYPE = /^[^/]+\/(json|[^;]+\+json)\s*(;|$)/i;

function isWhole(picture: object): picture is { data: object; metadata?: object } {
  const { data, metadata } = picture as { data?: unknown; metadata?: unknown };
  const isObject = (part: unknown) => typeof part === 'object' && part !== null;
  const isNamed = Object.keys(picture).every((key) => key === 'data' || key === 'metadata');
  return isNamed && isObject(data) && (metadata === undefined || isObject(metadata));
}

function partOf(type: string, part: unknown): unknown {
  if (part instanceof Uint8Array) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    return type === 'image/svg+xml' || type.startsWith('text/') ? bytes.toString('utf8') : bytes.toString('base64');
  }
  if (JSON_TYPE.test(type)) return typeof part === 'string' ? parsed(part) : jsonCopy(part);
  if (typeof part === 'string') return part;
  if (Array.isArray(part) && part.every((line) => typeof line === 'string')) return part.join('');
  return typeof part === 'object' ? jsonCopy(part) : String(part);
}

/** Text that is JSON stands for the value that it encodes; other text is itself the value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const SVG = /^\uFEFF?\s*(<\?xml[^>]*\?>\s*)?(<!--((?!-->)[\s\S])*-->\s*|<!DOCTYPE\s+svg[^>]*>\s*)*<svg[\s>]/i;
/** How many bytes are searched for the start of a picture. */
const HEAD = 2048;

type Size = (bytes: Buffer) => string | undefined;

const FORMATS: readonly { type: string; name: string; is: (head: string) => boolean; size?: Size }[] = [
  { type: 'image/png', name: 'PNG', is: (head) => head.startsWith('\x89PNG\r\n\x1a\n'), size: pngSize },
  { type: 'image/jpeg', name: 'JPEG', is: (head) => head.startsWith('\xff\xd8\xff') },
  { type: 'image/gif', name: 'GIF', is: (head) => /^GIF8[79]a/.test(head), size: gifSize },
  { type: 'image/webp', name: 'WebP', is: (head) => /^RIFF.{4}WEBP/s.test(head) },
  { type: 'image/svg+xml', name: 'SVG', is: (head) => SVG.test(Buffer.from(head, 'latin1').toString('utf8')) },
];

/**
 * The bundle of bytes that hold a picture, recognized by their first ones: PNG, JPEG, GIF, WebP or SVG text. Its plain
 * text describes it: `PNG image, 640 × 480, 12,345 bytes`. Undefined for everything else.
 */
export function pictureBundle(value: unknown): MimeBundle | undefined {
  const given = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (!(given instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const head = bytes.toString('latin1', 0, HEAD);
  const format = FORMATS.find(({ is }) => is(head));
  if (!format) return undefined;
  const count = `${bytes.length.toLocaleString('en-US')} bytes`;
  const text = [`${format.name} image`, format.size?.(bytes), count].filter(Boolean).join(', ');
  return bundleOf({ [format.type]: bytes, 'text/plain': text });
}

function pngSize(bytes: Buffer): string | undefined {
  return bytes.length < 24 ? undefined : `${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)}`;
}

function gifSize(bytes: Buffer): string | undefined {
  return bytes.length < 10 ? undefined : `${bytes.readUInt16LE(6)} × ${bytes.readUInt16LE(8)}`;
}

const LAYOUT: InspectOptions = { colors: false, breakLength: 120 };
const SHALLOWEST = 2;
const DEEPEST = 6;
/** Greatest length of a text that is printed deeper than by default. */
const ENOUGH = 4000;
const CUT_OFF = /\[(?:Array|Object|Map|Set|[A-Z$_][\w$]*)[^\]\n]*\]/;
/** A trace line of a call in Node, a package or the runner; a brace after it opens the error's properties. */
const FOREIGN_CALL =
  /\n +at [^\n]*(?:\bnode:|[\\/]node_modules[\\/]|[\\/]dist[\\/](?:kernel|chunks)[\\/])[^\n]*?( \{)?(?=\n|$)/g;

/**
 * A value as Node prints it, but as deep as a text of moderate length allows, so that nested values are seen where Node
 * prints `[Object]`. For an error, only the calls in the user's own files are printed.
 *
 * @throws Whatever the value's own inspect method throws.
 */
export function inspectValue(value: unknown): string {
  if (types.isNativeError(value)) return withOwnCalls(inspect(value, LAYOUT));
  let text = inspect(value, LAYOUT);
  for (let depth = SHALLOWEST + 1; depth <= DEEPEST && text.length < ENOUGH && CUT_OFF.test(text); depth++) {
    const deeper = inspect(value, { ...LAYOUT, depth });
    if (deeper.length > ENOUGH) break;
    text = deeper;
  }
  return text;
}

/** Removes calls outside the user's own files from what Node prints of errors. */
export function withOwnCalls(text: string): string {
  return text.replace(FOREIGN_CALL, '$1');
}

const quiet = new WeakSet<object>();

/**
 * Marks an object that is not shown when a cell ends in it, and returns it: the promise of `display(x)`, which has shown
 * x, or a progress bar.
 */
export function makeQuiet<Value extends object>(value: Value): Value {
  quiet.add(value);
  return value;
}

const LONGEST = 30;

/**
 * Describes a value for an error that says what a call was given instead of what it takes.
 *
 * @example kindOf([1]); // 'an array'
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `the text ${JSON.stringify(shortened(value))}`;
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: unknown = Reflect.get(Object(Reflect.get(value, 'constructor')), 'name');
  if (typeof name === 'string' && name !== 'Object') return `an instance of ${name}`;
  const keys = Object.keys(value).slice(0, 5).join(', ');
  return keys === '' ? 'an empty object' : `an object with the keys ${shortened(keys)}`;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
