import { ColumnError } from '../../base/errors.js';
import type { Column } from '../../contract/definition.js';
import { DAY_MS } from '../../contract/time.js';
import { columnNames, type Tabular } from '../../frame/tabular/tabular.js';
import { type Vector, vectorOfCells } from '../../frame/vector/vector.js';
import { distinctMoments } from './moments.js';
import { refuseCoarser } from './record-granularity.js';

/** Parts of the clock and the calendar that come back again and again, by which rows can be grouped. */
export const CLOCK_PARTS = ['hour', 'weekday'] as const;

/** `hour` of the day, 0 to 23, or `weekday`, Monday to Sunday; both in UTC. */
export type ClockPart = (typeof CLOCK_PARTS)[number];

/** The days of the week, in their order. */
export const WEEKDAYS: readonly string[] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
];

/** Whether rows are grouped by a part of the clock: a column of that name, which a frame may have, comes first. */
export function isClockPart(frame: Tabular, by: string): by is ClockPart {
  return CLOCK_PARTS.some((part) => part === by) && !columnNames(frame).includes(by);
}

/** Rows grouped by a part of the clock, in its order. */
interface ClockGroups {
  readonly key: Column;
  readonly keys: Vector;
  readonly groups: number;
  readonly groupOf: Uint32Array;
}

/**
 * Groups rows by the hour or the weekday of a date, in UTC. Hours and weekdays of no row are no groups.
 *
 * @param date Another column than `date`: rows without a time there form one group, whose key is missing.
 * @throws {ColumnError} If the column or a date is missing, the records are coarser than days, or hours are asked of
 *   dates that are all midnights, as those of records by day are.
 */
export function clockPartsOf(frame: Tabular, part: ClockPart, date?: string): ClockGroups {
  if (date === undefined) refuseCoarser(frame, '1d');
  const name = date ?? 'date';
  const { times, placeOf } = distinctMoments(frame, name, date !== undefined);
  if (part === 'hour' && times.length > 0 && times.every((time) => time % DAY_MS === 0)) {
    throw new ColumnError(
      `The column "${name}" holds days alone, so that every row would be of hour 0: hours are known of trades (pnlBy).`,
    );
  }
  const parts = Array.from(times, (time) => (part === 'hour' ? hourOf(time) : weekdayOf(time)));
  const present = [...new Set(parts)].sort((a, b) => a - b);
  const places = new Map(present.map((value, group) => [value, group]));
  const groupOfPlace = parts.map((value) => places.get(value) as number);
  const lacking = placeOf.includes(-1) ? [undefined] : [];
  const keys = [...present, ...lacking];
  return {
    key: { ...COLUMNS[part], nullable: date !== undefined },
    keys:
      part === 'hour'
        ? { kind: 'number', values: Float64Array.from(keys, (hour) => hour ?? Number.NaN) }
        : vectorOfCells(
            keys.map((day) => (day === undefined ? null : WEEKDAYS[day])),
            'text',
          ),
    groups: keys.length,
    groupOf: Uint32Array.from(placeOf, (place) => groupOfPlace[place] ?? present.length),
  };
}

const COLUMNS = {
  hour: { name: 'hour', dtype: 'int32', unit: 'hours', nullable: false, meaning: 'Hour of the day, 0 to 23, UTC.' },
  weekday: { name: 'weekday', dtype: 'string', nullable: false, meaning: 'Day of the week, UTC.' },
} as const satisfies Record<ClockPart, Column>;

const HOUR_MS = DAY_MS / 24;

function hourOf(time: number): number {
  return Math.floor((time - DAY_MS * Math.floor(time / DAY_MS)) / HOUR_MS);
}

/** From 0 for Monday. 1970 began on a Thursday. */
function weekdayOf(time: number): number {
  const day = (Math.floor(time / DAY_MS) + 3) % 7;
  return day < 0 ? day + 7 : day;
}
