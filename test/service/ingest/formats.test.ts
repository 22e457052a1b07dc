import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { isAbsent } from '../../support/is-absent.js';
import { conditionOf, ended, type FillOf, gammaMarket, tokenOf, trade } from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import {
  clobMarket,
  csvOf,
  dataPage,
  dataV2,
  gammaEvents,
  orderFilled,
  parquetOf,
  pmaBlock,
  pmaMarket,
  pmaTrade,
  polyTrade,
  polyTradeV2,
} from './other-formats.js';
import { tablesOf } from './tables-of.js';

const T = 1_767_225_600;
const FILLS: FillOf[] = [
  { wallet: 1, market: 1, side: 0, does: 'BUY', size: 10, price: 0.4, time: T },
  { wallet: 2, market: 1, side: 1, does: 'BUY', size: 10, price: 0.6, time: T, tx: T + 9 },
  { wallet: 1, market: 1, side: 0, does: 'SELL', size: 4, price: 0.55, time: T + 90_000 },
  { wallet: 2, market: 2, side: 0, does: 'BUY', size: 2.5, price: 0.1, time: T + 90_000 },
];
const MARKETS = [gammaMarket(1, { ...ended(0), closedTime: '2026-02-01 12:00:00+00' }), gammaMarket(2)];

const lines = (records: readonly object[]) => records.map((each) => JSON.stringify(each)).join('\n');

/** The tables of Gamma's markets with fills in one file or several. */
async function tablesWith(folder: string, name: string, inputs: readonly string[]): Promise<unknown> {
  const data = join(folder, name);
  await ingest({ folder: data, inputs: [await put(folder, 'markets.json', MARKETS), ...inputs] });
  return tablesOf(data);
}

/** What {@link FILLS} and {@link MARKETS} give as the Data API and Gamma return them. */
let plain: unknown;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-test-'));
  try {
    plain = await tablesWith(folder, 'plain', [await put(folder, 'trades.json', FILLS.map(trade))]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('fills give the same ledger', () => {
  it.each([
    ['as poly_data orderFilled.csv', () => csvOf(FILLS.map(orderFilled))],
    ['as poly_data trades.csv', () => csvOf(FILLS.map(polyTrade))],
    ['as orderFilled in JSON lines', () => lines(FILLS.map(orderFilled))],
    ['as poly_data trades.csv of condition ids', () => csvOf(FILLS.map(polyTradeV2))],
    ['as records of the Data API v2, a line each', () => lines(FILLS.map((fill) => dataV2(trade(fill))))],
    ['as a page of the Data API v2', () => JSON.stringify(dataPage(...FILLS.map((fill) => dataV2(trade(fill)))))],
    [
      'as activity of the Data API v2, in pages a line each',
      () => lines(FILLS.map((fill) => dataPage({ ...dataV2(trade(fill)), type: 'TRADE', usdc_size: null }))),
    ],
  ])('%s', async (_, content) => {
    const folder = await temporaryFolder();
    expect(await tablesWith(folder, 'other', [await put(folder, 'in.dat', content())])).toEqual(plain);
  });

  it('as poly_data orderFilled.csv and trades.csv of a little more than a dollar a share', async () => {
    const folder = await temporaryFolder();
    const fills = FILLS.map((fill) => ({ ...fill, price: 1.0005 }));
    const [orders, trades] = [csvOf(fills.map(orderFilled)), csvOf(fills.map(polyTrade))];
    const dear = await tablesWith(folder, 'orders', [await put(folder, 'orders.csv', orders)]);
    expect(dear).toMatchObject({ lifetimes: [{ trades: 2 }, { trades: 2 }] });
    expect(await tablesWith(folder, 'trades', [await put(folder, 'trades.csv', trades)])).toEqual(dear);
  });

  it('as prediction-market-analysis Parquet, in chunks, of which any may come first or later', async () => {
    const folder = await temporaryFolder();
    const chunk = async (name: string, records: readonly object[], columns?: string) =>
      parquetOf(await put(folder, `${name}.jsonl`, lines(records)), join(folder, `${name}.parquet`), columns);
    const rows = FILLS.map(pmaTrade);
    const trades = [await chunk('t1', rows.slice(0, 2)), await chunk('t2', rows.slice(1))];
    const times = [...new Set(FILLS.map(({ time }) => time))].map(pmaBlock);
    const blocks = await chunk('blocks', times, 'block_number, timestamp::VARCHAR AS timestamp');
    // The row that both chunks hold is one fill: its transaction and log index say so.
    expect(await tablesWith(folder, 'at once', [...trades, blocks])).toEqual(plain);
    expect(await tablesWith(folder, 'blocks first', [blocks, ...trades])).toEqual(plain);
    const later = join(folder, 'later');
    const first = await ingest({ folder: later, inputs: trades });
    expect(first.version.manifest.totals).toMatchObject({ events: 0 });
    expect(first.version.manifest.doubtful).toEqual({
      'event with the id of another one (dropped: one of them stays)': 1,
      'fill kept aside: no input tells the time of its block (ingest the blocks, too)': 4,
    });
    await ingest({ folder: later, inputs: [blocks] });
    await ingest({ folder: later, inputs: [join(folder, 'markets.json')] });
    expect(await tablesOf(later)).toEqual(plain);
  });

  it('as prediction-market-analysis Parquet whose numbers are doubles', async () => {
    const folder = await temporaryFolder();
    const trades = await put(folder, 't.jsonl', lines(FILLS.map(pmaTrade)));
    const doubles = '* REPLACE (log_index::DOUBLE AS log_index, block_number::DOUBLE AS block_number)';
    const inputs = [trades, await parquetOf(trades, join(folder, 't.parquet'), doubles)];
    inputs.push(await put(folder, 'b.json', [...new Set(FILLS.map(({ time }) => time))].map(pmaBlock)));
    expect(await tablesWith(folder, 'doubles', inputs)).toEqual(plain);
  });

  it('of which one was told in two blocks, whether the blocks come first or last', async () => {
    const folder = await temporaryFolder();
    const fill = FILLS[0] as FillOf;
    // As texts, these numbers are in another order.
    const blocks = [99_999, 100_000];
    const timeOf = (block: number) => new Date((T + (block - 100_000) * 86_400) * 1000).toISOString();
    const inputs = await Promise.all([
      put(
        folder,
        't.json',
        blocks.map((time) => ({ ...pmaTrade({ ...fill, tx: T }, 1), block_number: time })).reverse(),
      ),
      put(
        folder,
        'b.json',
        blocks.map((block) => ({ ...pmaBlock(block), timestamp: timeOf(block) })),
      ),
      put(folder, 'm.json', MARKETS),
    ]);
    const all: unknown[] = [];
    const [trades, times, markets] = inputs as [string, string, string];
    for (const [at, runs] of [
      [[trades], [times], [markets]],
      [[times], [trades], [markets]],
      [[markets], [times], [trades]],
    ].entries()) {
      const data = join(folder, String(at));
      for (const run of runs) await ingest({ folder: data, inputs: run });
      all.push(await tablesOf(data));
    }
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    expect(all[0]).toMatchObject({ lifetimes: [{ trades: 1 }] });
  });

  it('of markets whose numbers are doubles, or whose latest record has its outcomes the other way round', async () => {
    const folder = await temporaryFolder();
    const trades = await put(folder, 'trades.csv', csvOf(FILLS.map(polyTrade)));
    const pma = await put(folder, 'pma.jsonl', lines(MARKETS.map(pmaMarket)));
    const numbered = await parquetOf(pma, join(folder, 'pma.parquet'), '* REPLACE (id::DOUBLE AS id)');
    await ingest({ folder: join(folder, 'doubles'), inputs: [trades, numbered] });
    expect((await tablesOf(join(folder, 'doubles'))).wallet_days).toEqual(Object(plain).wallet_days);

    const [market = {}] = MARKETS;
    const tokens = JSON.stringify([tokenOf(1, 1), tokenOf(1, 0)]);
    const former = await put(folder, 'former.json', [
      { ...market, clobTokenIds: tokens, updatedAt: '2026-01-02T00:00:00Z' },
    ]);
    const latest = await put(folder, 'latest.json', MARKETS);
    for (const [name, runs] of Object.entries({
      before: [[former, latest, trades]],
      behind: [[latest, former, trades]],
      corrected: [[former, trades], [latest]],
    })) {
      const data = join(folder, name);
      for (const inputs of runs) await ingest({ folder: data, inputs });
      expect(await tablesOf(data), name).toEqual(plain);
    }
  });

  it('as poly_data trades of markets that a better record tells with its outcomes the other way round', async () => {
    const folder = await temporaryFolder();
    const [market = {}, other] = MARKETS;
    const turned = clobMarket({
      ...market,
      clobTokenIds: JSON.stringify([tokenOf(1, 1), tokenOf(1, 0)]),
      outcomes: '["No", "Yes"]',
      outcomePrices: '["0", "1"]',
    });
    const markets = [
      await put(folder, 'gamma.json', [{ ...market, closed: false }, other]),
      await put(folder, 'clob.json', [turned]),
    ];
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await ingest({ folder: a, inputs: [...markets, await put(folder, 'trades.json', FILLS.map(trade))] });
    await ingest({ folder: b, inputs: [...markets, await put(folder, 'trades.csv', csvOf(FILLS.map(polyTrade)))] });
    expect(await tablesOf(b)).toEqual(await tablesOf(a));
  });

  it('as prediction-market-analysis whose inputs contradict each other about a time, at once or one by one', async () => {
    const folder = await temporaryFolder();
    const [fill] = FILLS as [FillOf];
    const trades = await put(folder, 't.json', [pmaTrade(fill, 1)]);
    const earlier = { ...pmaBlock(T), timestamp: new Date((T - 86_400) * 1000).toISOString() };
    const blocks = [await put(folder, 'b1.json', [pmaBlock(T)]), await put(folder, 'b2.json', [earlier])];
    const atOnce = await tablesWith(folder, 'at once', [trades, ...blocks]);
    const data = join(folder, 'one by one');
    for (const input of [join(folder, 'markets.json'), trades, ...blocks])
      await ingest({ folder: data, inputs: [input] });
    expect(await tablesOf(data)).toEqual(atOnce);
  });

  it('as poly_data trades whose markets come later', async () => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'trades.csv', csvOf(FILLS.map(polyTrade)));
    const later = join(folder, 'later');
    const { version } = await ingest({ folder: later, inputs: [input] });
    expect(version.manifest.doubtful).toEqual({
      'fill kept aside: no input has a market of its number (ingest the markets, too)': 4,
    });
    await ingest({ folder: later, inputs: [await put(folder, 'markets.json', MARKETS)] });
    expect(await tablesOf(later)).toEqual(plain);
  });
});

describe('markets', () => {
  const columns = 'condition_id, question, slug, closed, close_ms, token_a, token_b, outcome_a, outcome_b, winner';
  const essence = (tables: Record<string, unknown[]>) =>
    (tables.market_rows as Record<string, unknown>[])
      .map((row) => Object.fromEntries(columns.split(', ').map((name) => [name, row[name]])))
      .sort((a, b) => (String(a.condition_id) < String(b.condition_id) ? -1 : 1));
  const closedTime = '2026-02-01T12:00:00Z';
  const results = [{ ...ended(0), closedTime }, { ...ended(1), closedTime }, { ...ended('tie'), closedTime }, {}];
  type Gamma = ReturnType<typeof gammaMarket>[];
  const page = (data: readonly object[], cursor: string) => ({
    limit: 500,
    count: data.length,
    next_cursor: cursor,
    data,
  });
  const ofClob = (textOf: (clob: object[]) => string) => (gamma: Gamma) => textOf(gamma.map(clobMarket));
  const forms: [string, (gamma: Gamma) => string][] = [
    ['a CLOB list', ofClob((clob) => JSON.stringify(clob))],
    ['CLOB records a line each', ofClob(lines)],
    ['a CLOB page', ofClob((clob) => JSON.stringify(page(clob, 'LTE='), null, 2))],
    ['CLOB pages a line each', ofClob((clob) => lines([page(clob.slice(0, 3), 'MTAw'), page(clob.slice(3), 'LTE=')]))],
    [
      'a list of CLOB pages',
      ofClob((clob) => JSON.stringify([page(clob.slice(0, 1), 'MTAw'), page(clob.slice(1), 'LTE=')])),
    ],
    ['prediction-market-analysis CSV', (gamma) => csvOf(gamma.map(pmaMarket))],
    ['Gamma CSV', csvOf],
    ['a Gamma page', (gamma) => JSON.stringify({ markets: gamma, next_cursor: 'x' })],
    ['Gamma pages a line each', (gamma) => lines([{ markets: gamma.slice(0, 1) }, { markets: gamma.slice(1) }])],
    ['Gamma events', (gamma) => JSON.stringify(gammaEvents(gamma), null, 1)],
    ['Gamma events a line each', (gamma) => lines(gammaEvents(gamma))],
    ['a page of Gamma events', (gamma) => JSON.stringify({ events: gammaEvents(gamma), next_cursor: 'x' })],
    [
      'a list of pages of Gamma events',
      (gamma) => JSON.stringify(gammaEvents(gamma).map((each) => ({ events: [each] }))),
    ],
  ];
  it(`of ${forms.map(([form]) => form).join(', ')} are those of Gamma`, async () => {
    const folder = await temporaryFolder();
    const [gamma, other] = [join(folder, 'gamma'), join(folder, 'other')];
    // Each form tells four markets of its own.
    const markets = forms.map((_, at) => results.map((result, n) => gammaMarket(10 * at + n + 1, result)));
    await ingest({ folder: gamma, inputs: [await put(folder, 'gamma.json', markets.flat())] });
    const inputs = forms.map(([, textOf], at) => put(folder, `${at}.dat`, textOf(markets[at] ?? [])));
    const { reports } = await ingest({ folder: other, inputs: await Promise.all(inputs) });
    for (const [at, [form]] of forms.entries()) {
      expect(reports[at], form).toMatchObject({ rows: 4, kept: 4, skipped: {} });
    }
    const found = essence(await tablesOf(other));
    expect(found).toHaveLength(4 * forms.length);
    expect(found).toEqual(essence(await tablesOf(gamma)));
  });

  it('keep what Gamma tells and take the result from a CLOB record that is closed', async () => {
    const folder = await temporaryFolder();
    const open = gammaMarket(1);
    const closed = clobMarket(gammaMarket(1, ended(1)));
    const inputs = [await put(folder, 'gamma.json', [open]), await put(folder, 'clob.json', [closed])];
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    const { version } = await ingest({ folder: a, inputs });
    for (const input of inputs.reverse()) await ingest({ folder: b, inputs: [input] });
    const [row] = (await tablesOf(a)).market_rows as Record<string, unknown>[];
    expect(row).toMatchObject({ event_slug: 'event-1', volume: 1_000_000_000n, closed: true, winner: 1 });
    expect(await tablesOf(b)).toEqual(await tablesOf(a));
    expect(version.manifest.doubtful).toEqual({ 'market stated by more than one record (the latest kept)': 1 });
  });

  const turned = { outcomes: '["No", "Yes"]', outcomePrices: '["0", "1"]', updatedAt: '2026-01-02T00:00:00Z' };
  const tokensOf = (...tokens: string[]) => ({ clobTokenIds: JSON.stringify(tokens) });
  const others: [string, (earlier: Gamma[number], n: number) => object, number | null][] = [
    ['a CLOB record', clobMarket, 0],
    ['an earlier Gamma record, which the later one takes back', (earlier) => earlier, null],
    ['one of other tokens', (earlier, n) => ({ ...earlier, ...tokensOf(tokenOf(n, 0), tokenOf(n + 5, 0)) }), null],
    ['a CLOB record that tells a tie', (earlier) => clobMarket({ ...earlier, outcomePrices: '["0.5", "0.5"]' }), 2],
  ];
  it(`take who won by its token from ${others.map(([what]) => what).join(', ')} with its tokens the other way round`, async () => {
    const folder = await temporaryFolder();
    // Each is of a market of its own.
    const undecided = others.map((_, at) => gammaMarket(at + 1, { ...ended(0), outcomePrices: '["0", "0"]' }));
    const inputs = [await put(folder, 'a.json', undecided)];
    for (const [at, [, otherOf]] of others.entries()) {
      const n = at + 1;
      const earlier = { ...undecided[at], ...turned, ...tokensOf(tokenOf(n, 1), tokenOf(n, 0)) };
      inputs.push(await put(folder, `${n}.json`, [otherOf(earlier, n)]));
    }
    await ingest({ folder: join(folder, 'data'), inputs });
    const { market_rows = [] } = await tablesOf(join(folder, 'data'));
    const row = (n: number) => market_rows.find((each) => Reflect.get(Object(each), 'condition_id') === conditionOf(n));
    for (const [at, [what, , winner]] of others.entries()) {
      expect(row(at + 1), what).toMatchObject({ token_a: tokenOf(at + 1, 0), outcome_a: 'Yes', winner });
    }
  });
});

describe('chain amounts', () => {
  const order = orderFilled({ wallet: 1, market: 1, side: 0, does: 'BUY', size: 10, price: 0.4, time: T });
  const faults: [string, Record<string, unknown>][] = [
    ['maker is missing or malformed', { maker: '0x1' }],
    ['time or block is missing or malformed', { timestamp: 'soon' }],
    ['an asset id is missing or not decimal digits', { takerAssetId: '1.2e76' }],
    ['not one of the two assets is dollars (0)', { takerAssetId: '0' }],
    ['not one of the two assets is dollars (0)', { makerAssetId: '5' }],
    ['an amount is no whole number of millionths up to 9e15', { makerAmountFilled: '-1' }],
    ['an amount is no whole number of millionths up to 9e15', { takerAmountFilled: '1.5' }],
    ['an amount is no whole number of millionths up to 9e15', { takerAmountFilled: '1e300' }],
    ['size is zero', { takerAmountFilled: '0' }],
    ['the dollars are more than one a share', { makerAmountFilled: '99000000', takerAmountFilled: '50000000' }],
    [
      'the dollars are more than one a share',
      {
        makerAssetId: order.takerAssetId,
        makerAmountFilled: '50000000',
        takerAssetId: '0',
        takerAmountFilled: '99000000',
      },
    ],
  ];
  it('are left out where they are no fill, each for its reason', async () => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'in.csv', csvOf([order, ...faults.map(([, wrong]) => ({ ...order, ...wrong }))]));
    const { reports, examples } = await ingest({ folder: join(folder, 'data'), inputs: [input] });
    expect(reports[0]).toMatchObject({ rows: faults.length + 1, kept: 1 });
    const found = [...examples.values()].flat().filter((each) => 'file' in each);
    const expected = faults.map(([reason], i) => ({ file: input, record: i + 2, reason, line: i + 3 }));
    expect(found.sort((a, b) => a.record - b.record)).toEqual(expected);
  });

  it('take the fee from what the maker received: shares of a buy, dollars of a sale', async () => {
    const folder = await temporaryFolder();
    const fill = { wallet: 1, market: 1, side: 0, size: 10, price: 0.5 } as const;
    const rows = [
      { ...pmaTrade({ ...fill, does: 'BUY', time: T }, 1), fee: 1_000_000 },
      { ...pmaTrade({ ...fill, does: 'SELL', time: T + 1 }, 2), fee: 500_000 },
    ];
    const inputs = [
      await put(folder, 't.jsonl', lines(rows)),
      await put(folder, 'b.json', [pmaBlock(T), pmaBlock(T + 1)]),
    ];
    inputs.push(await put(folder, 'm.json', [gammaMarket(1)]));
    await ingest({ folder: join(folder, 'data'), inputs });
    const { lifetimes = [] } = await tablesOf(join(folder, 'data'));
    // 9 shares for 5 dollars, then 10 shares for 4.50, of which 9 were held: 4.05 − 5.
    expect(lifetimes).toMatchObject([{ trades: 2, invested: 5_000_000n, pnl: -950_000n, untracked: 1_000_000n }]);
  });

  const vectors = fileURLToPath(new URL('../../../../shared/data/orderfilled_vectors.json', import.meta.url));
  it.skipIf(isAbsent(vectors, 'published OrderFilled vectors'))('give the published sides and prices', async () => {
    const folder = await temporaryFolder();
    const { cases } = JSON.parse(await readFile(vectors, 'utf8')) as { cases: Record<string, number | string>[] };
    const named = (asset: unknown) => (asset === 'TOKEN' ? tokenOf(1, 0) : asset);
    const rows = cases.map((each, i) => ({
      ...order,
      ...each,
      timestamp: T + i,
      maker: order.maker,
      makerAssetId: named(each.makerAssetId),
      takerAssetId: named(each.takerAssetId),
    }));
    const inputs = [await put(folder, 'o.json', rows), await put(folder, 'm.json', [gammaMarket(1)])];
    await ingest({ folder: join(folder, 'data'), inputs });
    const { lifetimes = [] } = await tablesOf(join(folder, 'data'));
    const bought = cases.filter(({ maker }) => maker === 'BUY').reduce((sum, { usd }) => sum + Number(usd), 0);
    const traded = cases.reduce((sum, { usd }) => sum + Number(usd), 0);
    expect(lifetimes).toMatchObject([
      { trades: cases.length, invested: BigInt(bought * 1e6), traded: BigInt(Math.round(traded * 1e6)), pnl: 0n },
    ]);
  });
});

it('reads a folder of all these, and names what is of no use', async () => {
  const folder = await temporaryFolder();
  const raw = join(folder, 'raw', 'deep');
  await mkdir(raw, { recursive: true });
  await put(raw, 'a.json', FILLS.slice(0, 2).map(trade));
  await put(raw, 'b.csv', csvOf(FILLS.slice(2).map(trade)));
  await put(raw, 'm.json', MARKETS);
  await put(raw, '.hidden', 'x');
  const notes = await put(raw, 'notes.txt', 'to do');
  const manifest = await put(raw, 'sample.json', { seed: 1, markets: 2 });
  const data = join(folder, 'raw', 'data');
  const first = await ingest({ folder: data, inputs: [join(folder, 'raw')] });
  expect(first.left.map(({ path }) => path)).toEqual([notes, manifest]);
  const again = await ingest({ folder: data, inputs: [join(folder, 'raw')] });
  expect(again.version).toEqual(first.version);
  expect(await tablesOf(data)).toEqual(plain);
  expect(first.version.manifest.doubtful).toEqual({});
  expect(conditionOf(1)).toBe(MARKETS[0]?.conditionId);
});
