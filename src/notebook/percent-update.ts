import { diffLines } from './check/diff-lines.js';
import { type Cell, joinLines, type Notebook } from './document.js';

/** A notebook brought in line with its program. */
export interface PercentUpdate {
  notebook: Notebook;
  /** How many cells kept what they had. */
  kept: number;
}

/**
 * Brings a notebook in line with a program in percent format. A cell whose kind and source are the same keeps its
 * outputs, count, id, attachments and what only runs know; its metadata are the program's.
 *
 * @param program As `parsePercent` read it.
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

/** Ids came with version 4.5 of the format. */
function newCell(cell: Cell, { nbformat_minor: minor }: Notebook, taken: Set<unknown>): Cell {
  const { id, ...withoutId } = cell;
  if (minor < 5) return withoutId as Cell;
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${String(id)}-${count}`;
  taken.add(free);
  return { ...cell, id: free };
}
