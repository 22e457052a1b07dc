import { UsageError } from '../errors.js';
import { type Axis, type AxisDef, axisDefs, kindOf, unitOf } from './axis-defs.js';
import { changeEncoding } from './change-encoding.js';
import { mergedAxis } from './merged-axis.js';

/** Views to draw over each other, and which of their axes stay apart. */
export interface ViewsTogether {
  readonly layers: readonly object[];
  readonly resolve?: { readonly scale: Readonly<Partial<Record<Axis, 'independent'>>> };
}

/**
 * Lets views share their axes: labels, ticks and titles are the first one's, which also names what the others add. Where
 * one axis has units that differ, such as dollars and percentages over the same months, each view has one of its own,
 * the second at the other side.
 *
 * @throws {UsageError} If an axis shows what cannot stand along one axis, such as time and names, or if neither is shared.
 */
export function axesTogether(views: readonly object[]): ViewsTogether {
  const apart = (['x', 'y'] as const).filter((axis) => isApart(views, axis));
  if (apart.length > 1) {
    throw new UsageError('These charts share no axis, so one cannot be drawn over the other: show them side by side.');
  }
  const shared = (['x', 'y'] as const).filter((axis) => !apart.includes(axis));
  const layers = shared.reduce(shareAxis, views);
  const [own] = apart;
  return own === undefined ? { layers } : { layers, resolve: { scale: { [own]: 'independent' } } };
}

/** Whether the views' axes differ in their units alone. */
function isApart(views: readonly object[], axis: Axis): boolean {
  const [one, other] = new Set(views.flatMap((view) => kindOf(view, axis) ?? []));
  if (other !== undefined) {
    throw new UsageError(
      `The ${axis} axes differ, one shows ${one}, another ${other}, so one cannot be drawn over the other: show them side by side.`,
    );
  }
  return new Set(views.flatMap((view) => unitOf(view, axis) ?? [])).size > 1;
}

function shareAxis(views: readonly object[], axis: Axis): object[] {
  const axes = views.map((view) => axisDefs(view, axis).find((def) => def.axis)?.axis);
  const owner = axes.findIndex((own) => own !== undefined && own !== null);
  const merged = mergedAxis(axes.flatMap((own) => own ?? []));
  return views.map((view, at) =>
    changeEncoding(view, axis, ({ axis: own, ...def }: AxisDef) => {
      return own === undefined || at !== owner ? def : { ...def, axis: own === null ? null : merged };
    }),
  );
}
