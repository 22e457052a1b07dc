import { isDeepStrictEqual } from 'node:util';
import { fieldOf, isObject, jsonCopy } from '../base/texts.js';
import { KERNEL_NAME, kernelSpec } from '../kernel/install/kernel-spec.js';
import { languageInfo } from '../kernel/kernel-info.js';
import {
  type Cell,
  isMultiline,
  joinLines,
  type Notebook,
  parseNotebook,
  serializeNotebook,
  splitLines,
} from '../notebook/format/nbformat.js';
import { type NotebookFile, readNotebookFile } from '../notebook/format/notebook-file.js';

/** What a notebook says of the kernel that it runs on. */
export interface KernelMetadata {
  readonly kernelspec: { readonly name: string; readonly display_name: string; readonly language: string };
  readonly language_info: Readonly<Record<string, unknown>>;
}

/** What a notebook says of our kernel, in the words in which the page writes it. */
export function ownKernel(): KernelMetadata {
  const { display_name: title, language } = kernelSpec();
  return { kernelspec: { display_name: title, language, name: KERNEL_NAME }, language_info: languageInfo() };
}

type Fields = Record<string, unknown>;

/**
 * The text of a notebook file, and its notebook in the form that the page takes: text in one piece, and the kernel's own
 * words on itself, which the page would otherwise write in and count as a change.
 *
 * What the page sends back is compared with what it was given. Only what differs is a change; all else goes back into
 * the file byte by byte.
 */
export class NotebookText {
  readonly #file: NotebookFile;
  readonly #kernel: KernelMetadata;

  /** @throws {InputError} If the text is no notebook of format 4; the message names it and says what is wrong. */
  constructor(text: string, name: string, kernel: KernelMetadata) {
    this.#file = readNotebookFile(text, name);
    this.#kernel = kernel;
  }

  /** The notebook as it stands in the file. */
  get notebook(): Notebook {
    return this.#file.notebook;
  }

  /** The notebook as the page takes it. Nothing in it is trusted; see `Trust`. */
  shown(): Notebook {
    const notebook = structuredClone(this.notebook);
    notebook.metadata = shownMetadata(Object(notebook.metadata), this.#kernel);
    notebook.cells = notebook.cells.map(shownCell);
    return notebook;
  }

  /** The file's text for what the page sends back. */
  saved(now: Notebook): string {
    const [was, shown] = [this.notebook, this.shown()];
    const changed: Notebook = { ...mergedFields(was, shown, now), cells: mergedCells(was, shown, now) } as Notebook;
    changed.metadata = mergedFields(Object(was.metadata), Object(shown.metadata), Object(now.metadata));
    // The page raises older minor versions to 4, in which nothing else is different.
    if (was.nbformat_minor < 4 && now.nbformat_minor === 4) changed.nbformat_minor = was.nbformat_minor;
    return this.#file.serialize(changed);
  }

  /** The text of a notebook that there was not yet. */
  static written(notebook: Notebook): string {
    return serializeNotebook({ ...notebook, cells: notebook.cells.map(writtenCell) });
  }

  /** The text of a notebook without cells. */
  static empty(kernel: KernelMetadata): string {
    return serializeNotebook({ cells: [], metadata: jsonCopy(kernel), nbformat: 4, nbformat_minor: 5 });
  }

  /** Takes what the page sends as a notebook. @throws {InputError} If it is none. */
  static check(content: unknown, name: string): Notebook {
    return parseNotebook(typeof content === 'string' ? content : JSON.stringify(content), name);
  }
}

/** Completes what a notebook says of its kernel, if that is ours; another kernel's words stay. */
function shownMetadata(metadata: Fields, { kernelspec, language_info: language }: KernelMetadata): Fields {
  const { orig_nbformat: _, ...shown } = metadata;
  const name = fieldOf(shown.kernelspec, 'name');
  if (name !== kernelspec.name) return shown;
  return { ...shown, kernelspec: jsonCopy(kernelspec), language_info: jsonCopy(language) };
}

function shownCell(cell: Cell): Cell {
  const { trusted: _, ...metadata } = Object(cell.metadata);
  const shown: Cell = { ...cell, source: joinLines(cell.source), metadata };
  if (isObject(cell.attachments)) {
    shown.attachments = Object.fromEntries(
      Object.entries(cell.attachments).map(([name, bundle]) => [
        name,
        isObject(bundle) ? joinedBundle(bundle) : bundle,
      ]),
    );
  }
  if (Array.isArray(cell.outputs)) shown.outputs = cell.outputs.map(shownOutput);
  return shown;
}

function shownOutput(output: Fields): Fields {
  const shown = { ...output };
  if (isMultiline(output.text)) shown.text = joinLines(output.text);
  if (isObject(output.data)) shown.data = joinedBundle(output.data);
  return shown;
}

/** Joins the texts of a bundle of media types; JSON may hold a list of texts that is one. */
function joinedBundle(bundle: Fields): Fields {
  return Object.fromEntries(
    Object.entries(bundle).map(([type, value]) => [
      type,
      !isJson(type) && isMultiline(value) ? joinLines(value) : value,
    ]),
  );
}

function isJson(type: string): boolean {
  return /^application\/(?:.*\+)?json$/.test(type);
}

/** What stands in the file for each field that the page left as it was given, and the page's own for all others. */
function mergedFields(was: Fields, shown: Fields, now: Fields): Fields {
  const merged: Fields = {};
  for (const [key, value] of Object.entries(now)) {
    if (!Object.hasOwn(shown, key) || !isDeepStrictEqual(shown[key], value)) merged[key] = value;
    else if (Object.hasOwn(was, key)) merged[key] = was[key];
  }
  // What the page was not given, it cannot have removed.
  for (const key of Object.keys(was)) if (!Object.hasOwn(shown, key) && !(key in merged)) merged[key] = was[key];
  return merged;
}

function mergedCells(was: Notebook, shown: Notebook, now: Notebook): Cell[] {
  // Where there is no cell, the page shows an empty one.
  if (was.cells.length === 0 && now.cells.length === 1 && isEmptyCell(now.cells[0])) return [];
  const byId = new Map(shown.cells.map((cell, index) => [cell.id, index]));
  const hasIds = !byId.has(undefined) && byId.size === shown.cells.length;
  const origins = hasIds ? now.cells.map(({ id }) => byId.get(id)) : originsBySource(shown.cells, now.cells);
  return now.cells.map((cell, index) => {
    const origin = origins[index];
    const [old, given] = origin === undefined ? [] : [was.cells[origin], shown.cells[origin]];
    return old && given && given.cell_type === cell.cell_type ? mergedCell(old, given, cell) : writtenCell(cell);
  });
}

/** For each cell the one that it was, where cells have no ids: the next of the same source, else the one in its place. */
function originsBySource(shown: readonly Cell[], now: readonly Cell[]): (number | undefined)[] {
  let from = 0;
  return now.map((cell, index) => {
    const same = shown.findIndex(({ source }, at) => at >= from && source === joinLines(cell.source));
    const found = same === -1 && shown.length === now.length ? index : same;
    if (found === -1) return undefined;
    from = found + 1;
    return found;
  });
}

function mergedCell(was: Cell, shown: Cell, now: Cell): Cell {
  const written = writtenCell(now);
  const merged = mergedFields(was, shown, now) as Cell;
  for (const key of ['source', 'attachments'] as const) {
    if (Object.hasOwn(now, key) && merged[key] === now[key]) merged[key] = written[key] as Cell['source'];
  }
  if (typeof was.source === 'string' && merged.source !== was.source) merged.source = joinLines(merged.source);
  merged.metadata = mergedFields(Object(was.metadata), Object(shown.metadata), Object(written.metadata));
  if (Array.isArray(now.outputs)) merged.outputs = mergedOutputs(was.outputs, shown.outputs, now.outputs);
  if (!Object.hasOwn(was, 'id') && Object.hasOwn(merged, 'id') && !Object.hasOwn(shown, 'id')) delete merged.id;
  return merged;
}

function mergedOutputs(was: unknown, shown: unknown, now: readonly unknown[]): unknown[] {
  return now.map((output, index) => {
    const [old, given] = [was, shown].map((list) => (Array.isArray(list) ? list[index] : undefined));
    return given !== undefined && isDeepStrictEqual(given, output) ? old : writtenOutput(output);
  });
}

/** A cell as files hold it: text as lines, and without trust, which a file cannot give. */
function writtenCell(cell: Cell): Cell {
  const { trusted: _, ...metadata } = Object(cell.metadata);
  const written: Cell = { ...cell, source: splitLines(joinLines(cell.source)), metadata };
  if (Array.isArray(cell.outputs)) written.outputs = cell.outputs.map(writtenOutput);
  return written;
}

function writtenOutput(output: unknown): unknown {
  if (!isObject(output)) return output;
  const written = { ...output };
  if (typeof output.text === 'string') written.text = splitLines(output.text);
  if (isObject(output.data)) {
    written.data = Object.fromEntries(
      Object.entries(output.data).map(([type, value]) => [
        type,
        typeof value === 'string' && !isJson(type) ? splitLines(value) : value,
      ]),
    );
  }
  return written;
}

function isEmptyCell(cell: Cell | undefined): boolean {
  return (
    cell?.cell_type === 'code' && joinLines(cell.source) === '' && !(Array.isArray(cell.outputs) && cell.outputs[0])
  );
}
