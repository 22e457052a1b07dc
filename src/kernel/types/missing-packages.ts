import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileChange } from './local-files.js';
import type { Diagnostic } from './type-service.js';

const NO_MODULE = 2307;
const NO_DECLARATION = 7016;
const CREATED = 1;

/**
 * The files that there would be, had the packages that were not found been installed since: the language server looks
 * for them again once it is told so.
 *
 * @returns None, if every package was found.
 */
export function missingPackages(diagnostics: Diagnostic[], folder: string): FileChange[] {
  const names = new Set<string>();
  for (const { code, message } of diagnostics) {
    const name = /module '((?:@[^/']+\/)?[^/']+)/.exec(message)?.[1];
    if ((code === NO_MODULE || code === NO_DECLARATION) && name && !name.startsWith('.')) names.add(name);
  }
  if (names.size === 0) return [];
  const changes: FileChange[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    const paths = [...names].map((name) => join(modules, name, 'package.json'));
    for (const path of [modules, ...paths]) changes.push({ uri: pathToFileURL(path).href, type: CREATED });
    if (dirname(at) === at) return changes;
  }
}
