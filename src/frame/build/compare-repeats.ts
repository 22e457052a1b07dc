import type { KeyGuard } from './key-guard.js';
import type { RowStore } from './row-store.js';

/** Findings about the records of a page whose key came before. */
export interface Repeated {
  /** Number of records that repeat one of the same page. */
  readonly within: number;
  /** The first record that differs from the one it repeats. */
  readonly differing: { readonly key: string; readonly field: string } | undefined;
}

/**
 * Compares the repeats of a page with the records that they repeat, as far as these are still in the store.
 *
 * @param start The first row of the page.
 * @param marks A mark for each row from there: 1 for a repeat.
 * @param taken Number of rows that were taken out of the store before.
 */
export function compareRepeats(
  store: RowStore,
  guard: KeyGuard,
  { start, marks, taken }: { start: number; marks: Uint8Array; taken: number },
): Repeated {
  const kept: number[] = [];
  let within = 0;
  let differing: Repeated['differing'];
  for (const [at, mark] of marks.entries()) {
    const row = start + at;
    if (mark !== 1) {
      kept.push(row);
      continue;
    }
    const number = guard.numberOf(row) - taken;
    const first = number < start ? number : kept[number - start];
    if (first === undefined || first < 0) continue;
    if (first >= start) within += 1;
    const field = differing ? undefined : store.differing(first, row);
    if (field !== undefined) differing = { key: guard.keyText(row), field };
  }
  return { within, differing };
}
