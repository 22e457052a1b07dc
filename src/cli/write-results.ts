import { basename, extname, join } from 'node:path';
import { DataError, NotebookError, type OddslabError } from '../errors.js';
import type { Notebook } from '../notebook/document.js';
import { exportHtml } from '../notebook/export.js';
import { writeWhole } from '../whole-file.js';
import type { RunInput } from './read-input.js';
import { resultName } from './result-name.js';
import type { RunOptions } from './run-options.js';

/**
 * Writes an executed notebook and then, where it is asked for, its page: what is wrong with the page costs the page alone.
 *
 * @param onWritten Called with each file once it is written.
 * @returns Why there is no page; undefined where there is one, or none is asked for.
 * @throws {DataError} If the notebook cannot be written.
 */
export async function writeResults(
  { path, serialize }: Pick<RunInput, 'path' | 'serialize'>,
  notebook: Notebook,
  { out, html }: Pick<RunOptions, 'out' | 'html'>,
  onWritten: (file: string) => void,
): Promise<OddslabError | undefined> {
  if (out === undefined) return undefined;
  const executed = join(out, resultName(path));
  await writeWhole(executed, serialize(notebook));
  onWritten(executed);
  if (!html) return undefined;
  const name = basename(path, extname(path));
  const page = join(out, `${name}.html`);
  try {
    await writeWhole(page, await exportHtml(notebook, name));
  } catch (cause) {
    return pageFault(cause, page, executed);
  }
  onWritten(page);
  return undefined;
}

function pageFault(cause: unknown, page: string, executed: string): OddslabError {
  if (cause instanceof DataError) return cause;
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new NotebookError(`Cannot make the page ${page} (${reason}); the notebook itself is in ${executed}.`, {
    cause,
  });
}
