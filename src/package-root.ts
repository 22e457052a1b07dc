import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataError } from './errors.js';

let found: string | undefined;

/**
 * Finds the folder of Oddslab's package, whether this code runs from `src/`, from `dist/` or from a chunk within it.
 *
 * @throws {DataError} If no package.json named `oddslab` lies above this code.
 */
export function packageRoot(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function search(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && isOurs(readFileSync(manifest, 'utf8'))) return folder;
    if (dirname(folder) === folder) {
      throw new DataError(`Found no package.json of oddslab above ${start}: install the package again.`);
    }
  }
}

function isOurs(manifest: string): boolean {
  return /"name":\s*"oddslab"/.test(manifest);
}
