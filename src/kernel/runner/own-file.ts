import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { appendAll } from '../../base/many.js';
import { nearest } from '../../base/nearest.js';
import { pathMap } from '../transform/project-options.js';
import { findLocal } from './find-local.js';
import { isSlippedPath, listed, nearestPath, within } from './near-names.js';
import { manifestAbove, packageNameOf } from './package-manifest.js';

/** How projects write their own folders where a tsconfig.json or a bundler says what these stand for. */
const OWN_PREFIX = /^(?:[@~$]\/|[@~$#])/;
/** Ends the name of a file that can be imported. */
export const SOURCE = /(?<!\.d)\.([mc]?[jt]sx?|json)$/;
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
  const bare = bareOf(specifier, folder);
  if (bare === undefined) return undefined;
  const found = foundAs(specifier, folder) ?? foundAs(bare, folder) ?? foundBelow(bare, folder);
  return found === undefined ? undefined : meantFile(found);
}

/**
 * Advice where the first part of an import of a package's form names a folder or a file of the user's own, in which the
 * rest is not found: the nearest that there is, or which there are. Undefined if there is no such folder or file.
 */
export function ownPlace(specifier: string, folder: string): string | undefined {
  const bare = bareOf(specifier, folder);
  if (bare === undefined) return isOwnName(specifier, folder) ? ITSELF : undefined;
  const [first = '', ...rest] = bare.split('/');
  const isFirst = (name: string): boolean => name.toLowerCase() === first.toLowerCase();
  for (const root of rootsOf(folder)) {
    for (const entry of entriesOf(root)) {
      const path = join(root, entry.name);
      const stem = entry.name.replace(SOURCE, '');
      const isModule = !entry.isDirectory() && stem !== entry.name && isProgram(entry.name);
      if (isModule && isFirst(stem)) return meantFile(localImport(join(root, stem), folder));
      const isPlace = isOwnFolder(entry) && isFirst(entry.name);
      const advice = isPlace && inFolder(localImport(path, folder), path, { specifier, rest: rest.join('/') });
      if (advice) return advice;
    }
  }
  return isOwnName(specifier, folder) ? ITSELF : undefined;
}

const ITSELF = "That is this project's own name, and its package.json exports no such thing.";

/** Advice where a file of the user's own has a name that is a slip away from an import of a package's form. */
export function similarFile(specifier: string, folder: string): string | undefined {
  const bare = bareOf(specifier, folder)?.replace(SOURCE, '');
  if (bare === undefined) return undefined;
  const parts = bare.split('/').length;
  for (const root of rootsOf(folder)) {
    const near = modulesIn(root).find((each) => isSlippedPath(bare, each.split('/').slice(-parts).join('/')));
    if (near !== undefined) return meantFile(localImport(join(root, near), folder));
  }
  return undefined;
}

/**
 * What there is in place of the module that a local import names, as a sentence to follow another: the file that is most
 * like it, or those of the folder that it names. Empty if there is nothing.
 */
export function insteadOf(specifier: string, folder: string): string {
  const path = resolve(folder, specifier);
  const isBelow = !relative(folder, path).startsWith('..');
  const modules =
    isBelow && isFolder(path) ? modulesIn(path).map((each) => `${specifier.replace(/\/$/, '')}/${each}`) : [];
  if (modules.length > 0) return ` There ${modules.length === 1 ? 'is' : 'are'} ${listed(modules)}.`;
  const written = basename(path);
  const names = entriesOf(dirname(path)).flatMap(({ name }) => (SOURCE.test(name) ? [name] : []));
  const bare = /\.\w+$/.test(written) ? names : names.map((each) => each.replace(SOURCE, ''));
  const beside = nearest(written, new Set(bare));
  if (beside !== undefined) return ` Did you mean '${specifier.slice(0, specifier.length - written.length)}${beside}'?`;
  const elsewhere = nearestPath(relative(folder, path).split(sep).join('/').replace(SOURCE, ''), modulesIn(folder));
  return elsewhere === undefined ? '' : ` Did you mean './${elsewhere}'?`;
}

/** Asks whether a file was meant, by the import that would find it. */
export function meantFile(path: string): string {
  return `Did you mean '${path}'? Without '${path.startsWith('../') ? '../' : './'}' an import means a package.`;
}

/** A folder of the user's own by the import that would mean it, and which files it has. */
function inFolder(
  place: string,
  path: string,
  { specifier, rest }: { specifier: string; rest: string },
): string | undefined {
  const modules = modulesIn(path);
  const near = rest === '' ? undefined : nearestPath(rest.replace(SOURCE, ''), modules);
  if (near !== undefined) return meantFile(`${place}/${near}`);
  const name = packageNameOf(specifier);
  // Scopes of packages are called as folders of data may be.
  if (modules.length === 0)
    return name.startsWith('@')
      ? undefined
      : `There is a folder '${place}', which holds no module, and no package '${name}' is installed.`;
  const inside = within(rest, modules);
  const shown = (inside.length > 0 ? inside : modules).map((each) => `${place}/${each}`);
  const which = `${shown.length === 1 ? 'is' : 'are'} ${listed(shown)}`;
  const none = `Without './' an import means a package, and none called '${name}' is installed.`;
  return `In the folder '${place}' there ${which}. ${none}`;
}

/** What a specifier means as a path of the user's own; undefined if it can mean none. */
function bareOf(specifier: string, folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const name = packageNameOf(specifier);
  const bare = isOwnName(specifier, folder) ? specifier.slice(name.length + 1) : specifier.replace(OWN_PREFIX, '');
  return bare === '' || bare.includes('..') ? undefined : bare;
}

/** Whether a specifier begins with the name that the project's package.json gives it. */
function isOwnName(specifier: string, folder: string): boolean {
  return manifestAbove(folder)?.name === packageNameOf(specifier);
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

/** The folders from which a path of the project may be written: those above, their `src`, and what tsconfig.json names. */
function rootsOf(folder: string): string[] {
  const { paths, base } = pathMap(folder);
  const any = (paths['*'] ?? []).flatMap((target) => (/[\\/]\*$/.test(target) ? [dirname(target)] : []));
  const own = projectFolders(folder).flatMap((each) => [each, join(each, 'src')]);
  return [...new Set([...own, ...(base === undefined ? [] : [base]), ...any])];
}

/** The import of the nearest file below that a name or the end of a path fits. */
function foundBelow(path: string, folder: string): string | undefined {
  const wanted = path.replace(SOURCE, '');
  const found = foldersBelow(folder)
    .map((each) => join(each, wanted))
    .find((each) => isProgram(findLocal(each, folder)));
  return found === undefined ? undefined : localImport(found, folder);
}

/**
 * The modules of a folder and of those below it, the nearest first: as paths from it, without their endings and without
 * the `index` of a folder. Empty if there is no such folder.
 *
 * @example modulesIn('/home/me/study/lib'); // ['fees', 'deep/odds']
 */
export function modulesIn(folder: string): string[] {
  const all = [folder, ...foldersBelow(folder)].flatMap((each) =>
    entriesOf(each).flatMap((entry) => {
      const stem = entry.name.replace(SOURCE, '');
      if (entry.isDirectory() || stem === entry.name || !isProgram(entry.name)) return [];
      return [
        relative(folder, join(each, stem))
          .split(sep)
          .join('/')
          .replace(/\/index$/, ''),
      ];
    }),
  );
  return [...new Set(all)];
}

/** The user's folders below one, the nearest first; of very many not all. */
function foldersBelow(folder: string): string[] {
  let left = MOST;
  const all: string[] = [];
  let level = [folder];
  for (let depth = 1; depth <= DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const each of level) {
      const entries = entriesOf(each).slice(0, left);
      left -= entries.length;
      for (const entry of entries) if (isOwnFolder(entry)) below.push(join(each, entry.name));
    }
    appendAll(all, below);
    level = below;
  }
  return all;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isOwnFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name);
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
