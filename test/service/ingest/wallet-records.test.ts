import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { resultText } from '../../../src/cli/ingest-report.js';
import { readCompleteness, sentCompleteness, type WalletRecord } from '../../../src/contract/completeness.js';
import { faultsOf } from '../../../src/contract/completeness-words.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { activity, conditionOf, ended, gammaMarket, tokenOf, trade, walletOf } from '../../support/raw-records.js';
import { NEW_YEAR } from '../../support/small-market.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { fetched } from './fetched-folder.js';
import { tablesOf } from './tables-of.js';

const fill = { market: 1, side: 0, does: 'BUY', size: 10, price: 0.5, time: NEW_YEAR } as const;

/** A redemption of shares of a market, a day after the fills. */
const redemption = (wallet: number, market: number, size: number) =>
  activity('REDEEM', wallet, { conditionId: conditionOf(market), size, usdcSize: size, timestamp: NEW_YEAR + 86_400 });

it('each wallet with an event has a record of what was seen of it, and what is missing', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const stray = { ...trade({ ...fill, wallet: 5 }), asset: tokenOf(77, 0), conditionId: '' };
  const inputs = [
    await put(folder, 'm.json', [gammaMarket(1), gammaMarket(2, ended(0, '2026-01-03 00:00:00+00'))]),
    await put(folder, 't.json', [
      trade({ ...fill, wallet: 1 }),
      trade({ ...fill, wallet: 1, does: 'SELL', size: 4, time: NEW_YEAR + 60 }),
      trade({ ...fill, wallet: 2, does: 'SELL', size: 12.25, time: NEW_YEAR + 7 }),
      trade({ ...fill, wallet: 3, market: 8 }),
      trade({ ...fill, wallet: 3, market: 8, side: 1, time: NEW_YEAR + 1 }),
      trade({ ...fill, wallet: 3, market: 9, time: NEW_YEAR + 2 }),
      stray,
    ]),
    await put(folder, 'a.json', [redemption(4, 2, 30)]),
  ];
  await ingest({ folder: data, inputs });
  const { wallet_records: rows = [] } = await tablesOf(data);
  const record = (wallet: number, first: number, last: number, figures: object) => ({
    wallet: walletOf(wallet),
    first_ts: BigInt(NEW_YEAR + first),
    last_ts: BigInt(NEW_YEAR + last),
    untracked: 0n,
    redeemed: 0n,
    unknown_markets: 0,
    ...figures,
  });
  expect(rows).toMatchObject([
    record(1, 0, 60, { fills: 2 }),
    record(2, 7, 7, { fills: 1, untracked: 12_250_000n }),
    record(3, 0, 2, { fills: 3, unknown_markets: 2 }),
    record(4, 86_400, 86_400, { fills: 0, redeemed: 30_000_000n, untracked: expect.any(BigInt) }),
    // The only fill of a token that belongs to no market is left out of the ledger, but the wallet was seen.
    record(5, 0, 0, { fills: 1, unknown_markets: 1 }),
  ]);
});

/** Ingests inputs and gives what the folder says of its wallets. */
async function recordsOf(data: string, inputs: readonly string[]) {
  const { version } = await ingest({ folder: data, inputs });
  const { wallet_records: rows = [] } = await tablesOf(data);
  const texts = rows.map((row) => {
    const { wallet } = row as WalletRecord;
    const sent = readCompleteness({ [wallet]: JSON.parse(sentCompleteness(row as WalletRecord)) })?.[wallet];
    return [wallet, sent ? faultsOf(sent) : []] as const;
  });
  return { rows, version, faults: Object.fromEntries(texts) };
}

it('tells that only fills are known of wallets that a fetch of a market named, and what that fetch lacks', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const raw = join(folder, 'raw');
  const markets = [gammaMarket(1), gammaMarket(2)];
  const day = '2026-01-01T12:00:00Z';
  const lacks = { missing: [{ what: 'trades', from: null, until: day, why: 'down' }], complete: false };
  const trades = [trade({ ...fill, wallet: 1 }), trade({ ...fill, wallet: 2 })];
  await fetched(join(raw, 'm'), { trades, markets }, { kind: 'market', target: 'who-wins', ...lacks });
  const more = [trade({ ...fill, market: 2, wallet: 3 }), trade({ ...fill, market: 2, wallet: 2 })];
  await fetched(join(raw, 'e'), { trades: more }, { kind: 'event', target: 'a-race', complete: false, ended: null });
  const own = [{ ...trade({ ...fill, wallet: 1 }), type: 'TRADE', usdcSize: 5 }];
  await fetched(join(raw, 'w'), { activity: own }, { target: walletOf(1) });
  const other = await put(folder, 't.json', [trade({ ...fill, wallet: 4, market: 2 })]);
  const { faults } = await recordsOf(data, [raw, other]);
  const only = 'only its fills in fetched markets are known, not its splits, merges, redemptions and other markets';
  const [first, second] = ['trades of who-wins to 2026-01-01 12:00 (down)', 'trades of a-race (the fetch did not end)'];
  expect(faults).toEqual({
    [walletOf(1)]: [],
    [walletOf(2)]: [only, `fetch not complete: ${second}, ${first}`],
    [walletOf(3)]: [only, `fetch not complete: ${second}`],
    [walletOf(4)]: [],
  });
});

it('tells of closed markets without a result where shares are held, not where they were sold or redeemed', async () => {
  const folder = await temporaryFolder();
  const undecided = { closed: true, outcomePrices: '["0.6", "0.4"]', closedTime: '2026-01-03 00:00:00+00' };
  const inputs = [
    await put(folder, 'm.json', [gammaMarket(1, undecided), gammaMarket(2), gammaMarket(3, ended(0))]),
    await put(folder, 't.json', [
      trade({ ...fill, wallet: 1 }),
      trade({ ...fill, wallet: 2 }),
      trade({ ...fill, wallet: 2, does: 'SELL', time: NEW_YEAR + 9 }),
      trade({ ...fill, wallet: 3, market: 2 }),
      trade({ ...fill, wallet: 3, market: 3 }),
      trade({ ...fill, wallet: 4 }),
    ]),
    await put(folder, 'a.json', [redemption(4, 1, 10)]),
  ];
  const { rows } = await recordsOf(join(folder, 'data'), inputs);
  expect(rows.map((row) => (row as WalletRecord).undecided_markets)).toEqual([1, 0, 0, 0]);
});

it('counts the rows that were not understood by wallet, once in overlapping downloads, and none left out on purpose', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const good = (wallet: number) => activity('REDEEM', wallet, { conditionId: conditionOf(1), size: 1, usdcSize: 1 });
  const rows = [good(1), activity('BRIDGE', 1, { size: 7 }), activity('TIP', 1, { size: 3 }), good(2)];
  const skipped = async (inputs: readonly string[]) =>
    (await recordsOf(data, inputs)).rows.map((row) => (row as WalletRecord).skipped_rows);
  expect(await skipped([await put(folder, 'a.json', rows)])).toEqual([1, 0]);
  const later = [...rows, activity('BRIDGE', 1, { size: 8 }), good(3)];
  expect(await skipped([await put(folder, 'b.json', later)])).toEqual([2, 0, 0]);
  // A row of a wallet's own folder is the wallet's, even if it does not name it.
  const raw = join(folder, 'raw');
  const nameless = { ...activity('BRIDGE', 2, { size: 9 }), proxyWallet: '?' };
  await fetched(raw, { activity: [good(2), good(2), nameless] }, { target: walletOf(2) });
  expect(await skipped([raw])).toEqual([2, 1, 0]);
  expect((await recordsOf(data, [raw])).faults[walletOf(1)]).toContain(
    '2 rows of its record not understood and left out',
  );
  // It leaves with the row.
  await fetched(raw, { activity: [good(2)] }, { target: walletOf(2), started: '2026-01-05T00:00:00Z' });
  expect(await skipped([raw])).toEqual([2, 0, 0]);
});

it('says of a wallet with rewards alone that no trade is known', async () => {
  const folder = await temporaryFolder();
  const rows = [activity('REWARD', 1, { usdcSize: 7 }), activity('REWARD', 2, { usdcSize: 2 }), redemption(2, 1, 5)];
  const { version, faults } = await recordsOf(join(folder, 'data'), [await put(folder, 'a.json', rows)]);
  expect(faults[walletOf(1)]).toEqual(['only $7.00 of rewards are known: no trade']);
  expect(faults[walletOf(2)]?.join()).not.toContain('rewards');
  expect(version.manifest.totals).toMatchObject({ wallets: 1, income_only_wallets: 1 });
  expect(resultText({ version, reports: [], known: [], left: [], examples: new Map() })).toContain(
    '1 wallet, beside 1 wallet with rewards alone (version 000001)',
  );
});

it('tells that a sample was simulated, also beside other records, and of nothing but its own bytes', async () => {
  const folder = await temporaryFolder();
  const sample = join(folder, 'sample');
  await simulate({ out: sample, markets: 12, wallets: 9, fills: 400, seed: 7 });
  const traded = await put(folder, 't.json', [trade({ ...fill, wallet: 1 })]);
  const data = join(folder, 'data');
  const simulated = async () => {
    const { wallet_records: rows = [] } = await tablesOf(data);
    const records = rows as (WalletRecord & { wallet: string })[];
    return records.map((record) => [record.wallet === walletOf(1), /"simulated":true/.test(sentCompleteness(record))]);
  };
  await ingest({ folder: data, inputs: [sample] });
  expect((await simulated()).map(([, is]) => is)).toEqual(Array.from({ length: 9 }, () => true));
  // Later versions know it, too, and ingesting it again changes nothing.
  await ingest({ folder: data, inputs: [traded, join(sample, 'trades.json')] });
  const both = await simulated();
  expect(both).toHaveLength(10);
  expect(both.filter(([isOther, is]) => isOther === is)).toEqual([]);
  // A packed file is what is in it.
  const plain = await readFile(join(sample, 'trades.json'));
  const packedAlone = async (name: string, bytes: Uint8Array) => {
    const at = join(folder, `of-${name}`);
    await ingest({ folder: at, inputs: [await put(sample, name, bytes)] });
    const { wallet_records: records = [] } = await tablesOf(at);
    return new Set((records as WalletRecord[]).map((record) => record.simulated));
  };
  expect(await packedAlone('trades.json.gz', gzipSync(plain))).toEqual(new Set([true]));
  expect(await packedAlone('other.json.gz', gzipSync(plain))).toEqual(new Set([null]));
  const longer = Buffer.concat([plain, Buffer.from('\n')]);
  expect(await packedAlone('trades.json.packed', gzipSync(longer))).toEqual(new Set([null]));
  // A file beside the manifest that it does not describe is of nobody knows whom.
  await put(sample, 'trades.json', [trade({ ...fill, wallet: 2 })]);
  const other = join(folder, 'other');
  await ingest({ folder: other, inputs: [join(sample, 'trades.json')] });
  const { wallet_records: rows = [] } = await tablesOf(other);
  expect(rows).toMatchObject([{ wallet: walletOf(2), simulated: null }]);
});
