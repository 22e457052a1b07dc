import { parseExactly } from './json-text/exact-json.js';
import { formatJson } from './json-text/json-style.js';
import { skipSpace, valueEnd } from './json-text/value-end.js';

/** What the line that begins a cell says of it. */
export interface PercentMarker {
  cellType: 'code' | 'markdown' | 'raw';
  /** The cell's metadata; a title, and how deep a sub-cell lies, are fields of it: `title`, `cell_depth`. */
  metadata: Record<string, unknown>;
}

const MARKER = /^\s*\/\/\s*%%(%*)(?:\s(.*))?$/s;
const TYPE = /\[(markdown|md|raw)\]/;
const KEY = /^[\w.-]+$/;

/** As Python's json.dumps writes it, so that the file is the same whichever tool wrote it. */
const STYLE = { unit: undefined, lineEnd: '\n', comma: ', ', colon: ': ', isAscii: true } as const;

/** Reads a line that may begin a cell: `// %% title [markdown] tags=["a"] key=1`. Undefined if it begins none. */
export function parseMarker(line: string): PercentMarker | undefined {
  const [, depth, rest = ''] = MARKER.exec(line) ?? [];
  if (depth === undefined) return undefined;
  const { title: words, metadata } = optionsIn(rest.trim());
  const type = TYPE.exec(words)?.[1];
  const title = words.replace(TYPE, ' ').replace(/\s+/g, ' ').trim();
  return {
    cellType: type === undefined ? 'code' : type === 'raw' ? 'raw' : 'markdown',
    metadata: {
      ...(title === '' ? {} : { title }),
      ...(depth === '' ? {} : { cell_depth: depth.length }),
      ...metadata,
    },
  };
}

/** Writes the line that begins a cell. */
export function markerLine({ cellType, metadata }: PercentMarker): string {
  const { title, cell_depth: depth, ...others } = metadata;
  const isPlainTitle = typeof title === 'string' && isTitle(title);
  const isPlainDepth = typeof depth === 'number' && Number.isInteger(depth) && depth > 0 && depth < 10;
  const rest = Object.entries({
    ...(title === undefined || isPlainTitle ? {} : { title }),
    ...(depth === undefined || isPlainDepth ? {} : { cell_depth: depth }),
    ...others,
  }).filter(([, value]) => value !== undefined);
  const words = [
    `%%${isPlainDepth ? '%'.repeat(depth) : ''}`,
    ...(isPlainTitle ? [title] : []),
    ...(cellType === 'code' ? [] : [`[${cellType}]`]),
    ...optionWords(rest),
  ];
  return `// ${words.join(' ')}`;
}

function optionWords(entries: [string, unknown][]): string[] {
  if (!entries.every(([key]) => KEY.test(key))) return [formatJson(Object.fromEntries(entries), STYLE, 0)];
  return entries.map(([key, value]) => `${key}=${formatJson(value, STYLE, 0)}`);
}

/** Whether a title can be told from what follows it when it is read again. */
function isTitle(title: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: A control letter could end the line.
  return /^[^\s%].*$/s.test(title) && !/[={\x00-\x1f\u2028\u2029]|\s$|\s\s|[^\S ]/.test(title) && !TYPE.test(title);
}

function optionsIn(text: string): { title: string; metadata: Record<string, unknown> } {
  const brace = text.indexOf('{');
  const equals = text.indexOf('=');
  if (brace !== -1 && (equals === -1 || brace < equals)) {
    const value = literalIn(text.slice(brace));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject
      ? { title: text.slice(0, brace), metadata: value as Record<string, unknown> }
      : { title: text, metadata: {} };
  }
  if (equals === -1) return { title: text, metadata: {} };
  const keyStart = text.slice(0, equals).trimEnd().search(/\S+$/);
  return { title: text.slice(0, keyStart), metadata: pairsIn(text.slice(keyStart)) };
}

/** Reads `key=value key=value`; a word alone stands for a key without a value. */
function pairsIn(text: string): Record<string, unknown> {
  const pairs: [string, unknown][] = [];
  let at = 0;
  while (at < text.length) {
    const [word = '', key = '', equals] = /^([^\s=]*)\s*(=\s*)?/.exec(text.slice(at)) ?? [];
    at += Math.max(word.length, 1);
    if (equals === undefined) {
      if (key !== '') pairs.push([key, null]);
    } else {
      const end = literalEnd(text, at);
      const word = text.slice(at, end);
      const value = literalIn(word);
      pairs.push([key, key === 'tags' && value === word ? tagsIn(word) : value]);
      at = end;
    }
    at = skipSpace(text, at);
  }
  return Object.fromEntries(pairs);
}

/** Tags without quotes, `[a, b]` or `a`: notebooks have nothing but a list there. */
function tagsIn(word: string): string[] {
  const tags = word.replace(/^\[|\]$/g, '').split(/[\s,"']+/);
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

function literalEnd(text: string, start: number): number {
  if (/["[{]/.test(text.charAt(start))) return valueEnd(text, start);
  const quoted = /^'(?:[^'\\]|\\.)*'/.exec(text.slice(start))?.[0];
  const plain = /^\S*/.exec(text.slice(start))?.[0] ?? '';
  return start + (quoted ?? plain).length;
}

/** A value in JSON, or as Python writes it; what is neither stays a text. */
function literalIn(text: string): unknown {
  const fromPython = text
    .replace(/'((?:[^'\\]|\\.)*)'/g, (_, inner: string) => JSON.stringify(inner.replace(/\\(.)/g, '$1')))
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\bNone\b/g, 'null');
  for (const form of [text, fromPython]) {
    try {
      return parseExactly(form);
    } catch {
      // The next form may do.
    }
  }
  return text;
}
