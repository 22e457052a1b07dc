import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DataError } from '../../../src/base/errors.js';
import { LIFETIME } from '../../../src/contract/lifetime.js';
import { MARKETS } from '../../../src/contract/markets.js';
import { PNL } from '../../../src/contract/pnl.js';
import { answer } from '../../../src/service/query/answer.js';
import { Database } from '../../../src/service/store/database.js';
import { openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import { writeMarketFiles } from '../../../src/service/store/write-market-files.js';
import { writeWalletFiles } from '../../../src/service/store/write-wallet-files.js';
import { makeTables } from './made-tables.js';

const FILES = [
  'wallet-days.bin',
  'wallet-market-days.bin',
  'lifetimes.bin',
  'wallet-records.bin',
  'markets.bin',
  'market-ids.bin',
];
const SLICE = { limit: 50, offset: 0 };

let whole: string;
let wallet: string;
let market: string;
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'oddslab-files-'));
  const db = await Database.open(join(whole, 'lab.duckdb'));
  await makeTables(db, { wallets: 20, days: 30, markets: 40 });
  await writeWalletFiles(db, whole);
  await writeMarketFiles(db, whole);
  const [row] = await db.rows<{ wallet: string; condition_id: string }>(
    'SELECT wallet, condition_id FROM wallet_market_days LIMIT 1',
  );
  ({ wallet, condition_id: market } = row ?? { wallet: '', condition_id: '' });
  await db.run('CHECKPOINT');
  db.close();
});
afterAll(() => rmSync(whole, { recursive: true }));

function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-files-'));
  cpSync(whole, folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What the store of a folder says of a wallet and of markets. */
async function said(folder: string): Promise<string[]> {
  const store = await openDuckDbStore(join(folder, 'lab.duckdb'));
  const pages = [
    await answer(store, PNL, { wallet: [wallet], granularity: '1w' }, SLICE),
    await answer(store, PNL, { wallet: [wallet], condition_id: [market] }, SLICE),
    await answer(store, MARKETS, { closed: true }, SLICE),
    await answer(store, MARKETS, { market_slug: 'storm' }, SLICE),
  ];
  store.close();
  return pages.map(({ results, completeness }) => `${completeness} ${results}`);
}

it('the database answers where a part of a file is damaged, and a warning names the file', async () => {
  const expected = await said(whole);
  expect(expected.every((page) => page.length > 500)).toBe(true);
  for (const name of ['wallet-days.bin', 'wallet-market-days.bin', 'wallet-records.bin', 'markets.bin']) {
    const folder = copy();
    const bytes = readFileSync(join(folder, name));
    bytes[100] = (bytes[100] ?? 0) ^ 4;
    writeFileSync(join(folder, name), bytes);
    const warned = once(process, 'warning');
    expect(await said(folder)).toEqual(expected);
    const [warning] = (await warned) as [Error];
    expect(warning.message).toContain(`${join(folder, name)} is damaged`);
  }
});

it('lifetimes that were read are answered from memory, whatever becomes of their file', async () => {
  const folder = copy();
  const store = await openDuckDbStore(join(folder, 'lab.duckdb'));
  onTestFinished(() => store.close());
  const said = () => store.page?.(LIFETIME, { wallet_address: [wallet] }, SLICE)?.results.toString();
  const first = said();
  expect(first).toContain(wallet);
  const path = join(folder, 'lifetimes.bin');
  writeFileSync(path, Buffer.alloc(statSync(path).size));
  expect(said()).toBe(first);
});

it('it answers alone where the files are missing', async () => {
  const folder = copy();
  for (const name of FILES) rmSync(join(folder, name));
  expect(await said(folder)).toEqual(await said(whole));
});

it.each(FILES)('a store does not open over a truncated %s', async (name) => {
  const folder = copy();
  truncateSync(join(folder, name), 200);
  await expect(openDuckDbStore(join(folder, 'lab.duckdb'))).rejects.toThrow(DataError);
});
