import { frameFromVectors } from '../../frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../../frame/tabular/columns-of.js';
import type { DataFrame } from '../../frame/tabular/data-frame.js';
import { provenanceOf, setProvenance } from '../../frame/tabular/provenance.js';
import { type Tabular, vectorsOf } from '../../frame/tabular/tabular.js';
import { takeVector } from '../../frame/vector/take-vector.js';
import { usedWords } from '../../frame/vector/text-vector.js';
import type { Vector } from '../../frame/vector/vector.js';
import { rowLists } from '../../frame/verbs/row-groups.js';
import type { GroupedRows } from './grouped-rows.js';

/**
 * A function that makes frames from the rows of another at given positions. A column's values are copied on first
 * access, since a measure reads few columns.
 */
export function someRows<Row extends object>(frame: DataFrame<Row>): (rows: Uint32Array) => DataFrame<Row> {
  const [columns, vectors] = [columnsOf(frame), vectorsOf(frame)];
  return (rows) =>
    frameFromVectors<Row>(
      columns,
      vectors.map((vector) => madeWhenRead(vector.kind, Object.keys(vector), () => takeVector(vector, rows))),
    );
}

/** A function that makes a frame of the rows of each group, by its number, as {@link someRows} does. */
export function partsOf(frame: Tabular, { groupOf, groups }: GroupedRows): (group: number) => Tabular {
  const [columns, vectors, provenance] = [columnsOf(frame), vectorsOf(frame), provenanceOf(frame)];
  const { starts, rows } = rowLists(groupOf, groups, () => false);
  return (group) => {
    const own = rows.subarray(starts[group], starts[group + 1]);
    // Text keeps the words of its own rows alone: reading all dates of a frame anew for each group would take long.
    const part = (vector: Vector) => {
      const taken = takeVector(vector, own);
      return taken.kind === 'text' ? usedWords(taken) : taken;
    };
    const frameOfGroup = frameFromVectors(
      columns,
      vectors.map((vector) => madeWhenRead(vector.kind, Object.keys(vector), () => part(vector))),
    );
    setProvenance(frameOfGroup, provenance);
    return frameOfGroup;
  };
}

function madeWhenRead(kind: Vector['kind'], names: readonly string[], make: () => Vector): Vector {
  let made: Vector | undefined;
  const lazy = { kind };
  for (const name of names) {
    if (name === 'kind') continue;
    const get = (): unknown => {
      made ??= make();
      return Reflect.get(made, name);
    };
    Object.defineProperty(lazy, name, { enumerable: true, get });
  }
  return lazy as Vector;
}
