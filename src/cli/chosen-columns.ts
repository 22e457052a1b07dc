import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../frame/tabular/columns-of.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { placeOf, vectorOf } from '../frame/tabular/tabular.js';

/**
 * A frame with the named columns of another, in that order; the frame itself if `names` is undefined.
 *
 * @throws {ColumnError} If the frame lacks one of them; the message names the most similar column.
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
