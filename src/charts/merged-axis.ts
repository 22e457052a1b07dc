import type { AxisLook } from './axis-defs.js';

/** Places of an axis that are named one by one at most. */
const MOST_VALUES = 14;

/**
 * The first axis, with what it lacks to name the places of the others, too: their ticks where all are labelled alike,
 * else such as Vega chooses; short labels of their names; their years in its title.
 */
export function mergedAxis(axes: readonly AxisLook[]): AxisLook {
  const [first = {}, ...others] = axes;
  const { values: own, labelExpr: label, ...rest } = { ...first, ...titleOf(axes) };
  const labels = [...new Set(axes.flatMap(({ labelExpr }) => labelExpr ?? []))];
  if (!axes.some(({ values }) => values)) {
    return { ...rest, ...(label === undefined ? {} : { labelExpr: labels.reduceRight(eitherLabel) }) };
  }
  const values = [...new Set(axes.flatMap((axis) => axis.values ?? []))];
  const isAlike = labels.length <= 1 && others.every((axis) => axis.values !== undefined) && own !== undefined;
  if (!isAlike || values.length > Math.max(MOST_VALUES, own.length)) return { ...rest, ...AUTOMATIC };
  return { ...rest, values, ...(label === undefined ? {} : { labelExpr: label }) };
}

const AUTOMATIC = { tickCount: 8, labelOverlap: true };

/** A label that either of two expressions shortens: each leaves alone what it does not know. */
export function eitherLabel(other: string, first: string): string {
  return `(${first}) != datum.label ? (${first}) : (${other})`;
}

const YEARS = /^(.*, )(\d{4})(?:–(\d{4}))?$/;

/** The title with the years of all; without any where the first one names none. */
function titleOf(axes: readonly AxisLook[]): AxisLook {
  const parts = axes.map(({ title }) => YEARS.exec(title ?? ''));
  const years = parts.flatMap((part) => part?.slice(2).flatMap((year) => year ?? []) ?? []).sort();
  const [from, to] = [years[0], years.at(-1)];
  if (!parts[0] || from === undefined) return {};
  return { title: `${parts[0][1]}${from === to ? from : `${from}–${to}`}` };
}
