import type { MimeBundle } from '../events.js';
import { bundleOf } from './display/bundle-of.js';
import { inspectValue } from './display/inspect-value.js';
import { pictureOfBytes } from './display/picture-of-bytes.js';
import { isQuiet } from './display/quiet.js';

const DISPLAY = Symbol.for('Jupyter.display');

/**
 * How a value is shown: as its own method `Symbol.for('Jupyter.display')` says, which may be async and gives parts by
 * MIME type or `{ data, metadata }`; bytes of a PNG, JPEG, GIF, WebP or SVG as that picture; everything else as Node
 * prints it.
 *
 * @returns Undefined for what is not shown: undefined, and the promise of a `display(x)`.
 * @throws Whatever the value's own method throws.
 */
export async function mimeBundle(value: unknown): Promise<MimeBundle | undefined> {
  if (value === undefined || isQuiet(value)) return undefined;
  return (
    (await ownBundle(value)) ?? pictureBundle(value) ?? { data: { 'text/plain': inspectValue(value) }, metadata: {} }
  );
}

async function ownBundle(value: unknown): Promise<MimeBundle | undefined> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
  const method: unknown = Reflect.get(value, DISPLAY);
  return typeof method === 'function' ? bundleOf(await Reflect.apply(method, value, [])) : undefined;
}

function pictureBundle(value: unknown): MimeBundle | undefined {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  const picture = bytes instanceof Uint8Array ? pictureOfBytes(bytes) : undefined;
  return picture && bundleOf({ [picture.type]: picture.bytes, 'text/plain': picture.text });
}
