import { ColumnError } from '../../base/errors.js';

/**
 * A date in a frame as ISO 8601 text, in the form in which frames hold times.
 *
 * @param name Its column, and `row` its row from 0, for the error.
 * @throws {ColumnError} If the date is invalid, so that no text can say it.
 */
export function dateText(date: Date, name: string, row: number): string {
  if (!Number.isNaN(date.getTime())) return date.toISOString().replace('.000Z', 'Z');
  throw new ColumnError(
    `The column "${name}" holds an invalid date in row ${row}, counted from 0: put null where there is none.`,
  );
}
