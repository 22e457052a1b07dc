import { isAscii, isUtf8 } from 'node:buffer';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The bytes of a text in UTF-8 without a byte order mark. UTF-8, which JSON must be, stays as it is; other text is
 * converted from UTF-16 or from the charset that the content type names.
 *
 * @returns Undefined if the charset is unknown or the bytes do not match it.
 */
export function toUtf8(bytes: Buffer, contentType: string | undefined): Buffer | undefined {
  const wide = wideCharset(bytes);
  if (wide !== undefined) return translate(bytes, wide);
  if (bytes[0] === BOM[0] && bytes.subarray(0, 3).equals(BOM)) return bytes.subarray(3);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  // Broken UTF-8 is found by the reader. If another charset is named, bytes that are valid UTF-8 are most likely UTF-8.
  if (/^(utf-?8|us-ascii|ascii)$/.test(charset) || isAscii(bytes) || isUtf8(bytes)) return bytes;
  return translate(bytes, charset);
}

/** Recognizes UTF-16 by its byte order mark, or by a zero byte beside the first character, which JSON never has. */
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
