import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { RunInput } from './read-input.js';
import { resultName } from './result-name.js';

/**
 * Refuses to write the result of a program over the notebook beside it, which nobody named.
 *
 * @param out Folder for the results.
 * @throws {UsageError} That says what to do instead.
 */
export function refuseOverwriting(inputs: readonly RunInput[], out: string): void {
  for (const { path, file, isPercent } of inputs) {
    const target = join(out, resultName(path));
    if (!isPercent || resolve(out) !== dirname(file) || !existsSync(target)) continue;
    throw new UsageError(
      `${target} is there already, and the result of ${path} would overwrite it: name another folder by --out, or ` +
        `bring that notebook in line and run it: oddslab convert ${path} --force && oddslab run ${target} --out ${out}`,
    );
  }
}
