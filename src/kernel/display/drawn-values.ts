import { greatestOf } from '../../base/many.js';
import { escapeHtml } from '../../base/texts.js';
import type { MimeBundle } from '../wire/runner.js';

/** Parts by MIME type. */
type Parts = Record<string, unknown>;

/** Rows of a table that are shown; more would fill the notebook. */
const MOST_ROWS = 20;
/** Characters of a cell in a table of plain text. */
const WIDEST = 40;

/**
 * How values of common libraries are shown, by what they can do rather than by their names: an object with a
 * `$schema` of Vega or Vega-Lite, or with `toSpec()`, is a chart; one with `node()` and `nodes()` the elements that it
 * gives, as a selection does; one with `getContext()` and `toBuffer()` a canvas; one with `toHTML()`, or with rows to go
 * through and a number of them, a table.
 *
 * @param show Shows the element or the bytes that a value holds.
 * @param print Prints a value as text.
 * @returns Undefined for every other value; a promise where a canvas draws later.
 */
export function drawnBundle(
  value: unknown,
  show: (inner: unknown) => MimeBundle | undefined,
  print: (value: unknown) => string,
): MimeBundle | undefined | Promise<MimeBundle | undefined> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  try {
    const chart = chartParts(value, print) ?? tableParts(value);
    if (chart) return { data: chart, metadata: {} };
    if (isCanvas(value)) {
      const bytes = value.toBuffer('image/png');
      return bytes instanceof Promise ? bytes.then(show).catch(() => undefined) : show(bytes);
    }
    return selectionBundle(value, show);
  } catch {
    // What cannot be drawn is printed.
    return undefined;
  }
}

function selectionBundle(value: object, show: (inner: unknown) => MimeBundle | undefined): MimeBundle | undefined {
  const [one, all] = [methodOf(value, 'node'), methodOf(value, 'nodes')];
  const nodes = one && all ? all() : undefined;
  if (!Array.isArray(nodes)) return undefined;
  // Printed, an empty one holds the page in which it looked.
  if (nodes.length === 0) return { data: { 'text/plain': 'Nothing is selected.' }, metadata: {} };
  return show(nodes);
}

const SCHEMA = /vega\.github\.io\/schema\/(vega|vega-lite)\/v(\d+)/;

function chartParts(value: object, print: (value: unknown) => string): Parts | undefined {
  const toSpec = methodOf(value, 'toSpec');
  const spec = toSpec ? toSpec() : value;
  if (typeof spec !== 'object' || spec === null || !Object.hasOwn(spec, '$schema')) return undefined;
  const [, kind, version = ''] = SCHEMA.exec(String(Reflect.get(spec, '$schema'))) ?? [];
  if (kind === undefined) return undefined;
  const plain: unknown = JSON.parse(JSON.stringify(spec));
  const name = kind === 'vega' ? 'vega' : 'vegalite';
  // Front ends that do not know a newer version draw it as the one that they know.
  const versions = new Set([version, ...(Number(version) > 5 ? ['5'] : [])]);
  const charts = [...versions].map((each) => [`application/vnd.${name}.v${each}+json`, plain]);
  return { ...Object.fromEntries(charts), 'text/plain': print(plain) };
}

function tableParts(value: object): Parts | undefined {
  const rows = rowsOf(value);
  const toHtml = methodOf(value, 'toHTML');
  if (toHtml) {
    const html = toHtml();
    if (typeof html !== 'string') return undefined;
    return { 'text/html': html, 'text/plain': rows ? textTable(rows) : textOfHtml(html) };
  }
  return rows && { 'text/html': htmlTable(rows), 'text/plain': textTable(rows) };
}

/** The first rows of a table, and how many it has. */
interface Rows {
  columns: string[];
  cells: string[][];
  total: number;
}

const COUNTS = ['numRows', 'height', 'rowCount'];

/** The rows of a value that counts them and can be gone through more than once. */
function rowsOf(value: object): Rows | undefined {
  if (value instanceof Map || value instanceof Set) return undefined;
  const iterate = methodOf(value, Symbol.iterator);
  if (!iterate) return undefined;
  const total = COUNTS.map((name) => countOf(value, name)).find((count) => count !== undefined);
  if (total === undefined) return undefined;
  const rows = iterate() as Iterator<unknown> | undefined;
  // Showing must not use it up.
  if (typeof rows !== 'object' || rows === null || rows === value) return undefined;
  const records: Record<string, unknown>[] = [];
  let isCut = false;
  for (const row of { [Symbol.iterator]: () => rows }) {
    if (typeof row !== 'object' || row === null) return undefined;
    const toJson = methodOf(row, 'toJSON');
    records.push(Object(toJson ? toJson() : row));
    isCut = records.length === MOST_ROWS;
    if (isCut) break;
  }
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cells = records.map((record) => columns.map((column) => cellText(record[column])));
  // What counts something else has told all its rows.
  return columns.length === 0 ? undefined : { columns, cells, total: isCut ? total : cells.length };
}

function countOf(value: object, name: string): number | undefined {
  const held: unknown = Reflect.get(value, name);
  const count: unknown = typeof held === 'function' ? Reflect.apply(held, value, []) : held;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);
}

function restOf({ cells, total }: Rows): string {
  const rest = total - cells.length;
  return rest > 0 ? `… ${rest.toLocaleString('en-US')} more rows` : '';
}

function htmlTable(rows: Rows): string {
  const row = (cells: string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const rest = restOf(rows);
  const body = rows.cells.map((cells) => row(cells, 'td')).join('');
  const foot = rest === '' ? '' : `<caption style="caption-side:bottom">${rest}</caption>`;
  return `<table>${foot}<thead>${row(rows.columns, 'th')}</thead><tbody>${body}</tbody></table>`;
}

function textTable(rows: Rows): string {
  const short = (cell: string): string => (cell.length > WIDEST ? `${cell.slice(0, WIDEST - 1)}…` : cell);
  const lines = [rows.columns, ...rows.cells].map((cells) => cells.map(short));
  const widths = rows.columns.map((_, at) => greatestOf(lines.map((line) => line[at]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rest = restOf(rows);
  return [...text, ...(rest === '' ? [] : [rest])].join('\n');
}

interface Canvas {
  toBuffer(type: string): unknown;
}

function isCanvas(value: object): value is Canvas {
  return methodOf(value, 'getContext') !== undefined && typeof Reflect.get(value, 'toBuffer') === 'function';
}

/** A method to call without parameters, read once, since it may be a getter's; undefined if there is none. */
function methodOf(value: object, name: string | symbol): (() => unknown) | undefined {
  const method: unknown = Reflect.get(value, name);
  return typeof method === 'function' ? () => Reflect.apply(method, value, []) : undefined;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** HTML of which more is not turned into text. */
const MOST_HTML = 20_000;

/**
 * What HTML says, for where only text is shown: lines for its blocks, wider gaps between the cells of a table. Of long
 * HTML, the beginning.
 */
export function textOfHtml(html: string): string {
  const rest = html.length > MOST_HTML ? '\n…' : '';
  const text = html
    .slice(0, MOST_HTML)
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/<\/t[dh]>\s*(?=<t[dh])/gi, '  ')
    .replace(/<(?:br|\/?(?:p|div|tr|table|h[1-6]|li|ul|ol|section|pre|caption|thead|tbody))\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/ *\n[\s]*/g, '\n')
    .trim();
  return text + rest;
}
