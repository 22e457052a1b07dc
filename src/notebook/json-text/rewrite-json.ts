import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../record-fields.js';
import { enclose, formatJson, type JsonStyle } from './json-style.js';
import { type Member, membersOf } from './members.js';

/** Finds for each value of a new list the index of the old value that it came from; undefined for a new one. */
export type Origins = (old: readonly unknown[], now: readonly unknown[]) => (number | undefined)[];

/** What is to be rewritten, and how. */
export interface Rewriting {
  text: string;
  style: JsonStyle;
  /** Matches the cells of the new notebook with those of the old. Other lists that differ are written anew. */
  origins: Origins;
}

/**
 * Rewrites the JSON text of a value for a new value. Equal parts keep their exact text: spelling of numbers and
 * strings, order of keys, white space. Parts that differ are written anew in the text's own layout.
 *
 * @param place Where the old value is in the text, and its nesting depth.
 */
export function rewriteJson(
  rewriting: Rewriting,
  { start, end, depth }: { start: number; end: number; depth: number },
  old: unknown,
  now: unknown,
): string {
  const { text, style } = rewriting;
  if (old === now || isDeepStrictEqual(old, now)) return text.slice(start, end);
  const place = { start, end, depth };
  if (isRecord(old) && isRecord(now)) return rewriteObject(rewriting, place, old, now);
  const isCells = depth === 1 && Array.isArray(old) && Array.isArray(now);
  return isCells ? rewriteList(rewriting, place, old, now) : formatJson(now, style, depth);
}

type Place = Parameters<typeof rewriteJson>[1];

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
  const textOf = (member: Member): string => {
    const { key = '', valueStart, end } = member;
    if (last.get(key) !== member) return text.slice(valueStart, end);
    return rewriteJson(rewriting, { start: valueStart, end, depth: place.depth + 1 }, old[key], now[key]);
  };
  if (added.length === 0 && !members.some(isGone)) return replaceValues(text, place, members, textOf);
  const kept = members.filter((member) => !isGone(member));
  const parts = kept.map((member): [string, string] => [
    member.key ?? '',
    text.slice(member.start, member.valueStart) + textOf(member),
  ]);
  const isSorted = kept.every(({ key = '' }, index) => (kept[index - 1]?.key ?? '') <= key);
  for (const key of added) {
    const part = `${formatJson(key, style, 0)}${style.colon}${formatJson(now[key], style, place.depth + 1)}`;
    const at = isSorted ? parts.findIndex(([other]) => other > key) : -1;
    parts.splice(at === -1 ? parts.length : at, 0, [key, part]);
  }
  const texts = parts.map(([, part]) => part);
  return enclose(texts, '{}', style, place.depth);
}

function rewriteList(rewriting: Rewriting, place: Place, old: readonly unknown[], now: readonly unknown[]): string {
  const { text, style } = rewriting;
  const members = membersOf(text, place.start);
  const origins = rewriting.origins(old, now);
  const parts = now.map((value, index) => {
    const from = origins[index];
    const member = from === undefined ? undefined : members[from];
    if (from === undefined || !member) return formatJson(value, style, place.depth + 1);
    return rewriteJson(rewriting, { start: member.start, end: member.end, depth: place.depth + 1 }, old[from], value);
  });
  const isInPlace = parts.length === members.length && origins.every((from, index) => from === index);
  if (!isInPlace) return enclose(parts, '[]', style, place.depth);
  return replaceValues(text, place, members, (_, index) => parts[index] ?? '');
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
