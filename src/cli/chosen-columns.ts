import { columnsOf } from '../frame/columns-of.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import { placeOf, vectorOf } from '../frame/vector/vectors-of.js';

/**
 * A frame of some columns of another, in the order given; the frame itself where none are chosen.
 *
 * @throws {ColumnError} If it lacks one of them: names the nearest.
 */
export function chosenColumns(frame: DataFrame, names: readonly string[] | undefined): DataFrame {
  if (!names) return frame;
  const described = columnsOf(frame);
  const columns = names.flatMap((name) => described[placeOf(frame, name)] ?? []);
  return frameFromVectors(
    columns,
    names.map((name) => vectorOf(frame, name)),
    frame,
  );
}
