import { expect, it } from 'vitest';
import { formatPercent, formatUsd } from '../../src/analysis/shown-result.js';

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
