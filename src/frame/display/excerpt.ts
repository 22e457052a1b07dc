import type { Column } from '../../contract/definition.js';
import { columnsOf } from '../tabular/columns-of.js';
import { type Tabular, vectorsOf } from '../tabular/tabular.js';
import { type Cell, cellAt, MISSING_MICROS, type Vector } from '../vector/vector.js';
import { cellFormatter, exactFormatter } from './cell-formatter.js';

/** A column of an {@link Excerpt}. */
export interface ExcerptColumn {
  readonly column: Column;
  readonly numeric: boolean;
  readonly cells: readonly Cell[];
  /** The cells as they are shown. */
  readonly texts: readonly string[];
}

/** The part of a frame that a table shows: its first and last rows. */
export interface Excerpt {
  readonly columns: readonly ExcerptColumn[];
  /** Position of each shown row in the frame. */
  readonly positions: readonly number[];
  /** The row labels if they are text, as those of danfo's `describe()`; others only repeat positions. */
  readonly labels: readonly string[] | undefined;
  /** How many of the shown rows are before the gap; all of them if there is none. */
  readonly head: number;
  readonly shown: number;
  readonly rows: number;
}

/** Takes the first and last rows of a frame for display, or all rows if there are at most `limit`. */
export function excerptOf(frame: Tabular, limit: number): Excerpt {
  const rows = frame.shape[0] ?? 0;
  const whole = rows <= limit;
  const head = whole ? rows : Math.ceil(limit / 2);
  const tail = whole ? 0 : Math.floor(limit / 2);
  const vectors = vectorsOf(frame);
  const positions = Array.from({ length: head + tail }, (_, at) => (at < head ? at : rows - tail + at - head));
  const columns = inReadingOrder(columnsOf(frame).map((column, at) => excerptColumn(column, vectors[at], positions)));
  return { columns, positions, labels: labelsOf(frame, positions), head, shown: positions.length, rows };
}

/** The name of the column that says what speaks against a row. */
const NOTE = 'note';

/**
 * Puts a note that some row has behind the first column, where nobody misses it; one that none has stays at its place.
 * What has an id first and a `timestamp`, as trades do, begins with the time.
 */
function inReadingOrder(given: ExcerptColumn[]): ExcerptColumn[] {
  const time = given.find(({ column }) => column.name === 'timestamp' && column.dtype === 'datetime');
  const columns = time && given[0]?.column.name === 'id' ? [time, ...given.filter((each) => each !== time)] : given;
  const note = columns.find(({ column }) => column.name === NOTE);
  const [first] = columns;
  if (note === undefined || first === undefined || note === first || note.texts.every((text) => text === ''))
    return columns;
  return [first, note, ...columns.filter((each) => each !== first && each !== note)];
}

/** Whether a column is the note to a row, which is shown whole. */
export function isNote({ column }: Pick<ExcerptColumn, 'column'>): boolean {
  return column.name === NOTE;
}

/** The line under a table: `200 rows × 8 columns`. */
export function sizeLine(rows: number, columns: number): string {
  const count = rows.toLocaleString('en-US');
  return `${count} ${rows === 1 ? 'row' : 'rows'} × ${columns} ${columns === 1 ? 'column' : 'columns'}`;
}

function excerptColumn(column: Column, vector: Vector | undefined, positions: readonly number[]): ExcerptColumn {
  const cells = vector === undefined ? [] : positions.map((row) => cellAt(vector, row));
  if (vector?.kind === 'micros') {
    const amounts = positions.map((row) => presentMicros(vector.values[row]));
    return { column, numeric: true, cells, texts: amounts.map(exactFormatter(amounts)) };
  }
  const numeric = column.dtype === 'float64' || column.dtype === 'int32';
  return { column, numeric, cells, texts: cells.map(cellFormatter(column, cells)) };
}

function presentMicros(micros: bigint | undefined): bigint | null {
  return micros === undefined || micros === MISSING_MICROS ? null : micros;
}

function labelsOf(frame: Tabular, positions: readonly number[]): string[] | undefined {
  // A frame that danfo never touched has no labels yet; they would be the positions.
  const labels: unknown = Object.getOwnPropertyDescriptor(frame, '$index')?.value;
  if (!Array.isArray(labels) || !positions.some((row) => typeof labels[row] === 'string')) return undefined;
  return positions.map((row) => String(labels[row] ?? ''));
}
