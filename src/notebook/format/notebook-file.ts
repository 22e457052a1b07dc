import { isDeepStrictEqual } from 'node:util';
import { itemAt } from '../../base/item-at.js';
import { isObject } from '../../base/texts.js';
import {
  enclose,
  formatJson,
  type JsonStyle,
  type Member,
  membersOf,
  skipSpace,
  styleOf,
  valueEnd,
} from './json-text.js';
import { joinLines, type Notebook, parseNotebook } from './nbformat.js';

/** A notebook together with the text that it was read from. */
export interface NotebookFile {
  notebook: Notebook;
  /**
   * The file's text for a changed notebook: cells may be added, removed or changed. Everything that did not change
   * keeps its bytes: indentation, order of keys, spelling of numbers (`1.0`, `1e21`, integers beyond 2^53), escapes and
   * the end of the file. New parts follow the file's own layout.
   */
  serialize(changed: Notebook): string;
}

/**
 * Reads a notebook written by any tool, so that it can be written back without touching what did not change.
 *
 * @param name How errors call the file.
 * @throws {InputError} If the text is no notebook; see `parseNotebook`.
 */
export function readNotebookFile(text: string, name: string): NotebookFile {
  const notebook = parseNotebook(text, name);
  return { notebook, serialize: (changed) => rewriteNotebook(text, notebook, changed) };
}

function rewriteNotebook(text: string, notebook: Notebook, changed: Notebook): string {
  const start = skipSpace(text, 0);
  const end = valueEnd(text, start);
  const body = rewriteJson({ text, style: styleOf(text) }, { start, end, depth: 0 }, notebook, changed);
  return text.slice(0, start) + body + text.slice(end);
}

/** Matches cells in order, by their id or else by their source: for each new cell the index of the old one, if any. */
function cellOrigins(old: readonly unknown[], now: readonly unknown[]): (number | undefined)[] {
  let from = 0;
  return now.map((cell) => {
    const found = old.findIndex((other, index) => index >= from && isSameCell(other, cell));
    if (found === -1) return undefined;
    from = found + 1;
    return found;
  });
}

function isSameCell(left: unknown, right: unknown): boolean {
  const [a, b] = [Object(left), Object(right)];
  if (a.cell_type !== b.cell_type) return false;
  return a.id === undefined && b.id === undefined
    ? joinLines(a.source ?? '') === joinLines(b.source ?? '')
    : a.id === b.id;
}

/** What is to be rewritten, and how. */
interface Rewriting {
  text: string;
  style: JsonStyle;
}

/** Where a value is in the text, and its nesting depth. */
interface Place {
  start: number;
  end: number;
  depth: number;
}

/**
 * Rewrites the JSON text of a value for a new value. Equal parts keep their exact text: spelling of numbers and
 * strings, order of keys, white space. Parts that differ are written anew in the text's own layout.
 */
function rewriteJson(rewriting: Rewriting, place: Place, old: unknown, now: unknown): string {
  if (old === now || isDeepStrictEqual(old, now)) return rewriting.text.slice(place.start, place.end);
  if (isObject(old) && isObject(now)) return rewriteObject(rewriting, place, old, now);
  // Only cells are matched; other lists that differ are written anew.
  const isCells = place.depth === 1 && Array.isArray(old) && Array.isArray(now);
  return isCells ? rewriteCells(rewriting, place, old, now) : formatJson(now, rewriting.style, place.depth);
}

function rewriteObject(
  rewriting: Rewriting,
  place: Place,
  old: Record<string, unknown>,
  now: Record<string, unknown>,
): string {
  const { text, style } = rewriting;
  // Of a repeated key the last counts; the others are left as they are.
  const members = membersOf(text, place.start);
  const last = new Map(members.map((member) => [member.key, member]));
  const isThere = (key: string): boolean => Object.hasOwn(now, key) && now[key] !== undefined;
  const added = Object.keys(now).filter((key) => isThere(key) && !last.has(key));
  const isGone = ({ key = '' }: Member): boolean => !isThere(key);
  const memberText = (member: Member): string => {
    const { key = '', valueStart, end } = member;
    if (last.get(key) !== member) return text.slice(valueStart, end);
    return rewriteJson(rewriting, { start: valueStart, end, depth: place.depth + 1 }, old[key], now[key]);
  };
  if (added.length === 0 && !members.some(isGone)) return replaceValues(text, place, members, memberText);
  const kept = members.filter((member) => !isGone(member));
  const parts = kept.map((member): [string, string] => [
    member.key ?? '',
    text.slice(member.start, member.valueStart) + memberText(member),
  ]);
  const isSorted = kept.every(({ key = '' }, index) => (kept[index - 1]?.key ?? '') <= key);
  for (const key of added) {
    const part = `${formatJson(key, style, 0)}:${style.space}${formatJson(now[key], style, place.depth + 1)}`;
    const at = isSorted ? parts.findIndex(([other]) => other > key) : -1;
    parts.splice(at === -1 ? parts.length : at, 0, [key, part]);
  }
  const texts = parts.map(([, part]) => part);
  return enclose(texts, '{}', style, place.depth);
}

function rewriteCells(rewriting: Rewriting, place: Place, old: readonly unknown[], now: readonly unknown[]): string {
  const { text, style } = rewriting;
  const members = membersOf(text, place.start);
  const origins = cellOrigins(old, now);
  const parts = now.map((value, index) => {
    const from = origins[index];
    const member = from === undefined ? undefined : members[from];
    if (from === undefined || !member) return formatJson(value, style, place.depth + 1);
    return rewriteJson(rewriting, { start: member.start, end: member.end, depth: place.depth + 1 }, old[from], value);
  });
  const isInPlace = parts.length === members.length && origins.every((from, index) => from === index);
  if (!isInPlace) return enclose(parts, '[]', style, place.depth);
  return replaceValues(text, place, members, (_, index) => itemAt(parts, index));
}

function replaceValues(
  text: string,
  place: Place,
  members: readonly Member[],
  valueText: (member: Member, index: number) => string,
): string {
  let [result, at] = ['', place.start];
  for (const [index, member] of members.entries()) {
    result += text.slice(at, member.valueStart) + valueText(member, index);
    at = member.end;
  }
  return result + text.slice(at, place.end);
}
