import { UsageError } from './errors.js';
import { itemAt } from './item-at.js';
import { type OptionType, refuseType } from './option-types.js';

/** The fewest letters to look for as a part of other names: fewer are a part of too many. */
const LEAST_PART = 4;

/**
 * Finds the candidate that a misspelt name most likely meant, for "did you mean" in errors.
 *
 * @param name The name as written; its case does not matter.
 * @param candidates The valid names.
 * @returns The nearest candidate by edit distance (swapping two neighbours is one edit), if at most a third of it
 *   differs; else the only candidate that contains the name, such as `proxy_wallet` for `wallet`; else undefined.
 * @example nearest('granularty', ['wallet', 'granularity']); // 'granularity'
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  // What only TypeScript would have refused gets a sentence, too.
  const wanted = String(name).toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // At least this many letters differ, so a very long name is not compared letter by letter.
    if (Math.abs(wanted.length - candidate.length) > toleranceOf(candidate)) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best !== undefined && bestDistance <= toleranceOf(best) ? best : onlyOneAround(wanted, candidates);
}

function onlyOneAround(part: string, candidates: Iterable<string>): string | undefined {
  if (part.length < LEAST_PART) return undefined;
  const [one, other] = [...candidates].filter((candidate) => candidate.toLowerCase().includes(part));
  return other === undefined ? one : undefined;
}

function toleranceOf(candidate: string): number {
  return Math.ceil(candidate.length / 3);
}

/**
 * The optimal string alignment distance: Levenshtein's, in which swapping two neighbours is one edit. Only two rows of
 * the table are kept.
 */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = itemAt(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? itemAt(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substitution, swap, itemAt(row, j) + 1, itemAt(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return itemAt(row, b.length);
}

/**
 * Refuses arguments beyond those that a function takes, which JavaScript would drop in silence.
 *
 * @param of What was called, for the message: `distinct`.
 * @param remedy What would be right.
 * @throws {UsageError} If there are any.
 */
export function noMore(of: string, others: readonly unknown[], remedy: string): void {
  if (others.length > 0) throw new UsageError(`${of}() was given more than it takes: ${remedy}.`);
}

/**
 * Refuses unknown options, options of the wrong type, and options that are no object. Only TypeScript would report them: in JavaScript, an unknown
 * option would silently do nothing. To be called before any option is read.
 *
 * @param of The function that takes the options, for the message: `joinOn`.
 * @param types What options hold here, where it is not what options of their name hold elsewhere, see {@link refuseType}.
 * @throws {UsageError} If the options are null, a list or no object, if one is unknown (the message names the nearest),
 *   or of the wrong type.
 */
export function knownOptions(
  of: string,
  options: unknown,
  names: readonly string[],
  types: Readonly<Record<string, OptionType>> = {},
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const got = Array.isArray(options) ? 'a list' : options === null ? 'null' : `a value of type ${typeof options}`;
    throw new UsageError(`The options of ${of} must be an object that names them (${names.join(', ')}); got ${got}.`);
  }
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray === undefined) {
    for (const name of names) refuseType(of, name, Reflect.get(options, name), types[name]);
    return;
  }
  const near = nearest(stray, names);
  const hint = near === undefined ? `They are ${names.join(', ')}.` : `Did you mean "${near}"?`;
  throw new UsageError(`"${stray}" is no option of ${of}. ${hint}`);
}
