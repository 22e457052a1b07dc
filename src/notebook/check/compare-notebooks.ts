import { InputError } from '../../base/errors.js';
import { codeCells, hasTag, type KnownTag, type Notebook, type NumberedCell } from '../format/nbformat.js';
import { diffLines } from './line-diff.js';
import { sameText, type TextRule, type Tolerance } from './same-text.js';
import { checkField, type Sanitizer, sanitizersOf } from './sanitizer.js';
import { type Part, type ShownOutput, shownBy } from './shown-parts.js';

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
export interface Drift {
  kind: 'changed' | 'missing' | 'new' | 'nothing-stored';
  /** Number of the cell among those that are run, from 1, as in `In [3]`; 0 for the notebook as a whole. */
  cell: number;
  /** First line of the cell's source. */
  source: string;
  /** Name of the output, such as `stdout` or `result (text/html)`; empty for the notebook as a whole. */
  output: string;
  /** What happened to it, as the rest of a sentence that begins with its name. */
  problem: string;
  /** Further MIME types of the same output that differ. */
  also: string[];
  /** The texts that differ, in the form that was compared; absent for bytes, and on a side that has no output. */
  stored?: string;
  now?: string;
  /** How the texts were compared. */
  rule: TextRule;
}

type OutputDrift = Omit<Drift, 'cell' | 'source'>;

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

/** MIME types, the most readable first: where several of an output differ, the first is shown. */
const READABLE = ['text/plain', 'text/markdown', 'application/json', 'text/html', 'image/svg+xml'];

/** Compares a cell's outputs with those now: each stream as a whole, the others one by one. Empty if all is equal. */
function compareOutputs(stored: ShownOutput[], now: ShownOutput[], tolerance: Tolerance): OutputDrift[] {
  const streams = STREAMS.map((kind): Pair => {
    const [was, is] = [stored, now].map((list) => list.find((shown) => shown.kind === kind));
    return [kind, was, is];
  });
  const [before, after] = [stored.filter(isRich), now.filter(isRich)];
  const isOnly = before.length <= 1 && after.length <= 1;
  const rest = (before.length > after.length ? before : after).map((_, index): Pair => {
    const [was, is] = [before[index], after[index]];
    const kind = (was ?? is)?.kind ?? 'output';
    return [isOnly || kind === 'result' || kind === 'error' ? kind : `${kind} ${index + 1}`, was, is];
  });
  return [...streams, ...rest].flatMap((pair) => outputDrift(pair, tolerance));
}

/** An output's name, the output as stored and as it is now. */
type Pair = [name: string, stored: ShownOutput | undefined, now: ShownOutput | undefined];

const STREAMS = ['stdout', 'stderr'] as const;

function isRich({ kind }: ShownOutput): boolean {
  return kind !== 'stdout' && kind !== 'stderr';
}

const GONE = { kind: 'missing', problem: 'is stored but is not shown any more' } as const;
const NEW = { kind: 'new', problem: 'is shown now but is not stored' } as const;

function outputDrift([name, stored, now]: Pair, tolerance: Tolerance): OutputDrift[] {
  if (stored && now && stored.kind === now.kind) return partsDrift(name, stored, now, tolerance);
  if (!stored && !now) return [];
  const what = !now ? GONE : !stored ? NEW : { kind: 'changed' as const, problem: `is ${articled(now.kind)} now` };
  const texts = { ...(stored ? { stored: textIn(stored) } : {}), ...(now ? { now: textIn(now) } : {}) };
  return [{ ...what, output: name, also: [], rule: { tolerance, grouped: true }, ...texts }];
}

function partsDrift(name: string, stored: ShownOutput, now: ShownOutput, tolerance: Tolerance): OutputDrift[] {
  const drifts = [...new Set([...stored.parts.keys(), ...now.parts.keys()])].flatMap((type) => {
    const drift = partDrift(type, stored.parts.get(type), now.parts.get(type), tolerance);
    return drift ? [{ type, drift }] : [];
  });
  const rank = (type: string): number => (READABLE.includes(type) ? READABLE.indexOf(type) : READABLE.length);
  // A part that both sides have says more than one that a side lacks.
  const lacks = ({ kind }: { kind: string }): number => Number(kind !== 'changed');
  drifts.sort((a, b) => lacks(a.drift) - lacks(b.drift) || rank(a.type) - rank(b.type));
  const [first, ...others] = drifts;
  if (!first) return [];
  const isPlain = !isRich(stored) || stored.kind === 'error';
  const output = isPlain ? name : `${name} (${first.type})`;
  return [{ output, also: others.map(({ type }) => type), ...first.drift }];
}

/** How a part of an output differs; undefined if it does not. */
function partDrift(
  type: string,
  stored: Part | undefined,
  now: Part | undefined,
  tolerance: Tolerance,
): Omit<OutputDrift, 'output' | 'also'> | undefined {
  const rule = { tolerance, grouped: stored && 'text' in stored ? stored.grouped : true };
  if (!now) return { ...GONE, rule: { tolerance, grouped: true } };
  if (!stored) return { ...NEW, rule };
  if ('text' in stored && 'text' in now) {
    if (sameText(stored.text, now.text, rule)) return undefined;
    return { kind: 'changed', problem: 'differs', rule, stored: stored.text, now: now.text };
  }
  if ('bytes' in stored && 'bytes' in now && stored.bytes.equals(now.bytes)) return undefined;
  const what = type.startsWith('image/') ? 'image' : 'content';
  return { kind: 'changed', problem: `${what} differs: ${byteCount(stored)} → ${byteCount(now)} bytes`, rule };
}

function textIn(shown: ShownOutput): string {
  const parts = [...shown.parts.values()];
  const text = shown.parts.get('text/plain') ?? parts.find((part) => 'text' in part);
  return text && 'text' in text ? text.text : '';
}

function articled(kind: string): string {
  return /^[aeo]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function byteCount(part: Part): string {
  const bytes = 'bytes' in part ? part.bytes.length : Buffer.byteLength(part.text);
  return bytes.toLocaleString('en-US');
}
