import { promisify } from 'node:util';

/** The content codings that this version of Node.js can decompress, as `Accept-Encoding` names them. */
export async function knownCodings(): Promise<string> {
  return [...(await unpackers()).keys()].join(', ');
}

/**
 * Decompresses an answer.
 *
 * @param coding The `Content-Encoding` header; several codings are undone from the last to the first.
 * @param maxBytes The largest decompressed size, since a small answer may unpack to any size.
 * @throws What zlib throws: with the code `ERR_BUFFER_TOO_LARGE` beyond `maxBytes`, with others for damaged bytes.
 */
export async function unpack(bytes: Buffer, coding: string, maxBytes: number): Promise<Buffer> {
  const known = await unpackers();
  let unpacked = bytes;
  for (const name of codingsOf(coding).reverse()) {
    const undo = known.get(name.replace(/^x-/, ''));
    if (!undo) throw new Error(`the coding ${JSON.stringify(name)} is none of ${[...known.keys()].join(', ')}`);
    unpacked = await undo(unpacked, {
      maxOutputLength: maxBytes,
      chunkSize: unpacked.length > 16_384 ? 262_144 : 65_536,
    });
  }
  return unpacked;
}

/** The codings of a `Content-Encoding` header that change the bytes. */
export function codingsOf(coding: string | undefined): string[] {
  const names = (coding ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}

type Undo = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>;

let loaded: Promise<Map<string, Undo>> | undefined;

function unpackers(): Promise<Map<string, Undo>> {
  loaded ??= import('node:zlib').then((zlib) => {
    const known = new Map<string, Undo>([
      ['gzip', promisify(zlib.gunzip)],
      ['br', promisify(zlib.brotliDecompress)],
    ]);
    // The oldest supported version of Node.js lacks it.
    const zstd: unknown = Reflect.get(zlib, 'zstdDecompress');
    if (typeof zstd === 'function') known.set('zstd', promisify(zstd as typeof zlib.gunzip));
    return known;
  });
  return loaded;
}
