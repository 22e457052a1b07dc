import { expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.js';

it.each([
  ['granularty', ['wallet', 'granularity'], 'granularity'],
  ['WALLET', ['wallet', 'granularity'], 'wallet'],
  ['closd', ['closed'], 'closed'],
  ['pnl', ['date', 'pln'], 'pln'],
  ['nlp', ['date', 'pln'], undefined],
  ['abc', ['cab'], undefined],
  ['pnx', ['pna', 'pnb'], 'pna'],
  ['wallet', ['date', 'proxy_wallet', 'invested'], 'proxy_wallet'],
  ['wins', ['wins_total', 'wins_won'], undefined],
  ['lle', ['wallets'], undefined],
  ['x', ['closed', 'wallet'], undefined],
  ['', ['closed'], undefined],
  ['x'.repeat(1_000_000), ['closed', 'wallet', 'granularity'], undefined],
  ['anything', [], undefined],
])('nearest(%.20s, %j) is %j', (name, candidates, meant) => {
  expect(nearest(name, candidates)).toBe(meant);
});
