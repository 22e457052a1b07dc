import { InputError } from '../../base/errors.js';
import { hasTag, type KnownTag } from '../cell-tags.js';
import { codeCells, type NumberedCell } from '../code-cells.js';
import type { Notebook } from '../document.js';
import { compareOutputs, type OutputDrift } from './compare-outputs.js';
import { diffLines } from './diff-lines.js';
import type { Tolerance } from './same-text.js';
import { checkField, type Sanitizer, sanitizersOf } from './sanitizer.js';
import { shownBy } from './shown-parts.js';

/** How stored outputs are compared with the outputs of a fresh run. */
export interface CheckOptions {
  /**
   * How far apart two numbers may be, relative to the larger. Default: `oddslab.check.tolerance` in the notebook's
   * metadata. Without that, numbers with a fraction may differ by 1e-9, or by 1e-15 where one is 0, and whole numbers
   * must be equal. A tolerance that is set also holds for whole numbers of up to 15 digits (longer ones are ids) and
   * allows nothing more around 0; a tolerance of 0 demands equal numbers.
   */
  tolerance?: number;
  /** Sanitizers besides those that always apply and those in the notebook's metadata. */
  sanitize?: readonly Sanitizer[];
  /** How errors call the notebook. Default: `the notebook`. */
  name?: string;
}

/** One output that differs between the stored notebook and a fresh run, and its place. */
export interface Drift extends OutputDrift {
  /** Number of the cell among those that are run, from 1, as in `In [3]`; 0 for the notebook as a whole. */
  cell: number;
  /** First line of the cell's source. */
  source: string;
}

const IGNORING: KnownTag[] = ['ignore-output', 'nbval-ignore-output'];

/**
 * Compares the stored outputs of each code cell with those of a fresh run. It ignores execution counts, tracebacks, how
 * streams were cut into pieces, the kernel's type messages, empty displays, and cells tagged `ignore-output` or
 * `nbval-ignore-output`.
 *
 * A notebook without any stored output counts as drift where the run showed something, since nothing was verified.
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
    // A run with other parameters is no drift in itself; outputs that they change are.
    if (!(left && right) && hasTag(subject.cell, 'injected-parameters')) return [];
    const [was, is] = [left, right].map((side) => (side ? shownBy(side.cell, sanitizers) : []));
    const place = { cell: subject.number, source: firstLine(subject.code) };
    return compareOutputs(was ?? [], is ?? [], tolerance).map((drift) => ({ ...drift, ...place }));
  });
}

/** Pairs cells with equal sources; a cell that only one side has is paired with undefined. */
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
