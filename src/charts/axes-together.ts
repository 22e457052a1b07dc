import { UsageError } from '../base/errors.js';
import { type Axis, type AxisDef, axisDefs, kindOf, unitOf } from './axis-defs.js';
import { changeEncoding } from './change-encoding.js';
import { mergedAxis } from './merged-axis.js';

/** Views to draw over each other, and the axes that they do not share. */
export interface ViewsTogether {
  readonly layers: readonly object[];
  readonly resolve?: { readonly scale: Readonly<Partial<Record<Axis, 'independent'>>> };
}

/**
 * Lets views share their axes. Labels, ticks and title are those of the first view, extended by the others'. If an axis
 * has two units, such as dollars and percentages over the same months, the views of each unit share an axis, and the
 * second unit's is on the opposite side.
 *
 * @throws {UsageError} If an axis would have to show different kinds of values, such as time and names, if neither axis
 *   is shared, or if one has more than two units.
 */
export function axesTogether(views: readonly object[]): ViewsTogether {
  const apart = (['x', 'y'] as const).filter((axis) => unitsOf(views, axis).length > 1);
  if (apart.length > 1) {
    throw new UsageError('These charts share no axis, so one cannot be drawn over the other: show them side by side.');
  }
  const shared = (['x', 'y'] as const).filter((axis) => !apart.includes(axis));
  const layers = shared.reduce(shareAxis, views);
  const [own] = apart;
  if (own === undefined) return { layers };
  return { layers: byUnit(layers, own), resolve: { scale: { [own]: 'independent' } } };
}

/** The units of the views along an axis, all of which must show the same kind of values. */
function unitsOf(views: readonly object[], axis: Axis): string[] {
  const [one, other] = new Set(views.flatMap((view) => kindOf(view, axis) ?? []));
  if (other !== undefined) {
    throw new UsageError(
      `The ${axis} axes differ, one shows ${one}, another ${other}, so one cannot be drawn over the other: show them side by side.`,
    );
  }
  return [...new Set(views.flatMap((view) => unitOf(view, axis) ?? []))];
}

/** A layer for each unit, in which its views share the axis. Views of unknown unit are in the first layer. */
function byUnit(views: readonly object[], axis: Axis): object[] {
  const units = unitsOf(views, axis);
  if (units.length > 2) {
    throw new UsageError(
      `The ${axis} axes have ${units.length} units, ${units.join(', ')}, and there is room for two: show some side by side.`,
    );
  }
  return units.map((unit) => {
    const own = views.filter((view) => (unitOf(view, axis) ?? units[0]) === unit);
    return own.length === 1 ? (own[0] as object) : { layer: shareAxis(own, axis) };
  });
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
