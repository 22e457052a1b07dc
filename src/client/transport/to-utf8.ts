import { isAscii, isUtf8 } from 'node:buffer';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The bytes of a text in UTF-8 without a byte order mark: the same bytes where they are so already, which is what JSON
 * must be; else translated from UTF-16 or from the charset that the content type names.
 *
 * @returns Undefined where the charset is not known or the bytes are none of it.
 */
export function toUtf8(bytes: Buffer, contentType: string | undefined): Buffer | undefined {
  const wide = wideCharset(bytes);
  if (wide !== undefined) return translate(bytes, wide);
  if (bytes[0] === BOM[0] && bytes.subarray(0, 3).equals(BOM)) return bytes.subarray(3);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  // Whoever reads the bytes finds broken UTF-8; under another name, UTF-8 is still more likely than an accident.
  if (/^(utf-?8|us-ascii|ascii)$/.test(charset) || isAscii(bytes) || isUtf8(bytes)) return bytes;
  return translate(bytes, charset);
}

/** UTF-16 shows by its mark, or by the zero beside the first letter, which is never part of JSON. */
function wideCharset(bytes: Buffer): string | undefined {
  const [first = 1, second = 1] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : undefined;
}

function translate(bytes: Buffer, charset: string): Buffer | undefined {
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
