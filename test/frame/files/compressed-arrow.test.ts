import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unpackedLz4 } from '../../../src/frame/files/arrow-codecs.js';
import { readArrow } from '../../../src/frame/files/read-arrow.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { CHDB } from '../../service/clickhouse/chdb-server.js';
import { isAbsent } from '../../support/is-absent.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Files that a recent ClickHouse writes, in a process of its own: its library is native. */
function written(folder: string): string[] {
  const files = ['lz4_frame', 'zstd'].flatMap((method) =>
    ['Arrow', 'ArrowStream'].map((format) => ({ method, format, path: join(folder, `${method}-${format}`) })),
  );
  const statements = files.map(
    ({ method, format, path }) =>
      `INSERT INTO FUNCTION file('${path}', '${format}', 'n Int32, word String, x Nullable(Float64)') ` +
      "SELECT number % 1000, concat('wallet ', toString(number % 7)), if(number % 9 = 0, NULL, number / 4) " +
      `FROM numbers(100000) SETTINGS output_format_arrow_compression_method = '${method}'`,
  );
  const program = `const { query } = require(${JSON.stringify(CHDB)}); for (const sql of ${JSON.stringify(statements)}) query(sql, 'CSV');`;
  execFileSync(process.execPath, ['-e', program]);
  return files.map(({ path }) => path);
}

it.skipIf(isAbsent(CHDB, 'compressed Arrow files'))('Arrow files with LZ4 and Zstandard are read', async () => {
  for (const path of written(await temporaryFolder())) {
    const frame = await readArrow<{ n: number; word: string; x: number }>(path);
    expect(frame.shape).toEqual([100_000, 3]);
    const rows = Array.from({ length: 100_000 }, (_, row) => row);
    expect(column(frame, 'n').every((n, row) => n === row % 1000)).toBe(true);
    expect(column(frame, 'word')).toEqual(rows.map((row) => `wallet ${row % 7}`));
    expect(column(frame, 'x')).toEqual(Float64Array.from(rows, (row) => (row % 9 === 0 ? Number.NaN : row / 4)));
  }
});

/** A frame of the given blocks, without checksums; those with a text of bytes are stored as they are. */
function frameOf(...blocks: (readonly number[] | string)[]): Uint8Array {
  const parts = blocks.map((block) => {
    const bytes = Buffer.from(block as string);
    const head = Buffer.alloc(4);
    head.writeUInt32LE((bytes.length | (typeof block === 'string' ? 0x80000000 : 0)) >>> 0);
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0]), ...parts, Buffer.alloc(4)]);
}
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

it('an LZ4 frame has literals, matches that overlap, stored blocks and matches into earlier ones', () => {
  expect(text(unpackedLz4(frameOf()))).toBe('');
  // Two literals, then five bytes from two before.
  expect(text(unpackedLz4(frameOf([0x21, 0x61, 0x62, 2, 0, 0x10, 0x63])))).toBe('abababac');
  expect(text(unpackedLz4(frameOf('stored', [0x02, 6, 0, 0x10, 0x21])))).toBe('storedstored!');
  const long = frameOf([0x1f, 0x78, 1, 0, 255, 10, 0x10, 0x79]);
  expect(text(unpackedLz4(long))).toBe(`${'x'.repeat(1 + 15 + 255 + 10 + 4)}y`);
});

it('what is no LZ4 frame, or cut off, is refused', () => {
  const whole = frameOf('stored', [0x02, 6, 0, 0x10, 0x21]);
  for (let length = 0; length < whole.length; length += 1)
    expect(() => unpackedLz4(whole.subarray(0, length)), String(length)).toThrow(RangeError);
  expect(() => unpackedLz4(frameOf([0x10, 0x61, 2, 0, 0x10, 0x62]))).toThrow('before the content');
  expect(() => unpackedLz4(frameOf([0x10, 0x61, 0, 0, 0x10, 0x62]))).toThrow('before the content');
});
