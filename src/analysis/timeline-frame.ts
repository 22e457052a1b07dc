import type { Column } from '../contract/definition.js';
import { isoOfSeconds } from '../contract/time.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import type { Tabular } from '../frame/tabular.js';
import { takeVector } from '../frame/vector/take-vector.js';
import type { Vector } from '../frame/vector/vector.js';
import type { Timelines } from './timelines.js';

/**
 * A frame with one row per timeline and moment: the key if there are several timelines, the date, the computed columns.
 *
 * @param columns Descriptions of the date and of each computed column.
 * @param computed One array per computed column, with one value per point.
 */
export function timelineFrame<Row extends object>(
  frame: Tabular,
  columns: readonly Column[],
  computed: readonly Float64Array[],
  { lines, places, times, key, keys }: Timelines,
): DataFrame<Row> {
  const words = Array.from(times, (time) => isoOfSeconds(time / 1000));
  const vectors: Vector[] = [
    { kind: 'text', codes: places, words, distinct: false },
    ...computed.map((values): Vector => ({ kind: 'number', values })),
  ];
  if (!key || !keys) return frameFromVectors<Row>(columns, vectors, frame);
  const groupOf = new Uint32Array(places.length);
  for (const { group, start, end } of lines) groupOf.fill(group, start, end);
  return frameFromVectors<Row>([key, ...columns], [takeVector(keys, groupOf), ...vectors], frame);
}
