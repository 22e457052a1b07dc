import type { Cell, Tabular } from './tabular.js';

/**
 * The values of a frame, one array a column, in the order of its columns; an empty array each where there are no rows.
 * The arrays are the frame's own: read them, never change them.
 */
export function columnArrays(frame: Tabular): readonly (readonly Cell[])[] {
  if (frame.shape[0] === 0) return frame.columns.map(() => []);
  return frame.getColumnData;
}
