import { frameOfSlots } from '../../frame/danfo/frame-from-vectors.js';
import { columnsOf, describeColumns } from '../../frame/tabular/columns-of.js';
import type { DataFrame } from '../../frame/tabular/data-frame.js';
import { provenanceOf, setProvenance } from '../../frame/tabular/provenance.js';
import { columnNames, keepVectors, Slot, type Tabular, vectorsOf } from '../../frame/tabular/tabular.js';
import { takeVector } from '../../frame/vector/take-vector.js';
import { TextCollector, usedWords } from '../../frame/vector/text-vector.js';
import { type Cell, cellsOf, type Vector } from '../../frame/vector/vector.js';
import { rowLists } from '../../frame/verbs/row-groups.js';
import type { GroupedRows } from './grouped-rows.js';

/**
 * A function that makes frames from the rows of another at given positions. A column's values are copied on first
 * access, since a measure reads few columns.
 */
export function someRows<Row extends object>(frame: DataFrame<Row>): (rows: Uint32Array) => DataFrame<Row> {
  const [columns, vectors] = [columnsOf(frame), vectorsOf(frame)];
  return (rows) =>
    frameOfSlots<Row>(
      columns,
      vectors.map((vector) => new Slot(() => takeVector(vector, rows))),
      rows.length,
    );
}

/**
 * A function that makes a frame of the rows of each group, by its number, for a function of the user's own: it may keep
 * the frame, or call the methods of danfo. For many groups {@link partsOf} is several times faster.
 */
export function framesOf(frame: Tabular, { groupOf, groups }: GroupedRows): (group: number) => DataFrame {
  const [columns, vectors] = [columnsOf(frame), vectorsOf(frame)];
  const { starts, rows } = rowLists(groupOf, groups, () => false);
  return (group) => {
    const own = rows.subarray(starts[group], starts[group + 1]);
    const slots = vectors.map((vector) => new Slot(() => partOf(vector, own)));
    return frameOfSlots(columns, slots, own.length, [frame]);
  };
}

/**
 * A function that shows the rows of each group, by its number. It is the same object each time, so that it shows the
 * group asked for last: do not store it. A frame of its own for each of a hundred thousand groups would take half a
 * minute, most of it to clear them away again.
 */
export function partsOf(frame: Tabular, { groupOf, groups }: GroupedRows): (group: number) => Tabular {
  const vectors = vectorsOf(frame);
  const { starts, rows } = rowLists(groupOf, groups, () => false);
  const view = new RowsInView(columnNames(frame));
  describeColumns(view, columnsOf(frame));
  setProvenance(view, provenanceOf(frame));
  return (group) => {
    const own = rows.subarray(starts[group], starts[group + 1]);
    view.show(
      own.length,
      vectors.map((vector) => new Slot(() => partOf(vector, own))),
    );
    return view;
  };
}

/** Text keeps the words of its own rows alone: reading all dates of a frame anew for each group would take long. */
function partOf(vector: Vector, rows: Uint32Array): Vector {
  const taken = takeVector(vector, rows);
  if (taken.kind !== 'text') return taken;
  // A few rows of many words must not take the time of all of them.
  if (taken.words.length <= WORDS_A_ROW * rows.length) return usedWords(taken);
  const collected = new TextCollector(rows.length);
  for (const code of taken.codes) collected.add(taken.words[code]);
  return collected.vector();
}

/** Up to how many words a row all of them are gone through. */
const WORDS_A_ROW = 8;

/** Rows as a frame that is no danfo DataFrame: what measures and verbs read of one, and no more. */
class RowsInView implements Tabular {
  readonly columns: readonly string[];
  shape: readonly [rows: number, columns: number] = [0, 0];

  constructor(columns: readonly string[]) {
    this.columns = columns;
  }

  get getColumnData(): Cell[][] {
    return vectorsOf(this).map(cellsOf);
  }

  show(rows: number, slots: readonly Slot[]): void {
    this.shape = [rows, this.columns.length];
    keepVectors(this, slots);
  }
}
