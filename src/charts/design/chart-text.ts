import { itemAt } from '../../base/item-at.js';
import { shortId } from '../../frame/display/cell-formatter.js';
import { type Cell, isMissing } from '../../frame/vector/vector.js';

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

/** Characters that a picture cannot hold as text or that would break its lines. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu;

/** Invisible characters that change the reading direction of the text after them. */
export const BIDI_CONTROLS = /\p{Bidi_Control}+/gu;

/** The most lines of a text, where none are given. */
const MOST_LINES = 3;

/**
 * Breaks a text at spaces into lines that fit a width; a word too long for a line is cut.
 *
 * @param width In pixels.
 * @param fontSize In pixels.
 * @param most The most lines; the last one ends in an ellipsis if there would be more.
 */
export function wrappedText(text: string, width: number, fontSize: number, most = MOST_LINES): string[] {
  const lines: string[] = [];
  for (const word of text.replace(BIDI_CONTROLS, '').replace(UNSEEN, ' ').split(' ').filter(Boolean)) {
    const line = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(line, fontSize) <= width) lines[lines.length - 1] = line;
    else lines.push(fitted(word, width, fontSize));
  }
  if (lines.length <= most) return lines;
  const last = `${lines[most - 1]} ${lines[most]}`;
  return [...lines.slice(0, most - 1), fitted(`${last}…`, width, fontSize)];
}

/** A text cut to fit a width, with an ellipsis if anything was cut off. */
function fitted(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, fontSize) > width) characters.pop();
  return `${characters.join('')}…`;
}

/** Widths of characters in thousandths of the font size, in Helvetica and similar faces; all others take 600. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ["ijl'|", 222],
  [' .,:;!/\\ftI[]()-r·', 310],
  ['"*°', 380],
  ['ckvxyzsJ', 505],
  ['abdeghnopqu0123456789$?_–+=<>−', 570],
  ['FTZLABEKPSVXY&', 670],
  ['CDHNRUw', 725],
  ['GOQ', 780],
  ['mM%', 860],
  ['W@—…', 1000],
];

const WIDTH_OF = new Map(WIDTHS.flatMap(([characters, width]) => [...characters].map((one) => [one, width] as const)));

/** A safety factor: a viewer's sans-serif may run wider. */
const WIDTH_MARGIN = 1.04;

/** Approximate factor by which bold text is wider. */
export const BOLD = 1.1;

/**
 * The approximate width of a text in pixels: there is no screen to measure it on.
 *
 * @param fontSize In pixels.
 */
export function textWidth(text: string, fontSize: number): number {
  let thousandths = 0;
  for (const character of text) thousandths += WIDTH_OF.get(character) ?? 600;
  return (thousandths / 1000) * fontSize * WIDTH_MARGIN;
}
