import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolvePackage } from './import-package.js';
import { findLocal, isLocal } from './resolve-local.js';

/** The value of `import.meta`. */
export interface Meta {
  url: string;
  filename: string;
  dirname: string;
  /**
   * The URL that an import would load; for a local file that does not exist, the specifier resolved as written. Call it
   * only once `loadResolver` has been awaited.
   *
   * @throws {InputError} If it names a package that is not installed.
   */
  resolve(specifier: unknown): string;
}

/** `import.meta` of a file, by its full path. */
export function metaOf(filename: string): Meta {
  const folder = dirname(filename);
  const url = pathToFileURL(filename).href;
  return { url, filename, dirname: folder, resolve: (specifier) => resolveImport(String(specifier), url, folder) };
}

function resolveImport(specifier: string, url: string, folder: string): string {
  if (!isLocal(specifier)) return resolvePackage(specifier, folder);
  const found = findLocal(specifier, folder);
  return found === undefined ? new URL(specifier, url).href : pathToFileURL(found).href;
}
