import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MARKETS } from '../../../src/contract/markets.js';
import { pageFromRows } from '../../../src/service/query/answer.js';
import { Database } from '../../../src/service/store/database.js';
import { duckDbRows, openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import type { MarketRow, Store } from '../../../src/service/store/store.js';
import { SEGMENT } from '../../../src/service/store/trigrams.js';
import { writeMarketFiles } from '../../../src/service/store/write-market-files.js';
import { writeWalletFiles } from '../../../src/service/store/write-wallet-files.js';
import fc from '../../support/fast-check.js';
import { makeTables } from './made-tables.js';

let folder: string;
let quick: Store;
let rows: Store;
let some: MarketRow[];

/** What some questions begin with. */
const LETTERS = 'İstanbul, ẞ or 50%_? ΟΔΥΣΣΕΥΣ';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-search-'));
  const path = join(folder, 'lab.duckdb');
  const db = await Database.open(path);
  // A segment and a part of another one.
  await makeTables(db, { wallets: 2, days: 3, markets: SEGMENT + 3000 });
  // Letters that LIKE and JSON read as others, of several bytes, and whose lower case has another length.
  await db.run(`
    UPDATE market_rows SET slug = slug || '-100%_a\\b"c', question = '${LETTERS} ' || question,
      searched = lower(concat_ws(chr(0), slug || '-100%_a\\b"c', event_slug, '${LETTERS} ' || question))
    WHERE volume % 997 = 0`);
  await writeWalletFiles(db, folder);
  await writeMarketFiles(db, folder);
  await db.run('CHECKPOINT');
  db.close();
  quick = await openDuckDbStore(path);
  rows = duckDbRows(await Database.open(path, { locked: true, threads: 1 }));
  some = await rows.markets({}, { limit: SEGMENT + 3000, offset: 0 });
});
afterAll(async () => {
  quick.close();
  rows.close();
  await rm(folder, { recursive: true, force: true });
});

it('a search gives the bytes that the database gives, for common and rare texts, in all cases, on every page', async () => {
  const piece = fc
    .tuple(fc.nat(), fc.nat(70), fc.integer({ min: 3, max: 24 }), fc.constantFrom('lower', 'upper', 'as it is'))
    .map(([row, from, length, letters]) => {
      const market = some[row % some.length];
      const text = `${market?.slug}\n${market?.question}`.slice(from, from + length);
      return letters === 'lower' ? text.toLowerCase() : letters === 'upper' ? text.toUpperCase() : text;
    });
  const needle = fc.oneof(
    { weight: 3, arbitrary: piece },
    { weight: 3, arbitrary: fc.integer({ min: 10_000, max: 99_999 }).map((number) => `-${number}`) },
    { weight: 2, arbitrary: fc.nat(99_999).map((number) => `${number}`.padStart(3, '0')) },
    fc.constantFrom(
      '%_%',
      '-100%_a\\B"c',
      '50%_',
      '___',
      'İSTANBUL',
      'i̇stanbul',
      'ẞ OR',
      'ß or',
      'CAFÉ',
      'ΟΔΥΣΣΕΥΣ',
      'zzzzzz',
    ),
    fc.string({ minLength: 3, maxLength: 8, unit: 'binary' }),
  );
  const query = fc.record({
    market_slug: needle,
    closed: fc.option(fc.boolean(), { nil: undefined, freq: 3 }),
    min_volume: fc.option(fc.bigInt(0n, 1_000_000_000_000n), { nil: undefined, freq: 4 }),
  });
  const slice = fc.record({
    limit: fc.constantFrom(1, 2, 7, 200),
    offset: fc.oneof(fc.constant(0), fc.nat(4), fc.nat(70_000)),
  });
  let [tried, found] = [0, 0];
  await fc.assert(
    fc.asyncProperty(query, slice, async (filters, page) => {
      tried++;
      const expected = await pageFromRows(rows, MARKETS, { ...filters }, page);
      const straight = quick.page?.(MARKETS, { ...filters }, page);
      expect([straight?.results.toString(), straight?.has_more]).toEqual([
        expected.results.toString(),
        expected.has_more,
      ]);
      if (expected.results.length > 2) found++;
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(tried / 5);
});

it('a market is found by what stands in it letter for letter, on both ways, and not by what two of its fields make', async () => {
  const market = some.find(({ question, event_slug }) => question?.startsWith(LETTERS) && event_slug);
  const first = { limit: 1000, offset: 0 };
  const finds = async (market_slug: string) => {
    const filters = { market_slug };
    const pages = [quick.page?.(MARKETS, filters, first), await pageFromRows(rows, MARKETS, filters, first)];
    return pages.map((page) => page?.results.toString().includes(`"${market?.condition_id}"`));
  };
  for (const text of ['İstanbul', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευσ', 'ẞ or', `${market?.slug}`, `${market?.question}`]) {
    expect([text, ...(await finds(text))]).toEqual([text, true, true]);
  }
  for (const gap of ['\n', '', ' ']) {
    expect(await finds(`${market?.slug}${gap}${market?.event_slug}`)).toEqual([false, false]);
  }
});
