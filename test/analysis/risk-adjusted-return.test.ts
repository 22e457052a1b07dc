import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calmar, sharpe, sortino } from '../../src/analysis/risk-adjusted-return.js';
import { roiBy } from '../../src/analysis/roi.js';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { readParquet, writeParquet } from '../../src/frame/files/parquet.js';
import { query } from '../../src/frame/sql/sql-query.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { provenanceOf, setProvenance } from '../../src/frame/tabular/provenance.js';
import { concatRows } from '../../src/frame/verbs/concat-rows.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { sortBy } from '../../src/frame/verbs/sort-by.js';
import { withColumns } from '../../src/frame/verbs/with-columns.js';
import fc from '../support/fast-check.js';
import { isAbsent } from '../support/is-absent.js';
import { recordsAsked } from '../support/records-asked.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().replace('.000', '');
const daily = (...pnl: number[]) => new DataFrame({ date: pnl.map((_, at) => day(at)), pnl });
const nothing = new DataFrame([], { columns: ['date', 'pnl'], dtypes: ['string', 'float32'] });
const capital = 100;

// Daily returns in percent and what empyrical's own tests expect of them, for 252 days a year. Its series starts with a
// missing return, which its means pass over but its annual return counts as a day.
const MIXED = [1, 10, -4, 2, 3, 2, 1, -10];
const NEGATIVE = [0, -6, -7, -1, -9, -2, -6, -8, -5];
const YEAR = Math.sqrt(365 / 252);

describe('sharpe', () => {
  it.each([
    [MIXED, 1.7238613961706866],
    [NEGATIVE, -24.406808633910085],
    [[1, 2, 1, 1, 1, 1, 1, 1, 1], 52.915026221291804],
  ])('of %j is what empyrical publishes', (returns, published) => {
    expect(sharpe(daily(...returns), { capital }).sharpe).toBeCloseTo(published * YEAR, 8);
  });

  it('tells its parts: empyrical publishes a volatility of 0.9136', () => {
    // Mean of the eight returns: 5/8 percent.
    const { meanReturn, volatility, days } = sharpe(daily(...MIXED), { capital });
    expect(meanReturn).toBeCloseTo((365 * 0.05) / 8, 12);
    expect(volatility).toBeCloseTo(0.9136465399704637 * YEAR, 10);
    expect(days).toBe(8);
  });

  it('fills days without a result with 0, and pools wallets', () => {
    const gaps = new DataFrame({ date: [day(3), day(0), day(3)], proxy_wallet: ['a', 'a', 'b'], pnl: [1, 2, 3] });
    expect(sharpe(gaps, { capital })).toEqual(sharpe(daily(2, 0, 0, 4), { capital }));
  });

  it('is NaN for fewer than two days, and where all are alike', () => {
    expect(sharpe(nothing, { capital }).sharpe).toBeNaN();
    expect(sharpe(daily(1), { capital }).sharpe).toBeNaN();
    expect(sharpe(daily(0.1, 0.1, 0.1), { capital }).sharpe).toBeNaN();
  });

  it('is the same for any capital and scale, and the sign turns with the sign of pnl', () => {
    const returns = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(returns, fc.integer({ min: 1, max: 1e6 }), (pnl, dollars) => {
        const one = sharpe(daily(...pnl), { capital });
        const other = sharpe(daily(...pnl.map((value) => -3 * value)), { capital: dollars });
        if (Number.isNaN(one.sharpe)) expect(other.sharpe).toBeNaN();
        else expect(other.sharpe).toBeCloseTo(-one.sharpe, 9);
        expect(other.volatility * dollars).toBeCloseTo(3 * one.volatility * capital, 6);
      }),
    );
  });
});

describe('sortino', () => {
  it.each([
    [MIXED, 2.605531251673693],
    [NEGATIVE, -13.532743075043401],
  ])('of %j is what empyrical publishes', (returns, published) => {
    expect(sortino(daily(...returns), { capital }).sortino).toBeCloseTo(published * YEAR, 8);
  });

  it('counts all days in its downside risk, which empyrical publishes', () => {
    expect(sortino(daily(...MIXED), { capital }).downsideRisk).toBeCloseTo(0.60448325038829653 * YEAR, 10);
  });

  it('is NaN without a losing day, and for one day', () => {
    expect(sortino(daily(-1), { capital }).sortino).toBeNaN();
    expect(sortino(daily(1, 2), { capital }).sortino).toBeNaN();
    expect(sortino(nothing, { capital }).sortino).toBeNaN();
  });
});

describe('calmar', () => {
  it('is what empyrical publishes', () => {
    // For 252 days and 9 returns: 1.9135925373194231 a year with a fall of 10%. The 0 is the day that it counts.
    const { annualReturn, maxDrawdown, calmar: ratio } = calmar(daily(0, ...MIXED), { capital });
    expect(1 + annualReturn).toBeCloseTo(2.9135925373194231 ** (365 / 252), 8);
    expect(maxDrawdown).toBeCloseTo(0.1, 12);
    expect(ratio).toBeCloseTo(annualReturn / 0.1, 8);
  });

  it('counts a fall from the start: empyrical publishes 36.59% for losses alone', () => {
    expect(calmar(daily(...NEGATIVE), { capital }).maxDrawdown).toBeCloseTo(0.365907303498736, 10);
    expect(calmar(daily(-50, 10), { capital }).maxDrawdown).toBe(0.5);
  });

  it('is NaN without a fall or rows, and where more than all is lost', () => {
    expect(calmar(daily(1, 2), { capital })).toMatchObject({ calmar: Number.NaN, maxDrawdown: 0 });
    expect(calmar(nothing, { capital })).toMatchObject({ calmar: Number.NaN, maxDrawdown: Number.NaN, days: 0 });
    expect(calmar(daily(5, -120, 300), { capital }).calmar).toBeNaN();
    expect(calmar(daily(0, -100), { capital })).toMatchObject({ calmar: -1, annualReturn: -1, maxDrawdown: 1 });
  });
});

it('refuses one day: no annual figure is made of it, and the shown result says why', () => {
  for (const measure of [sharpe, sortino, calmar]) {
    for (const pnl of [5, -5, 0]) {
      const { days, from, to, capital: given, ...figures } = measure(daily(pnl), { capital });
      expect([from, to]).toEqual(['2026-01-01', '2026-01-01']);
      expect([days, given]).toEqual([1, capital]);
      expect(Object.values(figures)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    }
    const shown = Reflect.get(measure(daily(5), { capital }), Symbol.for('Jupyter.display'))();
    expect(shown['text/plain']).toMatch(/Refused +it takes at least two days to tell anything of a year/);
    expect(
      Reflect.get(measure(daily(5, -1), { capital }), Symbol.for('Jupyter.display'))()['text/plain'],
    ).not.toContain('Refused');
  }
});

it('asks for the capital, and names a missing column', () => {
  for (const measure of [sharpe, sortino, calmar]) {
    expect(() => measure(daily(1), {} as never)).toThrow(UsageError);
    expect(() => measure(daily(1), undefined as never)).toThrow(/\{ capital: 1000 \}/);
    expect(() => measure(daily(1), { capital: 0 })).toThrow(UsageError);
    expect(() => measure(daily(1), { capitl: 1 } as never)).toThrow(/Did you mean "capital"/);
    expect(() => measure(new DataFrame({ dates: [day(0)], pnl: [1] }), { capital })).toThrow(ColumnError);
  }
});

describe('days', () => {
  const every = (step: (at: number) => string, count: number) =>
    new DataFrame({ date: Array.from({ length: count }, (_, at) => step(at)), pnl: Array(count).fill(1) });
  const weeks = (count: number) => every((at) => day(7 * at), count);
  const months = (count: number) => every((at) => `2026-0${at + 1}-01T00:00:00Z`, count);

  it('are told from weeks and months, which would count as one day each', () => {
    for (const measure of [sharpe, sortino, calmar]) {
      expect(() => measure(weeks(8), { capital })).toThrow(new ColumnError(refusal('weeks')));
      expect(() => measure(months(4), { capital })).toThrow(new ColumnError(refusal('months')));
      expect(measure(weeks(7), { capital }).days).toBe(43);
      expect(measure(months(3), { capital }).days).toBe(60);
    }
  });

  const asked = (granularity: string | undefined, frame = daily(1, -2)) =>
    recordsAsked(granularity === undefined ? {} : { granularity }, frame);

  it('are known by what was asked for, whatever the dates', () => {
    for (const measure of [sharpe, sortino, calmar]) {
      for (const granularity of ['1d', undefined]) {
        expect(measure(asked(granularity, weeks(20)), { capital }).days).toBe(134);
        expect(measure(asked(granularity, months(9)), { capital }).days).toBe(244);
      }
      expect(() => measure(asked('3d'), { capital })).toThrow(new ColumnError(refusal('spans of three days')));
      expect(() => measure(asked('1w'), { capital })).toThrow(new ColumnError(refusal('weeks')));
      expect(() => measure(asked('1m'), { capital })).toThrow(new ColumnError(refusal('months')));
      expect(() => measure(asked('all'), { capital })).toThrow(new ColumnError(refusal('the whole time')));
    }
  });

  it('are known also of rows that were chosen, sorted and put together', async () => {
    const changed = (frame: DataFrame) => [
      filterRows(frame, ({ pnl }) => Number(pnl) > 0),
      sortBy(frame, 'pnl'),
      frame.sortValues('pnl', { ascending: false }),
      frame.tail(12),
      concatRows(frame, asked('1d')),
    ];
    for (const frame of changed(asked('1d', weeks(20)))) expect(sharpe(frame, { capital }).days).toBeGreaterThan(0);
    for (const frame of changed(asked('3d', weeks(20))))
      expect(() => sharpe(frame, { capital })).toThrow(refusal('spans of three days'));
    const path = join(await temporaryFolder(), 'pnl.parquet');
    await writeParquet(asked('1d', weeks(20)), path);
    expect(sharpe(await readParquet(path), { capital }).days).toBe(134);
  });

  it('are guessed where rows were pooled since, or queries that are told together were not all for days', () => {
    const pooled = roiBy(withColumns(asked('1d', weeks(20)), { invested: () => 1 }), { by: 'week' });
    expect(() => sharpe(pooled, { capital })).toThrow(refusal('weeks'));
    const together = { queries: 40, sha256: '' };
    expect(() => sharpe(recordsAsked({}, weeks(8), together), { capital })).toThrow(refusal('weeks'));
    expect(sharpe(recordsAsked({ granularity: '1d' }, weeks(8), together), { capital }).days).toBe(50);
  });

  it('refuses months that SQL pools by the name of the days that were asked for', async () => {
    const days = recordsAsked({ granularity: '1d' }, months(9));
    const sql = (date: string) => query(`SELECT ${date}, sum(pnl) AS pnl FROM days GROUP BY 1 ORDER BY 1`, { days });
    expect(sharpe(await sql('date'), { capital }).days).toBe(244);
    const month = "date_trunc('month', date)";
    for (const monthly of [`${month} AS date`, `${month} date`, `${month}::TIMESTAMP date`, `${month}"date"`]) {
      const frame = await sql(monthly);
      expect(() => sharpe(frame, { capital })).toThrow(refusal('months'));
    }
  });
});

describe('the range', () => {
  const november = new DataFrame({
    date: ['2025-11-10T00:00:00Z', '2025-11-12T00:00:00Z', '2025-11-11T00:00:00Z'],
    pnl: [30, 20, -10],
  });
  const given = { capital: 1000, from: '2025-11-01', to: '2025-11-30' };
  // Written out: thirty days, three with a result.
  const month = [...Array(9).fill(0), 30, -10, 20, ...Array(18).fill(0)] as number[];
  const byHand = (pnl: number[]) => {
    const mean = pnl.reduce((sum, value) => sum + value, 0) / pnl.length;
    const variance = pnl.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (pnl.length - 1);
    return (mean / Math.sqrt(variance)) * Math.sqrt(365);
  };

  it('counts the days that were asked for, whatever the wallet did on them', () => {
    expect(sharpe(november, { capital: 1000 }).days).toBe(3);
    const asked = { start_time: '2025-11-01', end_time: '2025-11-30', granularity: '1d' };
    for (const result of [sharpe(november, given), sharpe(recordsAsked(asked, november), { capital: 1000 })]) {
      expect(result).toMatchObject({ days: 30, from: '2025-11-01', to: '2025-11-30' });
      expect(result.sharpe).toBeCloseTo(byHand(month), 12);
    }
    // The range beats those three days by far: √(30 / 3), but for the variance.
    expect(sharpe(november, { capital: 1000 }).sharpe).toBeGreaterThan(3 * sharpe(november, given).sharpe * 0.8);
    expect(sortino(november, given).downsideRisk).toBeCloseTo(Math.sqrt((0.01 ** 2 / 30) * 365), 12);
    expect(calmar(november, given)).toMatchObject({ days: 30 });
    expect(1 + calmar(november, given).annualReturn).toBeCloseTo((1.03 * 0.99 * 1.02) ** (365 / 30), 9);
  });

  it('leaves out what lies beyond the ends that were given, and takes dates', () => {
    const { days, sharpe: ratio } = sharpe(november, {
      capital: 1000,
      from: new Date('2025-11-11T18:00:00Z'),
      to: '2025-11-13',
    });
    expect(days).toBe(3);
    expect(ratio).toBeCloseTo(byHand([-10, 20, 0]), 12);
    expect(sharpe(november, { capital: 1, from: '2025-11-11', to: '2025-11-11T00:00:00Z' }).days).toBe(1);
  });

  it('spans all queries behind a frame, and never the future', () => {
    const of = (params: Record<string, string>) => recordsAsked({ granularity: '1d', ...params }, november);
    const both = concatRows(of({ start_time: '2025-11-05', end_time: '2025-11-12' }), of({ end_time: '2025-11-20' }));
    expect(sharpe(both, { capital: 1 })).toMatchObject({ from: '2025-11-05', to: '2025-11-20' });
    // The answer is of 1 January 2026.
    expect(sharpe(of({ end_time: '2026-12-31' }), { capital: 1 })).toMatchObject({
      from: '2025-11-10',
      to: '2026-01-01',
    });
    expect(sharpe(of({ start_time: '2025-11-12' }), { capital: 1 }).from).toBe('2025-11-10');
    const nobody = filterRows(of({ start_time: '2025-11-01', end_time: '2025-11-30' }), () => false);
    expect(sharpe(nobody, { capital: 1 })).toMatchObject({ days: 30, meanReturn: 0, sharpe: Number.NaN });
  });

  it('ends with the events of the wallets, as far as the service told them', () => {
    const of = (frame: DataFrame, params: Record<string, string>, ...lasts: (string | null)[]) => {
      const records = recordsAsked({ granularity: '1d', ...params }, frame);
      const told = lasts.map((last, at) => [`0x${at}`, { seen: last !== null, ...(last && { first: last, last }) }]);
      setProvenance(records, [{ ...provenanceOf(records)[0], completeness: Object.fromEntries(told) } as never]);
      return records;
    };
    const asked = { start_time: '2025-11-01', end_time: '2025-12-31' };
    const last = '2025-11-20T10:00:00Z';
    for (const measure of [sharpe, sortino, calmar]) {
      const to = (...lasts: (string | null)[]) => measure(of(november, asked, ...lasts), { capital: 1000 }).to;
      expect(to(last)).toBe('2025-11-20');
      expect(to('2025-11-03T00:00:00Z', last, null)).toBe('2025-11-20');
      // A record counts, as a market that closes later has one.
      expect(to('2025-11-03T00:00:00Z')).toBe('2025-11-12');
      expect(to('2026-06-01T00:00:00Z')).toBe('2025-12-31');
      expect(to(null)).toBe('2025-12-31');
      const shown = (...lasts: (string | null)[]) => String(measure(of(november, asked, ...lasts), { capital: 1000 }));
      // The last record is of 12 November.
      const note = /Note +the last 49 days have no record, and the service does not say how far its records reach/;
      expect(shown(null)).toMatch(note);
      expect(shown()).toMatch(note);
      for (const told of [last, '2026-06-01T00:00:00Z']) expect(shown(told)).not.toContain('Note');
      const given = { capital: 1000, to: '2025-12-24' };
      expect(String(measure(of(november, asked), given))).not.toContain('Note');
      expect(String(measure(of(november, { ...asked, end_time: '2025-11-12' }), { capital: 1000 }))).not.toContain(
        'Note',
      );
      expect(String(measure(of(november, { ...asked, end_time: '2025-11-13' }), { capital: 1000 }))).toContain(
        'the last day has no record',
      );
      expect(String(measure(november, { capital: 1000 }))).not.toContain('Note');
      expect(measure(of(november, asked, last), { capital: 1000, to: '2025-12-24' }).to).toBe('2025-12-24');
      // Behind all events nothing is known, so nothing is measured.
      const nobody = filterRows(november, () => false) as unknown as DataFrame;
      const none = measure(of(nobody, { start_time: '2025-12-01', end_time: '2025-12-31' }, last), { capital: 1000 });
      expect(none).toMatchObject({ days: 0, from: null, to: null });
      expect(Object.values(none).slice(0, 3)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
      expect(String(none)).toContain('Refused');
    }
  });

  it('is the same for all groups, but for periods', () => {
    const two = new DataFrame({
      date: ['2025-11-10', '2025-11-11', '2025-11-30', '2025-12-02', '2025-12-03'],
      proxy_wallet: ['b', 'b', 'a', 'a', 'a'],
      pnl: [5, 7, 1, -1, 2],
    });
    const rows = recordsOf(sharpe(two, { capital: 100, by: 'proxy_wallet' }));
    const range = { from: '2025-11-10', to: '2025-12-03' };
    for (const { proxy_wallet, ...row } of rows) {
      const own = filterRows(two, (one) => one.proxy_wallet === proxy_wallet);
      const { capital: _, meanReturn, ...rest } = sharpe(own, { capital: 100, ...range });
      expect(row).toEqual({ ...rest, mean_return: meanReturn, note: null });
    }
    expect(rows.map(({ proxy_wallet }) => proxy_wallet)).toEqual(['b', 'a']);
    const months = recordsOf(calmar(two, { capital: 100, by: ['month', 'proxy_wallet'], from: '2025-11-01' }));
    expect(
      months.map(({ date, proxy_wallet, days, from, to }) => [date.slice(0, 7), proxy_wallet, days, from, to]),
    ).toEqual([
      ['2025-11', 'a', 30, '2025-11-01', '2025-11-30'],
      ['2025-11', 'b', 30, '2025-11-01', '2025-11-30'],
      ['2025-12', 'a', 3, '2025-12-01', '2025-12-03'],
    ]);
    expect(recordsOf(sortino(two, { capital: 100, by: 'week' })).map(({ days }) => days)).toEqual([7, 7, 3]);
  });

  it('does not take the Mondays of one of several wallets for weeks', () => {
    const frame = new DataFrame({
      date: Array.from({ length: 60 }, (_, at) => day(at)),
      proxy_wallet: Array.from({ length: 60 }, (_, at) => (at % 7 === 0 ? 'mondays' : 'others')),
      pnl: Array(60).fill(1),
    });
    expect(sharpe(frame, { capital: 1, by: 'proxy_wallet' }).shape[0]).toBe(2);
  });

  it('refuses days that are none, and an end before the beginning', () => {
    for (const [wrong, message] of [
      [{ from: 'November' }, /^from of sharpe must be a day such as '2025-11-01', or a Date; got "November"/],
      [{ to: '2025-11-31' }, /^to of sharpe must be a day.*got "2025-11-31"/],
      [{ to: 20251101 }, /got a value of type number/],
      [{ from: new Date(Number.NaN) }, /got a Date of no time/],
      [{ from: '2025-11-02', to: '2025-11-01' }, /from 2025-11-02 to 2025-11-01, which is before/],
    ] as const)
      expect(() => sharpe(november, { capital: 1, ...wrong } as never)).toThrow(message);
  });
});

function refusal(periods: string): string {
  return `The records are of ${periods}, but days are needed: query them with granularity: '1d'.`;
}

it('shows over how many days, also where it is one', () => {
  for (const ratio of [sharpe, sortino, calmar]) {
    const shown = Reflect.get(ratio(daily(10), { capital }), Symbol.for('Jupyter.display'))();
    expect(shown['text/plain']).toMatch(/\nOver .* 1 day, on/);
  }
});

it('shows its parts', () => {
  const shown = Reflect.get(calmar(daily(10, -11), { capital }), Symbol.for('Jupyter.display'))();
  expect(shown['text/plain']).toMatch(
    /^Calmar ratio .*\nAnnual return .*\nMaximum drawdown {2}11.0%\nOver .* 2 days from 2026-01-01 to 2026-01-02, on/,
  );
});

it.skipIf(isAbsent('/usr/lib/python3/dist-packages/pandas', 'the ratios agree with pandas'))(
  'agrees with pandas',
  () => {
    const pnl = Array.from({ length: 90 }, (_, at) => ((at * 7919) % 201) - 95);
    const script = `
import json, sys, numpy as np, pandas as pd
r = pd.Series(json.loads(sys.argv[1])) / 5000
v = np.r_[1, (1 + r).cumprod()]
fall = (1 - v / np.maximum.accumulate(v)).max()
down = np.sqrt((np.minimum(r, 0) ** 2).mean())
print(json.dumps([np.sqrt(365) * r.mean() / r.std(), np.sqrt(365) * r.mean() / down, (v[-1] ** (365 / len(r)) - 1) / fall]))`;
    const theirs = JSON.parse(
      execFileSync('/usr/bin/python3', ['-c', script, JSON.stringify(pnl)], { encoding: 'utf8' }),
    );
    const frame = daily(...pnl);
    const given = { capital: 5000 };
    const ours = [sharpe(frame, given).sharpe, sortino(frame, given).sortino, calmar(frame, given).calmar];
    for (const [at, value] of ours.entries()) expect(value).toBeCloseTo(theirs[at], 8);

    // A month of which a wallet traded on few days, as pandas fills it up.
    const sparse = [4, 5, 11, 12, 25];
    const filled = `
import json, sys, numpy as np, pandas as pd
at, pnl = json.loads(sys.argv[1])
days = pd.to_datetime(pd.Series(["2026-03-%02d" % d for d in at]))
r = pd.Series(pnl, index=days).reindex(pd.date_range("2026-03-01", "2026-03-31"), fill_value=0) / 5000
print(json.dumps([len(r), np.sqrt(365) * r.mean() / r.std(), np.sqrt(365) * r.mean() / np.sqrt((np.minimum(r, 0) ** 2).mean())]))`;
    const results = [120, -80, 33.5, 60, -10];
    const [days, ratio, downside] = JSON.parse(
      execFileSync('/usr/bin/python3', ['-c', filled, JSON.stringify([sparse, results])], { encoding: 'utf8' }),
    );
    const march = new DataFrame({ date: sparse.map((at) => `2026-03-${String(at).padStart(2, '0')}`), pnl: results });
    const range = { ...given, from: '2026-03-01', to: '2026-03-31' };
    expect(sharpe(march, range).days).toBe(days);
    expect(sharpe(march, range).sharpe).toBeCloseTo(ratio, 10);
    expect(sortino(march, range).sortino).toBeCloseTo(downside, 10);
  },
  20_000,
);
