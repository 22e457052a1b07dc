import type { CodeCell } from '../../src/notebook/format/nbformat.js';

/** What a reader sees of a cell. */
export interface ShownCell {
  /** What it printed; `errors` is what it wrote to the error stream. */
  printed: string;
  errors: string;
  /** What it showed, by MIME type: displays and, in kernels that distinguish it, its result. */
  pictures: unknown[];
}

/** What a reader sees of cells, whichever messages carried it; without progress, which ends in an empty text. */
export function shownCells(cells: readonly CodeCell[]): ShownCell[] {
  return cells.map(({ outputs }) => ({
    printed: streamOf(outputs, 'stdout'),
    errors: streamOf(outputs, 'stderr'),
    pictures: outputs
      .flatMap(({ data }) => (data === undefined ? [] : [data]))
      .filter((data) => Object.values(Object(data)).some((part) => part !== '')),
  }));
}

function streamOf(outputs: CodeCell['outputs'], name: string): string {
  return withoutProcess(outputs.flatMap((output) => (output.name === name ? [String(output.text)] : [])).join(''));
}

/** A text in which the warnings of Node name no process. */
export function withoutProcess(text: string): string {
  return text.replace(/^\(node:\d+\)/gm, '(node)');
}
