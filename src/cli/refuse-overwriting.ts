import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { RunInput } from './read-input.js';
import { resultName } from './result-name.js';

/**
 * Refuses to write a result over what was there: over the notebook that is run, whose outputs may be all that is left of
 * their data, or over the one beside a program, which nobody named.
 *
 * @param out Folder for the results.
 * @throws {UsageError} That says what to do instead.
 */
export function refuseOverwriting(inputs: readonly RunInput[], out: string): void {
  for (const { path, file, isPercent } of inputs) {
    const target = join(out, resultName(path));
    if (!existsSync(target)) continue;
    if (!isPercent && realpathSync(target) === realpathSync(file)) {
      throw new UsageError(`The result of ${path} would overwrite the notebook itself: name another folder by --out.`);
    }
    if (!isPercent || resolve(out) !== dirname(file)) continue;
    throw new UsageError(
      `${target} is there already, and the result of ${path} would overwrite it: name another folder by --out, or ` +
        `bring that notebook in line without running it: oddslab convert ${path} --force`,
    );
  }
}
