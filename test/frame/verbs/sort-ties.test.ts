import { expect, it } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { argSort } from '../../../src/frame/verbs/sort-by.js';

/** Numbers of which `run` each differ only in the lower halves of their bits, in no order, some of them equal. */
function nearNumbers(runs: number, run: number): number[] {
  return Array.from({ length: runs * run }, (_, row) => {
    const [base, within] = [(row * 7919) % runs, (row * 31) % run];
    return (base % 2 ? -1 : 1) * (base + 1) * (1 + Math.floor(within / 2) * 2 ** -45);
  });
}

it.each([
  [1000, 2],
  [300, 16],
  [300, 17],
  [900, 3],
  [4, 900],
])('numbers that differ only in their last digits are in order, however many are near: %i times %i', (runs, run) => {
  const near = nearNumbers(runs, run);
  // Far ones, so that most rows differ already in the upper halves.
  const far = Array.from({ length: 12 * near.length }, (_, row) => ((row * 104_729) % 1_000_003) / 7 + 0.5);
  const others = [Number.NaN, Number.NaN, Number.NaN, 0, -0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const numbers = [...near, ...others, ...far];
  const second = numbers.map((_, row) => (row * 13) % 5);
  const frame = new DataFrame({ numbers, second });
  for (const sign of [1, -1]) {
    const byNumber = (one: number, other: number) => {
      const [a, b] = [numbers[one] as number, numbers[other] as number];
      if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      return a === b ? 0 : a < b ? -sign : sign;
    };
    const rows = numbers.map((_, row) => row);
    const descending = sign < 0;
    expect([...argSort(frame, [{ column: 'numbers', descending }])]).toEqual(rows.toSorted(byNumber));
    const bySecond = (one: number, other: number) => (second[one] as number) - (second[other] as number);
    const keys = [
      { column: 'numbers', descending },
      { column: 'second', descending: false },
    ];
    expect([...argSort(frame, keys)]).toEqual(rows.toSorted((a, b) => byNumber(a, b) || bySecond(a, b) || a - b));
  }
});
