import type { Dataset } from '../../contract/dataset.js';
import type { Column } from '../../contract/definition.js';

/** A record of an answer, as it was sent. */
export type SentRecord = Readonly<Record<string, unknown>>;

/** Whether a column holds numbers. */
export function isNumber(dtype: Column['dtype']): boolean {
  return dtype === 'float64' || dtype === 'int32';
}

/** A value as the text that was sent; empty for a missing one. */
export function sentText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/**
 * Makes the function that shows a column's values to people: numbers with thousands separators and every digit that was
 * sent, shares of one as %, times as days where all of them are midnight, else to the minute.
 */
export function valueFormatter(
  { name, dtype, fraction }: Column,
  records: readonly SentRecord[],
): (value: unknown) => string {
  if (dtype === 'datetime') {
    const texts = records.map((record) => sentText(record[name]));
    const onlyDays = texts.every((text) => text === '' || /T00:00:00(?:\.0+)?Z$/.test(text));
    return (value) => {
      const text = sentText(value);
      return onlyDays ? text.slice(0, 10) : text.replace('T', ' ').replace(/(?::00)?(?:\.\d+)?Z$/, '');
    };
  }
  if (!isNumber(dtype)) return sentText;
  return (value) => {
    const text = sentText(value);
    if (fraction && text !== '' && Number.isFinite(Number(text))) return `${(100 * Number(text)).toFixed(1)}%`;
    return withSeparators(text);
  };
}

/** Puts commas between the thousands of a decimal number; any other text stays as it is. */
export function withSeparators(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  return whole === '' ? text : `${sign}${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${fraction}`;
}

/** What a spreadsheet would take for a formula; a negative number is none. */
const FORMULA = /^(?:[=+@\t\r]|-(?![\d.]+$))/;

/**
 * The records of an answer as CSV by RFC 4180, their values as they were sent, in the dataset's order of columns. Text that
 * a spreadsheet would take for a formula has a `'` before it.
 */
export function csvOf({ columns }: Dataset, records: readonly SentRecord[]): string {
  const lines = [
    columns.map(({ name }) => name),
    ...records.map((record) => columns.map(({ name }) => field(sentText(record[name])))),
  ];
  return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
}

function field(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
