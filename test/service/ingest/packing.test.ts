import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { quoteText } from '../../../src/base/duckdb.js';
import { InputError } from '../../../src/base/errors.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { Database } from '../../../src/service/store/database.js';
import fc from '../../support/fast-check.js';
import { ended, type FillOf, gammaMarket, trade } from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { csvOf, parquetOf, storedZstd } from './other-formats.js';
import { tablesOf } from './tables-of.js';

const T = 1_767_225_600;
const FILLS = Array.from({ length: 24 }, (_, n) =>
  trade({
    wallet: (n % 3) + 1,
    market: (n % 2) + 1,
    side: n % 5 === 0 ? 1 : 0,
    does: n % 4 === 3 ? 'SELL' : 'BUY',
    size: 1 + n / 8,
    price: (n % 9) / 10 + 0.05,
    time: T + Math.floor(n / 2) * 40_000,
    tx: n,
  } satisfies FillOf),
);
const MARKETS = [gammaMarket(1, ended(0, '2026-01-03 00:00:00+00')), gammaMarket(2)];

const FORMS = {
  list: (records: readonly object[]) => JSON.stringify(records),
  lines: (records: readonly object[]) => records.map((each) => JSON.stringify(each)).join('\n'),
  csv: (records: readonly Record<string, unknown>[]) => csvOf(records),
};
const PACKED = {
  plain: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => Buffer.concat([gzipSync(bytes.subarray(0, 40)), gzipSync(bytes.subarray(40))]),
  zstd: (bytes: Buffer) => storedZstd(bytes, 500),
};

it('gives the same version for any split, order, form, packing and batching', async () => {
  const folder = await temporaryFolder();
  await ingest({
    folder: join(folder, 'plain'),
    inputs: [await put(folder, 'm.json', MARKETS), await put(folder, 't.json', FILLS)],
  });
  const plain = await tablesOf(join(folder, 'plain'));
  const part = fc.record({
    form: fc.constantFrom(...Object.values(FORMS)),
    pack: fc.constantFrom(...Object.values(PACKED)),
  });
  let run = 0;
  const property = fc.asyncProperty(
    fc.shuffledSubarray(FILLS, { minLength: FILLS.length }),
    fc.array(part, { minLength: 1, maxLength: 4 }),
    part,
    fc.boolean(),
    async (fills, parts, { pack }, isOneByOne) => {
      const at = (name: string) => `${run}-${name}`;
      run++;
      const share = Math.ceil(fills.length / parts.length);
      const inputs = [await put(folder, at('m'), pack(Buffer.from(FORMS.list(MARKETS))))];
      for (const [i, { form, pack }] of parts.entries()) {
        const records = fills.slice(i * share, (i + 1) * share);
        if (records.length > 0) inputs.push(await put(folder, at(`t${i}`), pack(Buffer.from(form(records)))));
      }
      const data = join(folder, at('data'));
      const batches = isOneByOne ? inputs.reverse().map((input) => [input]) : [inputs];
      for (const batch of batches) await ingest({ folder: data, inputs: batch });
      expect(await tablesOf(data)).toEqual(plain);
    },
  );
  await fc.assert(property, { numRuns: 3 });
});

describe('what is packed', () => {
  it('is known by its content, however it is packed', async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const text = Buffer.from(FORMS.lines(FILLS));
    const gz = await put(folder, 'a.gz', gzipSync(text));
    const inputs = [await put(folder, 'a.json', text), gz, await put(folder, 'a', storedZstd(text))];
    const { known, reports } = await ingest({ folder: data, inputs });
    expect(reports).toMatchObject([{ file: inputs[0], kept: FILLS.length }]);
    expect(known).toEqual(inputs.slice(1));
  });

  it('may be zstd that begins with a frame to be skipped', async () => {
    const folder = await temporaryFolder();
    const skipped = Buffer.from('502a4d18040000000c000000', 'hex');
    const bytes = Buffer.concat([skipped, storedZstd(Buffer.from(FORMS.lines(FILLS)))]);
    const { reports } = await ingest({ folder: join(folder, 'data'), inputs: [await put(folder, 'a.zst', bytes)] });
    expect(reports).toMatchObject([{ kept: FILLS.length, skipped: {} }]);
  });

  it('may be compressed zstd, or Parquet in gzip', async () => {
    const folder = await temporaryFolder();
    const lines = await put(folder, 't.jsonl', FORMS.lines(FILLS));
    const zst = join(folder, 't.zst');
    const db = await Database.open(':memory:');
    await db.run(
      `COPY (SELECT * FROM read_json(${quoteText(lines)})) TO ${quoteText(zst)} (FORMAT json, COMPRESSION zstd)`,
    );
    db.close();
    const parquet = await parquetOf(lines, join(folder, 't.parquet'));
    const packed = await put(folder, 'p.gz', gzipSync(await readFile(parquet)));
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await ingest({ folder: a, inputs: [zst] });
    await ingest({ folder: b, inputs: [packed] });
    expect(await tablesOf(b)).toEqual(await tablesOf(a));
    expect((await tablesOf(a)).lifetimes).toHaveLength(3);
  });

  it.each([
    ['gzip', gzipSync(Buffer.from(FORMS.lines(FILLS))).subarray(0, -20)],
    ['zstd', storedZstd(Buffer.from(FORMS.lines(FILLS))).subarray(0, -20)],
    ['gzip of a list that is cut off', gzipSync(Buffer.from(FORMS.list(FILLS).slice(0, -1)))],
  ])('and cut off is refused: %s', async (_, bytes) => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'in', bytes);
    await expect(ingest({ folder: join(folder, 'data'), inputs: [input] })).rejects.toThrow(/in .*cut off/);
  });
  it('and has one bit flipped is refused, wherever it is: zstd with a checksum', async () => {
    const folder = await temporaryFolder();
    // 24 fills, the first two of which share a line, by `zstd --check`.
    const whole = fileURLToPath(new URL('checked.jsonl.zst', import.meta.url));
    const { reports } = await ingest({ folder: join(folder, 'whole'), inputs: [whole] });
    expect(reports).toMatchObject([{ kept: 24 }]);
    const bytes = await readFile(whole);
    for (let part = 1; part <= 8; part++) {
      const flipped = Buffer.from(bytes);
      const at = Math.floor((bytes.length * part) / 8) - 1;
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (part % 8));
      const input = await put(folder, 'flipped.zst', flipped);
      const ingesting = ingest({ folder: join(folder, 'data'), inputs: [input] });
      await expect(ingesting, `byte ${at}`).rejects.toThrow(InputError);
    }
  });
});
