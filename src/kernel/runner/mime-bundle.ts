import { types } from 'node:util';
import type { MimeBundle } from '../events.js';
import { bundleOf } from './display/bundle-of.js';
import { inspectValue } from './display/inspect-value.js';
import { pictureOfBytes } from './display/picture-of-bytes.js';
import { isQuiet } from './display/quiet.js';

const DISPLAY = Symbol.for('Jupyter.display');

/**
 * How a value is shown. Its own method `Symbol.for('Jupyter.display')` comes first; it may be async and returns parts
 * by MIME type or `{ data, metadata }`. Bytes of a PNG, JPEG, GIF, WebP or SVG are shown as that picture, a DOM
 * element, such as jsdom's, as what it draws, and everything else as Node prints it.
 *
 * @returns Undefined for what is not shown: undefined, and the promise of a `display(x)`. A promise only if the value's
 * own method returns one; otherwise the value is shown as it is at the call, whatever the next statement does to it.
 * @throws Whatever the value's own method throws.
 */
export function mimeBundle(value: unknown): MimeBundle | undefined | Promise<MimeBundle> {
  if (value === undefined || isQuiet(value)) return undefined;
  const own = ownPicture(value);
  return isThenable(own) ? pictured(own, value) : bundleWith(own, value);
}

async function pictured(own: PromiseLike<unknown>, value: unknown): Promise<MimeBundle> {
  return bundleWith(await own, value);
}

function bundleWith(own: unknown, value: unknown): MimeBundle {
  return (
    bundleOf(own) ??
    pictureBundle(value) ??
    elementBundle(value) ?? { data: { 'text/plain': inspectValue(value) }, metadata: {} }
  );
}

function ownPicture(value: unknown): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
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

function pictureBundle(value: unknown): MimeBundle | undefined {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  const picture = bytes instanceof Uint8Array ? pictureOfBytes(bytes) : undefined;
  return picture && bundleOf({ [picture.type]: picture.bytes, 'text/plain': picture.text });
}

/** The bundle of a DOM element; data with its own field `outerHTML` is not an element. */
function elementBundle(value: unknown): MimeBundle | undefined {
  const html = typeof value === 'object' && value !== null ? inheritedHtml(value) : undefined;
  if (typeof html !== 'string') return undefined;
  if (/^<svg[\s>]/.test(html)) return pictureBundle(Buffer.from(standingAlone(html)));
  return bundleOf({ 'text/html': html, 'text/plain': html });
}

function inheritedHtml(value: object): unknown {
  try {
    return Object.hasOwn(value, 'outerHTML') ? undefined : Reflect.get(value, 'outerHTML');
  } catch {
    // A proxy may throw at unknown names, and a getter at what is not an element; such values are printed.
    return undefined;
  }
}

/** Makes a page's SVG a file of its own: adds its namespaces and replaces the HTML entity that XML does not know. */
function standingAlone(svg: string): string {
  const isNamed = /^<svg[^>]*\sxmlns=/.test(svg);
  const named = isNamed ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  const isLinked = /\sxlink:\w+=/.test(svg) && !/\sxmlns:xlink=/.test(svg);
  const linked = isLinked ? named.replace('<svg', '<svg xmlns:xlink="http://www.w3.org/1999/xlink"') : named;
  return linked.replaceAll('&nbsp;', '&#160;');
}
