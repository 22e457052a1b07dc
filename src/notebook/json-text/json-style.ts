/** The layout of a JSON text. */
export interface JsonStyle {
  /** Indentation of one level; undefined if everything is on one line. */
  unit: string | undefined;
  lineEnd: '\n' | '\r\n';
  /** Separator of values on the same line. */
  comma: ',' | ', ';
  colon: ':' | ': ';
  /** Whether characters beyond ASCII are escaped. */
  isAscii: boolean;
}

/**
 * Detects the layout of a JSON text.
 *
 * @param text An object in JSON.
 */
export function styleOf(text: string): JsonStyle {
  const isTight = /^\s*\{\s*"(?:[^"\\]|\\.)*":\S/.test(text);
  const indent = /^\s*\{[ \t]*\r?\n([ \t]*)/.exec(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant.
  const isAscii = /^[\x00-\x7f]*$/.test(text) && /[^\\](?:\\\\)*\\u(?:00[89a-f]|0[1-9a-f]|[1-9a-f])/i.test(text);
  return {
    unit: indent?.[1],
    lineEnd: /^\s*\{[ \t]*\r\n/.test(text) ? '\r\n' : '\n',
    comma: isTight ? ',' : ', ',
    colon: isTight ? ':' : ': ',
    isAscii,
  };
}

/**
 * Writes a value as JSON in a layout.
 *
 * @param depth Nesting depth of the value, 0 for the outermost.
 */
export function formatJson(value: unknown, style: JsonStyle, depth: number): string {
  if (typeof value !== 'object' || value === null) return formatScalar(value, style);
  const parts = Array.isArray(value)
    ? value.map((part) => formatJson(part ?? null, style, depth + 1))
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => `${formatScalar(key, style)}${style.colon}${formatJson(part, style, depth + 1)}`);
  return enclose(parts, Array.isArray(value) ? '[]' : '{}', style, depth);
}

/** Puts members that are already written as JSON between brackets, in a layout. */
export function enclose(parts: readonly string[], brackets: '[]' | '{}', style: JsonStyle, depth: number): string {
  const [open, close] = brackets;
  if (parts.length === 0) return brackets;
  if (style.unit === undefined) return `${open}${parts.join(style.comma)}${close}`;
  const line = (level: number): string => `${style.lineEnd}${style.unit?.repeat(level) ?? ''}`;
  return `${open}${line(depth + 1)}${parts.join(`,${line(depth + 1)}`)}${line(depth)}${close}`;
}

function formatScalar(value: unknown, { isAscii }: JsonStyle): string {
  if (Object.is(value, -0)) return '-0';
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
  if (!isAscii) return text;
  return text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
