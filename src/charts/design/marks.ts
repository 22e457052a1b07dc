import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { COLORS, INK } from './theme.js';

/** The interval of an uncertain value. */
export const INTERVAL = { type: 'rule', color: COLORS.main, strokeWidth: 1.75, aria: false } as const;

/** The point of an estimated value. */
export const POINT = { type: 'point', filled: true, color: COLORS.main, size: 70, opacity: 1 } as const;

/** A line to compare with. */
export const REFERENCE = {
  type: 'rule',
  color: INK,
  opacity: 0.6,
  strokeDash: [4, 3] as number[],
  aria: false,
  tooltip: null,
} as const;

/** Words beside a mark. */
export const BESIDE = { type: 'text', align: 'left', dx: 6, opacity: 0.8, aria: false } as const;

/** Fills gains and leaves losses hollow with an outline, so that colour is not needed to tell them apart. */
export const GAIN_OR_LOSS = {
  fill: { condition: { test: 'datum.pnl < 0', value: COLORS.loss }, value: COLORS.main },
  fillOpacity: { condition: { test: 'datum.pnl < 0', value: 0.25 }, value: 0.95 },
  stroke: { condition: { test: 'datum.pnl < 0', value: COLORS.loss }, value: COLORS.main },
} as const;

/**
 * Words at the ends of bars: those of gains and of losses, each with a look of their own.
 *
 * @param field The field of the bars' lengths.
 */
export function wordsAtEnds<Encoding extends object>(
  field: 'pnl' | 'roi',
  lengths: readonly number[],
  encoding: Encoding,
  { gains, losses }: Readonly<Record<'gains' | 'losses', object>>,
) {
  const words = (test: '>= 0' | '< 0', look: object) => {
    const mark = { type: 'text', aria: false, ...look } as const;
    return { transform: [{ filter: `datum.${field} ${test}` }], mark, encoding: { ...encoding, text: TEXT } };
  };
  // A layer without rows has no scale.
  return [
    ...(lengths.some((length) => !(length < 0)) ? [words('>= 0', gains)] : []),
    ...(lengths.some((length) => length < 0) ? [words('< 0', losses)] : []),
  ];
}

/** The words of a mark. */
export const TEXT = { field: 'text', type: 'nominal' } as const;

/** The subtitle's key to {@link GAIN_OR_LOSS}. */
export const GAIN_OR_LOSS_KEY = 'Filled: gain; hollow: loss';

/** The mark of a layer of points that only catch the pointer to show tips. */
export const INVISIBLE = { type: 'point', opacity: 0, size: 160 } as const;

/** A specification without its layers of {@link INVISIBLE} points, which a still picture does not need. */
export function withoutTips(spec: object): object {
  const entries = Object.entries(spec).map(([key, value]: [string, unknown]) => {
    if (key === 'spec' && typeof value === 'object' && value !== null) return [key, withoutTips(value)];
    const isPart = (key === 'layer' || /^[hv]?concat$/.test(key)) && Array.isArray(value);
    return [key, isPart ? value.filter((part) => !isDeepStrictEqual(part?.mark, INVISIBLE)).map(withoutTips) : value];
  });
  return Object.fromEntries(entries);
}

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
