import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { halves } from '../../src/analysis/halves.js';
import { roi } from '../../src/analysis/roi.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { dropColumns } from '../../src/frame/verbs/select-columns.js';
import { isAbsent } from '../support/is-absent.js';

let state = 11;
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state / 2 ** 31;
};
/** Wallets over ten days each, half of whose profit is their own skill. */
const records = Array.from({ length: 40 }, (_, wallet) =>
  Array.from({ length: 10 }, (_, day) => ({
    date: `2026-01-${String(day + 1).padStart(2, '0')}T00:00:00Z`,
    proxy_wallet: `w${wallet}`,
    pnl: wallet - 20 + (random() - 0.5) * 40,
    invested: 100,
    wins: Math.floor(random() * 4),
    losses: Math.floor(random() * 4),
  })),
).flat();
const PNL = new DataFrame(records);

/** Ranks of values without ties, by counting. */
const ranks = (values: number[]) => values.map((value) => values.filter((other) => other <= value).length);

describe('halves', () => {
  const result = halves(PNL);

  it('correlates the ranks of the two halves', () => {
    const pairs = recordsOf(result.pairs);
    expect(result.at).toBe('2026-01-06');
    expect(pairs).toHaveLength(result.wallets);
    expect(result.wallets + result.leftOut).toBe(40);
    const [one, other] = [ranks(pairs.map(({ first }) => first)), ranks(pairs.map(({ second }) => second))];
    const n = pairs.length;
    const squares = one.reduce((sum, rank, at) => sum + (rank - (other[at] as number)) ** 2, 0);
    expect(result.correlation).toBeCloseTo(1 - (6 * squares) / (n * (n * n - 1)), 12);
    const reach = 1.959963984540054 * Math.sqrt((1 + result.correlation ** 2 / 2) / (n - 3));
    expect(result.low).toBeCloseTo(Math.tanh(Math.atanh(result.correlation) - reach), 12);
    expect(result.high).toBeCloseTo(Math.tanh(Math.atanh(result.correlation) + reach), 12);
    expect(result.low).toBeGreaterThan(0);
    expect(String(result)).toMatch(
      /^Rank correlation +0\.\d\d\n95% interval .*\nWallets .*\nSecond half +from 2026-01-06\nSays +who did well/,
    );
  });

  it('compares what each wallet made in each half, with enough closing events', () => {
    for (const { proxy_wallet, first, second, first_decided, second_decided } of recordsOf(result.pairs)) {
      const own = (isFirst: boolean) =>
        filterRows(PNL, (row) => row.proxy_wallet === proxy_wallet && row.date < '2026-01-06' === isFirst);
      expect([first, second]).toEqual([roi(own(true)).roi, roi(own(false)).roi]);
      expect(Math.min(first_decided, second_decided)).toBeGreaterThanOrEqual(10);
    }
    expect(halves(PNL, { minDecided: 0 })).toMatchObject({ wallets: 40, leftOut: 0 });
    const decided = (isFirst: boolean) =>
      filterRows(PNL, (row) => row.proxy_wallet === 'w7' && row.date < '2026-01-06' === isFirst);
    const counted = (rows: typeof PNL) => recordsOf(rows).reduce((sum, { wins, losses }) => sum + wins + losses, 0);
    expect(
      recordsOf(halves(PNL, { minDecided: 0 }).pairs).find(({ proxy_wallet }) => proxy_wallet === 'w7'),
    ).toMatchObject({ first_decided: counted(decided(true)), second_decided: counted(decided(false)) });
    const bare = halves(dropColumns(PNL, ['wins', 'losses']), { minDecided: 0 });
    expect(bare.wallets).toBe(40);
    expect(recordsOf(bare.pairs)[0]).toMatchObject({ first_decided: Number.NaN, second_decided: Number.NaN });
    expect(halves(PNL, { minDecided: 0, measure: (rows) => roi(rows).roi }).correlation).toBe(
      halves(PNL, { minDecided: 0 }).correlation,
    );
    expect(halves(PNL, { minDecided: 0, measure: 'pnl', at: '2026-01-03' }).at).toBe('2026-01-03');
    expect(halves(PNL, { measure: 'winRate', by: 'proxy_wallet' }).pairs.columns[0]).toBe('proxy_wallet');
  });

  it('is NaN where there are too few to tell, and refuses what is none of its options', () => {
    const three = filterRows(PNL, ({ proxy_wallet }) => ['w1', 'w2', 'w3'].includes(proxy_wallet));
    expect(halves(three, { minDecided: 0 }).low).toBeNaN();
    expect(String(halves(three, { minDecided: 0 }))).toContain('too few wallets to tell');
    expect(halves(filterRows(PNL, () => false))).toMatchObject({ correlation: Number.NaN, wallets: 0, at: null });
    const same = new DataFrame(records.map((row) => ({ ...row, pnl: 1 })));
    expect(halves(same, { minDecided: 0 }).correlation).toBeNaN();
    expect(() => halves(PNL, { measure: 'sharpe' as never })).toThrow(/measure of halves must be 'roi', 'winRate'/);
    expect(() => halves(PNL, { minDecided: -1 })).toThrow(/minDecided of halves must be a whole number/);
    expect(() => halves(PNL, { at: 'spring' })).toThrow(/at of halves must be a day/);
    expect(() => halves(PNL, { measure: () => 'x' as never })).toThrow(/must give a number/);
  });

  it('gives a function of one’s own a frame for each half of a wallet, which it may keep and ask by danfo', () => {
    const kept: (typeof PNL)[] = [];
    const own = halves(PNL, {
      minDecided: 0,
      measure: (rows) => {
        const frame = rows as typeof PNL;
        kept.push(frame);
        expect(frame).toBeInstanceOf(DataFrame);
        expect(frame.head(1).shape).toEqual([1, 6]);
        return frame.pnl.values.reduce((total: number, value: number) => total + value, 0);
      },
    });
    const named = halves(PNL, { minDecided: 0, measure: 'pnl' });
    const firsts = (of: typeof own) => recordsOf(of.pairs).map(({ first }) => first);
    for (const [at, first] of firsts(own).entries()) expect(first).toBeCloseTo(firsts(named)[at] as number, 9);
    // All rows, then those of each half of forty wallets: none shows the rows of another.
    expect(kept).toHaveLength(81);
    const groups = kept.slice(1).map((frame) => recordsOf(frame));
    expect(groups.flat()).toHaveLength(400);
    for (const rows of groups) {
      const halfOf = ({ date, proxy_wallet }: (typeof rows)[number]) => `${proxy_wallet} ${date < '2026-01-06'}`;
      expect(new Set(rows.map(halfOf)).size).toBe(1);
    }
    expect(new Set(groups.flat().map(({ date, proxy_wallet }) => `${date} ${proxy_wallet}`)).size).toBe(400);
  });

  it('asks a function only for wallets that are compared, after all rows', () => {
    const asked: string[] = [];
    const measure = (rows: { readonly shape: readonly number[] }) => {
      const wallets = new Set(recordsOf(rows as typeof PNL).map(({ proxy_wallet }) => proxy_wallet));
      asked.push([...wallets].join());
      return 1;
    };
    const { pairs, leftOut } = halves(PNL, { minDecided: 16, measure });
    expect(leftOut).toBeGreaterThan(0);
    const compared = recordsOf(pairs).map(({ proxy_wallet }) => String(proxy_wallet));
    expect(asked.slice(1).sort()).toEqual([...compared, ...compared].sort());
  });

  it('takes the time of its rows, not of its wallets times something, and shows a function the rows of one each', () => {
    const wallets = 20_000;
    const field = frameFromRecords(
      [],
      Array.from({ length: 4 * wallets }, (_, row) => ({
        date: `2026-01-${String(1 + (row % 4)).padStart(2, '0')}T00:00:00Z`,
        proxy_wallet: `w${row >> 2}`,
        pnl: ((row * 7919) % 101) - 50,
        invested: 10 + (row % 3),
        wins: row % 7,
        losses: row % 5,
      })),
    );
    // A frame of its own for each half of each wallet, which only a function of one's own gets, takes four seconds.
    const before = process.cpuUsage();
    const named = halves(field, { minDecided: 0 });
    const computed = halves(field, { minDecided: 0, measure: (rows) => roi(rows).roi });
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20);
    expect(named.wallets).toBe(wallets);
    expect(recordsOf(computed.pairs)).toEqual(recordsOf(named.pairs));
    const shapes = new Set<string>();
    const sizes = halves(
      filterRows(field, (_, row) => row < 40),
      {
        minDecided: 0,
        measure: (rows) => {
          shapes.add(
            `${rows.shape.join('×')} ${rows.columns.join()} ${rows.getColumnData.map((cells) => cells.length)}`,
          );
          return recordsOf(rows as typeof PNL).reduce((total, { pnl }) => total + pnl, 0);
        },
      },
    );
    expect(recordsOf(sizes.pairs).map(({ first }) => first)).toEqual(
      recordsOf(
        halves(
          filterRows(field, (_, row) => row < 40),
          { minDecided: 0, measure: 'pnl' },
        ).pairs,
      ).map(({ first }) => first),
    );
    expect([...shapes]).toEqual([
      '40×6 date,proxy_wallet,pnl,invested,wins,losses 40,40,40,40,40,40',
      '2×6 date,proxy_wallet,pnl,invested,wins,losses 2,2,2,2,2,2',
    ]);
  }, 300_000);

  it.skipIf(isAbsent('/usr/lib/python3/dist-packages/pandas', 'the rank correlation agrees with pandas'))(
    'agrees with pandas, ties included',
    () => {
      const rounded = new DataFrame(records.map((row) => ({ ...row, pnl: Math.round(row.pnl / 40) * 10 })));
      const script = `
import json, sys, pandas as pd
f = pd.DataFrame(json.load(sys.stdin))
f["half"] = f.date >= "2026-01-06"
g = f.groupby(["proxy_wallet", "half"])[["pnl", "invested"]].sum()
r = (g.pnl / g.invested).unstack()
print(r[False].rank().corr(r[True].rank()))`;
      const theirs = Number(
        execFileSync('/usr/bin/python3', ['-c', script], {
          encoding: 'utf8',
          input: JSON.stringify(recordsOf(rounded)),
        }),
      );
      expect(halves(rounded, { minDecided: 0 }).correlation).toBeCloseTo(theirs, 12);
    },
  );
});
