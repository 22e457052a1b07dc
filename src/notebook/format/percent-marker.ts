import { isObject } from '../../base/texts.js';
import { formatJson, parseExactly, skipSpace, valueEnd } from './json-text.js';

/** The extensions of files in percent format. */
export const PERCENT_EXTENSIONS: readonly string[] = ['.ts', '.mts', '.js', '.mjs'];

/** What the line that begins a cell says about the cell. */
export interface PercentMarker {
  cellType: 'code' | 'markdown' | 'raw';
  /** The cell's metadata, including its title (`title`) and the nesting depth of a sub-cell (`cell_depth`). */
  metadata: Record<string, unknown>;
}

const MARKER = /^\s*\/\/\s*%%(%*)(?:\s(.*))?$/s;
const TYPE = /\[(markdown|md|raw)\]/;
const KEY = /^[\w.-]+$/;

/** The layout of Python's json.dumps, so that jupytext writes the same file. */
const STYLE = { unit: undefined, lineEnd: '\n', space: ' ', isAscii: true } as const;

/** Reads a line that may begin a cell: `// %% title [markdown] tags=["a"] key=1`. Undefined if it does not. */
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

/** Whether a title, when read again, can be told apart from what follows it. */
function isTitle(title: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: A control character could end the line.
  return /^[^\s%].*$/s.test(title) && !/[={\x00-\x1f\u2028\u2029]|\s$|\s\s|[^\S ]/.test(title) && !TYPE.test(title);
}

function optionsIn(text: string): { title: string; metadata: Record<string, unknown> } {
  const brace = text.indexOf('{');
  const equals = text.indexOf('=');
  if (brace !== -1 && (equals === -1 || brace < equals)) {
    const value = literalIn(text.slice(brace));
    return isObject(value) ? { title: text.slice(0, brace), metadata: value } : { title: text, metadata: {} };
  }
  if (equals === -1) return { title: text, metadata: {} };
  const keyStart = text.slice(0, equals).trimEnd().search(/\S+$/);
  return { title: text.slice(0, keyStart), metadata: pairsIn(text.slice(keyStart)) };
}

/** Reads `key=value key=value`; a word without `=` is a key whose value is null. */
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

/** Reads tags without quotes, `[a, b]` or `a`, since in a notebook tags must be a list. */
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

/** Reads a value written as JSON or as in Python; anything else stays text. */
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
      // The next form may parse.
    }
  }
  return text;
}
