import { dirname } from 'node:path';
import { inspect } from 'node:util';
import type { Cells } from './cell-context.js';
import { withCaller } from './error-places.js';
import { type Meta, metaOf } from './import-meta.js';
import { importPackage, loadResolver, type Namespace } from './import-package.js';
import { linkedTypeScript } from './linked-typescript.js';
import { LocalModules } from './local-modules.js';
import { type MissingImports, noExport } from './missing-imports.js';
import { isLocal, resolveLocal } from './resolve-local.js';
import type { SourceRegistry } from './source-registry.js';
import { upgradedPackage, warnOfUpgrade } from './upgraded-package.js';

/** What the imports of cells call, under the global name `__oddslab__`. */
export interface Loader {
  /** Runs `import { names } from 'specifier'`. The names must exist; those that the cell does not use need not. */
  load(specifier: string, names: string[], unused?: [imported: string, local: string][]): Promise<Namespace>;
  /** Runs `import(specifier)`. */
  dynamic(specifier: unknown, options?: ImportCallOptions): Promise<Namespace>;
  /** The cells' `import.meta`; its `resolve` can be called once `resolver` has been awaited. */
  meta: Meta;
  resolver(): Promise<void>;
}

/**
 * Makes the imports of a notebook's cells, which see what a module in the notebook's place would see.
 *
 * @param missing Gets the names that cells import although they do not exist.
 * @param provided Modules that the kernel provides, by specifier, in place of packages of that name.
 */
export function createLoader(
  notebook: string,
  registry: SourceRegistry,
  missing: MissingImports,
  cells: Cells,
  provided: Record<string, () => Promise<Namespace>> = {},
): Loader {
  const folder = dirname(notebook);
  const importFrom = async (specifier: string, from: string, options?: ImportCallOptions): Promise<Namespace> => {
    if (isLocal(specifier)) return local.load(resolveLocal(specifier, from));
    const own = Object.hasOwn(provided, specifier) ? provided[specifier] : undefined;
    if (own) return own();
    const linked = await linkedTypeScript(specifier, from);
    if (linked !== undefined) return local.load(linked);
    const namespace = await importPackage(specifier, from, options);
    warnOfUpgrade(specifier, from);
    return namespace;
  };
  const local = new LocalModules(folder, registry, importFrom, cells);
  return {
    load: (specifier, names, unused = []) =>
      withCaller(async () => {
        const namespace = await importFrom(specifier, folder);
        const lack = (name: string): Error => noExport(namespace, name, specifier, upgradedPackage(specifier, folder));
        const whole = missing.complete(namespace, unused, lack);
        return names.every((name) => name in whole) ? whole : withMissing(whole, names, lack);
      }),
    dynamic: (specifier, options) => withCaller(async () => importFrom(checkedSpecifier(specifier), folder, options)),
    meta: metaOf(notebook),
    resolver: loadResolver,
  };
}

function checkedSpecifier(specifier: unknown): string {
  if (typeof specifier === 'string') return specifier;
  if (specifier instanceof URL) return specifier.href;
  throw new TypeError(`import() takes the name of a package or the path of a file; got ${inspect(specifier)}.`);
}

/** Adds exports of a CommonJS module that Node cannot see from outside: they are properties of its default export. */
function withMissing(namespace: Namespace, names: string[], lack: (name: string) => Error): Namespace {
  const whole = Object(namespace.default) as Namespace;
  const found: Namespace = { ...namespace };
  for (const name of names) {
    if (name in found) continue;
    if (!(name in whole)) throw lack(name);
    found[name] = whole[name];
  }
  return found;
}
