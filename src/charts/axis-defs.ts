import { encodingsOf } from './encodings-of.js';
import { LABELS } from './labels.js';
import { LIFETIME_AXIS } from './lifetime-axis.js';

/** An axis of a chart. */
export type Axis = 'x' | 'y';

/** The parts of an axis's look that matter to charts that share it. */
export interface AxisLook {
  readonly title?: string | null;
  readonly values?: readonly unknown[];
  readonly format?: string;
  readonly labelExpr?: string;
}

/** What a layer encodes along an axis. */
export interface AxisDef {
  readonly type?: string;
  readonly scale?: { readonly type?: string } | null;
  readonly axis?: AxisLook | null;
}

/** All that a view and its layers encode along an axis. */
export function axisDefs(view: object, axis: Axis): AxisDef[] {
  return encodingsOf(view, axis) as AxisDef[];
}

/** The kind of values along an axis, in words; undefined if unknown. */
export function kindOf(view: object, axis: Axis): string | undefined {
  const defs = axisDefs(view, axis);
  const types = defs.map(({ type }) => type);
  if (types.includes('temporal')) return 'time';
  if (types.includes('nominal') || types.includes('ordinal')) return 'names';
  if (!types.includes('quantitative')) return undefined;
  return defs.some(({ scale }) => scale?.type === 'log') ? 'numbers by their powers' : 'numbers';
}

/** The unit of the numbers along an axis, from oddslab's label formats; undefined if unknown. */
export function unitOf(view: object, axis: Axis): string | undefined {
  const said = axisDefs(view, axis).flatMap(({ type, axis: look }) => {
    const label = type === 'quantitative' ? (look?.labelExpr ?? look?.format) : undefined;
    return label === undefined ? [] : (UNITS.get(label) ?? []);
  });
  return said[0];
}

const UNITS: ReadonlyMap<string, string> = new Map([
  [LABELS.usd, 'dollars'],
  [LABELS.percent, 'shares'],
  [LABELS.signedPercent, 'shares'],
  [LABELS.amount, 'counts'],
  [LIFETIME_AXIS.labelExpr, 'days'],
]);
