import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calmar, sharpe, sortino } from '../../src/analysis/risk-adjusted-return.js';
import { roiBy } from '../../src/analysis/roi.js';
import { ColumnError, UsageError } from '../../src/base/errors.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { readParquet, writeParquet } from '../../src/frame/files/parquet.js';
import { query } from '../../src/frame/sql/sql-query.js';
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
      const { days, capital: given, ...figures } = measure(daily(pnl), { capital });
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
    /^Calmar ratio .*\nAnnual return .*\nMaximum drawdown {2}11.0%\nOver .* 2 days, on/,
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
  },
  20_000,
);
