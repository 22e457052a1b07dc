import { messageOf, UsageError } from './errors.js';

/**
 * A number and what it counts.
 *
 * @param many The plural. Default: the singular with an s.
 * @example counted(1200, 'market'); // '1,200 markets'
 */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;
}

/** Whether a value is what JSON calls an object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A part of a record that is missing, with its time in UTC to the minute. @example partText({ what: 'trades', until }) */
export function partText({ what, from, until }: { what: string; from?: string | null; until?: string | null }): string {
  const minuteOf = (iso: string) => iso.slice(0, 16).replace('T', ' ');
  const start = from ? ` from ${minuteOf(from)}` : '';
  return `${what || 'a part'}${start}${until && until !== from ? ` to ${minuteOf(until)}` : ''}`;
}

/** Escapes text for HTML, for use in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const ESCAPE = '\u001b';

/** Commands to the terminal, such as a link's target or the window's title, up to their end on the line. */
const COMMAND = String.raw`${ESCAPE}\][^${ESCAPE}\x07\n]*(?:\x07|${ESCAPE}\\)`;
/** Colours and movements of the cursor. */
const CONTROL = String.raw`(?:${ESCAPE}\[|\x9b)[0-?]*[ -/]*[@-~]`;
const OTHER = `${ESCAPE}[ -/]*[0-~]`;

/** All of them. The time stays linear even if many have no end. */
const ESCAPES = new RegExp([COMMAND, CONTROL, OTHER].join('|'), 'g');

/**
 * Removes the colours, links and other commands of ECMA-48 that a terminal would act on. Node's own function leaves
 * parts of them, and from Node.js 26 on its time grows with the square of their number.
 */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}

/**
 * A value's JSON form as a copy, so that later changes to the value do not show. Bigints become text, Maps objects and
 * Sets lists.
 *
 * @returns Null for what JSON cannot represent, such as undefined or a function.
 * @throws {UsageError} If the value contains itself.
 */
export function jsonCopy(value: unknown): unknown {
  try {
    const text = JSON.stringify(value, plain) as string | undefined;
    return text === undefined ? null : JSON.parse(text);
  } catch (cause) {
    const [reason] = messageOf(cause).split('\n', 1);
    throw new UsageError(`The value cannot be written as JSON: ${reason}`, { cause });
  }
}

function plain(_key: string, part: unknown): unknown {
  if (typeof part === 'bigint') return String(part);
  if (part instanceof Map) return Object.fromEntries(part);
  if (part instanceof Set) return [...part];
  return part;
}

/** What a text holds as JSON; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field of a value; undefined if the value is no object or lacks it. @example fieldOf(fieldOf(spec, 'metadata'), 'name') */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Writes text as one word of a shell command: in quotes if the shell would not take it as it is.
 *
 * @param platform The platform of the shell: `win32` for cmd.exe and PowerShell, any other for a POSIX shell. Default
 *   that of this machine.
 * @example shellWord('my data'); // 'my data', with the quotes
 */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  const isWindows = platform === 'win32';
  if ((isWindows ? /^[\w./@:+\\-]+$/ : /^[\w./@:+-]+$/).test(text)) return text;
  return isWindows ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
