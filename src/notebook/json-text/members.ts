import { skipSpace, valueEnd } from './value-end.js';

/** The place of a value in a JSON text, and its key. */
export interface Member {
  /** Undefined in a list. */
  key: string | undefined;
  /** Index of the first character of the key, or in a list of the value. */
  start: number;
  valueStart: number;
  /** Index after the value's last character. */
  end: number;
}

/**
 * The values of an object or a list, in the order of the text.
 *
 * @param text Must be valid JSON.
 * @param start Index of the opening bracket.
 */
export function membersOf(text: string, start: number): Member[] {
  const isObject = text.charAt(start) === '{';
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text.charAt(at) !== '}' && text.charAt(at) !== ']') {
    const member = memberAt(text, at, isObject);
    members.push(member);
    at = skipSpace(text, member.end);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

function memberAt(text: string, start: number, isObject: boolean): Member {
  if (!isObject) return { key: undefined, start, valueStart: start, end: valueEnd(text, start) };
  const keyEnd = valueEnd(text, start);
  const key: string = JSON.parse(text.slice(start, keyEnd));
  const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
  return { key, start, valueStart, end: valueEnd(text, valueStart) };
}
