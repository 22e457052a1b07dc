import { type NumberToken, tokenizeNumbers } from './number-tokens.js';

/** How far apart two numbers may be and still count as equal. */
export interface Tolerance {
  /** Largest distance as a share of the larger number, such as 0.01 for one percent. */
  relative: number;
  /** Largest distance from 0 where the other number is 0, to allow for rounding errors of sums. */
  aroundZero: number;
  /** Whether whole numbers may differ too; otherwise they count as counts and must be equal. */
  wholes: boolean;
}

/** How two texts are compared. */
export interface TextRule {
  tolerance: Tolerance;
  /** Whether `1,234` is one number. */
  grouped: boolean;
}

/** Two numbers at the same place of two texts. */
export interface NumberPair {
  stored: NumberToken;
  now: NumberToken;
}

/**
 * Whether two texts are equal but for numbers that are close enough. Where such a number has grown longer or shorter,
 * the padding and rules of a table around it may differ in length.
 */
export function sameText(stored: string, now: string, rule: TextRule): boolean {
  if (stored === now) return true;
  const pair = tokenized(stored, now, rule);
  if (!pair || pair.apart.length > 0) return false;
  return pair.sameSkeleton || (pair.isRespelled && pair.sameLayout);
}

/**
 * Makes a function that tells whether two lines are equal but for close numbers and the width of the spaces between
 * words. It splits each line only once, however many others the line is compared with.
 */
export function lineComparison(rule: TextRule): (stored: string, now: string) => boolean {
  const taken = new Map<string, { numbers: NumberToken[]; layout: string }>();
  const takenApart = (line: string) => {
    const known = taken.get(line);
    if (known) return known;
    const { numbers, skeleton } = tokenizeNumbers(line, rule);
    const fresh = { numbers, layout: layoutOf(skeleton) };
    taken.set(line, fresh);
    return fresh;
  };
  return (stored, now) => {
    if (stored === now) return true;
    const [before, after] = [takenApart(stored), takenApart(now)];
    if (before.layout !== after.layout) return false;
    return before.numbers.every((number, index) => {
      const other = after.numbers[index];
      return other === undefined || isClose({ stored: number, now: other }, rule.tolerance);
    });
  };
}

/** The numbers that differ too much between two lines that are otherwise equal; empty where their words differ too. */
export function numbersApart(stored: string, now: string, rule: TextRule): NumberPair[] {
  const pair = tokenized(stored, now, rule);
  return pair?.sameLayout ? pair.apart : [];
}

interface Compared {
  sameSkeleton: boolean;
  sameLayout: boolean;
  isRespelled: boolean;
  apart: NumberPair[];
}

/** Compares two texts by their numbers and what surrounds them. Undefined if their counts of numbers differ. */
function tokenized(stored: string, now: string, { tolerance, grouped }: TextRule): Compared | undefined {
  const [before, after] = [tokenizeNumbers(stored, { grouped }), tokenizeNumbers(now, { grouped })];
  if (before.numbers.length !== after.numbers.length) return undefined;
  const pairs = before.numbers.flatMap((number, index) => {
    const other = after.numbers[index];
    return other && other.text !== number.text ? [{ stored: number, now: other }] : [];
  });
  return {
    sameSkeleton: before.skeleton === after.skeleton,
    sameLayout: layoutOf(before.skeleton) === layoutOf(after.skeleton),
    isRespelled: pairs.some((pair) => pair.stored.text.length !== pair.now.text.length),
    apart: pairs.filter((pair) => !isClose(pair, tolerance)),
  };
}

function isClose({ stored, now }: NumberPair, { relative, aroundZero, wholes }: Tolerance): boolean {
  const distance = Math.abs(stored.value - now.value);
  if (distance === 0) return true;
  if (stored.isWhole && now.isWhole && !wholes) return false;
  const larger = Math.max(Math.abs(stored.value), Math.abs(now.value));
  const isOneZero = stored.value === 0 || now.value === 0;
  return distance <= relative * larger || (isOneZero && larger <= aroundZero);
}

/** A text with each run of spaces, and each ruled line, shortened to one character. */
function layoutOf(skeleton: string): string {
  return skeleton.replace(/[ \t]+/g, ' ').replace(/([-─━═=_])\1+/g, '$1');
}
