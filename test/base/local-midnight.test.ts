import { afterEach, expect, it, vi } from 'vitest';
import { toCsv } from '../../src/frame/csv/to-csv.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { joinOn } from '../../src/frame/verbs/join-on.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const times = () => new DataFrame({ d: ['2025-05-01T00:00:00Z', '2025-05-02T00:00:00Z'], n: [1, 2] });
const local = () => new DataFrame({ d: [new Date(2025, 4, 1), new Date(2025, 4, 2)], n: [1, 2] });
const mixed = () => new DataFrame({ d: [new Date(2025, 4, 1), new Date(2025, 4, 2, 7)], n: [1, 2] });

it('midnights of the machine are refused where a column is compared, joined or written by days', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  for (const name of ['ge', 'gt', 'le', 'lt', 'eq', 'ne'] as const)
    expect(
      () =>
        times()
          .column('d')
          [name](new Date(2025, 4, 1) as never),
      name,
    ).toThrow(/compares with is midnight of 2025-05-01 in this machine's time zone, which is 2025-04-30T22:00:00Z/);
  expect(
    times()
      .column('d')
      .ge(new Date(Date.UTC(2025, 4, 2)) as never).values,
  ).toEqual([false, true]);
  expect(
    times()
      .column('d')
      .ge(new Date(2025, 4, 1, 7) as never).values,
  ).toEqual([false, true]);
  expect(() => joinOn(times(), local(), 'd' as never)).toThrow(/the column "d" of joinOn is midnight of 2025-05-01/);
  expect(() => joinOn(times(), mixed(), 'd' as never)).not.toThrow();
  expect(() => toCsv(local(), { dates: 'day' })).toThrow(/the column "d" is midnight of 2025-05-01/);
  expect(toCsv(local())).toContain('2025-04-30T22:00:00Z');
  vi.stubEnv('TZ', 'UTC');
  expect(
    times()
      .column('d')
      .ge(new Date(2025, 4, 2) as never).values,
  ).toEqual([false, true]);
  expect(toCsv(local(), { dates: 'day' })).toContain('2025-05-01');
});
