import { CellTimeoutError, NotebookError } from '../errors.js';
import { codeFrame } from '../kernel/runner/code-frame.js';
import { codeCells } from '../notebook/code-cells.js';
import type { Notebook } from '../notebook/document.js';
import type { RunFailure } from '../notebook/run.js';

/** The error that a cell's failure ends a run with: notebook, cell, place, and the code around it. */
export function cellError(path: string, notebook: Notebook, failure: RunFailure): NotebookError {
  const { cell, fault, isTimeout } = failure;
  const { at } = fault;
  const isHere = at?.name === `cell ${cell}`;
  const where = at ? `, ${isHere ? '' : `in ${at.name} `}line ${at.line}:${at.column}` : '';
  const frame = isTimeout && isHere ? ['', ...codeFrame(codeOf(notebook, cell), at)] : [];
  const text = [`${path}: cell ${cell}${where}`, ...fault.traceback, ...frame].join('\n');
  return isTimeout ? new CellTimeoutError(text) : new NotebookError(text);
}

function codeOf(notebook: Notebook, cell: number): string {
  return codeCells(notebook.cells)[cell - 1]?.code ?? '';
}
