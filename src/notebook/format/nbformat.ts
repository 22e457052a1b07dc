import { basename } from 'node:path';
import { InputError, messageOf } from '../../base/errors.js';
import { fieldOf, isObject } from '../../base/texts.js';
import { inNotedLanguage, isOwnLanguage } from '../../kernel/transform/cell-source.js';
import { formatJson } from './json-text.js';

/** A part of a notebook file; fields that are not named here are kept as they are. */
type Open<Known> = Known & Record<string, unknown>;

/** A text as notebook files store it: one string, or its lines with their line ends. */
type Multiline = string | string[];

/** A cell of any kind. */
export type Cell = Open<{ cell_type: 'code' | 'markdown' | 'raw'; source: Multiline }>;

/** A cell that can be run. */
export type CodeCell = Open<{
  cell_type: 'code';
  source: Multiline;
  outputs: Output[];
  execution_count: number | null;
}>;

/** Something that a code cell showed. */
export type Output = Open<{ output_type: string }>;

/** A notebook of format 4. */
export type Notebook = Open<{ nbformat: number; nbformat_minor: number; cells: Cell[] }>;

const CELL_TYPES = ['code', 'markdown', 'raw'];

/**
 * Reads a notebook of nbformat 4. Fields that the format does not name are kept.
 *
 * @param name How errors call the file.
 * @throws {InputError} If the text is no such notebook; the message says what is wrong and where.
 */
export function parseNotebook(text: string, name: string): Notebook {
  let value: unknown;
  try {
    // Some editors write a byte order mark first.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    // The reason may quote a part of the text with its line breaks.
    throw new InputError(`${name} is no notebook: it is not JSON (${messageOf(cause).replace(/\s+/g, ' ')}).`, {
      cause,
    });
  }
  const fault = isObject(value) ? notebookFault(value) : 'the file holds no JSON object';
  if (fault) throw new InputError(`${name} is no notebook that can be read: ${fault}.`);
  return value as Notebook;
}

/**
 * Writes a notebook as Jupyter does: indented by one space, with a line end at the end. To write back a notebook that
 * came from a file, use `readNotebookFile`, which keeps the file's own layout and spelling.
 */
export function serializeNotebook(notebook: Notebook): string {
  const style = { unit: ' ', lineEnd: '\n', space: ' ', isAscii: false } as const;
  return `${formatJson(notebook, style, 0)}\n`;
}

/** Whether a cell can be run. */
export function isCode(cell: Cell): cell is CodeCell {
  return cell.cell_type === 'code';
}

/** Joins a text of a notebook into one string. */
export function joinLines(text: Multiline): string {
  return typeof text === 'string' ? text : text.join('');
}

/** Splits a string into its lines with their line ends; an empty list for the empty string. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function notebookFault(value: Record<string, unknown>): string | undefined {
  const { nbformat, nbformat_minor: minor, cells } = value;
  if (typeof nbformat !== 'number') return '`nbformat` is missing; it must be 4';
  if (nbformat !== 4) return `\`nbformat\` is ${nbformat}; only version 4 is read, to which Jupyter converts`;
  if (typeof minor !== 'number' || !Number.isInteger(minor) || minor < 0) {
    return '`nbformat_minor` must be a whole number from 0 on';
  }
  if (!isObject(value.metadata)) return '`metadata` must be an object';
  if (!Array.isArray(cells)) return '`cells` must be a list';
  for (const [index, cell] of cells.entries()) {
    const fault = cellFault(cell);
    if (fault) return `\`cells[${index}]${fault}`;
  }
  return undefined;
}

function cellFault(cell: unknown): string | undefined {
  if (!isObject(cell)) return '` must be an object';
  const { cell_type: type, source, outputs } = cell;
  if (typeof type !== 'string' || !CELL_TYPES.includes(type)) return '.cell_type` must be code, markdown or raw';
  if (!isMultiline(source)) return '.source` must be a string or a list of strings';
  if (!isObject(cell.metadata)) return '.metadata` must be an object';
  if (type !== 'code') return undefined;
  if (!Array.isArray(outputs)) return '.outputs` must be a list';
  const count = cell.execution_count;
  if (count !== null && !Number.isInteger(count)) return '.execution_count` must be a whole number or null';
  const bad = outputs.findIndex((output) => !isObject(output) || typeof output.output_type !== 'string');
  return bad === -1 ? undefined : `.outputs[${bad}].output_type\` must be a string`;
}

/** Whether a value is a text as notebook files store it. */
export function isMultiline(value: unknown): value is Multiline {
  return typeof value === 'string' || (Array.isArray(value) && value.every((line) => typeof line === 'string'));
}

/** A cell that a run executes. */
export interface NumberedCell {
  cell: CodeCell;
  code: string;
  /** Number among the cells that are run, from 1, as in `In [3]`. */
  number: number;
  /** Name of the cell in errors: `cell 3`. */
  name: string;
}

/** The cells that a run executes, in order: those that hold code and are not tagged `skip-execution`. */
export function codeCells(cells: readonly Cell[]): NumberedCell[] {
  const runnable = cells.filter(isCode).filter((cell) => {
    return !hasTag(cell, 'skip-execution') && joinLines(cell.source).trim() !== '';
  });
  return runnable.map((cell, index) => {
    const number = index + 1;
    return { cell, code: inNotedLanguage(joinLines(cell.source), cell.metadata), number, name: `cell ${number}` };
  });
}

/** The cell tags that have a meaning here; other notebook runners use the same ones. */
export type KnownTag =
  | 'parameters'
  | 'injected-parameters'
  | 'skip-execution'
  | 'raises-exception'
  | 'ignore-output'
  | 'nbval-ignore-output';

/** Whether a cell has at least one of the tags. */
export function hasTag(cell: Cell, ...tags: KnownTag[]): boolean {
  const own = fieldOf(cell.metadata, 'tags');
  return Array.isArray(own) && tags.some((tag) => own.includes(tag));
}

/** An id for a new cell, with a number behind it where it is taken. */
export function freeId(id: string, taken: ReadonlySet<unknown>): string {
  let free = id;
  for (let count = 2; taken.has(free); count++) free = `${id}-${count}`;
  return free;
}

/**
 * Refuses a notebook whose metadata name a language that cannot be run here.
 *
 * @throws {InputError} If they do; the message names the language.
 */
export function refuseOtherLanguage(notebook: Notebook, file: string): void {
  const kernel = fieldOf(notebook.metadata, 'kernelspec');
  const stated = fieldOf(kernel, 'language') ?? fieldOf(fieldOf(notebook.metadata, 'language_info'), 'name');
  // Python's kernel is known by its name alone.
  const name = fieldOf(kernel, 'name');
  const language = stated ?? (/^python\d*$/.test(String(name)) ? name : undefined);
  if (typeof language !== 'string' || isOwnLanguage(language)) return;
  throw new InputError(`${basename(file)} is for ${language}; cells here are TypeScript (or JavaScript).`);
}
