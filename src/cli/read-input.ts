import { extname, resolve } from 'node:path';
import { InputError } from '../errors.js';
import { serializeNotebook } from '../notebook/document.js';
import { type NotebookFile, readNotebookFile } from '../notebook/notebook-file.js';
import { PERCENT_EXTENSIONS } from '../notebook/percent-extensions.js';
import { refuseOtherLanguage } from '../notebook/run.js';
import { readText } from './read-text.js';

/** A notebook that is to be run. */
export interface RunInput extends NotebookFile {
  /** As it was given. */
  path: string;
  /** In full. */
  file: string;
  /** Whether it came as a program in percent format, which holds no outputs. */
  isPercent: boolean;
  /** Whether the run puts a cell with its parameters before others: cells after it count one more than in the file. */
  isShifted?: boolean;
}

/**
 * Reads a notebook, or a program in percent format as one.
 *
 * @throws {UsageError} If there is no such file.
 * @throws {InputError} If the file cannot be read, is no notebook, or one of another language.
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

/** Of what is meant as a notebook, reading it says what is wrong. */
function refuseNoNotebook(text: string, path: string): void {
  const extension = extname(path).toLowerCase();
  if (extension === '.ipynb' || /^\uFEFF?\s*\{/.test(text)) return;
  throw new InputError(
    `${path} cannot be run: what can are notebooks (.ipynb) and programs in percent format ` +
      `(${PERCENT_EXTENSIONS.join(', ')}).`,
  );
}

async function fromPercent(text: string, path: string): Promise<NotebookFile> {
  const { parsePercent } = await import('../notebook/percent.js');
  const { withKernel } = await import('../notebook/with-kernel.js');
  const notebook = withKernel(parsePercent(text, path));
  return { notebook, serialize: serializeNotebook };
}
