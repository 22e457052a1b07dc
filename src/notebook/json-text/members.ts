import { skipSpace, valueEnd } from './value-end.js';

/** A value within a text of JSON, and the key that it stands under. */
export interface Member {
  /** Undefined in a list. */
  key: string | undefined;
  /** Where the key, or in a list the value, begins. */
  start: number;
  valueStart: number;
  /** The index after the value's last letter. */
  end: number;
}

/**
 * The values of an object or a list, in the order of the text.
 *
 * @param start Where its bracket stands. The text must be JSON.
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
