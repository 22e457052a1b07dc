import { diffLines } from './check/line-diff.js';
import { parseExactly } from './format/json-text.js';
import {
  type Cell,
  freeId,
  joinLines,
  type Notebook,
  refuseOtherLanguage,
  serializeNotebook,
} from './format/nbformat.js';
import { type NotebookFile, readNotebookFile } from './format/notebook-file.js';
import { OF_RUNS, parsePercent, serializePercent, withKernel } from './format/percent.js';

/** A notebook converted to percent format, or the other way round. */
export interface Converted {
  text: string;
  /** What the reader should know of the conversion, a sentence each, such as what the new form cannot hold. */
  notes: string[];
}

/**
 * Converts a notebook to a TypeScript file in percent format.
 *
 * @throws {InputError} If the text is no notebook, or a notebook in another language.
 */
export function toPercent(text: string, name: string): Converted {
  const { notebook } = readNotebookFile(text, name);
  refuseOtherLanguage(notebook, name);
  const attached = notebook.cells.filter(({ attachments }) => Object.keys(Object(attachments)).length > 0).length;
  const cells = attached === 1 ? '1 cell stay' : `${attached} cells stay`;
  const notes = attached === 0 ? [] : [`the attached pictures of ${cells} in the notebook alone.`];
  const exact = parseExactly(text.replace(/^\uFEFF/, '')) as Notebook;
  return { text: serializePercent(exact), notes };
}

/**
 * Converts a TypeScript file in percent format to a notebook.
 *
 * @param existing The older notebook, if there is one: cells with unchanged source keep their outputs.
 * @throws {InputError} If the file's header is malformed, or the older file is no notebook.
 */
export function toNotebook(text: string, name: string, existing?: { text: string; name: string }): Converted {
  const program = parsePercent(text, name);
  if (!existing) return { text: serializeNotebook(withKernel(program)), notes: [] };
  const file: NotebookFile = readNotebookFile(existing.text, existing.name);
  const { notebook, kept } = updateFromPercent(file.notebook, program);
  const cells = `${kept} of ${notebook.cells.length} ${notebook.cells.length === 1 ? 'cell' : 'cells'}`;
  return { text: file.serialize(withKernel(notebook)), notes: [`${cells} unchanged, with the outputs kept.`] };
}

/**
 * Updates a notebook from a program in percent format. A cell with unchanged kind and source keeps its outputs,
 * execution count, id, attachments and the metadata that runs write; its other metadata come from the program.
 *
 * @returns `kept`: how many cells kept their outputs.
 */
export function updateFromPercent(existing: Notebook, program: Notebook): { notebook: Notebook; kept: number } {
  const keys = ({ cells }: Notebook): string[] => cells.map((cell) => `${cell.cell_type}\n${joinLines(cell.source)}`);
  const pairs = diffLines(keys(existing), keys(program), (a, b) => a === b);
  const both = pairs.filter(({ stored, now }) => stored !== undefined && now !== undefined);
  const origins = new Map(both.map(({ stored = 0, now = 0 }) => [now, existing.cells[stored]]));
  const taken = new Set([...origins.values()].map((cell) => cell?.id));
  const cells = program.cells.map((cell, index) => {
    const origin = origins.get(index);
    return origin ? keptCell(origin, cell) : newCell(cell, existing, taken);
  });
  const metadata = { ...Object(existing.metadata), ...Object(program.metadata) };
  return { notebook: { ...existing, cells, metadata }, kept: both.length };
}

function keptCell(origin: Cell, cell: Cell): Cell {
  const ofRuns = Object.entries(Object(origin.metadata)).filter(([key]) => OF_RUNS.includes(key));
  return { ...origin, metadata: { ...Object.fromEntries(ofRuns), ...Object(cell.metadata) } };
}

/** A new cell, with an unused id where the format has ids: from version 4.5 on. */
function newCell(cell: Cell, { nbformat_minor: minor }: Notebook, taken: Set<unknown>): Cell {
  const { id, ...withoutId } = cell;
  if (minor < 5) return withoutId as Cell;
  const free = freeId(String(id), taken);
  taken.add(free);
  return { ...cell, id: free };
}
