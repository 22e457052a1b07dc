import type { AxisLook } from './axis-defs.js';

/** Places of an axis that are named one by one at most. */
const MOST_VALUES = 14;

/**
 * The first axis, with what it lacks to name the places of the others, too: their ticks where all are labelled alike,
 * its own where they cover the others', else such as Vega chooses; short labels of their names; their years in its title,
 * or what else theirs say.
 */
export function mergedAxis(axes: readonly AxisLook[]): AxisLook {
  const [first = {}, ...others] = axes;
  const { values: own, labelExpr: label, ...rest } = { ...first, ...titleOf(axes) };
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

/** Whether ticks in order lie among others, or beside them by less than one is from the next: noon beside midnight. */
function isWithin(ticks: readonly unknown[] | undefined, among: readonly unknown[]): boolean {
  const [from, to] = [Number(among[0]), Number(among.at(-1))];
  const step = (to - from) / (among.length - 1);
  return (ticks ?? [Number.NaN]).every((tick) => Number(tick) > from - step && Number(tick) < to + step);
}

const AUTOMATIC = { tickCount: 8, labelOverlap: true };

/** A label that either of two expressions shortens: each leaves alone what it does not know. */
export function eitherLabel(other: string, first: string): string {
  return `(${first}) != datum.label ? (${first}) : (${other})`;
}

const YEARS = /^(.*, )(\d{4})(?:–(\d{4}))?$/;

/** The title with the years of all; where the first one names none, with the titles that differ. */
function titleOf(axes: readonly AxisLook[]): AxisLook {
  const titles = axes.map(({ title }) => title ?? '');
  const parts = titles.map((title) => YEARS.exec(title));
  const years = parts.flatMap((part) => part?.slice(2).flatMap((year) => year ?? []) ?? []).sort();
  const [from, to] = [years[0], years.at(-1)];
  if (parts[0] && from !== undefined) return { title: `${parts[0][1]}${from === to ? from : `${from}–${to}`}` };
  const [first, ...others] = [...new Set(titles)];
  if (!first || others.length === 0) return {};
  return { title: [first, ...others.filter(Boolean).map(inSentence)].join('; ') };
}

/** A title after another one: `Win rate` begins small, `PnL` does not. */
function inSentence(title: string): string {
  return title.replace(/^\p{Lu}(?=\p{Ll}+\b)/u, (letter) => letter.toLowerCase());
}
