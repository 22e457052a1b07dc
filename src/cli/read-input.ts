import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { InputError } from '../errors.js';
import { serializeNotebook } from '../notebook/document.js';
import { type NotebookFile, readNotebookFile } from '../notebook/notebook-file.js';
import { refuseOtherLanguage } from '../notebook/run.js';

/** A notebook that is to be run. */
export interface RunInput extends NotebookFile {
  /** As it was given. */
  path: string;
  /** In full. */
  file: string;
  /** Whether it came as a program in percent format, which holds no outputs. */
  isPercent: boolean;
}

/**
 * Reads a notebook, or a `.ts` file in percent format as one.
 *
 * @throws {InputError} If the file cannot be read, is no notebook, or one of another language.
 */
export async function readInput(path: string): Promise<RunInput> {
  const text = readText(path);
  const isPercent = extname(path) === '.ts';
  const { notebook, serialize } = isPercent ? await fromPercent(text, path) : readNotebookFile(text, path);
  const file = resolve(path);
  refuseOtherLanguage(notebook, file);
  return { path, file, notebook, serialize, isPercent };
}

async function fromPercent(text: string, path: string): Promise<NotebookFile> {
  const { parsePercent } = await import('../notebook/percent.js');
  const notebook = parsePercent(text, path);
  return { notebook, serialize: serializeNotebook };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError(`Cannot read the notebook ${path}: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  const code: unknown = Reflect.get(Object(cause), 'code');
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EISDIR') return 'it is a folder.';
  return cause instanceof Error ? cause.message : String(cause);
}
