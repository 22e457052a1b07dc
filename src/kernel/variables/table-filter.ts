import { InputError } from '../../base/errors.js';
import { keysOf, type Table, type TableColumn } from './table.js';

/** Whether each row of a table is left, by row. */
export type Kept = Uint8Array;

const OPERATORS = {
  '=': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
} as const;

type Operator = keyof typeof OPERATORS;

const COMPARISON = /^\s*(=|!=|<=|>=|<|>)\s*(.*?)\s*$/s;

/** A text that can only be meant as a comparison, unless a cell contains it: the name in front. */
const NAMED = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:=|!=|<=|>=|<|>)/u;

/**
 * The rows that a filter leaves: those in which `column > 5` holds, where the text begins with a column's name and one
 * of `=`, `!=`, `<`, `<=`, `>`, `>=`; else those in which any cell contains the text, whatever its case, be it as the
 * cell is shown or as its whole value. The name may be written in another case where that means one column alone. Text
 * may be in quotes, times are ISO 8601 text, and a comparison never holds for a missing value.
 *
 * @param columnAt Gives the column at a place.
 * @throws {InputError} If a comparison names no column or has no value, or the column cannot be compared with it.
 */
export function keptRows(table: Table, columnAt: (at: number) => TableColumn, filter: string): Kept {
  const comparison = comparisonIn(table, filter.trimStart());
  if (comparison) {
    const { at, operator, value } = comparison;
    if (value !== '') return compared(columnAt(at), operator, unquoted(value), table.rows);
    throw new InputError(
      `The comparison ${JSON.stringify(filter.trim())} is not finished: a value is missing after it.`,
    );
  }
  const kept = containing(table, columnAt, filter);
  const name = NAMED.exec(filter)?.[1];
  if (name === undefined || table.rows === 0 || kept.includes(1)) return kept;
  throw new InputError(`There is no column "${name}": there are ${columnList(table)}.`);
}

interface Comparison {
  at: number;
  operator: Operator;
  value: string;
}

/** The comparison that a filter is; undefined if it begins with no column's name. Of several names the longest counts. */
export function comparisonIn(table: Table, filter: string): Comparison | undefined {
  const found = (isNamed: (name: string) => boolean): Comparison[] =>
    table.columns.flatMap((name, at) => {
      const [, operator, value = ''] = (isNamed(name) && COMPARISON.exec(filter.slice(name.length))) || [];
      return operator === undefined ? [] : [{ at, operator: operator as Operator, value }];
    });
  const [exact] = found((name) => filter.startsWith(name)).sort(
    (a, b) => (table.columns[b.at]?.length ?? 0) - (table.columns[a.at]?.length ?? 0),
  );
  if (exact) return exact;
  const lower = filter.toLowerCase();
  const [only, ...others] = found((name) => lower.startsWith(name.toLowerCase()));
  return others.length === 0 ? only : undefined;
}

/** Names of a table's columns beyond which an error names no more. */
const MOST_NAMED = 30;

/** The names of a table's columns, for an error. */
export function columnList({ columns }: Table): string {
  const more = columns.length - MOST_NAMED;
  return `${columns.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A value without the quotes around it. */
export function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

function compared(column: TableColumn, operator: Operator, value: string, rows: number): Kept {
  const holds = OPERATORS[operator];
  const texts = column.type === 'datetime' ? undefined : column.texts?.();
  if (texts) {
    const { codes, words } = texts;
    return byWord(codes, words, (word) => holds(word < value ? -1 : word > value ? 1 : 0, 0));
  }
  const wanted = numberIn(value, column);
  const kept = new Uint8Array(rows);
  const keys = keysOf(column);
  for (let row = 0; row < rows; row += 1) {
    const key = keys[row] ?? Number.NaN;
    kept[row] = !Number.isNaN(key) && holds(key, wanted) ? 1 : 0;
  }
  return kept;
}

/** What a column's keys are compared with. */
function numberIn(value: string, { name, type }: TableColumn): number {
  if (type === 'boolean') {
    if (value === 'true' || value === 'false') return Number(value === 'true');
    throw new InputError(
      `The column "${name}" holds true and false: compare it with one of them, not with ${JSON.stringify(value)}.`,
    );
  }
  const time = type === 'datetime';
  // A date and a time without an offset are in UTC, as in frames.
  const dated = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(value) ? `${value.replace(' ', 'T')}Z` : value;
  const number = time ? Date.parse(dated) : value === '' ? Number.NaN : Number(value.replaceAll(/[,_]/g, ''));
  if (!Number.isNaN(number)) return number;
  const right = time
    ? 'times: compare it with one such as 2025-11-05 or 2025-11-05T14:30:00Z'
    : 'numbers: compare it with one';
  throw new InputError(`The column "${name}" holds ${right}, not with ${JSON.stringify(value)}.`);
}

function byWord(codes: Int32Array, words: readonly string[], test: (word: string) => boolean): Kept {
  const passes = Uint8Array.from(words, (word) => (test(word) ? 1 : 0));
  return Uint8Array.from(codes, (code) => (code < 0 ? 0 : (passes[code] ?? 0)));
}

/** A text that no number, written in any way, contains. */
const NO_NUMBER = /[^-+.,:\d\seEtTzZ]/;

function containing(table: Table, columnAt: (at: number) => TableColumn, filter: string): Kept {
  const sought = filter.trim().toLowerCase();
  const kept = new Uint8Array(table.rows);
  const columns = table.columns.map((_, at) => columnAt(at));
  for (const column of columns) {
    const texts = column.texts?.();
    if (texts)
      keep(
        kept,
        byWord(texts.codes, texts.words, (word) => word.toLowerCase().includes(sought)),
      );
  }
  // To write a number takes longest: only those of rows that are not kept yet.
  for (const column of columns) if (!column.texts) keepNumbers(kept, column, sought);
  if (ONLY_SHOWN.test(sought)) for (const column of columns) keepShown(kept, column, sought);
  return kept;
}

/** What a shown cell has that its whole value may have not: separators, rounded decimals, a shortened id, a time. */
const ONLY_SHOWN = /[,.…]|\d \d/;
/** Cells that are shown at once. */
const BLOCK = 10_000;

/** Keeps the rows whose cell is shown with a text in it. */
function keepShown(kept: Kept, column: TableColumn, sought: string): void {
  const texts = column.texts?.();
  if (texts) {
    const rowOf = new Int32Array(texts.words.length).fill(-1);
    for (const [row, code] of texts.codes.entries()) if (code >= 0) rowOf[code] = row;
    const used = Array.from(rowOf.keys()).filter((code) => (rowOf[code] ?? -1) >= 0);
    const passes = new Uint8Array(texts.words.length);
    for (const [at, text] of column.shown(used.map((code) => rowOf[code] ?? 0)).entries()) {
      if (text.toLowerCase().includes(sought)) passes[used[at] ?? 0] = 1;
    }
    keep(
      kept,
      Uint8Array.from(texts.codes, (code) => passes[code] ?? 0),
    );
    return;
  }
  if (NO_NUMBER.test(sought)) return;
  for (let from = 0; from < kept.length; from += BLOCK) {
    const rows = Array.from({ length: Math.min(BLOCK, kept.length - from) }, (_, at) => from + at);
    const left = rows.filter((row) => kept[row] === 0);
    for (const [at, text] of column.shown(left).entries()) {
      if (text.toLowerCase().includes(sought)) kept[left[at] ?? 0] = 1;
    }
  }
}

function keep(kept: Kept, more: Kept): void {
  for (let row = 0; row < kept.length; row += 1) if (more[row] === 1) kept[row] = 1;
}

/** Keeps the rows whose number, time, true or false contains a text. */
function keepNumbers(kept: Kept, column: TableColumn, sought: string): void {
  if (column.type === 'boolean' ? !/^[a-z]*$/.test(sought) : NO_NUMBER.test(sought)) return;
  const write = writerOf(column.type);
  const keys = keysOf(column);
  for (let row = 0; row < kept.length; row += 1) {
    const key = keys[row] ?? Number.NaN;
    if (kept[row] === 0 && !Number.isNaN(key) && write(key).includes(sought)) kept[row] = 1;
  }
}

function writerOf(type: string): (key: number) => string {
  if (type === 'boolean') return (key) => (key === 1 ? 'true' : 'false');
  if (type === 'datetime') return (key) => new Date(key).toISOString().toLowerCase();
  return String;
}
