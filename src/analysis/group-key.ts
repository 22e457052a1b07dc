import { bucketStart, type Granularity } from '../contract/bucket.js';
import type { Column } from '../contract/column.js';
import { DAY_SECONDS, isoOfSeconds } from '../contract/time.js';
import { column } from '../frame/column.js';
import { columnsOf } from '../frame/columns-of.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import type { Cell, Tabular } from '../frame/tabular.js';
import { timesOf } from './times-of.js';

/** A calendar period that rows are pooled by, in UTC; weeks start on Monday. */
export type Period = 'day' | 'week' | 'month';

const GRANULARITY: Readonly<Record<Period, Granularity>> = { day: '1d', week: '1w', month: '1m' };

/** Whether rows are pooled by a calendar period, not by a column. */
export function isPeriod(by: string): by is Period {
  return Object.hasOwn(GRANULARITY, by);
}

/**
 * What rows are pooled by: the values of a column, or the first moments of the periods that their `date` falls into.
 *
 * @returns The key of each row, and what the keys are as a column of a result.
 * @throws {ColumnError} If the column is missing, or a date is.
 */
export function groupKey(frame: Tabular, by: string): { key: Column; keyOfRow: ArrayLike<Cell> } {
  if (isPeriod(by))
    return { key: { ...DATE, meaning: `First moment of the ${by}, UTC.` }, keyOfRow: periods(frame, by) };
  const keyOfRow = column(frame as DataFrame, by);
  const known = columnsOf(frame).find(({ name }) => name === by);
  return { key: known ?? { name: by, dtype: 'string', nullable: true, meaning: '' }, keyOfRow };
}

const DATE = { name: 'date', dtype: 'datetime', nullable: false } as const;

function periods(frame: Tabular, period: Period): string[] {
  return Array.from(timesOf(frame, 'date'), (time) => {
    const day = Math.floor(time / 1000 / DAY_SECONDS);
    return isoOfSeconds(bucketStart(GRANULARITY[period], day, day) * DAY_SECONDS);
  });
}
