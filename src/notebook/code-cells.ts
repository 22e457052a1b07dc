import { hasTag } from './cell-tags.js';
import { type Cell, type CodeCell, isCode, joinLines } from './document.js';

/** A cell that a run executes. */
export interface NumberedCell {
  cell: CodeCell;
  code: string;
  /** Number among the cells that are run, from 1, as in `In [3]`. */
  number: number;
  /** Name of the cell in errors: `cell 3`. */
  name: string;
}

/** The cells that a run executes, in order: those that hold code and are not tagged `skip-execution`. */
export function codeCells(cells: readonly Cell[]): NumberedCell[] {
  const runnable = cells.filter(isCode).filter(isRunnable);
  return runnable.map((cell, index) => {
    const number = index + 1;
    return { cell, code: joinLines(cell.source), number, name: `cell ${number}` };
  });
}

function isRunnable(cell: CodeCell): boolean {
  return !hasTag(cell, 'skip-execution') && joinLines(cell.source).trim() !== '';
}
