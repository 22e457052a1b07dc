import { type DiffStep, diffLines } from './diff-lines.js';
import { lineComparison, type TextRule } from './same-text.js';

/** A line of a difference: on one side alone, or on both with the place where it stands. */
export type ChangedLine =
  | { side: 'stored' | 'now' | 'both'; text: string }
  /** Equal lines that are left out. */
  | { side: 'gap'; count: number };

/** How many lines of each side are looked at, from shortly before the first that differs. */
const WINDOW = 200;

/** How many equal lines are shown before and after those that differ. */
const CONTEXT = 2;

/**
 * The lines in which two texts differ, with a few equal ones around them. Lines whose numbers are close and whose words
 * are apart by other gaps alone count as equal, unless nothing else differs.
 *
 * @returns What differs within the first 200 lines after the first difference.
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

/** How many lines at the beginning are the same. */
function sharedLines(before: string[], after: string[], same: (stored: string, now: string) => boolean): number {
  const most = Math.min(before.length, after.length);
  const first = before.slice(0, most).findIndex((line, index) => !same(line, after[index] ?? ''));
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
  if (now === undefined) return { side: 'stored', text: left[stored ?? 0] ?? '' };
  return { side: stored === undefined ? 'now' : 'both', text: right[now] ?? '' };
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

/** A line end at the end of a text begins no line; a text without one lacks nothing that can be seen. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}
