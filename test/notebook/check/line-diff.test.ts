import { expect, it } from 'vitest';
import { diffLines } from '../../../src/notebook/check/line-diff.js';
import fc from '../../support/fast-check.js';

const same = (a: string, b: string): boolean => a === b;

it('takes away before it puts in', () => {
  expect(diffLines(['a', 'b', 'c'], ['a', 'x', 'c', 'd'], same)).toEqual([
    { now: 0, stored: 0 },
    { stored: 1 },
    { now: 1 },
    { now: 2, stored: 2 },
    { now: 3 },
  ]);
});

it('names every line of both sides once, in order, with as few changes as can be', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (stored, now) => {
      const steps = diffLines(stored, now, same);
      expect(steps.flatMap((step) => step.stored ?? [])).toEqual([...stored.keys()]);
      expect(steps.flatMap((step) => step.now ?? [])).toEqual([...now.keys()]);
      const both = steps.filter((step) => step.stored !== undefined && step.now !== undefined);
      for (const step of both) expect(stored[step.stored ?? 0]).toBe(now[step.now ?? 0]);
      expect(both.length).toBe(longestCommon(stored, now));
    }),
  );
});

/** How long the longest list is that can be got from both by leaving lines out. */
function longestCommon([first, ...rest]: string[], now: string[]): number {
  let lengths = now.map(() => 0);
  for (const line of first === undefined ? [] : [first, ...rest]) {
    const next: number[] = [];
    for (const [index, other] of now.entries()) {
      const above = lengths[index] ?? 0;
      const before = next[index - 1] ?? 0;
      next.push(line === other ? (lengths[index - 1] ?? 0) + 1 : Math.max(above, before));
    }
    lengths = next;
  }
  return lengths.at(-1) ?? 0;
}
