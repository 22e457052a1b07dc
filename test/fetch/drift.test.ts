import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeText, Drift } from '../../src/fetch/drift.js';
import type { ShapeName } from '../../src/fetch/shapes.js';
import { isAbsent } from '../support/is-absent.js';

const data = join(import.meta.dirname, '../../../shared/data');

const ACTIVITY = {
  proxy_wallet: '0x1',
  timestamp: 1,
  condition_id: '0x2',
  type: 'TRADE',
  size: 100,
  usdc_size: '40.5',
  transaction_hash: '0x3',
};

it('counts new, missing and retyped fields by path, in nested records too', () => {
  const drift = new Drift();
  const { size: _, ...sizeless } = ACTIVITY;
  for (let i = 0; i < 120; i++) drift.count('/v2/activity', 'v2 activity', { ...ACTIVITY, fee: i });
  drift.count('/v2/activity', 'v2 activity', { ...sizeless, timestamp: '1' });
  drift.count('/v2/activity', 'v2 activity', { ...ACTIVITY, price: null, is_combo: true });
  const market = { id: '1', question: '?', conditionId: '0x2', slug: 's', active: true, closed: true };
  const schedule = { exponent: 1, rate: '0.05', takerOnly: true };
  const event = { id: '1', slug: 'e', title: 'E', markets: [market, { ...market, feeSchedule: schedule, heat: {} }] };
  drift.count('/events/keyset', 'gamma event', event);
  drift.count('/events/keyset', 'gamma event', { ...event, markets: null });
  drift.count('/events/keyset', 'gamma event', 'gone');
  expect(drift.changes.map(changeText)).toEqual([
    '/v2/activity: 120 records with a new field `fee` (number)',
    '/events/keyset: 1 record of the type string, not object',
    '/events/keyset: 1 record with another type of the field `markets[].feeSchedule.rate` (string)',
    '/events/keyset: 1 record with a new field `markets[].heat` (object)',
    '/v2/activity: 1 record without the field `size` (number)',
    '/v2/activity: 1 record with another type of the field `timestamp` (string)',
  ]);
});

it('sees nothing new in the known samples and in real records', () => {
  if (isAbsent(data, 'drift of real records')) return;
  const samples: [string, ShapeName][] = [
    ['data_api_activity', 'v1 activity'],
    ['data_api_trades', 'v1 trades'],
    ['gamma_markets', 'gamma market'],
    ['shapes/clob-market', 'clob market'],
    ['shapes/clob-markets-page', 'clob market'],
    ['shapes/data-v1-activity', 'v1 activity'],
    ['shapes/data-v1-closed-positions', 'v1 closed positions'],
    ['shapes/data-v1-leaderboard', 'v1 leaderboard'],
    ['shapes/data-v1-positions', 'v1 positions'],
    ['shapes/data-v1-traded', 'v1 traded'],
    ['shapes/data-v1-trades', 'v1 trades'],
    ['shapes/data-v2-activity-page', 'v2 activity'],
    ['shapes/data-v2-combo-activity-page', 'v2 combos'],
    ['shapes/data-v2-leaderboard-page', 'v2 leaderboard'],
    ['shapes/data-v2-positions-page', 'v2 positions'],
    ['shapes/data-v2-resolutions', 'v2 resolutions'],
    ['shapes/data-v2-tokens', 'v2 tokens'],
    ['shapes/data-v2-trades-page', 'v2 trades'],
    ['shapes/data-v2-user-pnl', 'v2 pnl'],
    ['shapes/data-v2-user-stats', 'v2 stats'],
    ['shapes/gamma-event', 'gamma event'],
    ['shapes/gamma-market-protocol-v2', 'gamma market'],
  ];
  const drift = new Drift();
  let records = 0;
  for (const [file, shape] of samples) {
    const content = JSON.parse(readFileSync(join(data, `${file}.json`), 'utf8'));
    const rows = [content.data ?? content].flat();
    for (const row of rows) drift.count(file, shape, row);
    records += rows.length;
  }
  expect(drift.changes.map(changeText)).toEqual([]);
  expect(records).toBeGreaterThan(450);
});
