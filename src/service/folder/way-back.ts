import { shellWord } from '../shell-word.js';
import type { VersionSummary } from './list-versions.js';

/**
 * Advice for when the current version cannot be served: which version to switch to. Those that were rolled back from
 * are only advised if there is no other.
 *
 * @param damaged Versions known to be damaged, besides those whose summary has a problem.
 * @returns Undefined if no other version is undamaged.
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
