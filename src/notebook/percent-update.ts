import { diffLines } from './check/diff-lines.js';
import { type Cell, joinLines, type Notebook } from './document.js';

/** A notebook updated from its percent file. */
export interface PercentUpdate {
  notebook: Notebook;
  /** How many cells kept their outputs. */
  kept: number;
}

/**
 * Updates a notebook from a program in percent format. A cell with unchanged kind and source keeps its outputs,
 * execution count, id, attachments and the metadata that runs write; its other metadata come from the program.
 *
 * @param program The program as `parsePercent` reads it.
 */
export function updateFromPercent(existing: Notebook, program: Notebook): PercentUpdate {
  const keys = ({ cells }: Notebook): string[] => cells.map((cell) => `${cell.cell_type}\n${joinLines(cell.source)}`);
  const pairs = diffLines(keys(existing), keys(program), (a, b) => a === b);
  const both = pairs.filter(({ stored, now }) => stored !== undefined && now !== undefined);
  const origins = new Map(both.map(({ stored = 0, now = 0 }) => [now, existing.cells[stored]]));
  const taken = new Set([...origins.values()].map((cell) => cell?.id));
  const cells = program.cells.map((cell, index) => {
    const origin = origins.get(index);
    return origin ? keptCell(origin, cell) : newCell(cell, existing, taken);
  });
  const metadata = { ...Object(existing.metadata), ...Object(program.metadata) };
  return { notebook: { ...existing, cells, metadata }, kept: both.length };
}

function keptCell(origin: Cell, cell: Cell): Cell {
  const { execution, ExecuteTime } = Object(origin.metadata);
  const ofRuns = {
    ...(execution === undefined ? {} : { execution }),
    ...(ExecuteTime === undefined ? {} : { ExecuteTime }),
  };
  return { ...origin, metadata: { ...ofRuns, ...Object(cell.metadata) } };
}

/** A new cell, with an unused id where the format has ids: from version 4.5 on. */
function newCell(cell: Cell, { nbformat_minor: minor }: Notebook, taken: Set<unknown>): Cell {
  const { id, ...withoutId } = cell;
  if (minor < 5) return withoutId as Cell;
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${String(id)}-${count}`;
  taken.add(free);
  return { ...cell, id: free };
}
