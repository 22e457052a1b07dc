import { DAY_SECONDS, isoOfSeconds } from '../contract/time.js';
import type { Tabular } from '../frame/tabular.js';
import { vectorOfCells } from '../frame/vector/vector.js';
import { keyCodes } from '../frame/verbs/key-codes.js';
import { periodStart } from '../frame/verbs/period-start.js';
import { groupsOfKeys } from '../frame/verbs/row-groups.js';
import type { GroupedRows, Period } from './grouped-rows.js';
import { momentsOf } from './moments-of.js';

/**
 * Groups rows by the calendar period of a date column, in the order of their first rows. Rows without a date form one
 * group, whose key is missing.
 *
 * @param name The column of the date.
 * @throws {ColumnError} If the column is missing, or a date cannot be read.
 */
export function datedGroups(frame: Tabular, period: Period, name: string): GroupedRows {
  const starts = startsOf(momentsOf(frame, name), period);
  const codes = keyCodes(name, { kind: 'number', values: starts });
  const { groupOf, groups, firstRows } = groupsOfKeys(starts.length, [codes]);
  const texts = Array.from(firstRows, (row) => {
    const start = starts[row] as number;
    return Number.isNaN(start) ? null : isoOfSeconds(start * DAY_SECONDS);
  });
  const meaning = `First moment of the ${period} of ${name}, UTC.`;
  const key = { name: 'date', dtype: 'datetime', nullable: true, meaning } as const;
  return { key, keys: vectorOfCells(texts, 'text'), groups, groupOf };
}

/** The first day of each moment's period, as a day number; each day is looked up once. */
function startsOf(moments: Float64Array, period: Period): Float64Array {
  const known = new Map<number, number>();
  const starts = new Float64Array(moments.length);
  let last = Number.NaN;
  let start = Number.NaN;
  for (let row = 0; row < moments.length; row += 1) {
    const day = Math.floor((moments[row] as number) / 1000 / DAY_SECONDS);
    if (day !== last) {
      start = known.get(day) ?? (Number.isNaN(day) ? day : periodStart(period, day, day));
      known.set(day, start);
      last = day;
    }
    starts[row] = start;
  }
  return starts;
}
