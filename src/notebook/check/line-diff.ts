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
 * The lines in which two texts differ within some 200 from the first such, with a few equal ones around them. Lines
 * count as equal where their numbers are close and their words differ only in spacing, unless nothing else differs.
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
 * The shortest sequence of edits from one list of lines to another, as every line of both once, in order. Removed lines
 * come before those that replace them.
 */
export function diffLines(
  stored: readonly string[],
  now: readonly string[],
  same: (stored: string, now: string) => boolean,
): DiffStep[] {
  const isSame = (x: number, y: number): boolean => same(itemAt(stored, x), itemAt(now, y));
  // What both begin and end with alike needs no table.
  let [head, tail] = [0, 0];
  const most = Math.min(stored.length, now.length);
  while (head < most && isSame(head, head)) head++;
  while (head + tail < most && isSame(stored.length - 1 - tail, now.length - 1 - tail)) tail++;
  const [width, height] = [stored.length - tail, now.length - tail];
  // How many lines the rests of both lists from two indices on have in common.
  const rows = Array.from({ length: width - head + 1 }, () => new Uint32Array(height - head + 1));
  const common = (x: number, y: number): number => itemAt(itemAt(rows, x - head), y - head);
  for (let x = width - 1; x >= head; x--) {
    for (let y = height - 1; y >= head; y--) {
      const longest = isSame(x, y) ? common(x + 1, y + 1) + 1 : Math.max(common(x + 1, y), common(x, y + 1));
      itemAt(rows, x - head)[y - head] = longest;
    }
  }
  const steps: DiffStep[] = [];
  for (let [x, y] = [0, 0]; x < stored.length || y < now.length; ) {
    const isOutside = x < head || (x >= width && y >= height);
    if (isOutside || (x < width && y < height && isSame(x, y))) steps.push({ stored: x++, now: y++ });
    else if (y === height || (x < width && common(x + 1, y) >= common(x, y + 1))) steps.push({ stored: x++ });
    else steps.push({ now: y++ });
  }
  return steps;
}
