import type { ProblemDetail } from '../../contract/envelope.js';

/** How deep values may be nested; a request needs two levels. */
const MAX_DEPTH = 16;

/** How many members an object may have; the largest request has seven. */
const MAX_MEMBERS = 100;

/** How long a member's name may be, in characters. */
const MAX_NAME = 200;

/** An object or a list that the scan is inside of. */
interface Frame {
  /** Names seen so far; undefined in a list. */
  readonly names: Set<string> | undefined;
  /** Name or index of the member that the scan is at. */
  at: string | number;
  /** Whether the next string is a member's name. */
  awaitsName: boolean;
}

/**
 * Finds the first thing in a JSON text that parsers accept, but that no honest request has: a member named twice,
 * values nested more than 16 deep, an object of more than 100 members, a name of more than 200 characters.
 *
 * @param text JSON that `JSON.parse` accepts.
 * @returns What is wrong, with the JSON pointer to it; undefined if nothing is.
 * @example jsonFault('{"a":1,"\\u0061":2}'); // { pointer: '/a', detail: 'is named twice' }
 */
export function jsonFault(text: string): ProblemDetail | undefined {
  const frames: Frame[] = [];
  for (let i = 0; i < text.length; i++) {
    const frame = frames.at(-1);
    switch (text[i]) {
      case '{':
      case '[':
        if (frames.length === MAX_DEPTH) return { pointer: pointerTo(frames), detail: `is nested ${DEEPER}` };
        frames.push(newFrame(text[i] === '{'));
        break;
      case '}':
      case ']':
        frames.pop();
        break;
      case ',':
        if (frame?.names) frame.awaitsName = true;
        else if (frame) frame.at = Number(frame.at) + 1;
        break;
      case '"': {
        const start = i;
        i = endOfText(text, start);
        const detail = frame?.awaitsName ? enterMember(frame, text.slice(start, i + 1)) : undefined;
        if (detail) return { pointer: pointerTo(detail === TWICE ? frames : frames.slice(0, -1)), detail };
      }
    }
  }
  return undefined;
}

const TWICE = 'is named twice';
const DEEPER = `more than ${MAX_DEPTH} levels deep`;

function newFrame(isObject: boolean): Frame {
  return { names: isObject ? new Set() : undefined, at: 0, awaitsName: isObject };
}

/** Notes a member's name, a quoted JSON string. @returns What is wrong with it; undefined if nothing is. */
function enterMember(frame: Frame, quoted: string): string | undefined {
  if (quoted.length > 6 * MAX_NAME + 2) return `has a member whose name is longer than ${MAX_NAME} characters`;
  const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (name.length > MAX_NAME) return `has a member whose name is longer than ${MAX_NAME} characters`;
  frame.at = name;
  frame.awaitsName = false;
  const { names } = frame;
  if (names?.has(name)) return TWICE;
  names?.add(name);
  return names !== undefined && names.size > MAX_MEMBERS ? `has more than ${MAX_MEMBERS} members` : undefined;
}

/** The index of the quote that closes the string opened at `start`: the first that no backslash escapes. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; ; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i++;
    // NaN is past the end, which is never reached in valid JSON.
    else if (code === 0x22 || Number.isNaN(code)) return i;
  }
}

function pointerTo(frames: readonly Frame[]): string {
  return frames.map(({ at }) => `/${String(at).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
