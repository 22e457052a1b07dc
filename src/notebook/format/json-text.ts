/** The layout of a JSON text. */
export interface JsonStyle {
  /** Indentation of one level; undefined if everything is on one line. */
  unit: string | undefined;
  lineEnd: '\n' | '\r\n';
  /** What follows a colon, and a comma between values on the same line. */
  space: '' | ' ';
  /** Whether characters beyond ASCII are escaped. */
  isAscii: boolean;
}

/** Detects the layout of an object in JSON. */
export function styleOf(text: string): JsonStyle {
  const isTight = /^\s*\{\s*"(?:[^"\\]|\\.)*":\S/.test(text);
  const [, lineEnd, unit] = /^\s*\{[ \t]*(\r?\n)([ \t]*)/.exec(text) ?? [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant.
  const isAscii = /^[\x00-\x7f]*$/.test(text) && /[^\\](?:\\\\)*\\u(?:00[89a-f]|0[1-9a-f]|[1-9a-f])/i.test(text);
  return {
    unit,
    lineEnd: lineEnd === '\r\n' ? lineEnd : '\n',
    space: isTight ? '' : ' ',
    isAscii,
  };
}

/** Writes a value as JSON in a layout, as at a nesting depth; 0 is the outermost. */
export function formatJson(value: unknown, style: JsonStyle, depth: number): string {
  if (typeof value !== 'object' || value === null) return formatScalar(value, style);
  const parts = Array.isArray(value)
    ? value.map((part) => formatJson(part ?? null, style, depth + 1))
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => `${formatScalar(key, style)}:${style.space}${formatJson(part, style, depth + 1)}`);
  return enclose(parts, Array.isArray(value) ? '[]' : '{}', style, depth);
}

/** Puts members that are already written as JSON between brackets, in a layout. */
export function enclose(parts: readonly string[], brackets: '[]' | '{}', style: JsonStyle, depth: number): string {
  const [open, close] = brackets;
  if (parts.length === 0) return brackets;
  if (style.unit === undefined) return `${open}${parts.join(`,${style.space}`)}${close}`;
  const line = (level: number): string => `${style.lineEnd}${style.unit?.repeat(level) ?? ''}`;
  return `${open}${line(depth + 1)}${parts.join(`,${line(depth + 1)}`)}${line(depth)}${close}`;
}

function formatScalar(value: unknown, { isAscii }: JsonStyle): string {
  if (Object.is(value, -0)) return '-0';
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
  if (!isAscii) return text;
  return text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Parses JSON as JSON.parse does, except that whole numbers that a double cannot hold exactly become bigints.
 *
 * @throws {SyntaxError} If the text is not JSON.
 * @example parseExactly('[1, 12345678901234567890]'); // [1, 12345678901234567890n]
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const start = skipSpace(text, 0);
  return /\d{16}/.test(text) ? exactValue(text, start, valueEnd(text, start)) : value;
}

/** Converts a bigint to a number if that number is written with the same digits; otherwise returns the bigint. */
export function plainNumber(value: bigint): number | bigint {
  return String(Number(value)) === String(value) ? Number(value) : value;
}

function exactValue(text: string, start: number, end: number): unknown {
  const word = text.slice(start, end);
  if (/^-?\d{16,}$/.test(word)) return plainNumber(BigInt(word));
  if (!/^[[{]/.test(word)) return JSON.parse(word);
  const members = membersOf(text, start).map((member): [string, unknown] => [
    member.key ?? '',
    exactValue(text, member.valueStart, member.end),
  ]);
  return word.startsWith('[') ? members.map(([, value]) => value) : Object.fromEntries(members);
}

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

/** The values of the object or list whose opening bracket is at `start`, in the order of the text: valid JSON. */
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

/** The index after the last character of the JSON value that begins at `start`. The text must be valid JSON. */
export function valueEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') return matchEnd(/[^\s,\]}]*/y, text, start);
  let depth = 0;
  let at = start;
  do {
    at = matchEnd(/[^"[\]{}]*/y, text, at);
    const letter = text.charAt(at);
    if (letter === '"') at = stringEnd(text, at);
    else {
      depth += letter === '{' || letter === '[' ? 1 : -1;
      at += 1;
    }
  } while (depth > 0 && at < text.length);
  return at;
}

/** The index of the first character from `start` on that is not white space. */
export function skipSpace(text: string, start: number): number {
  return matchEnd(/\s*/y, text, start);
}

function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charAt(before - 1) === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.exec(text);
  return pattern.lastIndex;
}
