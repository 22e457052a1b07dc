import type { MimeBundle } from '../events.js';
import { bundleOf } from './display/bundle-of.js';
import { inspectValue } from './display/inspect-value.js';
import { pictureOfBytes } from './display/picture-of-bytes.js';
import { isQuiet } from './display/quiet.js';

const DISPLAY = Symbol.for('Jupyter.display');

/**
 * How a value is shown: as its own method `Symbol.for('Jupyter.display')` says, which may be async and gives parts by
 * MIME type or `{ data, metadata }`; bytes of a PNG, JPEG, GIF, WebP or SVG as that picture; an element of a DOM, such
 * as jsdom's, as what it draws; everything else as Node prints it.
 *
 * @returns Undefined for what is not shown: undefined, and the promise of a `display(x)`. A promise only where the value's
 *   own method gives one: else the value is shown as it is now, whatever the next statement makes of it.
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
  const method: unknown = Reflect.get(value, DISPLAY);
  return typeof method === 'function' ? Reflect.apply(method, value, []) : undefined;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function pictureBundle(value: unknown): MimeBundle | undefined {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  const picture = bytes instanceof Uint8Array ? pictureOfBytes(bytes) : undefined;
  return picture && bundleOf({ [picture.type]: picture.bytes, 'text/plain': picture.text });
}

/** Data that has a field `outerHTML` of its own is no element. */
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
    // A proxy may refuse names that it does not know, a getter what is no element: they are printed.
    return undefined;
  }
}

/** An SVG of a page is no picture yet: as a file of its own, it needs its namespaces, and has no names of HTML. */
function standingAlone(svg: string): string {
  const isNamed = /^<svg[^>]*\sxmlns=/.test(svg);
  const named = isNamed ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  const isLinked = /\sxlink:\w+=/.test(svg) && !/\sxmlns:xlink=/.test(svg);
  const linked = isLinked ? named.replace('<svg', '<svg xmlns:xlink="http://www.w3.org/1999/xlink"') : named;
  return linked.replaceAll('&nbsp;', '&#160;');
}
