import { expect, it } from 'vitest';
import { roi } from '../../src/analysis/roi.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { column } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';

it('returns by wallet come from sums as exact as the total has', () => {
  const pnl = [1e16, 1, -1e16, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, Number.NaN];
  for (const gap of [0, 1]) {
    const rows = pnl.slice(0, pnl.length - gap).map((gain, at) => ({
      proxy_wallet: at < 3 ? '0xa' : '0xb',
      pnl: gap === 1 && at === 0 ? 1e16 : gain,
      invested: 0.1,
    }));
    const frame = new DataFrame<(typeof rows)[number]>(rows);
    const byWallet = roi(frame, { by: 'proxy_wallet' });
    const alone = ['0xa', '0xb'].map((wallet) => roi(filterRows(frame, ({ proxy_wallet }) => proxy_wallet === wallet)));
    expect([...column(byWallet, 'pnl')]).toEqual([1, 1]);
    expect(alone.map((one) => one.pnl)).toEqual([1, 1]);
    expect([...column(byWallet, 'invested')].toSorted()).toEqual(alone.map((one) => one.invested).toSorted());
  }
});
