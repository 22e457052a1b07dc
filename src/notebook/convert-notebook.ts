import { type Notebook, serializeNotebook } from './document.js';
import { parseExactly } from './json-text/exact-json.js';
import { type NotebookFile, readNotebookFile } from './notebook-file.js';
import { parsePercent, serializePercent } from './percent.js';
import { updateFromPercent } from './percent-update.js';
import { refuseOtherLanguage } from './run.js';
import { withKernel } from './with-kernel.js';

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
