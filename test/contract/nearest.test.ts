import { expect, it } from 'vitest';
import { nearest } from '../../src/contract/nearest.js';

it.each([
  ['granularty', ['wallet', 'granularity'], 'granularity'],
  ['WALLET', ['wallet', 'granularity'], 'wallet'],
  ['closd', ['closed'], 'closed'],
  ['x', ['closed', 'wallet'], undefined],
  ['', ['closed'], undefined],
  ['x'.repeat(1_000_000), ['closed', 'wallet', 'granularity'], undefined],
  ['anything', [], undefined],
])('nearest(%.20s, %j) is %j', (name, candidates, meant) => {
  expect(nearest(name, candidates)).toBe(meant);
});
