import { InputError } from '../../errors.js';
import type { Version } from '../folder/versions.js';
import { INCOME } from './event-columns.js';
import { DROPPED } from './load-raw.js';
import type { ReadInputs } from './read-inputs.js';

type Counts = Readonly<Record<string, number>>;

/**
 * Refuses data with doubtful rows. Income is left out on purpose, and is no doubt.
 *
 * @param counts Counts by reason, of each input and of the data as a whole.
 * @throws {InputError} If there is one.
 */
export function refuseDoubts(counts: readonly Counts[]): void {
  const list = listOf(counts, (reason) => !reason.endsWith(INCOME));
  if (list.length === 0) return;
  throw new InputError(
    `Doubtful rows, and --strict refuses them: nothing was changed.\n${list.join('\n')}\n` +
      'Mend the inputs, or leave --strict out; --report FILE lists each row.',
  );
}

/** Of the doubts about the data as a whole, by reason, those that the version before did not have. */
export function newDoubts(doubtful: Counts, before: Counts = {}): Counts {
  const grown = Object.entries(doubtful).map(([reason, n]): [string, number] => [
    reason,
    n - (reason === DROPPED ? 0 : (before[reason] ?? 0)),
  ]);
  return Object.fromEntries(grown.filter(([, n]) => n > 0));
}

/**
 * What a folder holds after inputs of which no row was kept: the version before, unless rows were refused.
 *
 * @throws {InputError} If rows were refused, or there is no version before.
 */
export function refuseNoRow({ reports, left }: ReadInputs, previous: Version | undefined): Version {
  const counts = reports.map(({ skipped }) => skipped);
  const isRefused = left.length > 0 || listOf(counts, (reason) => !reason.endsWith(INCOME)).length > 0;
  if (previous && !isRefused) return previous;
  const list = [...listOf(counts, () => true), ...left.map(({ path, why }) => `  ${path}: ${why}`)];
  throw new InputError(
    `No new row of the inputs was kept: nothing was changed.\n${list.map((line) => `${line}\n`).join('')}` +
      'Mend the inputs, or the mapping by which they are read; --report FILE lists each row that was left out.',
  );
}

function listOf(counts: readonly Counts[], isListed: (reason: string) => boolean): string[] {
  const sums = new Map<string, number>();
  for (const [reason, n] of counts.flatMap((each) => Object.entries(each))) {
    if (isListed(reason)) sums.set(reason, (sums.get(reason) ?? 0) + n);
  }
  return [...sums].map(([reason, n]) => `  ${n.toLocaleString('en-US')}: ${reason}`);
}
