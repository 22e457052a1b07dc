import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { InputError, messageOf, UsageError } from '../base/errors.js';
import { systemErrorCode } from '../base/whole-file.js';
import type { TypesMode } from '../kernel/types/type-service.js';
import type { CheckOptions } from '../notebook/check/compare-notebooks.js';
import { refuseOtherLanguage, serializeNotebook } from '../notebook/format/nbformat.js';
import { type NotebookFile, readNotebookFile } from '../notebook/format/notebook-file.js';
import { PERCENT_EXTENSIONS } from '../notebook/format/percent-marker.js';
import type { GivenParameter } from '../notebook/parameters/given-parameters.js';

/** A notebook to run. */
export interface RunInput extends NotebookFile {
  /** Path as given. */
  path: string;
  /** Full path. */
  file: string;
  /** Whether the file is a program in percent format, which holds no outputs. */
  isPercent: boolean;
  /** Whether it was read from stdin. */
  isStdin: boolean;
  /** Whether the run inserts a cell with parameters, so that the numbers of later cells are higher than in the file. */
  isShifted?: boolean;
}

/** What stands on the command line for a notebook that comes from stdin. */
export const STDIN = '-';

/**
 * Reads a notebook, or a program in percent format as a notebook. From stdin, `-`, what looks like JSON of a notebook is
 * one; all else is a program, in percent format or a single cell, which runs in the working folder.
 *
 * @throws {UsageError} If there is no such file.
 * @throws {InputError} If the file cannot be read, is no notebook, or is written in another language.
 */
export async function readInput(path: string): Promise<RunInput> {
  if (path === STDIN) return readStdin();
  const text = readText(path, 'the notebook ');
  const isPercent = PERCENT_EXTENSIONS.includes(extname(path).toLowerCase());
  if (!isPercent) refuseNoNotebook(text, path);
  const { notebook, serialize } = isPercent ? await fromPercent(text, path) : readNotebookFile(text, path);
  const file = resolve(path);
  refuseOtherLanguage(notebook, file);
  return { path, file, notebook, serialize, isPercent, isStdin: false };
}

async function readStdin(): Promise<RunInput> {
  const path = '<stdin>';
  const text = await textOf(process.stdin);
  const isPercent = !/^\uFEFF?\s*\{[\s\S]*"(?:cells|nbformat)"\s*:/.test(text);
  const { notebook, serialize } = isPercent ? await fromPercent(text, path) : readNotebookFile(text, path);
  refuseOtherLanguage(notebook, path);
  return { path, file: resolve('stdin.ipynb'), notebook, serialize, isPercent, isStdin: true };
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
  const { parsePercent, withKernel } = await import('../notebook/format/percent.js');
  const notebook = withKernel(parsePercent(text, path));
  return { notebook, serialize: serializeNotebook };
}

/**
 * Reads a text file that the user named.
 *
 * @param kind What the file should be, for the error, with a space at the end: `the notebook `. Default: nothing.
 * @throws {UsageError} If there is no such file, or it is a folder.
 * @throws {InputError} If it cannot be read for another reason.
 */
export function readText(path: string, kind = ''): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const head = `Cannot read ${kind}${path}: `;
    const code = systemErrorCode(cause);
    if (code === 'ENOENT') throw new UsageError(`${head}there is no such file.`, { cause });
    if (code === 'EISDIR') throw new UsageError(`${head}it is a folder.`, { cause });
    throw new InputError(`${head}${messageOf(cause)}.`, { cause });
  }
}

/** How notebooks are run, where the results go, and what is called meanwhile. */
export interface NotebookRunOptions {
  /** Folder for the results; created if it is missing. Without it nothing is written. */
  out?: string;
  /** Whether each notebook is also exported as an HTML page. Default: false. */
  html?: boolean;
  /** Whether those pages show the code of cells. Default: true. */
  code?: boolean;
  /** How the outputs are compared with the stored ones. Without it they are not compared. */
  check?: CheckOptions & { isColoured?: boolean };
  /** Parameters to set; of several with one name, the last counts. Default: none. */
  parameters?: GivenParameter[];
  /** Type checking: `warn` reports findings, `block` also does not run a notebook with errors. Default: `off`. */
  types?: TypesMode;
  /** Time limit for one cell. Default: none. */
  timeoutMs?: number;
  /** Whether a notebook continues after a cell that failed. Default: false. */
  allowErrors?: boolean;
  /** How many notebooks run at once. Default: 1. */
  jobs?: number;
  /** Environment variables for the cells, besides those of this process. */
  env?: NodeJS.ProcessEnv;
  /** Called before each cell with its number and the number of cells, and with each line of progress it reports. */
  onProgress?: (path: string, cell: number, total: number, progress?: string) => void;
  /** Gets the executed notebook that came from stdin, where there is no folder for results. Default: it is dropped. */
  onResult?: (text: string) => Promise<void>;
  /** Called when a notebook is done. */
  onOver?: (path: string) => void;
  /** Called with each file that was written, in the order of the notebooks. */
  onWritten?: (path: string) => void;
  /** Called with other messages: type errors, errors that were allowed, outputs that agree. */
  onNote?: (text: string) => void;
  /**
   * Ends the run: unfinished notebooks are written as far as they ran, and the run rejects with the signal's reason.
   */
  signal?: AbortSignal;
}
