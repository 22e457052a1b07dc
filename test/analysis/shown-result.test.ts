import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { betaPrior } from '../../src/analysis/beta-prior.js';
import { bootstrapInterval } from '../../src/analysis/bootstrap-interval.js';
import { drawdown, recoveryFactor } from '../../src/analysis/drawdowns.js';
import { halves } from '../../src/analysis/halves.js';
import { expectancy, kellyFraction, payoffRatio, profitFactor } from '../../src/analysis/payoffs.js';
import { calmar, sharpe, sortino } from '../../src/analysis/risk-adjusted-return.js';
import { roi } from '../../src/analysis/roi.js';
import { formatPercent, formatUsd, shownResult } from '../../src/analysis/shown-result.js';
import { streaks } from '../../src/analysis/streaks.js';
import { winRate } from '../../src/analysis/win-rate.js';
import type { Completeness } from '../../src/contract/completeness.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { setProvenance } from '../../src/frame/tabular/provenance.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';

it('writes dollars with cents only where they matter', () => {
  expect([-1234.5, 999.999, 12.3, -0, -0.25, 1e6, Number.NaN].map(formatUsd)).toEqual([
    '-$1,235',
    '$1,000.00',
    '$12.30',
    '$0.00',
    '-$0.25',
    '$1,000,000',
    '–',
  ]);
});

it('writes fractions as percentages, never a negative zero', () => {
  expect([0.4902, -0.0001, 1, Number.NaN].map((share) => formatPercent(share))).toEqual([
    '49.0%',
    '0.0%',
    '100.0%',
    '–',
  ]);
  expect(formatPercent(0.95, 0)).toBe('95%');
});

it('reads like its table as text and on the console, and stays a plain object otherwise', () => {
  const result = shownResult({ rate: 0.5, decided: 10 }, new DataFrame({ wins: [5] }), [
    ['Win rate', '50.0%'],
    ['Decided', '10'],
  ]);
  const table = 'Win rate  50.0%\nDecided   10';
  expect([String(result), `${result}`, inspect(result)]).toEqual([table, table, table]);
  // In an object, each line is indented like the property that it belongs to.
  expect(inspect({ july: result })).toBe('{\n  july: Win rate  50.0%\n  Decided   10\n}');
  expect({ ...result }).toEqual({ rate: 0.5, decided: 10 });
  expect(inspect({ ...result })).toBe('{ rate: 0.5, decided: 10 }');
  expect(JSON.stringify(result)).toBe('{"rate":0.5,"decided":10}');
});

/** Every measure of PnL records with one result that is shown. */
const OF_PNL: Readonly<Record<string, (frame: DataFrame) => object>> = {
  betaPrior,
  bootstrapInterval: (frame) => bootstrapInterval(frame, 'pnl'),
  calmar: (frame) => calmar(frame, { capital: 100 }),
  drawdown,
  expectancy,
  halves,
  kellyFraction,
  payoffRatio,
  profitFactor,
  recoveryFactor,
  roi,
  sharpe: (frame) => sharpe(frame, { capital: 100 }),
  sortino: (frame) => sortino(frame, { capital: 100 }),
  streaks,
  winRate,
};

it.each(Object.entries(OF_PNL))(
  '%s notes an incomplete record as its last line, wherever it is shown',
  (_, measure) => {
    const wallets = ['a1', 'b2'].map((pair) => `0x${pair.repeat(20)}`);
    const rows = wallets.flatMap((proxy_wallet) =>
      [3, -2].map((pnl, day) => ({ date: `2026-01-0${day + 1}`, proxy_wallet, pnl, invested: 9, wins: 1, losses: 1 })),
    );
    const [one = '', other = ''] = wallets;
    const told = (completeness: Readonly<Record<string, Completeness>>) => {
      const frame = new DataFrame(rows);
      const query = { service: '', dataset: 569, params: {}, queriedAt: '2026-01-01T00:00:00Z', records: 4 };
      setProvenance(frame, [{ ...query, completeness }]);
      return frame;
    };
    const faulty = { seen: true, feeless_fills: 3, fills: 42 };
    const shown = (frame: DataFrame) => {
      const result = measure(frame);
      const display = Reflect.get(result, Symbol.for('Jupyter.display'))();
      const cells = String(display['text/html']).split('<tr').slice(1);
      expect(display['text/plain']).toBe(String(result));
      expect(cells).toHaveLength(String(result).split('\n').length);
      return { line: String(result).split('\n').at(-1), cell: cells.at(-1), lines: cells.length };
    };
    const complete = shown(told({ [one]: { seen: true }, [other]: { seen: true } }));
    expect(complete.line).not.toMatch(/^Note/);
    const both = shown(told({ [one]: { seen: true }, [other]: faulty }));
    const note = `incomplete records of 1 wallet, such as ${other}: 3 of 42 fills without fees`;
    expect(both.line).toMatch(new RegExp(`^Note +${note}$`));
    expect([both.cell?.includes(note), both.lines]).toEqual([true, complete.lines + 1]);
    const alone = filterRows(told({ [other]: faulty }), (row) => Reflect.get(row, 'proxy_wallet') === other);
    expect(shown(alone).line).toMatch(/^Note +incomplete record: 3 of 42 fills without fees$/);
    expect(shown(new DataFrame(rows)).lines).toBe(complete.lines);
  },
);
