import { UsageError } from '../../../base/errors.js';
import type { MimeBundle } from '../../events.js';
import { kindOf } from './kind-of.js';
import { pictureOfBytes } from './picture-of-bytes.js';

/**
 * The picture of an image whose format the user named.
 *
 * @param given Bytes or their base64 text, which may be a `data:` URL.
 * @throws {UsageError} If it is something else, or an image of another format.
 */
export function imageBytes(format: 'png' | 'jpeg', given: unknown): MimeBundle {
  const bytes = typeof given === 'string' ? decoded(given) : asBytes(given);
  const picture = bytes && pictureOfBytes(bytes);
  if (picture?.type === `image/${format}`) {
    return { data: { [picture.type]: picture.bytes.toString('base64'), 'text/plain': picture.text }, metadata: {} };
  }
  const name = format.toUpperCase();
  const got = picture ? `a ${picture.text}, which display(bytes) shows` : kindOf(given);
  throw new UsageError(
    `display.${format}(bytes) takes the bytes of a ${name} image as Buffer or Uint8Array, or their base64 text; got ${got}.`,
  );
}

function asBytes(given: unknown): Uint8Array | undefined {
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  return given instanceof Uint8Array ? given : undefined;
}

function decoded(text: string): Uint8Array {
  return Buffer.from(text.replace(/^data:[^,]*;base64,/, ''), 'base64');
}
