import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chosenEncoding, compressed } from '../../../src/service/http/negotiation.js';

describe('the encoding of an answer', () => {
  it.each<[string, string | undefined]>([
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP', 'gzip'],
    ['gzip;q=0', undefined],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['*', 'zstd'],
    ['*;q=0.1, gzip', 'gzip'],
    ['*, zstd;q=0', 'br'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['gzip ; q=1.000', 'gzip'],
    ['gzip;level=9', undefined],
    [';;,,q=,', undefined],
    ['deflate', undefined],
  ])('for %j is %j', (accepted, expected) => {
    expect(chosenEncoding(accepted, ['zstd', 'br', 'gzip'])).toBe(expected);
  });

  it('gives the same bytes back, and leaves small answers as they are', async () => {
    const bytes = Buffer.from('odds '.repeat(1000));
    for (const [name, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const done = await compressed(bytes, name);
      expect(done?.encoding).toBe(name);
      expect(decode(done?.bytes ?? Buffer.alloc(0)).equals(bytes)).toBe(true);
    }
    expect(await compressed(bytes.subarray(0, 1023), 'gzip')).toBeUndefined();
    expect(await compressed(bytes, undefined)).toBeUndefined();
  });
});
