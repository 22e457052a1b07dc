import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { findLocal } from './find-local.js';

/** How projects write their own folders where a tsconfig.json or a bundler says what these stand for. */
const OWN_PREFIX = /^(?:[@~$]\/|[@~$#])/;
const SOURCE = /\.([mc]?[jt]sx?|json)$/;
/** The folders below that are looked through, and how many entries of them at most. */
const DEEPEST = 3;
const MOST = 2000;

/**
 * Advice where an import of a package's form means a file of the user's own: beside the notebook, below it, or in the
 * project that it belongs to. Undefined if there is none.
 *
 * @param folder That of the importing file.
 * @example ownFile('@lib/fees', folder) // "Did you mean './lib/fees'? Without './' an import means a package."
 */
export function ownFile(specifier: string, folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const bare = specifier.replace(OWN_PREFIX, '');
  if (bare === '' || bare.includes('..')) return undefined;
  const found = foundAs(specifier, folder) ?? foundAs(bare, folder) ?? foundBelow(bare, folder);
  return found === undefined ? undefined : meantFile(found);
}

/** Asks whether a file was meant, by the import that would find it. */
export function meantFile(path: string): string {
  return `Did you mean '${path}'? Without '${path.startsWith('../') ? '../' : './'}' an import means a package.`;
}

/** The import of a path from this folder, with or without `src`, or from the folders of the project above. */
function foundAs(path: string, folder: string): string | undefined {
  for (const root of projectFolders(folder)) {
    const found = [path, `src/${path}`, path.replace(/^src\//, '')].find(
      (each) => findLocal(`./${each}`, root) !== undefined,
    );
    if (found !== undefined) return localImport(join(root, found), folder);
  }
  return undefined;
}

/** This folder, and those above it up to the one that has a package.json; this one alone if none has. */
function projectFolders(folder: string): string[] {
  const above = [folder];
  for (let at = folder; !existsSync(join(at, 'package.json')); at = dirname(at)) {
    if (dirname(at) === at) return [folder];
    above.push(dirname(at));
  }
  return above;
}

/** The import of the nearest file below that a name or the end of a path fits. */
function foundBelow(path: string, folder: string): string | undefined {
  const wanted = path.replace(SOURCE, '');
  let left = MOST;
  let folders = [folder];
  for (let depth = 1; depth <= DEEPEST && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const each of folders) {
      for (const entry of entriesOf(each)) {
        if (left-- <= 0) return undefined;
        if (entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name)) below.push(join(each, entry.name));
      }
    }
    const found = below.map((each) => join(each, wanted)).find((each) => isProgram(findLocal(each, folder)));
    if (found !== undefined) return localImport(found, folder);
    folders = below;
  }
  return undefined;
}

/** Data may be named as a package is. */
function isProgram(path: string | undefined): boolean {
  return path !== undefined && !path.endsWith('.json');
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function localImport(path: string, folder: string): string {
  const from = relative(folder, path).split(sep).join('/');
  return from.startsWith('../') ? from : `./${from}`;
}
