import type { AxisLook } from './axis-defs.js';

/** The most ticks that an axis lists one by one. */
const MOST_VALUES = 14;

/**
 * The first axis, extended to suit the others too. Its ticks are those of all axes if all are labelled alike, its own
 * if they cover the others', otherwise Vega's choice. It gets the others' short labels of names, and the years or the
 * differing words of their titles.
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

/** Whether ticks lie within the range of others, or less than one step beyond it, such as noon beside midnight. */
function isWithin(ticks: readonly unknown[] | undefined, among: readonly unknown[]): boolean {
  const [from, to] = [Number(among[0]), Number(among.at(-1))];
  const step = (to - from) / (among.length - 1);
  return (ticks ?? [Number.NaN]).every((tick) => Number(tick) > from - step && Number(tick) < to + step);
}

const AUTOMATIC = { tickCount: 8, labelOverlap: true };

/** An expression for labels that either of two expressions shortens; each leaves labels it does not know unchanged. */
export function eitherLabel(other: string, first: string): string {
  return `(${first}) != datum.label ? (${first}) : (${other})`;
}

const YEARS = /^(.*, )(\d{4})(?:–(\d{4}))?$/;

/** The first title with the years of all; if it names no year, with the other titles appended. */
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

/** A title as it follows another one: `Win rate` starts in lower case, `PnL` stays unchanged. */
function inSentence(title: string): string {
  return title.replace(/^\p{Lu}(?=\p{Ll}+\b)/u, (letter) => letter.toLowerCase());
}
