import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { InputError } from '../../base/errors.js';
import { pathAliases } from '../transform/project-options.js';
import { findLocal, isLocal, pathOf } from './find-local.js';
import { loadResolver, OWN_NAME, resolveAsNode, resolvePackage } from './import-package.js';
import { warnOfConfig } from './known-project.js';
import { missingModule } from './missing-package.js';
import { insteadOf, SOURCE } from './own-file.js';
import { homeOf, packageNameOf } from './package-manifest.js';
import { insteadOfImport } from './path-alias.js';

/**
 * Finds the file that a local import means: as written, as TypeScript where JavaScript is written, with an omitted
 * extension added, or a folder's index.
 *
 * @throws {InputError} If there is none.
 */
export function resolveLocal(specifier: string, folder: string): string {
  const found = findLocal(specifier, folder);
  if (found !== undefined) return found;
  const path = pathOf(specifier, folder);
  const main = isFolder(path) ? mainOf(path) : undefined;
  if (main !== undefined) return main;
  throw noLocal(specifier, folder, 'ERR_MODULE_NOT_FOUND');
}

/** The error for a local module that does not exist. */
export function noLocal(specifier: string, folder: string, code: string): InputError {
  const name = basename(specifier);
  const looked = SOURCE.test(name) ? name : `${name}.ts, ${name}.js and ${name}/index.ts`;
  const where = specifier.startsWith('.') ? "the importing file's folder" : dirname(pathOf(specifier, folder));
  const what = isFolder(pathOf(specifier, folder))
    ? 'it is a folder without an index.ts.'
    : `looked for ${looked} from ${where}.`;
  return missingModule(`Cannot find the module '${specifier}': ${what}${insteadOf(specifier, folder)}`, { code });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The file that a folder's own package.json names; undefined if none does. */
function mainOf(path: string): string | undefined {
  try {
    return createRequire(join(path, '_')).resolve(path);
  } catch {
    return undefined;
  }
}

const FOREIGN = `${sep}node_modules${sep}`;

/**
 * The path of the user's own file that an import of a package's form means: what paths of a tsconfig.json stand for; or
 * the real path of a file, if the package is linked from another folder, as in a workspace, or the importing file's own.
 * Node cannot load TypeScript, and nothing anew. Undefined for everything else, including what
 * cannot be found.
 */
export async function ownFile(specifier: string, folder: string): Promise<string | undefined> {
  return aliasedFile(specifier, folder) ?? linkedFile(specifier, folder);
}

/** The file that paths of a tsconfig.json give for an import of a package's form; undefined if none does. */
export function aliasedFile(specifier: string, folder: string): string | undefined {
  if (isBuiltin(specifier)) return undefined;
  // What packages import, no project of the user's says.
  if (folder.includes(FOREIGN)) return undefined;
  warnOfConfig(folder);
  for (const path of pathAliases(specifier, folder)) {
    const found = findLocal(path, folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function linkedFile(specifier: string, folder: string): Promise<string | undefined> {
  if (isBuiltin(specifier) || /^\w+:/.test(specifier) || isForeign(specifier, folder)) return undefined;
  if (packageNameOf(specifier) === OWN_NAME) return undefined;
  await loadResolver();
  try {
    const resolved = fileURLToPath(resolveAsNode(specifier, folder));
    // Node follows no link to a file whose ending was left out.
    const found = findLocal(resolved, folder);
    const path = found === undefined ? resolved : realpathSync(found);
    if (!/\.([mc]?[jt]s|[jt]sx|json)$/.test(path) || path.includes(FOREIGN)) return undefined;
    if (existsSync(path)) return !specifier.startsWith('#') && isForNode(path) ? undefined : path;
    const place = relative(folder, path);
    throw missingModule(
      `Cannot find '${specifier}'. By package.json it stands for ${place}, where there is no module.${insteadOfImport(specifier, folder)}`,
      {
        code: 'ERR_MODULE_NOT_FOUND',
      },
    );
  } catch (error) {
    if (error instanceof InputError) throw error;
    return undefined;
  }
}

/** When something of each linked package was last changed as it was first imported, by its folder. */
const changes = new Map<string, number>();

/**
 * Whether Node loads a file of a linked package: JavaScript, until something of the package has changed, so that what
 * installed packages import of it is the same module.
 */
function isForNode(path: string): boolean {
  if (!/\.([mc]?js|json)$/.test(path)) return false;
  const folder = homeOf(dirname(path));
  if (folder === undefined) return false;
  const last = lastChange(folder);
  if (!changes.has(folder)) changes.set(folder, last);
  return changes.get(folder) === last;
}

/** When JavaScript in a folder was last changed, but for installed packages. */
function lastChange(folder: string): number {
  let last = 0;
  for (const each of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, each.name);
    if (each.isDirectory() && each.name !== 'node_modules' && !each.name.startsWith('.'))
      last = Math.max(last, lastChange(path));
    if (each.isFile() && /\.([mc]?js|json)$/.test(each.name)) last = Math.max(last, statSync(path).mtimeMs);
  }
  return last;
}

/** Whether the package is installed in the usual way, so that Node need not be asked. */
function isForeign(specifier: string, folder: string): boolean {
  const name = packageNameOf(specifier);
  const folders = createRequire(join(folder, '_')).resolve.paths(specifier) ?? [];
  const found = folders.map((each) => join(each, name)).find((each) => existsSync(each));
  return found !== undefined && realpathSync(found).includes(FOREIGN);
}

/**
 * `import.meta` of a file, by its full path. Its `resolve` may be called only once `loadResolver` has been awaited; for a
 * local file that does not exist, it gives the specifier resolved as written.
 */
export function metaOf(filename: string) {
  const folder = dirname(filename);
  const url = pathToFileURL(filename).href;
  const resolve = (specifier: unknown): string => resolveImport(String(specifier), url, folder);
  return { url, filename, dirname: folder, resolve };
}

function resolveImport(specifier: string, url: string, folder: string): string {
  const aliased = isLocal(specifier) ? undefined : aliasedFile(specifier, folder);
  if (aliased !== undefined) return pathToFileURL(aliased).href;
  if (!isLocal(specifier)) return resolvePackage(specifier, folder);
  const found = findLocal(specifier, folder);
  return found === undefined ? new URL(specifier, url).href : pathToFileURL(found).href;
}
