import { microsOf } from '../../base/decimal.js';
import type { Column } from '../../contract/definition.js';
import { describeVector } from '../tabular/columns-of.js';
import { isIdName } from '../tabular/infer-column.js';
import { shortestTimes, toIsoTime } from '../vector/iso-time.js';
import { TextCollector } from '../vector/text-vector.js';
import {
  type BooleanVector,
  MISSING_MICROS,
  type NumberVector,
  type TextVector,
  type Vector,
} from '../vector/vector.js';
import { fieldKind } from './csv-options.js';
import type { CsvCells } from './csv-scanner.js';

const NUMBER = /^-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)$/;
const LARGEST_MICROS = 2n ** 63n - 1n;

/** Refuses the content of a row. */
type RefuseRow = (row: number, expected: string) => never;

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
  const what = dtype === 'int32' ? 'an integer' : `a number such as ${cells.example}`;
  const values = new Float64Array(cells.rows);
  for (let row = 0; row < cells.rows; row += 1) {
    const value = cells.shortDecimal(row) ?? numberOf(cells.numeral(row), nullable);
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
    const text = cells.numeral(row);
    const value = text ? microsOf(text) : nullable ? MISSING_MICROS : undefined;
    if (value === undefined || value > LARGEST_MICROS || (text && value < -LARGEST_MICROS)) {
      refuse(row, `plain decimal text such as ${cells.example}`);
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
    const code = codes[row] as number;
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

/**
 * Infers a column of a CSV file from all its fields. It is numeric only if its name is not that of an id, every field
 * is a number without quotes (see {@link fieldKind}), and there is no integer of more than 15 digits, which is rather
 * an id, unless other fields have a fraction. Otherwise it is boolean if all fields are, else text. A column without
 * any value is text, but may also be read as numbers or dates.
 */
export function inferCsvColumn(name: string, cells: CsvCells): { column: Column; vector: Vector } {
  const vector = (isIdName(name) ? undefined : numbersOf(cells)) ?? booleansOf(cells) ?? textsOf(cells);
  const column = describeVector(name, vector);
  return { column, vector: column.dtype === 'datetime' ? shortestTimes(vector) : vector };
}

function numbersOf(cells: CsvCells): NumberVector | undefined {
  const values = new Float64Array(cells.rows);
  const found = { number: false, long: false, fraction: false };
  for (let row = 0; row < cells.rows; row += 1) {
    if (cells.isText(row)) return undefined;
    const short = cells.shortDecimal(row);
    const value = short ?? longNumber(cells.numeral(row), found);
    if (value === undefined) return undefined;
    values[row] = value;
    if (!Number.isNaN(value)) found.number = true;
    if (!Number.isInteger(value)) found.fraction ||= Number.isFinite(value);
  }
  return found.number && (!found.long || found.fraction) ? { kind: 'number', values } : undefined;
}

function longNumber(text: string | undefined, found: { long: boolean }): number | undefined {
  if (text === undefined || text === '') return Number.NaN;
  const kind = fieldKind(text);
  if (kind === 'long') found.long = true;
  return kind === 'number' || kind === 'long' ? Number(text) : undefined;
}

function booleansOf(cells: CsvCells): BooleanVector | undefined {
  const values = new Int8Array(cells.rows).fill(-1);
  let found = false;
  for (let row = 0; row < cells.rows; row += 1) {
    if (cells.isText(row)) return undefined;
    const text = cells.text(row);
    if (text === undefined || text === '') continue;
    if (fieldKind(text) !== 'boolean') return undefined;
    values[row] = text.toLowerCase() === 'true' ? 1 : 0;
    found = true;
  }
  return found ? { kind: 'boolean', values } : undefined;
}

/** The fields as text, whatever they hold. */
function textsOf(cells: CsvCells): TextVector {
  const collected = new TextCollector(cells.rows);
  for (let row = 0; row < cells.rows; row += 1) collected.add(cells.text(row));
  return collected.vector();
}
