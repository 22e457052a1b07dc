import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { isAbsent } from '../../support/is-absent.js';
import {
  activity,
  conditionOf,
  ended,
  type FillOf,
  gammaMarket,
  tokenOf,
  trade,
  txOf,
  walletOf,
} from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { clobMarket } from './other-formats.js';
import { tablesOf } from './tables-of.js';

const at = (iso: string) => Date.parse(`${iso}Z`) / 1000;
const DAY = 86_400;

/** What some ingests of records, one after the other, give: dollars and shares as numbers, and doubts by reason. */
async function resultOf(...ingests: readonly (readonly object[])[][]) {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  let doubts: Readonly<Record<string, number>> = {};
  for (const [n, files] of ingests.entries()) {
    const inputs = files.map((records, file) => put(folder, `${n}-${file}.json`, records));
    const { version } = await ingest({ folder: data, inputs: await Promise.all(inputs) });
    doubts = version.manifest.doubtful;
  }
  const tables = (await tablesOf(data)) as Record<string, Record<string, bigint | number | string | null>[]>;
  const dollars = (n: unknown) => Number(n) / 1e6;
  const ofMarkets = (tables.wallet_market_days ?? []).map(({ wallet, condition_id, day, pnl, wins, losses }) => ({
    ...{ wallet: Number(wallet), market: Number(condition_id), day: Number(day), pnl: dollars(pnl), wins, losses },
  }));
  const records = Object.fromEntries(
    (tables.wallet_records ?? []).map(
      ({ wallet, untracked, over_redeemed, short_paid, fills, scheduled_fees, unstated_fees }) => [
        Number(wallet),
        {
          ...{ untracked: dollars(untracked), over: dollars(over_redeemed), short: dollars(short_paid) },
          ...{ fills, scheduled_fees, unstated_fees },
        },
      ],
    ),
  );
  const pnl = Object.fromEntries((tables.lifetimes ?? []).map((row) => [Number(row.wallet), dollars(row.pnl)]));
  const markets = Object.fromEntries((tables.market_rows ?? []).map((row) => [Number(row.condition_id), row]));
  return { ofMarkets, records, pnl, markets, doubts };
}

const fill = (does: 'BUY' | 'SELL', size: number, price: number, time: number, rest: Partial<FillOf> = {}) =>
  trade({ wallet: 1, market: 1, side: 0, does, size, price, time, ...rest });
const act = (type: string, time: number, size: number, rest: object = {}) =>
  activity(type, 1, {
    timestamp: time,
    size,
    usdcSize: size,
    conditionId: conditionOf(1),
    transactionHash: txOf(time),
    ...rest,
  });

describe('a market whose close is only its end date', () => {
  const bought = fill('BUY', 100, 0.5, at('2026-01-05T15:00:00'));
  const sold = fill('SELL', 100, 0.9, at('2026-01-05T18:00:00'));
  const end = { endDate: '2026-01-05T16:00:00Z' };
  const noWins: Record<string, unknown> = { ...ended(1), ...end, closedTime: null };

  it.each([
    ['from the CLOB', clobMarket(gammaMarket(1, noWins))],
    ['from Gamma', gammaMarket(1, noWins)],
  ])(
    'settles after its last trade: a sale two hours after the end date realizes 40 dollars, %s',
    async (__, market) => {
      const { ofMarkets, records } = await resultOf([[market], [bought, sold]]);
      expect(ofMarkets).toEqual([
        { wallet: 1, market: 1, day: at('2026-01-05T00:00:00') / DAY, pnl: 40, wins: 1, losses: 0 },
      ]);
      expect(records[1]).toMatchObject({ untracked: 0 });
    },
  );

  it('settles for all wallets after the last event of any, and of the markets that exclude it', async () => {
    const day = at('2026-01-09T00:00:00') / DAY;
    const markets = [1, 2, 3]
      .map((n) => clobMarket({ ...gammaMarket(n, noWins), closed: true }))
      .map((market) => ({ ...market, neg_risk: true, neg_risk_market_id: '0xg' }));
    const late = fill('BUY', 1, 0.5, at('2026-01-09T09:00:00'), { wallet: 2 });
    expect((await resultOf([[markets[0] as object], [bought, late]])).ofMarkets).toContainEqual({
      ...{ wallet: 1, market: 1, day, pnl: -50, wins: 0, losses: 1 },
    });
    const conversion = act('CONVERSION', at('2026-01-09T09:00:00'), 5, {
      ...{ proxyWallet: walletOf(2), conditionId: conditionOf(3), asset: tokenOf(3, 1) },
    });
    expect((await resultOf([markets, [bought], [conversion]])).ofMarkets).toContainEqual({
      ...{ wallet: 1, market: 1, day, pnl: -50, wins: 0, losses: 1 },
    });
  });

  it('gives each wallet of the sample the profit that it has with the close times', async () => {
    const folder = await temporaryFolder();
    const { files } = await simulate({ out: join(folder, 'sample'), markets: 60, wallets: 20, fills: 3_000, seed: 3 });
    const path = files.find((file) => file.endsWith('markets.json')) ?? '';
    const markets: Record<string, unknown>[] = JSON.parse(readFileSync(path, 'utf8'));
    const timeless = await put(
      folder,
      'timeless.json',
      markets.map(({ closedTime: __, ...market }) => market),
    );
    const others = files.filter((file) => file !== path);
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await ingest({ folder: a, inputs: [path, ...others] });
    await ingest({ folder: b, inputs: [timeless, ...others] });
    const profits = async (data: string) =>
      (await tablesOf(data)).lifetimes?.map((row) => [
        Reflect.get(Object(row), 'pnl'),
        Reflect.get(Object(row), 'untracked'),
      ]);
    expect(await profits(b)).toEqual(await profits(a));
  });

  it('that resolved early settles when its record was made or, where that is not told, at its last event', async () => {
    const early = { ...noWins, endDate: '2999-01-01T00:00:00Z' };
    const days = async (market: object) => (await resultOf([[market], [bought]])).ofMarkets.map(({ day }) => day);
    const first = at('2026-01-05T00:00:00') / DAY;
    expect(await days(gammaMarket(1, early))).toEqual([first, at('2026-01-25T00:00:00') / DAY]);
    expect(await days(clobMarket(gammaMarket(1, early)))).toEqual([first]);
  });

  it('settles no later than when somebody redeems', async () => {
    const redeemed = act('REDEEM', at('2026-01-07T00:00:00'), 0, { proxyWallet: walletOf(2) });
    const market = clobMarket(gammaMarket(1, { ...noWins, endDate: '2026-01-30T00:00:00Z' }));
    const { ofMarkets } = await resultOf([[market], [bought], [redeemed]]);
    expect(ofMarkets.filter(({ wallet }) => wallet === 1).map(({ day }) => day)).toEqual([
      at('2026-01-05T00:00:00') / DAY,
      at('2026-01-07T00:00:00') / DAY,
    ]);
  });
});

describe('the latest record of a market', () => {
  const held = [fill('BUY', 10, 0.4, at('2026-01-05T15:00:00'))];
  const won = gammaMarket(1, { ...ended(0), updatedAt: '2026-01-21T00:00:00Z' });
  const disputed = { ...won, outcomePrices: '["0.6", "0.4"]' };
  const open = gammaMarket(1, { outcomePrices: '["0.6", "0.4"]' });
  const later = { updatedAt: '2026-01-23T00:00:00Z' };
  const timeless = (record: object) => ({ ...record, updatedAt: null });
  const TAKEN = 'market of which a later record takes the winner back (not settled)';
  const OPEN = 'market that was closed with a winner and is open again in a later record (not settled)';
  const DIFFER = 'market whose records state different winners (the latest of the best source was taken)';

  it.each<[string, object[][], number, Record<string, number>]>([
    ['takes the winner back', [[won, { ...disputed, ...later }]], 0, { [TAKEN]: 1 }],
    ['takes it back though it came first', [[{ ...disputed, ...later }], [won]], 0, { [TAKEN]: 1 }],
    ['takes it back by the later ingest', [[timeless(won)], [timeless(disputed)]], 0, { [TAKEN]: 1 }],
    ['gives it back by the later ingest', [[timeless(disputed)], [timeless(won)]], 6, {}],
    ['opens the market again', [[won, { ...open, ...later }]], 0, { [OPEN]: 1 }],
    ['lets another side win', [[won, { ...won, ...ended(1), ...later }]], -4, { [DIFFER]: 1 }],
    ['gets a winner from a later CLOB record', [[won, { ...disputed, ...later }], [clobMarket(won)]], 6, {}],
    [
      'gets none from a CLOB record of before',
      [[clobMarket(won)], [won, { ...disputed, ...later }]],
      0,
      { [TAKEN]: 1 },
    ],
  ])('%s', async (_, ingests, pnl, told) => {
    const [first = [], ...rest] = ingests;
    const { pnl: found, doubts, markets } = await resultOf([first, held], ...rest.map((records) => [records]));
    expect(found[1]).toBe(pnl);
    expect(markets[1]).toMatchObject({ closed: !(OPEN in told), winner: pnl === 0 ? null : pnl > 0 ? 0 : 1 });
    const ofRecords = Object.entries(doubts).filter(([reason]) => [TAKEN, OPEN, DIFFER].includes(reason));
    expect(Object.fromEntries(ofRecords)).toEqual(told);
  });
});

describe('a redemption', () => {
  const MORE = 'wallet and market with more redeemed than the winning shares that were seen (untracked)';
  const LESS = 'wallet and market with less paid than the winning shares that were held (each counts a dollar)';
  const market = gammaMarket(1, ended(0));
  const after = at('2026-01-22T00:00:00');
  const bought = fill('BUY', 10, 0.4, at('2026-01-05T15:00:00'));

  it.each<[string, object[], { untracked: number; over: number; short: number }, Record<string, number>]>([
    ['of what was held is right', [bought, act('REDEEM', after, 10)], { untracked: 0, over: 0, short: 0 }, {}],
    ['of more is untracked', [bought, act('REDEEM', after, 16)], { untracked: 6, over: 6, short: 0 }, { [MORE]: 1 }],
    ['of less is told', [bought, act('REDEEM', after, 7)], { untracked: 0, over: 0, short: 3 }, { [LESS]: 1 }],
    [
      'in two parts is right',
      [bought, act('REDEEM', after, 7), act('REDEEM', after + 9 * DAY, 3)],
      { untracked: 0, over: 0, short: 0 },
      {},
    ],
    [
      'beside a sale after the close is right',
      [bought, fill('SELL', 4, 0.999, after - 60), act('REDEEM', after, 6)],
      { untracked: 0, over: 0, short: 0 },
      {},
    ],
  ])('%s', async (_, records, found, told) => {
    const fills = records.filter((row) => !('type' in row));
    const { records: ofWallets, doubts } = await resultOf(
      [[market], fills, records.filter((row) => 'type' in row)].filter((file) => file.length > 0),
    );
    expect(ofWallets[1]).toMatchObject(found);
    expect(Object.fromEntries(Object.entries(doubts).filter(([reason]) => [MORE, LESS].includes(reason)))).toEqual(
      told,
    );
  });

  it('alone is a wallet of which nothing is known, not no wallet', async () => {
    const { pnl, records } = await resultOf([[market], [act('REDEEM', after, 16)]]);
    expect([pnl, records[1]]).toMatchObject([{ 1: 0 }, { untracked: 16, over: 16 }]);
  });

  const file = fileURLToPath(new URL('../../../../shared/data/data_api_activity.json', import.meta.url));
  it.skipIf(isAbsent(file, "one wallet's activity"))(
    'of 21.2 million shares beside 2.6 million bought is told, with market records or without',
    async () => {
      const rows: Record<string, unknown>[] = JSON.parse(readFileSync(file, 'utf8'));
      const ids = [...new Set(rows.map((row) => String(row.conditionId)).filter((id) => id !== ''))];
      const markets = ids.map((conditionId, n) => {
        const held = rows.find((row) => row.conditionId === conditionId && row.asset !== '');
        const tokens = held?.outcomeIndex === 0 ? [held.asset, `7${n}`] : [`7${n}`, held?.asset];
        const closedTime = '2026-07-15 00:00:00+00';
        return gammaMarket(n + 1, {
          ...{ ...ended(held?.outcomeIndex === 0 ? 0 : 1, closedTime), conditionId, endDate: '2026-07-15T00:00:00Z' },
          clobTokenIds: JSON.stringify(tokens),
        });
      });
      for (const files of [[rows], [rows, markets]]) {
        const { pnl, records, doubts } = await resultOf(files);
        const [wallet = ''] = Object.keys(pnl);
        expect(pnl[wallet]).toBeCloseTo(1_276_133.666, 2);
        expect(records[wallet]?.over).toBeCloseTo(21_176_454.568808 - 2_614_906.896243, 3);
        expect(records[wallet]?.untracked).toBe(records[wallet]?.over);
        expect(doubts[MORE]).toBe(2);
      }
    },
  );
});

describe('shares bought after the close', () => {
  it('and sold again are no untracked shares; a sale after the close mends the profit', async () => {
    const market = gammaMarket(1, ended(0));
    const after = at('2026-01-22T00:00:00');
    const { ofMarkets, records } = await resultOf([
      [market],
      [fill('BUY', 10, 0.9, after), fill('SELL', 4, 0.95, after + DAY), fill('SELL', 6, 1, after + DAY + 1)],
    ]);
    expect(records[1]).toMatchObject({ untracked: 0 });
    expect(ofMarkets.map(({ pnl, wins, losses }) => [pnl, wins, losses])).toEqual([
      [1, 1, 0],
      [-0.2, 0, 0],
    ]);
  });
});

describe('the fee of a fill', () => {
  const MIXED = 'wallet with fills whose fee is known and fills whose fee is not (its profit mixes both)';
  const schedule = (feeSchedule: object) => gammaMarket(1, { ...ended(0), feesEnabled: true, feeSchedule });
  const times = ['2026-01-05T15:00:00', '2026-01-06T15:00:00'].map(at) as [number, number];
  const fills = [fill('BUY', 100, 0.4, times[0]), fill('SELL', 100, 0.7, times[1])];

  it('is taken from the schedule where all pay it, rounded down to 5 decimals', async () => {
    const { pnl, records } = await resultOf([[schedule({ rate: 0.0512345, exponent: 1, takerOnly: false })], fills]);
    // 100 · 0.0512345 · 0.24 = 1.229628, and · 0.21 = 1.0759245.
    expect(pnl[1]).toBe(30 - 1.22962 - 1.07592);
    expect(records[1]).toMatchObject({ scheduled_fees: 2 });
  });

  it.each([
    ['only takers pay, since fills do not tell who took', { rate: 0.05, exponent: 1, takerOnly: true }],
    ['the schedule does not tell who pays', { rate: 0.05, exponent: 1 }],
    ['nobody pays', { rate: 0, exponent: 1, takerOnly: true }],
  ])('is not guessed where %s', async (_, fees) => {
    const { pnl, records } = await resultOf([[schedule(fees)], fills]);
    expect([pnl[1], records[1]?.scheduled_fees]).toEqual([30, 0]);
  });

  it('is not added to dollars that include it, and a wallet of both kinds is told', async () => {
    const [buy, sell] = fills as [object, object];
    const stated = { ...buy, type: 'TRADE', usdcSize: 41.2 };
    const market = schedule({ rate: 0.05, exponent: 1, takerOnly: true });
    const { pnl, doubts } = await resultOf([[market], [stated], [sell]]);
    expect([pnl[1], doubts[MIXED]]).toEqual([28.8, 1]);
    const all = schedule({ rate: 0.05, exponent: 1, takerOnly: false });
    const known = await resultOf([[all], [stated], [sell]]);
    expect([known.pnl[1], known.doubts[MIXED]]).toEqual([28.8 - 1.05, undefined]);
  });

  const activityV2 = (side: 'BUY' | 'SELL', size: number, price: number, usdc_size: number, timestamp: number) => ({
    ...{ type: 'TRADE', proxy_wallet: walletOf(1), condition_id: conditionOf(1), token_id: tokenOf(1, 0) },
    ...{ side, size, price, usdc_size, timestamp, transaction_hash: txOf(timestamp), outcome_index: 0 },
  });

  it('is not in stated dollars that are price times shares: where every fill pays, the schedule tells it', async () => {
    const market = schedule({ rate: 0.05, exponent: 1, takerOnly: false });
    const paidNothing = [activityV2('BUY', 76, 0.5, 38, times[0])];
    const one = await resultOf([[market], paidNothing]);
    expect([one.pnl[1], one.records[1]]).toMatchObject([37.05, { scheduled_fees: 1 }]);
    // A price of ten decimals and dollars of six: 1.739726 is 2.739725 shares at 0.6350002281.
    const rounded = await resultOf([[market], [activityV2('BUY', 2.739725, 0.6350002281, 1.739726, times[0])]]);
    expect(rounded.pnl[1]).toBeCloseTo(2.739725 - 1.739726 - 0.03174, 9);
    // Dollars that hold a fee stay as they are stated; what is stated with it in one download has it once.
    const stated = activityV2('BUY', 76, 0.5, 38.95, times[0]);
    const sold = activityV2('SELL', 76, 0.7, 53.2, times[1]);
    const both = await resultOf([[market], [stated], paidNothing, [sold]]);
    expect([both.pnl[1], both.records[1]]).toMatchObject([13.452, { fills: 2, scheduled_fees: 1 }]);
  });

  it('that none of the fills states where takers pay is noted, and added to none, since a maker pays none', async () => {
    const market = schedule({ rate: 0.05, exponent: 1, takerOnly: true });
    const plain = [activityV2('BUY', 76, 0.5, 38, times[0]), activityV2('SELL', 76, 0.7, 53.2, times[1])];
    const all = await resultOf([[market], plain]);
    expect([all.pnl[1], all.records[1]]).toMatchObject([15.2, { scheduled_fees: 0, unstated_fees: 2 }]);
    const taker = await resultOf([[market], plain, [activityV2('BUY', 10, 0.5, 5.125, times[0] + 1)]]);
    expect(taker.records[1]).toMatchObject({ fills: 3, unstated_fees: 0 });
    const free = await resultOf([[schedule({ rate: 0, exponent: 1, takerOnly: true })], plain]);
    expect(free.records[1]).toMatchObject({ unstated_fees: 0 });
  });
});

/** A token as `/v2/tokens` gives it. */
const token = (token_id: string, condition: number | string, outcome_index: number, rest: object = {}) => ({
  ...{ token_id, condition_id: typeof condition === 'number' ? conditionOf(condition) : condition, outcome_index },
  ...{ event_id: '77', neg_risk: false, neg_risk_question_index: null, opposite_token_id: null, ...rest },
});
const resolution = (condition: string, payouts: number[], resolved: string) => ({
  ...{ question_id: null, condition_id: condition, status: 'resolved', payouts, resolved_at: at(resolved) },
});

describe('a migration', () => {
  const times = ['2026-01-05T15:00:00', '2026-01-06T15:00:00', '2026-01-07T15:00:00'].map(at) as [
    number,
    number,
    number,
  ];
  const bought = [fill('BUY', 10, 0.4, times[0])];
  const soldAs = (asset: string, conditionId: string) => [{ ...fill('SELL', 10, 0.7, times[2]), asset, conditionId }];
  const NEXT = `0x02${'ab'.repeat(29)}0100`;
  const migration = [act('MIGRATION', times[1], 10, { usdcSize: 0 })];
  const tokensOf = (next: string | number) => [
    ...[0, 1].map((side) => token(tokenOf(1, side as 0 | 1), 1, side)),
    ...[0, 1].map((side) => token(`8${side}`, next, side)),
  ];

  it.each([
    ['of the same market', 1, conditionOf(1)],
    ['of a market of its own', NEXT, NEXT],
  ])('carries position and cost over to token ids %s, without a profit', async (_, next, stated) => {
    const files = [[gammaMarket(1)], tokensOf(next), bought, migration, soldAs('80', stated)];
    const { ofMarkets, records } = await resultOf(files);
    expect(ofMarkets.filter(({ pnl }) => pnl !== 0).map(({ pnl, day }) => [pnl, day])).toEqual([
      [3, Math.floor(times[2] / DAY)],
    ]);
    expect(records[1]).toMatchObject({ untracked: 0 });
  });

  it('that names the market which the shares go to takes them from where they were', async () => {
    const named = [{ ...migration[0], conditionId: NEXT, asset: '80' }];
    const files = [[gammaMarket(1)], tokensOf(NEXT), bought, named, soldAs('80', NEXT)];
    expect(await resultOf(files)).toMatchObject({ pnl: { 1: 3 }, records: { 1: { untracked: 0 } } });
  });

  it('to token ids that are not known leaves the shares untracked, and says so', async () => {
    const { pnl, records, doubts } = await resultOf([[gammaMarket(1, ended(0))], bought, migration]);
    expect([pnl[1], records[1]?.untracked]).toEqual([0, 10]);
    expect(doubts).toMatchObject({
      'migration whose new token ids are not known (its shares leave without a profit or a loss)': 1,
    });
  });
});

describe('a conversion without a token', () => {
  const [first, second] = ['2026-01-05T15:00:00', '2026-01-06T15:00:00'].map(at) as [number, number];
  const bought = [fill('BUY', 10, 0.6, first, { side: 1 })];
  const conversion = act('CONVERSION', second, 10);
  const sold = [2, 3].map((market) => fill('SELL', 10, 0.5, second + market, { market }));
  const questions = [1, 2, 3].flatMap((n) =>
    [0, 1].map((side) => token(tokenOf(n, side as 0 | 1), n, side, { neg_risk: true, neg_risk_question_index: n - 1 })),
  );
  const markets = [1, 2, 3].map((n) => gammaMarket(n, { negRisk: true, negRiskMarketID: '0xg' }));

  it.each<[string, object[][]]>([
    ['records of markets', [markets]],
    ['records of tokens', [questions]],
    ['both, each of some', [markets.slice(0, 2), questions]],
  ])('takes the NO shares of the question that it names: its siblings are known by %s', async (_, known) => {
    const { pnl, records } = await resultOf([...known, bought, [conversion], sold]);
    expect([pnl[1], records[1]?.untracked]).toEqual([4, 0]);
  });

  it('that names only the event is told, not guessed', async () => {
    const unnamed = { ...conversion, conditionId: `0x${'e'.repeat(62)}00` };
    const { records, doubts } = await resultOf([markets, bought, [unnamed]]);
    expect(records[1]).toMatchObject({ untracked: 0 });
    expect(doubts).toMatchObject({
      'conversion left out: it names no token, and its condition is no question of an event that is known': 1,
    });
  });
});

describe('a resolution of the chain', () => {
  const held = [fill('BUY', 10, 0.4, at('2026-01-05T15:00:00'))];
  const CLOSE = { day: at('2026-01-30T00:00:00') / DAY };

  it.each<[string, object[][], number[], number]>([
    ['of an open market record', [[gammaMarket(1)]], [1_000_000, 0], 6],
    ['of a disputed market', [[gammaMarket(1, { ...ended(0), outcomePrices: '["0.6", "0.4"]' })]], [0, 1_000_000], -4],
    ['of a tie', [[gammaMarket(1)]], [500_000, 500_000], 1],
    [
      'of a market of which only tokens are known',
      [[0, 1].map((n) => token(tokenOf(1, n as 0 | 1), 1, n))],
      [1_000_000, 0],
      6,
    ],
    [
      'of a record that lists its tokens the other way round',
      [[gammaMarket(1)], [0, 1].map((n) => token(tokenOf(1, n as 0 | 1), 1, 1 - n))],
      ...([[0, 1_000_000], 6] as [number[], number]),
    ],
  ])('settles it when it was resolved: %s', async (_, known, payouts, pnl) => {
    const resolved = [resolution(conditionOf(1), payouts, '2026-01-30T09:00:00')];
    const { ofMarkets } = await resultOf([...known, held, resolved]);
    expect(ofMarkets.filter((row) => row.pnl !== 0)).toMatchObject([{ pnl, ...CLOSE }]);
  });

  it('does not settle other payouts, nor against what the market record says', async () => {
    const partly = await resultOf([
      [gammaMarket(1)],
      held,
      [resolution(conditionOf(1), [250_000, 750_000], '2026-01-30T09:00:00')],
    ]);
    expect([partly.pnl[1], partly.doubts]).toMatchObject([
      0,
      { 'resolution of other payouts than one dollar a share or half a dollar for both (not settled)': 1 },
    ]);
    const against = await resultOf([
      [gammaMarket(1, ended(1))],
      held,
      [resolution(conditionOf(1), [1_000_000, 0], '2026-01-30T09:00:00')],
    ]);
    expect([against.pnl[1], against.doubts]).toMatchObject([
      -4,
      { 'resolution of the chain that differs from the winner of the market record (the record was taken)': 1 },
    ]);
  });
});
