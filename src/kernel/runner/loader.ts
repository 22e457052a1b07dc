import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importPackage, type Namespace } from './import-package.js';
import { LocalModules } from './local-modules.js';
import { isLocal, resolveLocal } from './resolve-local.js';
import type { SourceRegistry } from './source-registry.js';

/** What a cell's imports call, under the global name `__oddslab__`. */
export interface Loader {
  /** `import { names } from 'specifier'`; the names must exist. */
  load(specifier: string, names: string[]): Promise<Namespace>;
  /** `import(specifier)`. */
  dynamic(specifier: unknown, options?: ImportCallOptions): Promise<Namespace>;
  /** `import.meta`. */
  meta: { url: string; filename: string; dirname: string };
}

/**
 * Imports for the cells of a notebook, which see what a module at the notebook's place would see.
 *
 * @param provided Modules that we give ourselves, by specifier, in place of packages of their name.
 */
export function createLoader(
  notebook: string,
  registry: SourceRegistry,
  provided: Record<string, () => Promise<Namespace>> = {},
): Loader {
  const folder = dirname(notebook);
  const importFrom = async (specifier: string, from: string, options?: ImportCallOptions): Promise<Namespace> => {
    if (isLocal(specifier)) return local.load(resolveLocal(specifier, from));
    const own = Object.hasOwn(provided, specifier) ? provided[specifier] : undefined;
    return own ? own() : importPackage(specifier, from, options);
  };
  const local = new LocalModules(folder, registry, importFrom);
  return {
    async load(specifier, names) {
      const namespace = await importFrom(specifier, folder);
      return names.every((name) => name in namespace) ? namespace : withMissing(namespace, names, specifier);
    },
    async dynamic(specifier, options) {
      return importFrom(String(specifier), folder, options);
    },
    meta: { url: pathToFileURL(notebook).href, filename: notebook, dirname: folder },
  };
}

/** Node cannot see every export of a CommonJS module from outside; those are properties of its default export. */
function withMissing(namespace: Namespace, names: string[], specifier: string): Namespace {
  const whole = Object(namespace.default) as Namespace;
  const found: Namespace = { ...namespace };
  for (const name of names) {
    if (name in found) continue;
    if (!(name in whole)) {
      const known = Object.keys(namespace).slice(0, 20).join(', ');
      throw new SyntaxError(
        `The module '${specifier}' has no export named '${name}'. It exports: ${known || 'nothing'}`,
      );
    }
    found[name] = whole[name];
  }
  return found;
}
