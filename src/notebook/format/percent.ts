import { Document, parseDocument, visit } from 'yaml';
import { InputError, messageOf } from '../../base/errors.js';
import { isObject } from '../../base/texts.js';
import { plainNumber } from './json-text.js';
import { type Cell, joinLines, type Notebook, splitLines } from './nbformat.js';
import { markerLine, type PercentMarker, parseMarker } from './percent-marker.js';

/** A line that begins a cell, or would if no backslashes preceded its percent signs. */
const MARKER_LIKE = /^(\s*\/\/\s*)(\\*)(%%)/;

/** Metadata of cells that runs and kernels write; in a program they would only be noise. */
export const OF_RUNS = ['execution', 'ExecuteTime'];

/**
 * Reads a TypeScript or JavaScript file in percent format, in which a line `// %%` begins each cell, as a notebook.
 * Text before the first such line is a code cell. One empty line before the next cell belongs to neither cell.
 *
 * @param name How errors call the file.
 * @returns A notebook of nbformat 4.5 without outputs; its cells are named `cell-1`, `cell-2` and so on.
 * @throws {InputError} If its header is malformed.
 * @example parsePercent('// %% [markdown]\n// # Title\n\n// %% tags=["parameters"]\nconst days = 30;\n', 'a.ts');
 */
export function parsePercent(text: string, name: string): Notebook {
  const lines = linesOf(text);
  const header = parseHeader(lines, name);
  const cells: { marker: PercentMarker; lines: string[] }[] = [];
  if (header.other) cells.push({ marker: { cellType: 'raw', metadata: {} }, lines: commented(header.other) });
  let isBeforeFirst = true;
  for (const line of lines.slice(header.lines)) {
    const marker = parseMarker(line);
    if (marker || (isBeforeFirst && line.trim() !== '')) {
      if (!isBeforeFirst) dropSeparator(cells.at(-1)?.lines);
      cells.push({ marker: marker ?? { cellType: 'code', metadata: {} }, lines: marker ? [] : [line] });
      isBeforeFirst = false;
    } else if (!isBeforeFirst) cells.at(-1)?.lines.push(line);
  }
  return {
    cells: cells.map((cell, index) => cellOf(cell.marker, cell.lines, `cell-${index + 1}`)),
    metadata: header.metadata,
    nbformat: 4,
    nbformat_minor: 5,
  };
}

/**
 * Writes a notebook as a TypeScript file in percent format: code as it is, Markdown and raw cells as comments, a cell's
 * metadata in the line that begins it, the notebook's metadata in a header. Outputs, ids, attachments, `language_info`
 * and metadata that runs write are left out.
 */
export function serializePercent(notebook: Notebook): string {
  const { language_info: _, ...metadata } = Object(notebook.metadata);
  const cells = notebook.cells.map((cell) => [markerLine(markerOf(cell)), ...bodyOf(cell)].join('\n'));
  const header = headerLines(metadata).map((line) => `${line}\n`);
  return `${header.join('')}${cells.join('\n\n')}${cells.length > 0 ? '\n' : ''}`;
}

/** The lines of a file. A `\r` belongs to the line end only if all lines end so; otherwise it belongs to its cell. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  const isWindows = isEnded && lines.every((line) => line.endsWith('\r'));
  return isWindows ? lines.map((line) => line.slice(0, -1)) : lines;
}

function dropSeparator(lines: string[] | undefined): void {
  if (lines?.at(-1)?.trim() === '') lines.pop();
}

function cellOf({ cellType, metadata }: PercentMarker, lines: readonly string[], id: string): Cell {
  const body = lines.map((line) =>
    line.replace(MARKER_LIKE, (_, start, slashes, signs) => start + slashes.slice(1) + signs),
  );
  const text = cellType === 'code' ? body.join('\n') : uncommented(body);
  const source = splitLines(text);
  if (cellType !== 'code') return { cell_type: cellType, id, metadata, source };
  return { cell_type: 'code', execution_count: null, id, metadata, outputs: [], source };
}

function markerOf(cell: Cell): PercentMarker {
  const entries = Object.entries(Object(cell.metadata)).filter(([key]) => !OF_RUNS.includes(key));
  return { cellType: cell.cell_type, metadata: Object.fromEntries(entries) };
}

function bodyOf(cell: Cell): string[] {
  const source = joinLines(cell.source);
  const lines = cell.cell_type === 'code' ? (source === '' ? [] : source.split('\n')) : commented(source);
  return lines.map((line) => line.replace(MARKER_LIKE, '$1$2\\$3'));
}

/** Writes a text as comments. Other characters that end a line in TypeScript must not end the comment. */
function commented(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r(?!$)|[\u2028\u2029]/g, '$&// '));
  return lines.map((line) => (line === '' ? '//' : `// ${line}`));
}

function uncommented(lines: readonly string[]): string {
  const bare = lines.map((line) => line.replace(/^\s*\/\/ ?/, '').replace(/(\r|[\u2028\u2029])\/\/ /g, '$1'));
  return bare.join('\n');
}

/** The header of a file in percent format. */
interface PercentHeader {
  /** The notebook's metadata. */
  metadata: Record<string, unknown>;
  /** Other contents of the header, as YAML between lines of dashes; a notebook keeps them as its first raw cell. */
  other?: string;
  /** Number of lines, including an empty line after the header. */
  lines: number;
}

/** Texts that every YAML reader takes as text even without quotes. */
const PLAIN_SCALAR = /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[A-Za-z](?:[\w ()./+-]*[\w)/+-])?$/i;

/**
 * Reads the header of a file in percent format: YAML in comments between two lines `// ---`. A line `#!…` above it
 * names the program that executes the file; as in jupytext, it becomes `jupytext.executable` in the metadata.
 *
 * @throws {InputError} If the header is not YAML.
 */
function parseHeader(lines: readonly string[], name: string): PercentHeader {
  const executable = /^#!(.+)$/.exec(lines[0] ?? '')?.[1];
  if (executable === undefined) return parseYamlHeader(lines, name);
  const { metadata, ...header } = parseYamlHeader(lines.slice(1), name);
  const jupytext = { ...Object(metadata.jupytext), executable };
  return { ...header, metadata: { ...metadata, jupytext }, lines: header.lines + 1 };
}

function parseYamlHeader(lines: readonly string[], name: string): PercentHeader {
  const none = { metadata: {}, lines: 0 };
  if (!/^\/\/ ?---\s*$/.test(lines[0] ?? '')) return none;
  const end = lines.findIndex((line, index) => index > 0 && /^\/\/ ?---\s*$/.test(line));
  const inner = lines.slice(1, end);
  if (end === -1 || !inner.every((line) => line.startsWith('//'))) return none;
  const value = parseYaml(inner.map((line) => line.replace(/^\/\/ ?/, '')).join('\n'), name);
  if (!isObject(value)) return none;
  const { jupyter, ...others } = value;
  const other = Object.keys(others).length > 0 ? { other: `---\n${yamlOf(others)}---` } : {};
  return {
    metadata: isObject(jupyter) ? jupyter : {},
    ...other,
    lines: end + (lines[end + 1]?.trim() === '' ? 2 : 1),
  };
}

/** Writes a notebook's metadata as the lines of a header, as `parseHeader` reads them; none if there is no metadata. */
function headerLines(metadata: Record<string, unknown>): string[] {
  const { executable, ...jupytext } = Object(metadata.jupytext);
  if (typeof executable === 'string' && /^.+$/.test(executable)) {
    const { jupytext: _, ...others } = metadata;
    const rest = Object.keys(jupytext).length > 0 ? { ...metadata, jupytext } : others;
    return [`#!${executable}`, ...headerLines(rest)];
  }
  if (Object.keys(metadata).length === 0) return [];
  const yaml = yamlOf({ jupyter: metadata }).trimEnd().split('\n');
  return ['// ---', ...yaml.map((line) => `// ${line}`), '// ---', ''];
}

function yamlOf(value: Record<string, unknown>): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !PLAIN_SCALAR.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  // YAML leaves these line separators as they are, and they would end a comment.
  const text = document.toString({ lineWidth: 0 });
  return text.replace(/[\u0085\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function parseYaml(text: string, name: string): unknown {
  try {
    const document = parseDocument(text);
    const [error] = document.errors;
    if (error) throw error;
    keepDigits(document);
    return document.toJS();
  } catch (cause) {
    const [reason] = messageOf(cause).split('\n', 1);
    throw new InputError(`${name}: the header between the lines "// ---" is no YAML: ${reason}`, { cause });
  }
}

/** Turns whole numbers that a double would round into bigints. */
function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, node) {
      const digits = typeof node.value === 'number' && /^-?\d{16,}$/.exec(node.source ?? '')?.[0];
      if (digits) node.value = plainNumber(BigInt(digits));
    },
  });
}

const KERNELSPEC = { display_name: 'TypeScript (Oddslab)', language: 'typescript', name: 'oddslab' };
const LANGUAGE_INFO = { file_extension: '.ts', mimetype: 'text/typescript', name: 'typescript' };

/**
 * Names this kernel in a notebook that names none, and its language where this is the kernel: Jupyter and nbconvert
 * would otherwise take the cells for Python or plain text. What the notebook says of either stays.
 */
export function withKernel(notebook: Notebook): Notebook {
  const { kernelspec, ...metadata } = Object(notebook.metadata);
  if (kernelspec && kernelspec.name !== KERNELSPEC.name) return notebook;
  return {
    ...notebook,
    metadata: { kernelspec: kernelspec || KERNELSPEC, language_info: LANGUAGE_INFO, ...metadata },
  };
}
