import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/errors.js';
import type { RunInput } from './read-input.js';
import { resultName } from './result-name.js';

/**
 * Refuses to overwrite the notebook that is run, whose outputs may be the last trace of their data, and a notebook
 * beside a program, which the user did not name.
 *
 * @param out Folder for the results.
 * @throws {UsageError} If a result would do so; the message says what to do instead.
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
