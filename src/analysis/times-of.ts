import { ColumnError } from '../errors.js';
import { column } from '../frame/column.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import type { Tabular } from '../frame/tabular.js';

/**
 * The moments of a date column, in milliseconds since 1970, from ISO 8601 text or dates. A date alone is midnight UTC.
 *
 * @throws {ColumnError} If the column is missing, or a row has no date that can be read.
 */
export function timesOf(frame: Tabular, name: string): Float64Array {
  const texts = column(frame as DataFrame, name);
  return Float64Array.from(texts as ArrayLike<unknown>, (text, row) => {
    const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(time)) return time;
    const found = text === null ? 'nothing' : JSON.stringify(text);
    throw new ColumnError(
      `The column "${name}" holds ${found} in row ${row}, counted from 0; it needs a date such as 2026-01-31.`,
    );
  });
}
