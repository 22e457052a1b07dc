import { basename, dirname, extname, join } from 'node:path';
import { DataError, NotebookError, type OddslabError } from '../base/errors.js';
import { writeWhole } from '../base/whole-file.js';
import { exportHtml } from '../notebook/export/export-html.js';
import type { Notebook } from '../notebook/format/nbformat.js';
import type { RunInput } from './read-input.js';
import { resultName } from './result-name.js';
import type { RunOptions } from './run-options.js';

/**
 * Writes an executed notebook and then, if asked for, its HTML page. If the page fails, the notebook is still written.
 *
 * @param options.onWritten Called with each file once it is written.
 * @param options.onNote Called with a description of each thing that the page cannot show as intended.
 * @returns Why there is no page; undefined if there is one, or none was asked for.
 * @throws {DataError} If the notebook cannot be written.
 */
export async function writeResults(
  { path, file, serialize }: Pick<RunInput, 'path' | 'file' | 'serialize'>,
  notebook: Notebook,
  { out, html, onWritten, onNote }: Pick<RunOptions, 'out' | 'html' | 'onWritten' | 'onNote'>,
): Promise<OddslabError | undefined> {
  if (out === undefined) return undefined;
  const executed = join(out, resultName(path));
  await writeWhole(executed, serialize(notebook));
  onWritten?.(executed);
  if (!html) return undefined;
  const name = basename(path, extname(path));
  const page = join(out, `${name}.html`);
  try {
    const noteOf = (text: string): void => onNote?.(`${path}: ${text}`);
    await writeWhole(page, await exportHtml(notebook, name, { folder: dirname(file), onNote: noteOf }));
  } catch (cause) {
    return pageFault(cause, page, executed);
  }
  onWritten?.(page);
  return undefined;
}

function pageFault(cause: unknown, page: string, executed: string): OddslabError {
  if (cause instanceof DataError) return cause;
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new NotebookError(`Cannot make the page ${page} (${reason}); the notebook itself is in ${executed}.`, {
    cause,
  });
}
