import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

type Undo = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>;

const UNDO = new Map<string, Undo>([
  ['gzip', promisify(zlib.gunzip)],
  ['br', promisify(zlib.brotliDecompress)],
]);
// The oldest supported version of Node.js lacks it.
const zstd: unknown = Reflect.get(zlib, 'zstdDecompress');
if (typeof zstd === 'function') UNDO.set('zstd', promisify(zstd as typeof zlib.gunzip));

/** The content codings that this version of Node.js can decompress, as `Accept-Encoding` names them. */
export const KNOWN_CODINGS = [...UNDO.keys()].join(', ');

/**
 * Decompresses an answer; several codings are undone from the last to the first.
 *
 * @param maxBytes The largest decompressed size, since a small answer may unpack to any size.
 * @throws What zlib throws: with the code `ERR_BUFFER_TOO_LARGE` beyond `maxBytes`, with others for damaged bytes.
 */
export async function unpack(
  { headers, bytes }: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer },
  maxBytes: number,
): Promise<Buffer> {
  let unpacked = bytes;
  for (const name of codingsOf(headers).reverse()) {
    const undo = UNDO.get(name.replace(/^x-/, ''));
    if (!undo) throw new Error(`the coding ${JSON.stringify(name)} is none of ${KNOWN_CODINGS}`);
    const chunkSize = unpacked.length > 16_384 ? 262_144 : 65_536;
    unpacked = await undo(unpacked, { maxOutputLength: maxBytes, chunkSize });
  }
  return unpacked;
}

/** The codings by `Content-Encoding` that change the bytes. */
export function codingsOf({ 'content-encoding': coding = '' }: IncomingHttpHeaders): string[] {
  const names = coding.toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}
