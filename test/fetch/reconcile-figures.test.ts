import { expect, it } from 'vitest';
import { amountText, type Figures, lastPoint, positionV1, positionV2, resolutionOf } from '../../src/fetch/figures.js';
import { type OurFigures, type Reconciled, reconcile } from '../../src/fetch/reconcile-figures.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { walletFigures } from '../../src/service/store/wallet-figures.js';
import { activity, conditionOf, ended, gammaMarket, tokenOf, trade, walletOf } from '../support/raw-records.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

const WALLET = walletOf(1);
const TIME = 1_767_600_000;

const none: Figures = {
  oddslab_figures: 1,
  wallet: WALLET,
  asked: '2026-08-01T00:00:00Z',
  pnl: null,
  markets: null,
  leaderboard_pnl: null,
  positions: null,
  resolutions: [],
  failed: [],
};

const point = (changes: Record<string, unknown>) =>
  lastPoint({
    data: {
      points: [
        { timestamp: 2, realized_lp_pnl: 0, realized_combo_pnl: 0, unrealized_pnl: 0, wallet_income: 0, ...changes },
        { timestamp: 1, realized_market_pnl: 999 },
      ],
    },
  });

/** A v2 position in a market's side, with what differs. */
const position = (market: number, side: 0 | 1, changes: Record<string, unknown>) => {
  const row = { condition_id: conditionOf(market), token_id: tokenOf(market, side), slug: `m-${market}`, ...changes };
  const read = positionV2({ status: 'CLOSED', current_size: 0, realized_pnl: 0, unrealized_pnl: 0, ...row });
  if (!read) throw new Error('the position cannot be read');
  return read;
};

/** What an ingest of records knows of the wallet. */
async function known(records: readonly unknown[], markets: readonly unknown[]): Promise<OurFigures> {
  const folder = await temporaryFolder();
  const inputs = [await put(folder, 'activity.json', records), await put(folder, 'markets.json', markets)];
  await ingest({ folder: `${folder}/data`, inputs });
  const [figures] = await walletFigures(`${folder}/data`, [WALLET]);
  if (!figures) throw new Error('no figures');
  return { ...figures, missing: [], knowsAll: true };
}

const fill = (market: number, side: 0 | 1, does: 'BUY' | 'SELL', size: number, price: number, time = TIME) => {
  const { transactionHash, ...rest } = trade({ wallet: 1, market, side, does, size, price, time });
  return activity('TRADE', 1, { ...rest, usdcSize: size * price, transactionHash });
};

const cells = ({ figure, ours, theirs, difference, cause }: Reconciled) => [figure, ours, theirs, difference, cause];

const history = [
  fill(1, 0, 'BUY', 100, 0.4),
  activity('REDEEM', 1, { conditionId: conditionOf(1), size: 100, usdcSize: 100, timestamp: TIME + 9e6 }),
  fill(2, 1, 'BUY', 50, 0.5),
  fill(2, 1, 'SELL', 20, 0.75, TIME + 60),
  fill(3, 0, 'BUY', 10, 0.3),
  activity('SPLIT', 1, { conditionId: conditionOf(4), size: 7, usdcSize: 7 }),
];
const markets = [gammaMarket(1, ended(0)), gammaMarket(2), gammaMarket(3, ended(1)), gammaMarket(4)];

it('agrees with a source that says the same', async () => {
  const ours = await known(history, markets);
  const rows = reconcile(ours, {
    ...none,
    pnl: point({ realized_market_pnl: 62.004 }),
    markets: 3,
    positions: [
      position(1, 0, { realized_pnl: '60' }),
      position(2, 1, { status: 'OPEN', current_size: 30, realized_pnl: 5 }),
      position(3, 0, { status: 'REDEEMABLE', current_size: 10, unrealized_pnl: -3 }),
      position(4, 0, { status: 'OPEN', current_size: 7 }),
      position(4, 1, { status: 'OPEN', current_size: 7 }),
    ],
    resolutions: [resolutionOf({ condition_id: conditionOf(1), payouts: [1_000_000, 0] })].flatMap((r) => r ?? []),
  });
  expect(rows.map(cells)).toEqual([
    ['realized_pnl', '62', '62.004', '-0.004', ''],
    ['markets_traded', '3', '3', '0', ''],
    ['market_pnl', '60', '60', '0', ''],
    ['market_pnl', '-3', '-3', '0', ''],
    ['shares_held', '30', '30', '0', ''],
    ['shares_held', '10', '10', '0', ''],
    ['shares_held', '7', '7', '0', ''],
    ['shares_held', '7', '7', '0', ''],
    ['redeemed', '100', '100', '0', ''],
  ]);
  expect(rows[2]).toMatchObject({ condition_id: conditionOf(1), token_id: null, slug: 'm-1', wallet: WALLET });
  expect(rows[4]).toMatchObject({ condition_id: conditionOf(2), token_id: tokenOf(2, 1) });
});

it('names the known amounts that a difference comes to', async () => {
  const ours = await known(history, markets);
  const rows = reconcile(ours, {
    ...none,
    // Fees of 0.70 are in our cost, and the lost market 3 still waits to be redeemed there.
    pnl: point({ realized_market_pnl: 65.7, realized_lp_pnl: 1.25, wallet_income: 2, fees_paid: -0.7 }),
    markets: 4,
    leaderboard_pnl: '64',
    positions: [
      position(1, 0, { realized_pnl: 60.7, entry_fees_usdc: 0.7 }),
      position(2, 1, { status: 'OPEN', current_size: 45 }),
      position(3, 0, { status: 'REDEEMABLE', current_size: 10, unrealized_pnl: -3 }),
      position(5, 0, { realized_pnl: 4 }),
    ],
    resolutions: [{ condition_id: conditionOf(1), payouts: [500_000, 500_000] }],
  });
  const fees = 'fees, which our cost has and theirs has not';
  expect(rows.map(cells)).toEqual([
    [
      'realized_pnl',
      '62',
      '65.7',
      '-3.7',
      `markets that are settled here at their close and not yet redeemed there; ${fees}`,
    ],
    ['leaderboard_pnl', '62', '64', '-2', 'rewards and rebates, which theirs has'],
    ['income', '0', '2', '-2', 'rewards or rebates that our records lack'],
    ['liquidity_pnl', null, '1.25', null, 'the source counts it apart from realized_pnl'],
    ['markets_traded', '3', '4', '-1', '1 market without a fill: only split, merged, converted or redeemed'],
    ['market_pnl', '60', '60.7', '-0.7', fees],
    ['market_pnl', '-3', '-3', '0', ''],
    ['market_pnl', '0', '4', '-4', 'our data have no record of this market for the wallet'],
    ['shares_held', '30', '45', '-15', 'transfers, which no record shows, or records missing'],
    ['shares_held', '10', '10', '0', ''],
    ['shares_held', '7', '0', '7', 'transfers, which no record shows, or records missing'],
    ['shares_held', '7', '0', '7', 'transfers, which no record shows, or records missing'],
    ['redeemed', '100', '50', '50', 'the source resolves it as a tie'],
  ]);
});

it('blames conversions, unknown markets, untracked shares and what a fetch lacks', async () => {
  const events = [{ negRiskMarketID: conditionOf(99) }, { negRisk: true }];
  const both = [1, 2].map((n) => gammaMarket(n, { ...events[0], ...events[1] }));
  const ours = await known(
    [
      fill(1, 1, 'BUY', 10, 0.6),
      activity('CONVERSION', 1, { conditionId: conditionOf(1), asset: tokenOf(1, 1), size: 10, timestamp: TIME + 5 }),
      fill(3, 0, 'SELL', 4, 0.5),
    ],
    both,
  );
  const [whole, ...rest] = reconcile(
    { ...ours, missing: ['activity before 2026-01-01 is missing'] },
    {
      ...none,
      pnl: point({ realized_market_pnl: 3 }),
      positions: [position(2, 0, { status: 'OPEN', current_size: 10 }), position(3, 0, { realized_pnl: 1 })],
    },
  );
  expect(whole?.cause.split('; ')).toEqual([
    'activity before 2026-01-01 is missing',
    'conversions, whose cost each spreads in its own way',
    '1 market without a record of ours, never settled',
    '4 shares left that no record shows arriving: transfers, or records missing',
  ]);
  expect(rest.map(cells)).toEqual([
    [
      'market_pnl',
      '0',
      '1',
      '-1',
      'activity before 2026-01-01 is missing; 1 market without a record of ours, never settled; ' +
        '4 shares left that no record shows arriving: transfers, or records missing',
    ],
    ['shares_held', null, '10', null, 'not told here: conversions, whose cost each spreads in its own way'],
  ]);
});

it('says so where one of both says nothing', async () => {
  const unseen: OurFigures = {
    wallet: WALLET,
    pnl: undefined,
    untracked: 0n,
    income: undefined,
    missing: [],
    markets: new Map(),
    knowsAll: true,
  };
  const theirs = { ...none, pnl: point({ realized_market_pnl: '1.5' }), markets: 2 };
  expect(reconcile(unseen, theirs).map(cells)).toEqual([
    ['realized_pnl', null, '1.5', null, 'no record of ours mentions this wallet'],
    ['markets_traded', null, '2', null, 'no record of ours mentions this wallet'],
  ]);
  const asked: OurFigures = { ...unseen, pnl: 1_500_000n, untracked: undefined, knowsAll: false };
  expect(reconcile(asked, theirs).map(cells)).toEqual([
    ['realized_pnl', '1.5', '1.5', '0', ''],
    ['markets_traded', null, '2', null, 'the service does not tell it: ask the data folder'],
  ]);
  expect(reconcile(asked, none).map(cells)).toEqual([['realized_pnl', '1.5', null, null, 'the source does not say']]);
});

it('reads amounts and positions of both versions, and nothing that is none', () => {
  expect([1e-7, -12.5, '3.25', '1e5', '', null, 1e21, Number.NaN, true].map(amountText)).toEqual([
    '0.000000',
    '-12.500000',
    '3.25',
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  const v1 = {
    conditionId: `0x${'AB'.repeat(31)}`,
    asset: '7',
    size: 8,
    realizedPnl: 2.5,
    cashPnl: 48,
    redeemable: true,
  };
  expect(positionV1(v1, false)).toEqual({
    condition_id: `0x${'ab'.repeat(31)}00`,
    token_id: '7',
    slug: null,
    status: 'REDEEMABLE',
    size: '8.000000',
    realized_pnl: '2.500000',
    unrealized_pnl: '48.000000',
    fees: null,
  });
  expect(positionV1(v1, true)).toMatchObject({ status: 'CLOSED', size: '0', unrealized_pnl: '0' });
  expect([positionV2(null), positionV2({ condition_id: '', token_id: '7' }), lastPoint({ data: [] })]).toEqual([
    undefined,
    undefined,
    null,
  ]);
  const payouts = (...values: unknown[]) => resolutionOf({ condition_id: '0x1', payouts: values })?.payouts;
  expect([payouts(0, 0), payouts(1), payouts('1000000', '0'), payouts('x', 1)]).toEqual([
    undefined,
    undefined,
    [1_000_000, 0],
    undefined,
  ]);
});
