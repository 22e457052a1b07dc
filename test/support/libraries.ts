import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/base/packages.js';
import { isAbsent } from './is-absent.js';

const INSTALLED = join(packageRoot(), 'test/libraries/node_modules');

/** Whether the libraries of test/libraries are not installed, by `npm run install:libraries`; see {@link isAbsent}. */
export function areLibrariesAbsent(test: string): boolean {
  return isAbsent(INSTALLED, test);
}

/** Puts libraries of test/libraries into the node_modules of a folder, as links. */
export function linkLibraries(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(INSTALLED, name), link);
  }
}
