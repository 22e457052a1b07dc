import { resolve } from 'node:path';
import { quoteText } from '../../base/duckdb.js';

/** An option for reading files: without it, the engine would make columns of folders that are called `name=value`. */
export const AS_IT_IS = 'hive_partitioning = false';

/** A file's absolute path as an SQL literal: the engine would interpret `~` or `md:` at the start of a relative one. */
export function pathLiteral(path: string): string {
  return quoteText(resolve(path));
}

/** A file's path as an SQL literal for the engine's readers, with its wildcards escaped. */
export function fileLiteral(path: string): string {
  return pathLiteral(path).replace(/[*?[]/g, '[$&]');
}

/** SQL for the rows of a Parquet file, or of several, one after the other. */
export function parquetRows(files: string | readonly string[]): string {
  return `read_parquet([${[files].flat().map(fileLiteral).join(', ')}], ${AS_IT_IS})`;
}

/**
 * SQL for the Unix milliseconds of text that holds a date in UTC or a Unix time. The unit of a Unix time (seconds,
 * milliseconds, microseconds or nanoseconds) follows from the number of digits before its point. Null for other text, and
 * for numbers that would be seconds before 2001-09-09, when there were no prediction markets to record: they are days as
 * Excel counts them, or dates without dashes. Dates need a year of four digits.
 */
export function millisOf(text: string): string {
  const number = `trim(${text})`;
  const digits = `regexp_replace(${number}, '[.][0-9]+$', '')`;
  const toMillis = `regexp_extract(${number}, '^[0-9]+([.][0-9]{1,3})?')`;
  const has = (count: number) => `regexp_full_match(${digits}, '[1-9][0-9]{${count - 1}}')`;
  return `CASE
    WHEN ${has(10)} THEN (${toMillis}::DECIMAL(13, 3) * 1000)::BIGINT
    WHEN ${has(13)} THEN ${digits}::BIGINT
    WHEN ${has(16)} THEN ${digits}::BIGINT // 1000
    WHEN ${has(19)} THEN try_cast(${digits} AS BIGINT) // 1000000
    ELSE ${thousandth(`epoch_us(CASE WHEN regexp_matches(trim(${text}), '^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?$')
      THEN try_cast(${withSeconds(text)} AS TIMESTAMPTZ) END)`)}
  END`;
}

/** SQL for whether text is a plain number. Where {@link millisOf} reads none, it is no Unix time of any unit. */
export function isPlainNumber(text: string): string {
  return `coalesce(regexp_full_match(trim(${text}), '[0-9]+([.][0-9]+)?'), false)`;
}

/** SQL for date text, with `:00` added to a time that has no seconds. */
function withSeconds(text: string): string {
  return `regexp_replace(trim(${text}), '^(.{10}[ T][0-9]{2}:[0-9]{2})($|[Z+-])', '\\1:00\\2')`;
}

/** SQL for the Unix seconds of text, as {@link millisOf} reads it. */
export function secondsOf(text: string): string {
  return thousandth(millisOf(text));
}

/**
 * SQL for a thousandth of a time in milliseconds or microseconds, rounded down. Since `//` rounds towards 0, times
 * before 1970 are shifted past it for the division.
 */
export function thousandth(time: string): string {
  return `(((${time}) + 1000000000000000000) // 1000 - 1000000000000000)`;
}

/** SQL for the text of a whole number, without the `.0` that pandas writes where a column has missing values. */
export function wholeOf(text: string): string {
  return `regexp_replace(trim(${text}), '^([0-9]+)\\.0+$', '\\1')`;
}

/** SQL for a unique id made of parts; null if one of them is missing. */
export function idOf(...parts: readonly string[]): string {
  return `md5(${parts.join(` || '|' || `)})::UUID`;
}

export function trimmedText(field: string | undefined): string {
  return field === undefined ? 'NULL::VARCHAR' : `nullif(trim(${field}), '')`;
}

export function doubleOf(field: string | undefined): string {
  return field === undefined ? 'NULL::DOUBLE' : `try_cast(${field} AS DOUBLE)`;
}

/**
 * SQL for an amount as a decimal: as a double, half a micro-dollar might be rounded the wrong way. Text that is no
 * plain decimal, such as 50e-2, is read as a double first.
 */
export function exactDecimal(field: string | undefined, type: string): string {
  return `coalesce(try_cast(${field ?? 'NULL'} AS ${type}), try_cast(${doubleOf(field)} AS ${type}))`;
}

/** SQL for a decimal in whole millionths, halves rounded away from zero. The wide type leaves room for the product. */
export function microsOf(amount: string): string {
  return `try_cast(try_cast(round(${amount}, 6) AS DECIMAL(28, 6)) * 1000000 AS BIGINT)`;
}

/** The fault of a token that {@link isRounded} finds. */
export const ROUNDED = 'is a rounded number, which no longer tells the token';

/**
 * SQL for whether a token has lost digits: it was written with an exponent, such as 7.1e+76, or with a point after more
 * digits than a double holds. 7e76 passes, since it may be hexadecimal, and so does 71.0, which is exact.
 */
export function isRounded(token: string): string {
  const forms = '[0-9]+[.][0-9]+[eE][+]?[0-9]+|[0-9]+[eE][+][0-9]+|[0-9]{16,}[.][0-9]+';
  return `coalesce(regexp_full_match(${token}, '${forms}'), false)`;
}
