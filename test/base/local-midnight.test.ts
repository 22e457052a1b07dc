import { afterEach, expect, it, vi } from 'vitest';
import { toCsv } from '../../src/frame/csv/to-csv.js';
import { DataFrame, Series } from '../../src/frame/danfo/danfo.js';
import { query } from '../../src/frame/sql/sql-query.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
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
  const [day, next] = [new Date(2025, 4, 1), new Date(2025, 4, 2)];
  const column = (frame: { column: (name: 'd') => unknown }) =>
    frame.column('d') as {
      eq: (other: unknown) => { values: boolean[] };
      lt: (other: unknown) => { values: boolean[] };
    };
  for (const list of [[day, next], [day, null], new Series([day, next])])
    expect(() => column(times()).eq(list)).toThrow(
      /what eq compares with is midnight of 2025-05-01 in this machine's time zone.*Write '2025-05-01'/,
    );
  // One alone may be any time of a day.
  expect(column(times()).lt([new Date(2025, 4, 1, 7), next]).values).toEqual([true, false]);
  expect(column(times()).eq([new Date(Date.UTC(2025, 4, 1)), next]).values).toEqual([true, false]);
  expect(column(times()).eq([null, null]).values).toEqual([false, false]);
  // Moments are compared with moments, but text has no zone but UTC.
  for (const text of ['2025-05-01', ['2025-05-01', '2025-05-02']])
    expect(() => column(local()).eq(text)).toThrow(/a Series that is compared with text is midnight of 2025-05-01/);
  expect(column(local()).eq(local().column('d')).values).toEqual([true, true]);
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

it('midnights of the machine are refused as parameters of SQL, alone and as lists', async () => {
  vi.stubEnv('TZ', 'America/New_York');
  const sql = 'SELECT count(*)::INT AS n FROM f WHERE list_contains($days, d)';
  const asked = async (days: readonly Date[]) => recordsOf(await query<{ n: number }>(sql, { f: times() }, { days }));
  const [day, next] = [new Date(2025, 4, 1), new Date(2025, 4, 2)];
  await expect(asked([day, next])).rejects.toThrow(
    "A Date of the list $days of query is midnight of 2025-05-01 in this machine's time zone, which is 2025-05-01T04:00:00Z",
  );
  expect(await asked([new Date(Date.UTC(2025, 4, 1)), next])).toEqual([{ n: 1 }]);
  expect(await asked([new Date('2025-05-01T00:00:00Z'), new Date('2025-05-02T00:00:00Z')])).toEqual([{ n: 2 }]);
  const one = (given: unknown) => query('SELECT * FROM f WHERE d >= $1', { f: times() }, [given as Date]);
  await expect(one(day)).rejects.toThrow(/^\$1 of query is midnight of 2025-05-01/);
  expect((await one(new Date('2025-05-02T00:00:00Z'))).shape[0]).toBe(1);
  for (const given of [new Date(Number.NaN), Symbol('s'), { a: 1 }, () => 1, undefined, [[Symbol('s')]]])
    await expect(one(given)).rejects.toThrow(/^\$1 of query must be text, a number, .*; got (?:a|nothing)/);
});
