import { microsOf } from '../../base/decimal.js';
import type { Column } from '../../contract/definition.js';
import { toIsoTime } from '../iso-time.js';
import { MISSING_MICROS, type Vector } from '../vector/vector.js';
import type { CsvCells } from './csv-cells.js';
import { textsOf } from './csv-infer.js';

const NUMBER = /^-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)$/;
const LARGEST_MICROS = 2n ** 63n - 1n;

/** Refuses the content of a row. */
export type RefuseRow = (row: number, expected: string) => never;

/**
 * Reads a column of a CSV file by its description.
 *
 * @param exact Whether decimal columns become exact micro-units.
 * @param refuse Called for the first field that does not fit the column.
 */
export function decodeCsvColumn(column: Column, cells: CsvCells, exact: boolean, refuse: RefuseRow): Vector {
  const expected = (row: number, what: string) => refuse(row, column.nullable ? `${what}, or nothing` : what);
  const { nullable } = column;
  switch (column.dtype) {
    case 'float64':
    case 'int32':
      return exact && column.decimal ? decodeMicros(cells, nullable, expected) : decodeNumbers(column, cells, expected);
    case 'boolean':
      return decodeBooleans(cells, nullable, expected);
    case 'datetime':
      return decodeTimes(cells, nullable, expected);
    default:
      return nullable ? textsOf(cells) : presentTexts(cells);
  }
}

function decodeNumbers({ dtype, nullable }: Column, cells: CsvCells, refuse: RefuseRow): Vector {
  const what = dtype === 'int32' ? 'an integer' : 'a number such as 12.5';
  const values = new Float64Array(cells.rows);
  for (let row = 0; row < cells.rows; row += 1) {
    const value = cells.shortDecimal(row) ?? numberOf(cells.text(row), nullable);
    if (value === undefined || (dtype === 'int32' && !Number.isNaN(value) && !Number.isSafeInteger(value))) {
      refuse(row, what);
    }
    values[row] = value;
  }
  return { kind: 'number', values };
}

function numberOf(text: string | undefined, nullable: boolean): number | undefined {
  if (!text) return nullable ? Number.NaN : undefined;
  return NUMBER.test(text) && isInRange(text) ? Number(text) : undefined;
}

/** Whether a number is in the range of doubles: it does not become 0 or infinite unless it is. */
function isInRange(text: string): boolean {
  const value = Number(text);
  if (value === 0) return !/^[^eE]*[1-9]/.test(text);
  return Number.isFinite(value) || text.endsWith('Infinity');
}

function decodeMicros(cells: CsvCells, nullable: boolean, refuse: RefuseRow): Vector {
  const values = new BigInt64Array(cells.rows);
  for (let row = 0; row < cells.rows; row += 1) {
    const text = cells.text(row);
    const value = text ? microsOf(text) : nullable ? MISSING_MICROS : undefined;
    if (value === undefined || value > LARGEST_MICROS || (text && value < -LARGEST_MICROS)) {
      refuse(row, 'plain decimal text such as 12.5');
    }
    values[row] = value;
  }
  return { kind: 'micros', values };
}

function decodeBooleans(cells: CsvCells, nullable: boolean, refuse: RefuseRow): Vector {
  const values = new Int8Array(cells.rows);
  for (let row = 0; row < cells.rows; row += 1) {
    const text = cells.text(row)?.toLowerCase();
    if (text !== 'true' && text !== 'false' && !(nullable && !text)) refuse(row, 'true or false');
    values[row] = text ? Number(text === 'true') : -1;
  }
  return { kind: 'boolean', values };
}

function decodeTimes(cells: CsvCells, nullable: boolean, refuse: RefuseRow): Vector {
  const { codes, words } = textsOf(cells);
  const times = words.map((word) => (word === '' && nullable ? undefined : toIsoTime(word)));
  const missing = words.map((word) => word === '' && nullable);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] ?? -1;
    if (code < 0 ? !nullable : times[code] === undefined && !missing[code]) {
      refuse(row, 'ISO 8601 text such as "2025-11-01T00:00:00Z"');
    }
    if (code >= 0 && missing[code]) codes[row] = -1;
  }
  return { kind: 'text', codes, words: times.map((time) => time ?? ''), distinct: false };
}

/** Text that is never missing: an empty field is an empty text, as other programs write it. */
function presentTexts(cells: CsvCells): Vector {
  const { codes, words } = textsOf(cells);
  if (!codes.includes(-1)) return { kind: 'text', codes, words, distinct: true };
  const empty = words.length;
  return {
    kind: 'text',
    codes: codes.map((code) => (code < 0 ? empty : code)),
    words: [...words, ''],
    distinct: false,
  };
}
