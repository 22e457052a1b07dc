import { describe, expect, it } from 'vitest';
import { normalCriticalValue, wilsonInterval } from '../../src/analysis/statistics/wilson-interval.js';
import { type WinRate, winRate, winRateBy } from '../../src/analysis/win-rate.js';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { PNL } from '../../src/contract/pnl.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { withColumns } from '../../src/frame/verbs/with-columns.js';
import fc from '../support/fast-check.js';

const counts = fc.array(fc.record({ wins: fc.nat(1000), losses: fc.nat(1000) }), { minLength: 1, maxLength: 30 });

describe('normalCriticalValue', () => {
  it.each([
    [0.5, 0.6744897501960817],
    [0.6826894921370859, 1],
    [0.9, 1.6448536269514722],
    [0.95, 1.959963984540054],
    [0.99, 2.5758293035489004],
    [0.999999, 4.891638475699432],
  ])('agrees with the table of the normal distribution at %d', (confidence, z) => {
    expect(normalCriticalValue(confidence)).toBeCloseTo(z, 8);
  });
});

describe('wilsonInterval', () => {
  // 81 of 263, 15 of 148, 0 of 20 and 1 of 29: Newcombe (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [8, 10, 0.4902, 0.9433],
  ])('of %d in %d is the published one', (wins, trials, low, high) => {
    const interval = wilsonInterval(wins, trials, 0.95);
    expect([interval.low.toFixed(4), interval.high.toFixed(4)]).toEqual([low.toFixed(4), high.toFixed(4)]);
  });

  it('mirrors when wins and losses change places, holds the rate, and stays within 0 and 1', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.nat(500),
        fc.double({ min: 0.01, max: 0.999, noNaN: true }),
        (wins, losses, level) => {
          fc.pre(wins + losses > 0);
          const [won, lost] = [
            wilsonInterval(wins, wins + losses, level),
            wilsonInterval(losses, wins + losses, level),
          ];
          expect(won.low).toBeCloseTo(1 - lost.high, 12);
          const rate = wins / (wins + losses);
          expect(won.low >= 0 && won.low <= rate + 1e-12 && rate - 1e-12 <= won.high && won.high <= 1).toBe(true);
        },
      ),
    );
  });
});

describe('winRate', () => {
  it('pools wins over decided closings, and does not average rates', () => {
    const result = winRate(new DataFrame({ wins: [1, 7], losses: [0, 2], win_rate: [100, 77.8] }));
    const { low, high } = wilsonInterval(8, 10, 0.95);
    expect(result).toEqual({ rate: 0.8, low, high, decided: 10, wins: 8, losses: 2, confidence: 0.95 });
  });

  it('is NaN where nothing was decided, and leaves out rows that lack a count', () => {
    const none = {
      rate: Number.NaN,
      low: Number.NaN,
      high: Number.NaN,
      decided: 0,
      wins: 0,
      losses: 0,
      confidence: 0.9,
    };
    expect(winRate(new DataFrame({ wins: [0], losses: [0] }), { confidence: 0.9 })).toEqual(none);
    expect(
      winRate(new DataFrame([], { columns: ['wins', 'losses'], dtypes: ['int32', 'int32'] }), { confidence: 0.9 }),
    ).toEqual(none);
    expect(winRate(new DataFrame({ wins: [3, Number.NaN, 4], losses: [1, 9, Number.NaN] })).decided).toBe(4);
  });

  it('adds up any number of rows, and finds what is amiss in the last', () => {
    for (const rows of [2, 3, 4, 4095, 4096, 4097, 10_001]) {
      const wins = Float64Array.from({ length: rows }, (_, row) => row);
      const losses = new Float64Array(rows).fill(1);
      const of = (last: number) => {
        const changed = wins.with(-1, last);
        return winRate(withColumns(new DataFrame({ losses: [...losses] }), { wins: changed }));
      };
      expect(of(rows - 1)).toMatchObject({ wins: (rows * (rows - 1)) / 2, losses: rows });
      expect(of(Number.NaN)).toMatchObject({ wins: ((rows - 1) * (rows - 2)) / 2, losses: rows - 1 });
      expect(() => of(-1)).toThrow(`"wins" holds -1 in row ${rows - 1}`);
    }
  });

  it('of a whole is that of its parts pooled', () => {
    fc.assert(
      fc.property(counts, fc.nat(30), (rows, cut) => {
        const [whole, ...parts] = [rows, rows.slice(0, cut), rows.slice(cut)].map((some) =>
          winRate(frameFromRecords(COUNTS, some)),
        );
        const wins = parts.reduce((sum, part) => sum + part.wins, 0);
        expect(whole).toEqual(winRate(new DataFrame({ wins: [wins], losses: [(whole?.decided ?? 0) - wins] })));
        expect(parts.reduce((sum, part) => sum + part.decided, 0)).toBe(whole?.decided);
      }),
    );
  });

  it('shows itself as a small table of escaped text', async () => {
    const shown = Reflect.get(winRate(new DataFrame({ wins: [8], losses: [2] })), Symbol.for('Jupyter.display'))();
    expect(shown['text/plain']).toBe(
      'Win rate      80.0%\n95% interval  49.0% to 94.3%\nDecided       10: 8 won, 2 lost',
    );
    expect(shown['text/html']).toContain('49.0% to 94.3%');
  });

  it('names what is wrong with a frame or an option', () => {
    expect(() => winRate(new DataFrame({ win: [1], losses: [2] }))).toThrow(
      new ColumnError('The frame has no column "wins". Did you mean "win"?'),
    );
    expect(() => winRate(new DataFrame({ wins: ['x'], losses: [2] }))).toThrow(/"wins" holds text/);
    expect(() => winRate(new DataFrame({ wins: [1, -1], losses: [2, 0] }))).toThrow(/"wins" holds -1 in row 1/);
    expect(() => winRate(new DataFrame({ wins: [1], losses: [2] }), { confidence: 95 })).toThrow(UsageError);
  });
});

const COUNTS = PNL.columns.filter(({ name }) => name === 'wins' || name === 'losses');

describe('winRateBy', () => {
  const pnl = new DataFrame({
    date: ['2026-02-03T00:00:00Z', '2026-01-05T00:00:00Z', '2026-01-31T00:00:00Z', '2026-03-01'],
    proxy_wallet: ['a', 'b', 'a', 'c'],
    wins: [1, 2, 3, 0],
    losses: [1, 0, 1, 0],
  });

  it('pools by calendar month, in order', () => {
    expect(recordsOf(winRateBy(pnl)).map(({ date, rate, decided }) => [date, rate, decided])).toEqual([
      ['2026-01-01T00:00:00Z', 5 / 6, 6],
      ['2026-02-01T00:00:00Z', 0.5, 2],
      ['2026-03-01T00:00:00Z', Number.NaN, 0],
    ]);
  });

  it('pools by week from Monday', () => {
    const weeks = recordsOf(winRateBy(pnl, { by: 'week' })).map(({ date }) => date);
    expect(weeks).toEqual(['2026-01-05', '2026-01-26', '2026-02-02', '2026-02-23'].map((day) => `${day}T00:00:00Z`));
  });

  it('pools by a column, the highest rate first, undecided ones last', () => {
    const rows = recordsOf(winRateBy(pnl, { by: 'proxy_wallet' }));
    expect(rows.map((row) => [row.proxy_wallet, row.rate])).toEqual([
      ['b', 1],
      ['a', 4 / 6],
      ['c', Number.NaN],
    ]);
    const alone = pick(winRate(new DataFrame({ wins: [2], losses: [0] })));
    expect(rows[0]).toEqual({ proxy_wallet: 'b', ...alone, note: null });
  });

  it('tells groups apart whatever a frame knows of its words', () => {
    const text = fc.constantFrom('a', 'b', 'c', 'd', null);
    fc.assert(
      fc.property(
        fc.array(fc.record({ key: text, wins: fc.nat(5), losses: fc.nat(5), kept: fc.boolean() })),
        (rows) => {
          const kept = rows.filter(({ kept: isKept }) => isKept);
          const [all, some] = [rows, kept].map((records) => frameFromRecords(KEYED, records));
          if (!all || !some) throw new Error('two frames');
          const filtered = filterRows(all, (_, row) => rows[row]?.kept === true);
          const named = (frame: DataFrame) => recordsOf(winRateBy(frame, { by: 'key' }));
          expect(named(filtered)).toEqual(named(some));
          const pooled = named(all).map(({ key, wins, losses }) => [key, wins, losses]);
          const own = (name: string | null) => {
            const mine = rows.filter(({ key }) => key === name);
            const total = (count: 'wins' | 'losses') => mine.reduce((sum, row) => sum + row[count], 0);
            return [name, total('wins'), total('losses')];
          };
          expect(new Map(pooled.map((row) => [row[0], row]))).toEqual(
            new Map([...new Set(rows.map(({ key }) => key))].map((name) => [name, own(name)])),
          );
        },
      ),
    );
  });

  it('names a date that cannot be read', () => {
    const frame = new DataFrame({ date: ['2026-01-01', 'soon'], wins: [1, 1], losses: [0, 0] });
    expect(() => winRateBy(frame)).toThrow(/"date" holds "soon" in row 1/);
  });
});

const KEYED = [{ name: 'key', dtype: 'string', nullable: true, meaning: '' } as const, ...COUNTS];

function pick({ rate, low, high, decided, wins, losses }: WinRate) {
  return { rate, low, high, decided, wins, losses };
}
