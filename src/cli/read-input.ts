import { extname, resolve } from 'node:path';
import { InputError } from '../base/errors.js';
import { refuseOtherLanguage, serializeNotebook } from '../notebook/format/nbformat.js';
import { type NotebookFile, readNotebookFile } from '../notebook/format/notebook-file.js';
import { PERCENT_EXTENSIONS } from '../notebook/format/percent-marker.js';
import { readText } from './read-text.js';

/** A notebook to run. */
export interface RunInput extends NotebookFile {
  /** Path as given. */
  path: string;
  /** Full path. */
  file: string;
  /** Whether the file is a program in percent format, which holds no outputs. */
  isPercent: boolean;
  /** Whether the run inserts a cell with parameters, so that the numbers of later cells are higher than in the file. */
  isShifted?: boolean;
}

/**
 * Reads a notebook, or a program in percent format as a notebook.
 *
 * @throws {UsageError} If there is no such file.
 * @throws {InputError} If the file cannot be read, is no notebook, or is written in another language.
 */
export async function readInput(path: string): Promise<RunInput> {
  const text = readText(path, 'the notebook ');
  const isPercent = PERCENT_EXTENSIONS.includes(extname(path).toLowerCase());
  if (!isPercent) refuseNoNotebook(text, path);
  const { notebook, serialize } = isPercent ? await fromPercent(text, path) : readNotebookFile(text, path);
  const file = resolve(path);
  refuseOtherLanguage(notebook, file);
  return { path, file, notebook, serialize, isPercent };
}

/** Refuses a file that is not meant as a notebook; of one that is, the reader's error says more. */
function refuseNoNotebook(text: string, path: string): void {
  const extension = extname(path).toLowerCase();
  if (extension === '.ipynb' || /^\uFEFF?\s*\{/.test(text)) return;
  throw new InputError(
    `${path} cannot be run: what can are notebooks (.ipynb) and programs in percent format ` +
      `(${PERCENT_EXTENSIONS.join(', ')}).`,
  );
}

async function fromPercent(text: string, path: string): Promise<NotebookFile> {
  const { parsePercent } = await import('../notebook/format/percent.js');
  const { withKernel } = await import('../notebook/format/percent.js');
  const notebook = withKernel(parsePercent(text, path));
  return { notebook, serialize: serializeNotebook };
}
