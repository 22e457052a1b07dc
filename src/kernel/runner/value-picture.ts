import { types } from 'node:util';
import { bundleOf, pictureBundle } from '../display/mime-bundle.js';
import { previewText } from '../variables/preview-value.js';
import { isObject } from '../variables/property.js';
import { knownTable, ownMethod, type Table } from '../variables/table.js';
import type { MimeBundle } from '../wire/runner.js';

const DISPLAY = Symbol.for('Jupyter.display');
/** Values beyond which a frame is told in words: those that it has to read, and those that it would show. */
const MOST_READ = 30_000;
const MOST_SHOWN = 2000;
/** Rows of a frame that it shows. */
const SHOWN_ROWS = 20;
/** Bytes of a picture, and characters of a bundle, beyond which a text stands for it. */
const MOST_BYTES = 1_000_000;

const bytesOf = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(Uint8Array.prototype)) as unknown as Record<
  'buffer' | 'byteOffset' | 'length',
  { get: (this: unknown) => unknown }
>;

/**
 * How a value is shown to who looks at variables: a frame or a result of ours as in a cell, the bytes of a picture as
 * that picture, and any other as text. Unlike in a cell, none of the user's code runs, and it is soon done: values that
 * show themselves by a method of their own, or by that of a library, are told as text.
 */
export function valuePicture(value: unknown): MimeBundle {
  const drawn = isObject(value) && !types.isProxy(value) ? (heldPicture(value) ?? ownPicture(value)) : undefined;
  return drawn ?? { data: { 'text/plain': previewText(value) }, metadata: {} };
}

/** The picture that bytes are, by a view of them of which nothing has been replaced. */
function heldPicture(value: object): MimeBundle | undefined {
  if (!types.isUint8Array(value)) return undefined;
  const get = (name: keyof typeof bytesOf): unknown => Reflect.apply(bytesOf[name].get, value, []);
  const length = Number(get('length'));
  if (length > MOST_BYTES) return undefined;
  return pictureBundle(new Uint8Array(get('buffer') as ArrayBuffer, Number(get('byteOffset')), length));
}

/** What a value of ours shows of itself, if that is soon done. */
function ownPicture(value: object): MimeBundle | undefined {
  const display = ownMethod(value, DISPLAY);
  const table = display && knownTable(value);
  if (!display || (table && isSlow(table))) return undefined;
  const bundle = bundleOf(Reflect.apply(display, value, []));
  const isLarge = Object.values(bundle?.data ?? {}).some(
    (part) => typeof part === 'string' && part.length > MOST_BYTES,
  );
  return isLarge ? undefined : bundle;
}

function isSlow({ rows, columns, unread = 0 }: Table): boolean {
  return unread > MOST_READ || Math.min(rows, SHOWN_ROWS) * columns.length > MOST_SHOWN;
}
