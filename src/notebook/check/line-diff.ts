import { itemAt } from '../../base/item-at.js';
import { lineComparison, type TextRule } from './same-text.js';

/** A line of a diff: one that only one side has, one that both have, or a gap. */
export type ChangedLine =
  | { side: 'stored' | 'now' | 'both'; text: string }
  /** How many equal lines are left out here. */
  | { side: 'gap'; count: number };

/** How many lines of each side are compared, from shortly before the first that differs. */
const WINDOW = 200;

/** How many equal lines are shown before and after a difference. */
const CONTEXT = 2;

/**
 * The lines in which two texts differ, with a few equal ones around them. Lines count as equal where their numbers are
 * close and their words differ only in spacing, unless nothing else differs.
 *
 * @returns The differences within some 200 lines from the first.
 */
export function changedLines(stored: string, now: string, rule: TextRule): ChangedLine[] {
  const [before, after] = [linesOf(stored), linesOf(now)];
  const isClose = lineComparison(rule);
  const close = sharedLines(before, after, isClose);
  const isAllClose = close === before.length && close === after.length;
  const same = isAllClose ? isEqual : isClose;
  const shared = isAllClose ? sharedLines(before, after, isEqual) : close;
  const skipped = Math.max(0, shared - CONTEXT);
  const [left = [], right = []] = [before, after].map((lines) => lines.slice(skipped, skipped + WINDOW));
  return withoutFarLines(diffLines(left, right, same).map((step) => lineOf(step, left, right)));
}

/** How many lines at the beginning are equal. */
function sharedLines(before: string[], after: string[], same: (stored: string, now: string) => boolean): number {
  const most = Math.min(before.length, after.length);
  const first = before.slice(0, most).findIndex((line, index) => !same(line, itemAt(after, index)));
  return first === -1 ? most : first;
}

function isEqual(stored: string, now: string): boolean {
  return stored === now;
}

function lineOf(
  { stored, now }: DiffStep,
  left: readonly string[],
  right: readonly string[],
): ChangedLine & { text: string } {
  if (now !== undefined) return { side: stored === undefined ? 'now' : 'both', text: itemAt(right, now) };
  if (stored === undefined) throw new RangeError('A line of a diff is on neither side.');
  return { side: 'stored', text: itemAt(left, stored) };
}

function withoutFarLines(lines: readonly (ChangedLine & { text: string })[]): ChangedLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ side }) => side !== 'both'),
  );
  const result: ChangedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const last = result.at(-1);
    if (isNear[index]) result.push(line);
    else if (last?.side === 'gap') last.count += 1;
    else if (result.length > 0) result.push({ side: 'gap', count: 1 });
  }
  if (result.at(-1)?.side === 'gap') result.pop();
  return result;
}

/** The lines of a text. A line end at the very end begins no further line, so texts with and without it are alike. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

/** A line that one side or both sides have: its index on each. */
interface DiffStep {
  stored?: number;
  now?: number;
}

/**
 * The shortest sequence of edits from one list of lines to another. Removed lines come before those that replace them.
 *
 * @param same Whether two lines count as equal.
 * @returns Every line of both lists once, in order.
 * @see Myers (1986), An O(ND) difference algorithm and its variations.
 */
export function diffLines(
  stored: readonly string[],
  now: readonly string[],
  same: (stored: string, now: string) => boolean,
): DiffStep[] {
  const isSame = (x: number, y: number): boolean => same(itemAt(stored, x), itemAt(now, y));
  const trail = furthestReach(stored.length, now.length, isSame);
  const steps: DiffStep[] = [];
  let [x, y] = [stored.length, now.length];
  for (let edits = trail.length - 1; edits >= 0 && (x > 0 || y > 0); edits -= 1) {
    const reach = itemAt(trail, edits);
    const diagonal = x - y;
    const from = edits === 0 ? 0 : comesFromAbove(reach, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const startX = edits === 0 ? 0 : reachOf(reach, from);
    const startY = edits === 0 ? 0 : startX - from;
    while (x > startX && y > startY) steps.push({ stored: --x, now: --y });
    if (edits > 0) steps.push(from > diagonal ? { now: --y } : { stored: --x });
  }
  return steps.reverse();
}

/** For each number of edits: how far into the stored lines each diagonal had come before that edit. */
function furthestReach(
  width: number,
  height: number,
  isSame: (x: number, y: number) => boolean,
): Map<number, number>[] {
  const trail: Map<number, number>[] = [];
  const reach = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= width + height; edits += 1) {
    trail.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = comesFromAbove(reach, diagonal, edits);
      let x = isDown ? reachOf(reach, diagonal + 1) : reachOf(reach, diagonal - 1) + 1;
      while (x < width && x - diagonal < height && isSame(x, x - diagonal)) x += 1;
      reach.set(diagonal, x);
      if (x >= width && x - diagonal >= height) return trail;
    }
  }
  return trail;
}

/** Whether the furthest path to a diagonal inserts a line; otherwise it removes one. */
function comesFromAbove(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && reachOf(reach, diagonal - 1) < reachOf(reach, diagonal + 1);
}

function reachOf(reach: ReadonlyMap<number, number>, diagonal: number): number {
  const x = reach.get(diagonal);
  if (x === undefined) throw new RangeError(`No path has come to the diagonal ${diagonal}.`);
  return x;
}
