import { UsageError } from '../../base/errors.js';
import { LABELS, LIFETIME_AXIS } from '../design/axes.js';

/** Views to draw over each other, and the axes that they do not share. */
interface ViewsTogether {
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

/** The most ticks that an axis lists one by one. */
const MOST_VALUES = 14;

/**
 * The first axis, extended to suit the others too. Its ticks are those of all axes if all are labelled alike, its own
 * if they cover the others', otherwise Vega's choice. It gets the others' short labels of names, and the years or the
 * differing words of their titles.
 */
function mergedAxis(axes: readonly AxisLook[]): AxisLook {
  const [first = {}, ...others] = axes;
  const { values: own, labelExpr: label, ...rest } = { ...first, ...mergedTitle(axes) };
  const labels = [...new Set(axes.flatMap(({ labelExpr }) => labelExpr ?? []))];
  if (!axes.some(({ values }) => values)) {
    return { ...rest, ...(label === undefined ? {} : { labelExpr: labels.reduceRight(eitherLabel) }) };
  }
  const values = [...new Set(axes.flatMap((axis) => axis.values ?? []))];
  const keep = { ...rest, ...(label === undefined ? {} : { labelExpr: label }) };
  const isAlike = others.every((axis) => axis.values && axis.labelExpr === label);
  if (own && !isAlike && others.every((axis) => isWithin(axis.values, own))) return { ...keep, values: own };
  if (!isAlike || own === undefined || values.length > Math.max(MOST_VALUES, own.length))
    return { ...rest, ...AUTOMATIC };
  return { ...keep, values };
}

/** Whether ticks lie within the range of others, or less than one step beyond it, such as noon beside midnight. */
function isWithin(ticks: readonly unknown[] | undefined, among: readonly unknown[]): boolean {
  const [from, to] = [Number(among[0]), Number(among.at(-1))];
  const step = (to - from) / (among.length - 1);
  return (ticks ?? [Number.NaN]).every((tick) => Number(tick) > from - step && Number(tick) < to + step);
}

const AUTOMATIC = { tickCount: 8, labelOverlap: true };

/** An expression for labels that either of two expressions shortens; each leaves labels it does not know unchanged. */
function eitherLabel(other: string, first: string): string {
  return `(${first}) != datum.label ? (${first}) : (${other})`;
}

const YEARS = /^(.*, )(\d{4})(?:–(\d{4}))?$/;

/** The first title with the years of all; if it names no year, with the other titles appended. */
function mergedTitle(axes: readonly AxisLook[]): AxisLook {
  const titles = axes.map(({ title }) => title ?? '');
  const parts = titles.map((title) => YEARS.exec(title));
  const years = parts.flatMap((part) => part?.slice(2).flatMap((year) => year ?? []) ?? []).sort();
  const [from, to] = [years[0], years.at(-1)];
  if (parts[0] && from !== undefined) return { title: `${parts[0][1]}${from === to ? from : `${from}–${to}`}` };
  const [first, ...others] = [...new Set(titles)];
  if (!first || others.length === 0) return {};
  return { title: [first, ...others.filter(Boolean).map(inSentence)].join('; ') };
}

/** A title as it follows another one: `Win rate` starts in lower case, `PnL` stays unchanged. */
function inSentence(title: string): string {
  return title.replace(/^\p{Lu}(?=\p{Ll}+\b)/u, (letter) => letter.toLowerCase());
}

/** An axis of a chart. */
type Axis = 'x' | 'y';

/** The parts of an axis's look that matter to charts that share it. */
interface AxisLook {
  readonly title?: string | null;
  readonly values?: readonly unknown[];
  readonly format?: string;
  readonly labelExpr?: string;
}

/** What a layer encodes along an axis. */
interface AxisDef {
  readonly type?: string;
  readonly scale?: { readonly type?: string } | null;
  readonly axis?: AxisLook | null;
}

/** All that a view and its layers encode along an axis. */
function axisDefs(view: object, axis: Axis): AxisDef[] {
  return encodingsOf(view, axis) as AxisDef[];
}

/** The kind of values along an axis, in words; undefined if unknown. */
function kindOf(view: object, axis: Axis): string | undefined {
  const defs = axisDefs(view, axis);
  const types = defs.map(({ type }) => type);
  if (types.includes('temporal')) return 'time';
  if (types.includes('nominal') || types.includes('ordinal')) return 'names';
  if (!types.includes('quantitative')) return undefined;
  return defs.some(({ scale }) => scale?.type === 'log') ? 'numbers by their powers' : 'numbers';
}

/** The unit of the numbers along an axis, from oddslab's label formats; undefined if unknown. */
function unitOf(view: object, axis: Axis): string | undefined {
  const said = axisDefs(view, axis).flatMap(({ type, axis: look }) => {
    const label = type === 'quantitative' ? (look?.labelExpr ?? look?.format) : undefined;
    return label === undefined ? [] : (UNITS.get(label) ?? []);
  });
  return said[0];
}

const UNITS: ReadonlyMap<string, string> = new Map([
  [LABELS.usd, 'dollars'],
  [LABELS.percent, 'shares'],
  [LABELS.percentTip, 'shares'],
  [LABELS.amount, 'counts'],
  [LIFETIME_AXIS.labelExpr, 'days'],
]);

/** All that a view and its layers encode along a channel such as `x` or `color`, the view's own first. */
export function encodingsOf(view: object, channel: string): unknown[] {
  const own: unknown = Reflect.get(Object(Reflect.get(view, 'encoding')), channel);
  const layers: unknown = Reflect.get(view, 'layer');
  const parts = Array.isArray(layers) ? layers.flatMap((layer) => encodingsOf(Object(layer), channel)) : [];
  return own === undefined ? parts : [own, ...parts];
}

/** A copy of a view with the encodings of a channel changed, in its layers too. */
function changeEncoding(view: object, channel: string, change: (encoding: object) => object): object {
  const changed = Object.entries(view).map(([key, value]: [string, unknown]) => {
    if (key === 'layer' && Array.isArray(value))
      return [key, value.map((part) => changeEncoding(part, channel, change))];
    const own: unknown = key === 'encoding' ? Reflect.get(Object(value), channel) : undefined;
    return own === undefined ? [key, value] : [key, { ...Object(value), [channel]: change(Object(own)) }];
  });
  return Object.fromEntries(changed);
}
