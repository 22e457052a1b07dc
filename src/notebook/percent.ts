import { type Cell, joinLines, type Notebook, splitLines } from './document.js';
import { headerLines, parseHeader } from './percent-header.js';
import { markerLine, type PercentMarker, parseMarker } from './percent-marker.js';

/** A line that begins a cell, or would if no backslashes preceded its percent signs. */
const MARKER_LIKE = /^(\s*\/\/\s*)(\\*)(%%)/;

/** Metadata that runs and kernels write; in a program they would only be noise. */
const OF_RUNS = ['execution', 'ExecuteTime'];

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
