import { CellTimeoutError, NotebookError } from '../base/errors.js';
import { codeFrame } from '../kernel/transform/source-lines.js';
import { codeCells, hasTag, type Notebook } from '../notebook/format/nbformat.js';
import type { RunFailure } from '../notebook/run-notebook.js';
import type { RunInput } from './read-input.js';

/**
 * The error of a run whose cell failed: notebook, cell, place, and the code around it. If a cell with parameters was
 * inserted before it, the error also says which file the cell number refers to.
 *
 * @param written Path of the executed notebook, if it was written.
 */
export function cellError(
  { path, notebook, isShifted = false }: Pick<RunInput, 'path' | 'notebook' | 'isShifted'>,
  failure: RunFailure,
  written?: string,
): NotebookError {
  const { cell, fault, isTimeout } = failure;
  const { at } = fault;
  const isHere = at?.name === `cell ${cell}`;
  const where = at ? `, ${isHere ? '' : `in ${at.name} `}line ${at.line}:${at.column}` : '';
  const frame = isTimeout && isHere ? ['', ...codeFrame(codeOf(notebook, cell), at)] : [];
  const injected = isShifted ? injectedNumber(notebook) : undefined;
  const count = injected === undefined || injected > cell ? [] : ['', countedSo(injected, written)];
  const text = [`${path}: cell ${cell}${where}`, ...fault.traceback, ...frame, ...count].join('\n');
  return isTimeout ? new CellTimeoutError(text) : new NotebookError(text);
}

function injectedNumber({ cells }: Notebook): number | undefined {
  return codeCells(cells).find(({ cell }) => hasTag(cell, 'injected-parameters'))?.number;
}

function countedSo(injected: number, written: string | undefined): string {
  const file = written === undefined ? 'in the notebook as it was run' : `in ${written}`;
  return `Cells are counted as ${file}: cell ${injected} there sets the parameters.`;
}

function codeOf(notebook: Notebook, cell: number): string {
  return codeCells(notebook.cells)[cell - 1]?.code ?? '';
}
