import { shellWord } from '../shell-word.js';
import type { VersionSummary } from './list-versions.js';

/**
 * What to do where the current version is not to be served: which other one to switch to.
 *
 * @param damaged Names of versions whose files proved to be damaged, beside those whose names and sizes tell.
 * @returns Undefined where no other one is whole. Rejected ones come last.
 */
export function wayBack(
  folder: string,
  versions: readonly VersionSummary[],
  damaged: readonly string[],
): string | undefined {
  const whole = versions.filter(
    ({ name, problem, current }) => problem === null && !current && !damaged.includes(name),
  );
  const to = whole.filter(({ rejected }) => !rejected).at(-1) ?? whole.at(-1);
  return to && `Switch to a whole one by "oddslab data rollback ${to.name} --data ${shellWord(folder)}".`;
}
