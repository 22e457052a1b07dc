import { existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { InputError } from '../../base/errors.js';
import { loadResolver, missingModule, packageNameOf, resolveAsNode, resolvePackage } from './import-package.js';

const EXTENSIONS = ['.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '.json'];
const TYPESCRIPT_OF: Record<string, string> = { '.js': '.ts', '.mjs': '.mts', '.cjs': '.cts' };

/** Whether an import names a file rather than a package. */
export function isLocal(specifier: string): boolean {
  return /^(\.{0,2}\/|\.{1,2}$|file:)/.test(specifier);
}

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
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return createRequire(join(folder, '_')).resolve(path);
  throw noLocal(specifier, 'ERR_MODULE_NOT_FOUND');
}

/** The error for a local module that does not exist. */
export function noLocal(specifier: string, code: string): InputError {
  const name = basename(specifier);
  const looked = JAVASCRIPT.test(name) ? name : `${name}.ts, ${name}.js and ${name}/index.ts`;
  const message = `Cannot find the module '${specifier}': looked for ${looked} from the importing file's folder.`;
  return missingModule(message, { code });
}

/** Does the same, but returns undefined if there is none. */
export function findLocal(specifier: string, folder: string): string | undefined {
  const path = pathOf(specifier, folder);
  const extension = JAVASCRIPT.exec(path)?.[0] ?? '';
  const typescript = TYPESCRIPT_OF[extension];
  const candidates = [
    path,
    ...(typescript ? [path.slice(0, -extension.length) + typescript] : []),
    ...EXTENSIONS.map((each) => path + each),
    ...EXTENSIONS.map((each) => join(path, `index${each}`)),
  ];
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
}

const JAVASCRIPT = /\.[mc]?js$/;

function pathOf(specifier: string, folder: string): string {
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(folder, specifier);
}

const FOREIGN = `${sep}node_modules${sep}`;

/**
 * The real path of the TypeScript file that a package name refers to, if the package is the user's own: linked from
 * another folder, as in a workspace, or the importing file's own package. Node cannot load such files, or loads other
 * instances. Undefined for everything else, including what cannot be found.
 */
export async function linkedTypeScript(specifier: string, folder: string): Promise<string | undefined> {
  if (isBuiltin(specifier) || /^\w+:/.test(specifier) || isForeign(specifier, folder)) return undefined;
  await loadResolver();
  try {
    const path = fileURLToPath(resolveAsNode(specifier, folder));
    return /\.([mc]?ts|tsx)$/.test(path) && !path.includes(FOREIGN) ? path : undefined;
  } catch {
    return undefined;
  }
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
  if (!isLocal(specifier)) return resolvePackage(specifier, folder);
  const found = findLocal(specifier, folder);
  return found === undefined ? new URL(specifier, url).href : pathToFileURL(found).href;
}
