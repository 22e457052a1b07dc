import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { formatPercent, formatUsd, shownResult } from '../../src/analysis/shown-result.js';

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
  const result = shownResult({ rate: 0.5, decided: 10 }, [
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
