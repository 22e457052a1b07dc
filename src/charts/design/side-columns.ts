import { BESIDE } from './marks.js';

/** A column of words right of a plot, beside the rows of its names. */
export interface SideColumn {
  /** The field of its words. */
  readonly field: string;
  readonly head: string;
  /** Where it ends, in pixels beyond the plot. */
  readonly end: number;
}

/**
 * Layers with columns of words right of a plot, each with a head.
 *
 * @param y The encoding of the rows.
 */
export function sideColumns(y: object, columns: readonly SideColumn[]): object[] {
  return columns.flatMap(({ field, head, end }) => {
    const mark = { ...BESIDE, align: 'right', dx: end };
    return [
      { mark, encoding: { y, x: { value: 'width' }, text: { field, type: 'nominal' } } },
      {
        data: { values: [{ head }] },
        mark: { ...mark, fontWeight: 600, baseline: 'bottom' },
        encoding: { x: { value: 'width' }, y: { value: -4 }, text: { field: 'head', type: 'nominal' } },
      },
    ];
  });
}
