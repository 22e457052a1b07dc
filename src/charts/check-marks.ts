import { UsageError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';

/** All marks that Vega-Lite draws. */
export const MARKS: readonly string[] = [
  ...['arc', 'area', 'bar', 'circle', 'geoshape', 'image', 'line', 'point', 'rect', 'rule', 'square', 'text', 'tick'],
  ...['trail', 'boxplot', 'errorband', 'errorbar'],
];

/** The properties in which a specification holds other views. */
const PARTS = ['spec', 'layer', 'concat', 'hconcat', 'vconcat'] as const;

/**
 * Checks the marks of a specification and of the views in it: Vega-Lite's own error would be hard to understand.
 *
 * @throws {UsageError} If there is no such mark; the message names the nearest.
 */
export function checkMarks(view: unknown): void {
  if (typeof view !== 'object' || view === null) return;
  if ('mark' in view && view.mark !== undefined) checkMark(view.mark);
  for (const part of PARTS) for (const inner of [Reflect.get(view, part)].flat()) checkMarks(inner);
}

function checkMark(mark: unknown): void {
  const type: unknown = typeof mark === 'object' && mark !== null ? Reflect.get(mark, 'type') : mark;
  if (typeof type === 'string' && MARKS.includes(type)) return;
  const near = typeof type === 'string' ? nearest(type, MARKS) : undefined;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new UsageError(
    `There is no mark ${JSON.stringify(type) ?? 'undefined'}.${hint} There are ${MARKS.join(', ')}.`,
  );
}
