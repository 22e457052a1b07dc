import { existsSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadResolver, packageNameOf, resolveAsNode } from './import-package.js';

const FOREIGN = `${sep}node_modules${sep}`;

/**
 * Finds the TypeScript file that a package name refers to, if the package is the user's own: linked from another
 * folder, as in a workspace, or the importing file's own package. Node cannot load such files, or loads other
 * instances.
 *
 * @param folder The importing file's folder.
 * @returns Its real path; undefined for everything else, including what cannot be found.
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
