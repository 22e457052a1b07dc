import type { Column } from '../contract/column.js';
import { cellFormatter } from './cell-formatter.js';
import { columnsOf } from './columns-of.js';
import type { Cell, Tabular } from './tabular.js';
import { cellAt } from './vector.js';
import { vectorsOf } from './vectors-of.js';

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
  /** How many of the shown rows stand before the gap; all of them where there is none. */
  readonly head: number;
  readonly shown: number;
  readonly rows: number;
}

/** Takes the first and last rows of a frame for display; all rows where there are at most `limit`. */
export function excerptOf(frame: Tabular, limit: number): Excerpt {
  const rows = frame.shape[0] ?? 0;
  const whole = rows <= limit;
  const head = whole ? rows : Math.ceil(limit / 2);
  const tail = whole ? 0 : Math.floor(limit / 2);
  const vectors = vectorsOf(frame);
  const shown = Array.from({ length: head + tail }, (_, at) => (at < head ? at : rows - tail + at - head));
  const columns = columnsOf(frame).map((column, at) => {
    const vector = vectors[at];
    const cells = vector === undefined ? [] : shown.map((row) => cellAt(vector, row));
    const numeric = column.dtype === 'float64' || column.dtype === 'int32';
    return { column, numeric, cells, texts: cells.map(cellFormatter(column.dtype, cells)) };
  });
  return { columns, head, shown: shown.length, rows };
}

/** The line under a table: `200 rows × 8 columns`. */
export function sizeLine(rows: number, columns: number): string {
  const count = rows.toLocaleString('en-US');
  return `${count} ${rows === 1 ? 'row' : 'rows'} × ${columns} ${columns === 1 ? 'column' : 'columns'}`;
}
