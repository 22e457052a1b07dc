import { itemAt } from '../../base/item-at.js';
import { shortId } from '../../frame/display/cell-formatter.js';
import { type Cell, isMissing } from '../../frame/vector/vector.js';
import { BIDI_CONTROLS } from './title-text.js';

/** The most characters of a label, and the characters kept from the end of longer text. */
const [MOST_IN_LABEL, LABEL_END] = [42, 20];

/** For labels that would be alike: the characters kept from the beginning, and before the difference. */
const [LABEL_HEAD, BEFORE_DIFFERENCE] = [10, 4];

/**
 * Shortens names to labels: long ids to their first and last digits, other long text to its beginning and end. Labels
 * that would be alike keep their beginning and the part that differs.
 *
 * @returns One label per name; different names have different labels.
 */
export function shortLabels(names: readonly string[]): string[] {
  const clean = names.map((name) => name.replace(BIDI_CONTROLS, ''));
  const labels = clean.map(cut);
  for (const alike of alikeIn(labels)) {
    const start = commonStart(alike.map((at) => itemAt(clean, at)));
    for (const at of alike) labels[at] = cutAt(itemAt(clean, at), start);
  }
  return numbered(labels);
}

/** A Vega expression that shows names along an axis or in a legend as their {@link shortLabels}. */
export function labelExprOf(names: readonly string[]): string {
  const labels = shortLabels(names);
  const changed = names
    .map((name, at) => [name, labels[at] ?? name] as const)
    .filter(([name, label]) => name !== label);
  if (changed.length === 0) return 'datum.label';
  const place = `indexof(${vegaLiteral(changed.map(([name]) => name))}, datum.label)`;
  return `${place} < 0 ? datum.label : ${vegaLiteral(changed.map(([, label]) => label))}[${place}]`;
}

/** Texts as a literal for Vega's parser, to which, as in old JavaScript, these two characters end a line. */
function vegaLiteral(texts: readonly string[]): string {
  return JSON.stringify(texts).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function cut(name: string): string {
  const short = shortId(name);
  const characters = [...short];
  if (characters.length <= MOST_IN_LABEL) return short;
  return `${characters.slice(0, MOST_IN_LABEL - LABEL_END - 1).join('')}…${characters.slice(-LABEL_END).join('')}`;
}

/** The beginning of a name, and its text around a place. */
function cutAt(name: string, place: number): string {
  const characters = [...name];
  const from = Math.max(LABEL_HEAD, place - BEFORE_DIFFERENCE);
  const room = MOST_IN_LABEL - LABEL_HEAD - 2;
  const rest = characters.slice(from, from + room).join('');
  const head = characters.slice(0, LABEL_HEAD).join('') + (from > LABEL_HEAD ? '…' : '');
  return `${head}${rest}${from + room < characters.length ? '…' : ''}`;
}

/** The places of equal labels, grouped. */
function alikeIn(labels: readonly string[]): number[][] {
  const places = new Map<string, number[]>();
  for (const [at, label] of labels.entries()) places.set(label, [...(places.get(label) ?? []), at]);
  return [...places.values()].filter(({ length }) => length > 1);
}

/** The length in characters of the names' common beginning. */
function commonStart(names: readonly string[]): number {
  const [first = [], ...others] = names.map((name) => [...name]);
  const end = first.findIndex((character, at) => others.some((other) => other[at] !== character));
  return end < 0 ? first.length : end;
}

/** Labels with a number appended to those that repeat an earlier one. */
function numbered(labels: readonly string[]): string[] {
  const taken = new Set(labels);
  const seen = new Set<string>();
  return labels.map((label) => {
    let own = label;
    for (let number = 2; seen.has(own) || (own !== label && taken.has(own)); number += 1) own = `${label} (${number})`;
    seen.add(own);
    return own;
  });
}

/** A chart's name for a group with a key: `none` if the key is missing. */
export function groupName(key: Cell): string {
  return isMissing(key) ? 'none' : String(key);
}

/**
 * A chart's word for the values of a column.
 *
 * @example columnInWords('proxy_wallet'); // 'wallet'
 */
export function columnInWords(name: string): string {
  if (name === 'proxy_wallet') return 'wallet';
  return name === 'event_slug' ? 'event' : name;
}

/**
 * A chart's heading for the values of a column, or of a period.
 *
 * @example columnHeading('proxy_wallet'); // 'Wallet'
 */
export function columnHeading(name: string): string {
  // A caller without types may give a list.
  const words = String(columnInWords(name)).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
