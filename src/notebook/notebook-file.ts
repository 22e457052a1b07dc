import { joinLines, type Multiline, type Notebook, parseNotebook } from './document.js';
import { styleOf } from './json-text/json-style.js';
import { type Origins, rewriteJson } from './json-text/rewrite-json.js';
import { skipSpace, valueEnd } from './json-text/value-end.js';

/** A notebook together with the text that it was read from. */
export interface NotebookFile {
  notebook: Notebook;
  /**
   * The file's text for a changed notebook. Everything that did not change keeps its bytes: indentation, order of keys,
   * spelling of numbers (`1.0`, `1e21`, whole numbers beyond 2^53), escapes and the end of the file. New parts follow
   * the file's own layout.
   *
   * @param changed The notebook made from `notebook`; cells may be added, removed or changed.
   */
  serialize(changed: Notebook): string;
}

/**
 * Reads a notebook written by any tool, so that it can be written back without touching what did not change.
 *
 * @param name How errors call the file.
 * @throws {InputError} If the text is no notebook; see `parseNotebook`.
 * @example
 * const file = readNotebookFile(text, path);
 * const run = await runNotebook(file.notebook, { file: path });
 * await writeWhole(out, file.serialize(run.notebook));
 */
export function readNotebookFile(text: string, name: string): NotebookFile {
  const notebook = parseNotebook(text, name);
  return { notebook, serialize: (changed) => rewriteNotebook(text, notebook, changed) };
}

function rewriteNotebook(text: string, notebook: Notebook, changed: Notebook): string {
  const start = skipSpace(text, 0);
  const end = valueEnd(text, start);
  const style = styleOf(text);
  const body = rewriteJson({ text, style, origins: cellOrigins }, { start, end, depth: 0 }, notebook, changed);
  return text.slice(0, start) + body + text.slice(end);
}

/** Matches cells in order, by their id or, where they have none, by their source. */
const cellOrigins: Origins = (old, now) => {
  if (old.length === now.length && old.every((cell, index) => isSameCell(cell, now[index]))) return [...old.keys()];
  let from = 0;
  return now.map((cell) => {
    const found = old.findIndex((other, index) => index >= from && isSameCell(other, cell));
    if (found === -1) return undefined;
    from = found + 1;
    return found;
  });
};

function isSameCell(left: unknown, right: unknown): boolean {
  const [a, b] = [Object(left), Object(right)];
  if (a.cell_type !== b.cell_type) return false;
  return a.id === undefined && b.id === undefined ? sourceOf(a) === sourceOf(b) : a.id === b.id;
}

function sourceOf({ source }: { source?: Multiline }): string {
  return joinLines(source ?? '');
}
