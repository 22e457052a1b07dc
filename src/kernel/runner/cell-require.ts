import { createRequire } from 'node:module';
import { isAbsolute, join, sep } from 'node:path';
import { InputError } from '../../base/errors.js';
import { findLocal, isLocal } from './find-local.js';
import { requireFresh, warnOfUpgrade } from './fresh-modules.js';
import { isInstalled, missingDependency, missingRequired, noOwnPart, OWN_NAME } from './import-package.js';
import { notInstalled } from './missing-package.js';
import { packageNameOf } from './package-manifest.js';
import { aliasedFile, noLocal } from './resolve-imports.js';

/**
 * Makes the `require` of a notebook's cells: Node's own as in a file of the folder, but it reloads files that were
 * edited and, when it fails, says what helps. `provided` are the kernel's own modules, in place of packages of that name.
 */
export function createCellRequire(folder: string, provided: Record<string, () => unknown>): NodeJS.Require {
  const native = createRequire(join(folder, '_'));
  const require = (specifier: string): unknown => {
    const own = Object.hasOwn(provided, specifier) ? provided[specifier] : undefined;
    if (own) return own();
    try {
      if (isLocal(specifier)) return requireFresh(native.resolve(specifier));
      const aliased = aliasedFile(specifier, folder);
      if (aliased !== undefined) return requireFresh(aliased);
      const path = native.resolve(specifier);
      if (isAbsolute(path) && !path.includes(`${sep}node_modules${sep}`)) return requireFresh(path);
      const exported: unknown = native(specifier);
      warnOfUpgrade(specifier, folder);
      return exported;
    } catch (error) {
      throw withRemedy(error, specifier, folder);
    }
  };
  const { resolve, cache, extensions, main } = native;
  return Object.assign(require, { resolve, cache, extensions, main });
}

function withRemedy(error: unknown, specifier: string, folder: string): unknown {
  if (error instanceof SyntaxError && /\.[mc]?tsx?$/.test(specifier))
    return importInstead('TypeScript here', specifier, error);
  const { code, message, requireStack } = Object(error);
  if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED' && /^No "exports" main/.test(message))
    return importInstead(`'${specifier}'`, specifier, error);
  const isItself = code === 'MODULE_NOT_FOUND' && Array.isArray(requireStack) && requireStack.length === 1;
  if (!isItself) return missingDependency(error) ?? missingRequired(error, folder) ?? error;
  // Imports find more files than Node's own `require` does.
  if (isLocal(specifier) && findLocal(specifier, folder) !== undefined)
    return importInstead('TypeScript here', specifier, error);
  if (isLocal(specifier)) return noLocal(specifier, folder, code);
  const name = packageNameOf(specifier);
  if (name === OWN_NAME && specifier !== name) return noOwnPart(specifier, folder);
  if (name === OWN_NAME) return importInstead(`'${specifier}'`, specifier, error);
  return isInstalled(name, join(folder, '_')) ? error : notInstalled(specifier, folder, error);
}

function importInstead(what: string, specifier: string, cause: unknown): InputError {
  return new InputError(`require() cannot load ${what}. Import it: import * as name from '${specifier}'`, { cause });
}
