import { ColumnError, UsageError } from '../../base/errors.js';
import type { SeriesConstructor } from '../tabular/data-frame.js';
import { toIsoTime } from '../vector/iso-time.js';
import { type Cell, isMissing } from '../vector/vector.js';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** A series of texts or dates, as its times read it. */
interface TimedSeries {
  readonly values: readonly Cell[];
  readonly index: readonly (string | number)[];
  readonly columns: readonly string[];
  readonly dtypes: readonly string[];
}

/**
 * Mends `dt`: the parts of times are those in UTC, as everywhere in frames, whereas danfo answers the time zone of the
 * machine; missing times stay missing, what is no time is refused, and row labels are kept.
 */
export function mendTimes(seriesClass: SeriesConstructor): void {
  Object.defineProperty(seriesClass.prototype, 'dt', {
    configurable: true,
    get(this: TimedSeries) {
      return timesOf(this, seriesClass);
    },
  });
}

/** The methods of `dt` over a series. @throws {UsageError} If the series holds neither text nor dates. */
function timesOf(series: TimedSeries, seriesClass: SeriesConstructor): Record<string, () => unknown> {
  const { values, index, columns, dtypes } = series;
  const name = String(columns[0] ?? 0);
  if (values.some((cell) => !isMissing(cell) && typeof cell !== 'string' && !(cell instanceof Date)))
    throw new UsageError(`dt reads columns of times; the column "${name}" is one of ${dtypes[0]}.`);
  const of = (part: (date: Date) => Cell, missing: Cell) => (): unknown => {
    const parts = values.map((cell, row) => (isMissing(cell) ? missing : part(dateOf(cell, name, row))));
    return new seriesClass(parts, { index: [...index], columns: [...columns] });
  };
  const none = Number.NaN;
  return {
    year: of((date) => date.getUTCFullYear(), none),
    month: of((date) => date.getUTCMonth(), none),
    monthName: of((date) => MONTHS[date.getUTCMonth()], null),
    dayOfMonth: of((date) => date.getUTCDate(), none),
    dayOfWeek: of((date) => date.getUTCDay(), none),
    dayOfWeekName: of((date) => WEEKDAYS[date.getUTCDay()], null),
    hours: of((date) => date.getUTCHours(), none),
    minutes: of((date) => date.getUTCMinutes(), none),
    seconds: of((date) => date.getUTCSeconds(), none),
    date: of((date) => date.toISOString().replace('.000Z', 'Z'), null),
  };
}

function dateOf(cell: Cell, name: string, row: number): Date {
  const iso = typeof cell === 'string' ? toIsoTime(cell) : undefined;
  const date = cell instanceof Date ? cell : new Date(iso ?? Number.NaN);
  if (!Number.isNaN(date.getTime())) return date;
  const found = cell instanceof Date ? 'an invalid date' : JSON.stringify(cell);
  throw new ColumnError(
    `The column "${name}" holds ${found} in row ${row}, counted from 0, which is no time: write it as 2026-01-31T00:00:00Z.`,
  );
}
