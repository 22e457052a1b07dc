import { nearest } from '../../base/nearest.js';
import { keysOf, type Table, type TableColumn } from './table.js';
import { comparisonIn, unquoted } from './table-filter.js';

/** Values of a column that are named. */
const MOST_VALUES = 3;
/** Different values beyond which none is looked for that is spelt alike. */
const MOST_COMPARED = 10_000;

/**
 * Says why a filter leaves no row, in words that follow a colon: what the column that it compares holds, from the least
 * value to the greatest, or some of its texts and first the one that is spelt most like the text sought; without a
 * comparison, that no cell contains the text.
 */
export function whyNoRow(table: Table, columnAt: (at: number) => TableColumn, filter: string): string {
  const comparison = comparisonIn(table, filter.trimStart());
  if (!comparison) return `no cell contains ${JSON.stringify(filter.trim())}`;
  const column = columnAt(comparison.at);
  const texts = column.type === 'datetime' ? undefined : column.texts?.();
  const held = texts ? someOf(texts, unquoted(comparison.value)) : rangeOf(column);
  return `${column.name} holds ${held ?? 'no value'}`;
}

function someOf({ codes, words }: { codes: Int32Array; words: readonly string[] }, sought: string): string | undefined {
  const held = new Set<string>();
  for (const code of codes) if (code >= 0) held.add(words[code] ?? '');
  const near = held.size > MOST_COMPARED ? undefined : nearest(sought, held);
  const named = [...new Set([...(near === undefined ? [] : [near]), ...firstOf(held)])].slice(0, MOST_VALUES);
  const more = held.size - named.length;
  if (named.length === 0) return undefined;
  return `${named.map((text) => JSON.stringify(shortened(text))).join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}`;
}

function firstOf(values: Iterable<string>): string[] {
  const first: string[] = [];
  for (const value of values) {
    if (first.length === MOST_VALUES) break;
    first.push(value);
  }
  return first;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** The least and the greatest value as cells show them. */
function rangeOf(column: TableColumn): string | undefined {
  const keys = keysOf(column);
  let [least, greatest] = [-1, -1];
  for (let row = 0; row < keys.length; row += 1) {
    const key = keys[row] ?? Number.NaN;
    if (Number.isNaN(key)) continue;
    if (least < 0 || key < (keys[least] ?? 0)) least = row;
    if (greatest < 0 || key > (keys[greatest] ?? 0)) greatest = row;
  }
  if (least < 0) return undefined;
  const [from = '', to = ''] = (column.whole ?? column.shown).call(column, [least, greatest]);
  return from === to ? from : column.type === 'boolean' ? `${from} and ${to}` : `${from} to ${to}`;
}
