import { decimalOf } from '../../base/decimal.js';
import { itemAt } from '../../base/item-at.js';
import type { Column } from '../../contract/definition.js';
import { columnsOf, knownColumns } from '../tabular/columns-of.js';
import { columnNames, isReadyAt, rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { toIsoTime } from '../vector/iso-time.js';
import { distinctWords, TextCollector } from '../vector/text-vector.js';
import {
  type Cell,
  cellAt,
  isMissing,
  lengthOf,
  MISSING_MICROS,
  type TextVector,
  unitsOf,
  type Vector,
} from '../vector/vector.js';
import { cellFormatter, exactFormatter, textOf } from './cell-formatter.js';

/** A column as a viewer of tables reads it; see {@link frameTable}. */
interface FrameColumn {
  readonly name: string;
  /** Its dtype. */
  readonly type: string;
  /**
   * A number for each row by which rows sort: a time in milliseconds, an exact amount as a double, NaN where a value is
   * missing. Absent for text.
   */
  keys?(): Float64Array;
  /** Text as the number of a word for each row, -1 where it is missing; absent where there is none. */
  texts?(): { codes: Int32Array; words: readonly string[] };
  /** The values in some rows as the frame's HTML table would show them. */
  shown(rows: readonly number[]): string[];
  /** The same with every digit and letter, without separators; times as the frame holds them. */
  whole(rows: readonly number[]): string[];
}

/** A frame for viewers that page through its rows and sort them; nothing is looked at until a column is asked for. */
interface FrameTable {
  readonly type: string;
  readonly rows: number;
  readonly columns: readonly string[];
  /** How many values are read before the frame can show any: those of columns of which only the values tell the type. */
  readonly unread: number;
  column(at: number): FrameColumn;
}

/** The result of a series's `Symbol.for('oddslab.table')`. @param asFrame Makes the frame that it would be. */
export function seriesTable(name: string, rows: number, asFrame: () => Tabular): FrameTable {
  let made: FrameTable | undefined;
  const column = (at: number): FrameColumn => {
    made ??= frameTable(asFrame());
    return made.column(at);
  };
  return { type: 'DataFrame', rows, columns: [name], unread: rows, column };
}

/** The result of a frame's `Symbol.for('oddslab.table')`. */
export function frameTable(frame: Tabular): FrameTable {
  let described: Column[] | undefined;
  const rows = rowCount(frame);
  const columns = columnNames(frame);
  const known = knownColumns(frame);
  const isRead = (name: string, at: number): boolean => known?.has(name) === true && isReadyAt(frame, at);
  return {
    type: 'DataFrame',
    rows,
    columns,
    unread: rows * columns.filter((name, at) => !isRead(name, at)).length,
    column(at) {
      described ??= columnsOf(frame);
      return frameColumn(itemAt(described, at), itemAt(vectorsOf(frame), at));
    },
  };
}

function frameColumn(column: Column, vector: Vector): FrameColumn {
  const { name, dtype } = column;
  const shown = shownOf(column, vector);
  const whole = (rows: readonly number[]): string[] => rows.map((row) => wholeAt(vector, row));
  if (vector.kind !== 'text' && vector.kind !== 'mixed')
    return { name, type: dtype, shown, whole, keys: () => numbersOf(vector) };
  let made: TextVector | undefined;
  const texts = (): TextVector => {
    made ??= vector.kind === 'text' ? distinctWords(vector) : wordsOf(vector.cells);
    return made;
  };
  if (dtype !== 'datetime') return { name, type: dtype, shown, whole, texts };
  return { name, type: dtype, shown, whole, texts, keys: () => keysOf(texts()) };
}

function wholeAt(vector: Vector, row: number): string {
  if (vector.kind === 'micros') {
    const micros = vector.values[row] ?? MISSING_MICROS;
    return micros === MISSING_MICROS ? '' : decimalOf(micros);
  }
  const cell = cellAt(vector, row);
  return isMissing(cell) ? '' : textOf(cell);
}

/** Words for values of mixed kinds, each as its text. */
function wordsOf(cells: readonly Cell[]): TextVector {
  const collected = new TextCollector(cells.length);
  for (const cell of cells) collected.add(isMissing(cell) ? null : textOf(cell));
  return collected.vector();
}

function numbersOf(vector: Vector): Float64Array {
  if (vector.kind === 'number') return vector.values;
  if (vector.kind === 'micros') return Float64Array.from(vector.values as unknown as ArrayLike<bigint>, unitsOf);
  const values = vector.kind === 'boolean' ? vector.values : new Int8Array();
  return Float64Array.from(values, (value) => (value < 0 ? Number.NaN : value));
}

function keysOf({ codes, words }: TextVector): Float64Array {
  const times = words.map((word) => Date.parse(toIsoTime(word) ?? ''));
  return Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : (times[code] ?? Number.NaN)));
}

/** So many values, evenly spread, tell with how many decimals a column is shown. */
const SAMPLE = 1000;

function shownOf(column: Column, vector: Vector): (rows: readonly number[]) => string[] {
  const step = Math.max(1, Math.floor(lengthOf(vector) / SAMPLE));
  const sample = Array.from({ length: Math.min(SAMPLE, lengthOf(vector)) }, (_, at) => at * step);
  if (vector.kind === 'micros') {
    const amount = (row: number): bigint | null => {
      const micros = vector.values[row] ?? MISSING_MICROS;
      return micros === MISSING_MICROS ? null : micros;
    };
    return (rows) => rows.map(amount).map(exactFormatter([...sample, ...rows].map(amount)));
  }
  const cell = (row: number): Cell => cellAt(vector, row);
  return (rows) => rows.map(cell).map(cellFormatter(column, [...sample, ...rows].map(cell)));
}
