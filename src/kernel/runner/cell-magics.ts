import { ofSession } from '../../base/session-frames.js';
import type { DeclaredNames } from './cell-scripts.js';
import { frameNames, givenNames } from './cell-variables.js';

/** Rounds of a measurement, and how long each takes at least. */
const ROUNDS = 7;
const ROUND_MS = 30;
const MOST_CALLS = 2 ** 24;

/**
 * What `%timeit`, `%who` and `%%sql` of cells call, under the global name `__oddslab__`.
 *
 * @param declared The names that cells declare.
 */
export function createMagics(declared: DeclaredNames) {
  return {
    /** The frames of a query, with a note by which its error can name all those of the session. */
    tables<Frames extends object>(frames: Frames): Frames {
      return ofSession(frames, () => frameNames(declared));
    },
    /** Measures how long a function takes, in rounds of as many calls as take some time, and prints it. */
    async timeit(measured: () => unknown): Promise<void> {
      let calls = 1;
      // The first calls are slower than those that follow.
      while ((await round(measured, calls)) < ROUND_MS && calls < MOST_CALLS) calls *= 2;
      const each: number[] = [];
      for (let at = 0; at < ROUNDS; at++) each.push((await round(measured, calls)) / calls);
      const mean = each.reduce((sum, ms) => sum + ms, 0) / ROUNDS;
      const spread = Math.sqrt(each.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / ROUNDS);
      const loops = `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'}`;
      console.log(
        `${durationText(mean)} ± ${durationText(spread)} (mean and deviation of ${ROUNDS} rounds of ${loops})`,
      );
    },
    /** Prints the names that cells have declared and given a value. */
    who(): void {
      const names = givenNames(declared).sort();
      console.log(names.length === 0 ? 'Nothing is declared yet.' : names.join('  '));
    },
  };
}

async function round(measured: () => unknown, calls: number): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < calls; at++) {
    const value = measured();
    if (value instanceof Promise) await value;
  }
  return performance.now() - start;
}

/** @example durationText(0.0123); // '12.3 µs' */
export function durationText(ms: number): string {
  const [unit, size] = ms >= 1000 ? ['s', 1e-3] : ms >= 1 ? ['ms', 1] : ms >= 1e-3 ? ['µs', 1e3] : ['ns', 1e6];
  return `${Number((ms * size).toPrecision(3))} ${unit}`;
}
