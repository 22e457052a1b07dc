import type { Column } from '../../contract/definition.js';
import { isIdName } from '../build/infer-column.js';
import { describeVector } from '../vector/describe-vector.js';
import { shortestTimes } from '../vector/shortest-times.js';
import type { BooleanVector, NumberVector, TextVector, Vector } from '../vector/vector.js';
import type { CsvCells } from './csv-cells.js';
import { fieldKind } from './csv-kind.js';

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
    const value = short ?? longNumber(cells.text(row), found);
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
export function textsOf(cells: CsvCells): TextVector {
  const codes = new Int32Array(cells.rows);
  const words: string[] = [];
  const places = new Map<string, number>();
  for (let row = 0; row < cells.rows; row += 1) {
    const text = cells.text(row);
    codes[row] = text === undefined ? -1 : codeOf(text, words, places);
  }
  return { kind: 'text', codes, words, distinct: true };
}

function codeOf(word: string, words: string[], places: Map<string, number>): number {
  const known = places.get(word);
  if (known !== undefined) return known;
  places.set(word, words.length);
  return words.push(word) - 1;
}
