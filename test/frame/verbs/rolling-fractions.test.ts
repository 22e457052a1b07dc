import { expect, it } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { column } from '../../../src/frame/tabular/column-values.js';
import { rolling } from '../../../src/frame/verbs/rolling.js';

const rolled = (...times: string[]) =>
  Array.from(
    column(
      rolling(new DataFrame(times.map((at, row) => ({ at, v: row + 1 }))), {
        column: 'v',
        window: '7 days',
        measure: 'sum',
        time: 'at',
      }),
      'rolling_v',
    ),
  );

it('a span of time ends to the last digit of a second', () => {
  // As pandas has it: rolling('7D') of the same rows.
  expect(rolled('2025-01-01T00:00:00.900Z', '2025-01-08T00:00:00.100Z')).toEqual([1, 3]);
  expect(rolled('2025-01-01T00:00:00.100Z', '2025-01-08T00:00:00.100Z')).toEqual([1, 2]);
  expect(rolled('2025-01-01T00:00:00.000000002Z', '2025-01-08T00:00:00.000000001Z')).toEqual([1, 3]);
  expect(rolled('2025-01-01', '2025-01-05T00:00:00.5Z', '2025-01-08', '2025-01-12T00:00:00.5Z')).toEqual([1, 3, 5, 7]);
  expect(() => rolled('2025-01-01T00:00:00.900Z', '2025-01-01T00:00:00.100Z')).toThrow(/rows in order of time/);
});
