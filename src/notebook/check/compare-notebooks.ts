import { InputError } from '../../errors.js';
import { hasTag, type KnownTag } from '../cell-tags.js';
import { codeCells, type NumberedCell } from '../code-cells.js';
import type { Notebook } from '../document.js';
import { compareOutputs, type OutputDrift } from './compare-outputs.js';
import { diffLines } from './diff-lines.js';
import type { Tolerance } from './same-text.js';
import { checkField, type Sanitizer, sanitizersOf } from './sanitizer.js';
import { shownBy } from './shown-parts.js';

/** How stored outputs are compared with those of a fresh run. */
export interface CheckOptions {
  /**
   * How far two numbers may be apart, relative to the larger. Default: what the notebook's metadata
   * `oddslab.check.tolerance` says, else 1e-9 for numbers with a fraction, while whole numbers must be equal and 0 may also
   * be up to 1e-15 either way. A given one holds alone, 0 for equal numbers, and for whole numbers too, of up to 15 digits:
   * longer ones are ids.
   */
  tolerance?: number;
  /** Besides those always on and those of the notebook's metadata. */
  sanitize?: readonly Sanitizer[];
  /** How errors call the notebook. Default: `the notebook`. */
  name?: string;
}

/** One output that a fresh run shows otherwise than it is stored, and where. */
export interface Drift extends OutputDrift {
  /** Counted from 1 over the code cells that are run, as in `In [3]`; 0 for the notebook as a whole. */
  cell: number;
  /** First line of the cell's source. */
  source: string;
}

const IGNORING: KnownTag[] = ['ignore-output', 'nbval-ignore-output'];

/**
 * Compares what each code cell has stored with what it showed in a fresh run. Execution counts, tracebacks, the pieces
 * in which a stream came, what the kernel says of types, empty displays, and cells tagged `ignore-output` (or
 * `nbval-ignore-output`) are left out.
 *
 * A notebook without any stored output counts as drift where the run showed something: nothing was verified.
 *
 * @param executed The same notebook after a run.
 * @returns Empty if all is equal.
 * @throws {InputError} If the notebook's metadata `oddslab.check` is malformed.
 * @example compareNotebooks(stored, executed, { tolerance: 0.001 });
 */
export function compareNotebooks(stored: Notebook, executed: Notebook, options: CheckOptions = {}): Drift[] {
  const sanitizers = sanitizersOf(stored, options.sanitize, options.name);
  const tolerance = toleranceOf(options.tolerance ?? toleranceIn(stored, options.name));
  const [before, after] = [codeCells(stored.cells), codeCells(executed.cells)];
  const shows = (cells: NumberedCell[]): boolean =>
    cells.some(({ cell }) => cell.outputs.length > 0 && !hasTag(cell, ...IGNORING));
  if (!shows(before)) return shows(after) ? [nothingStored(tolerance)] : [];
  return pairsOf(before, after).flatMap(([left, right]) => {
    const subject = right ?? left;
    if (!subject || hasTag(subject.cell, ...IGNORING)) return [];
    // Other parameters than the stored run had are no drift by themselves; what they change is.
    if (!(left && right) && hasTag(subject.cell, 'injected-parameters')) return [];
    const [was, is] = [left, right].map((side) => (side ? shownBy(side.cell, sanitizers) : []));
    const place = { cell: subject.number, source: firstLine(subject.code) };
    return compareOutputs(was ?? [], is ?? [], tolerance).map((drift) => ({ ...drift, ...place }));
  });
}

/** Cells of one source stand beside each other, also where one side has more of them. */
function pairsOf(
  before: NumberedCell[],
  after: NumberedCell[],
): [NumberedCell | undefined, NumberedCell | undefined][] {
  const sources = (cells: NumberedCell[]): string[] => cells.map(({ code }) => code);
  const same = (a: string, b: string): boolean => a === b;
  return diffLines(sources(before), sources(after), same).map(({ stored, now }) => [
    stored === undefined ? undefined : before[stored],
    now === undefined ? undefined : after[now],
  ]);
}

function toleranceOf(given: number | undefined): Tolerance {
  if (given === undefined) return { relative: 1e-9, aroundZero: 1e-15, wholes: false };
  return { relative: given, aroundZero: 0, wholes: true };
}

function nothingStored(tolerance: Tolerance): Drift {
  return {
    kind: 'nothing-stored',
    cell: 0,
    source: '',
    output: '',
    problem: 'has no stored outputs to compare with',
    also: [],
    rule: { tolerance, grouped: true },
  };
}

function toleranceIn(notebook: Notebook, name = 'the notebook'): number | undefined {
  const value = checkField(notebook, 'tolerance');
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw new InputError(`${name}: its metadata \`oddslab.check.tolerance\` must be a number from 0 on.`);
}

function firstLine(code: string): string {
  return code.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
}
