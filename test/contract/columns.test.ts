import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.js';
import { DATASETS, findDataset } from '../../src/contract/dataset.js';
import type { Column } from '../../src/contract/definition.js';

/** The specification's field tables, and those of the original service's further datasets with our columns behind: name, what it is in a frame, whether it may be missing, whether sent as text. */
const MARKET = `
  condition_id string, question string, slug string, event_slug string?, closed boolean, volume_total float64,
  start_date datetime?, end_date datetime?, close_date datetime?, side_a_token_id string?, side_b_token_id string?,
  side_a_outcome string?, side_b_outcome string?, winning_outcome string?`;
const SPECIFIED: Readonly<Record<number, string>> = {
  574: MARKET,
  555: MARKET,
  569: `date datetime, proxy_wallet string, invested decimal, pnl decimal, trades int32, wins int32, losses int32,
    win_rate decimal`,
  586: `proxy_wallet string, total_trades int32, avg_trade_size decimal, avg_pnl_per_trade decimal,
    total_invested decimal, total_pnl decimal, roi_pct decimal, last_updated datetime?`,
  556: `id string, condition_id string, price float64, side string, size float64, timestamp datetime,
    transaction_hash string?, slug string?, outcome string?, proxy_wallet string, token_id string?, usd float64?,
    event_slug string?, category string?`,
  568: `candle_time datetime, open decimal, high decimal, low decimal, close decimal, mean decimal, volume decimal,
    trade_count int32, outcome string?, condition_id string, token_id string`,
  579: `rank int32, address string, total_pnl float64, roi float64?, win_rate float64?, sharpe_ratio float64?,
    total_volume float64, markets_traded int32, total_trades int32`,
  9001: `proxy_wallet string, condition_id string, slug string?, question string?, event_slug string?,
    category string?, outcome string, outcome_index int32, token_id string?, shares decimal, cost decimal,
    avg_price decimal?, last_price decimal?, realized decimal, unrealized decimal?, invested decimal, opened datetime,
    last_traded datetime, status string, result string?, close_date datetime?`,
};

const FILTERS: Readonly<Record<number, string[]>> = {
  574: ['closed', 'min_volume', 'market_slug', 'end_date_min', 'end_date_max', 'condition_id', 'event_slug'],
  555: ['closed'],
  569: ['wallet', 'granularity', 'start_time', 'end_time', 'condition_id', 'event_slug', 'category', 'by'],
  579: ['wallet_address', 'leaderboard_period', 'min_pnl', 'max_pnl', 'min_trades', 'min_volume', 'sort_by'],
  9001: ['wallet', 'status', 'condition_id', 'event_slug', 'category'],
  586: ['wallet_address'],
  556: [
    'proxy_wallet',
    'condition_id',
    'market_slug',
    'side',
    'start_time',
    'end_time',
    'token_id',
    'event_slug',
    'category',
  ],
  568: ['token_id', 'interval', 'start_time', 'end_time'],
};

function described({ name, dtype, nullable, decimal }: Column): string {
  return `${name} ${decimal ? 'decimal' : dtype}${nullable ? '?' : ''}`;
}

describe.each([...DATASETS])('dataset $id', (dataset) => {
  it('has every field of the specification, and no other', () => {
    const fields = (SPECIFIED[dataset.id] ?? '').split(',').map((field) => field.trim());
    expect(dataset.columns.map(described)).toEqual(fields);
  });

  it('has every filter of the specification, and no other', () => {
    expect(dataset.parameters.map(({ name }) => name)).toEqual(FILTERS[dataset.id]);
  });

  it('has a meaning for each, decimals as float64 with a unit, and a key of its own columns', () => {
    const columns: readonly Column[] = dataset.columns;
    for (const { meaning, decimal, dtype, unit } of columns) {
      expect(meaning).toMatch(/\.$/);
      if (decimal) expect([dtype, unit]).toEqual(['float64', expect.any(String)]);
    }
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining([...dataset.key]));
    expect(findDataset(dataset.id)).toBe(dataset);
    expect(findDataset(dataset.name)).toBe(dataset);
  });
});

it('accepts closed_date for close_date', () => {
  const columns: readonly Column[] = findDataset(574)?.columns ?? [];
  expect(columns.filter(({ alias }) => alias).map(({ name, alias }) => [name, alias])).toEqual([
    ['close_date', 'closed_date'],
  ]);
});

it.each([
  ['granularty', 'granularity'],
  ['Closed', 'closed'],
  ['closd', 'closed'],
  ['xyzzy', undefined],
  ['', undefined],
])('finds that %j meant %j', (name, meant) => {
  expect(nearest(name, ['wallet', 'granularity', 'closed', 'start_time'])).toBe(meant);
});
