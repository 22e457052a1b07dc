import { type DiffStep, diffLines } from './diff-lines.js';
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

/** The lines of a text. A line end at the very end begins no further line, so texts with and without it are alike. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}
