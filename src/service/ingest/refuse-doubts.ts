import { InputError } from '../../base/errors.js';
import { INCOME } from './event-columns.js';
import { DROPPED } from './load-raw.js';

type Counts = Readonly<Record<string, number>>;

/**
 * Refuses data with doubtful rows. Income is left out on purpose and is no doubt.
 *
 * @param counts Numbers of doubtful rows by reason, for each input and for the data as a whole.
 * @throws {InputError} If there is a doubtful row.
 */
export function refuseDoubts(counts: readonly Counts[]): void {
  const sums = new Map<string, number>();
  for (const [reason, n] of counts.flatMap((each) => Object.entries(each))) {
    if (!reason.endsWith(INCOME)) sums.set(reason, (sums.get(reason) ?? 0) + n);
  }
  if (sums.size === 0) return;
  const list = [...sums].map(([reason, n]) => `  ${n.toLocaleString('en-US')}: ${reason}`);
  throw new InputError(
    `Doubtful rows, and --strict refuses them: nothing was changed.\n${list.join('\n')}\n` +
      'Mend the inputs, or leave --strict out; --report FILE lists each row.',
  );
}

/** The number of doubts about the data as a whole, by reason, that the previous version did not have. */
export function newDoubts(doubtful: Counts, before: Counts = {}): Counts {
  const grown = Object.entries(doubtful).map(([reason, n]): [string, number] => [
    reason,
    n - (reason === DROPPED ? 0 : (before[reason] ?? 0)),
  ]);
  return Object.fromEntries(grown.filter(([, n]) => n > 0));
}
