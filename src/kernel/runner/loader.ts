import { dirname } from 'node:path';
import { inspect } from 'node:util';
import { InputError } from '../../base/errors.js';
import type { Cells } from './cell-work.js';
import { isLocal } from './find-local.js';
import { upgradedPackage, warnOfUpgrade } from './fresh-modules.js';
import { importPackage, loadResolver, type Namespace } from './import-package.js';
import { localModules } from './local-modules.js';
import { missingExport, needless } from './missing-export.js';
import { metaOf, ownFile, resolveLocal } from './resolve-imports.js';
import { type SourceRegistry, withCaller } from './stack.js';

/**
 * Makes what the imports of a notebook's cells call, under the global name `__oddslab__`; they see what a module in the
 * notebook's place would see. `provided` are the kernel's own modules, in place of packages of that name; `last` gives
 * the value that was shown last.
 *
 * @returns The imports, and the names that cells may read although nothing declares them. Some were imported from
 * modules that lack them: such an import is not an error yet, because the name may be a type, of which nothing is left
 * at run time; a later cell that reads it as a value gets the error. Others are those that Node gives each file, such
 * as `__dirname`, and `_`, the last value; as globals, they would mislead packages.
 */
export function createLoader(
  notebook: string,
  registry: SourceRegistry,
  cells: Cells,
  { provided, last }: { provided: Record<string, () => Promise<Namespace>>; last: () => unknown },
) {
  const folder = dirname(notebook);
  const given: Namespace = {
    __dirname: folder,
    __filename: notebook,
    get _() {
      return last();
    },
  };
  const missing = new Set(Object.keys(given));
  const lacking = new Map<string, () => Error>();
  const importFrom = async (specifier: string, from: string, options?: ImportCallOptions): Promise<Namespace> => {
    if (isLocal(specifier)) return loadLocal(resolveLocal(specifier, from));
    const own = Object.hasOwn(provided, specifier) ? provided[specifier] : undefined;
    if (own) return own();
    const linked = await ownFile(specifier, from);
    if (linked !== undefined) return loadLocal(linked);
    const namespace = await importPackage(specifier, from, options);
    warnOfUpgrade(specifier, from);
    return namespace;
  };
  const loadLocal = localModules(folder, registry, importFrom, cells);
  type Unused = [imported: string, local: string][];
  const load = async (specifier: string, names: string[], unused: Unused = []): Promise<Namespace> => {
    const wanted = [...names, ...unused.map(([imported]) => imported)];
    const namespace = await importFrom(specifier, folder).catch((error: unknown) => {
      const known = error instanceof InputError ? needless(wanted) : undefined;
      if (known !== undefined) (error as InputError).message = `${known} ${(error as InputError).message}`;
      throw error;
    });
    const lack = (name: string): Error => noExport(namespace, name, specifier, upgradedPackage(specifier, folder));
    // Exports of a CommonJS module that Node cannot see from outside: they are properties of its default export.
    const whole = Object(namespace.default) as Namespace;
    const more: Namespace = {};
    for (const [name, as] of [...unused, ...names.map((each) => [each, undefined] as const)]) {
      if (name in namespace) continue;
      if (name in whole) more[name] = whole[name];
      else if (as === undefined) throw lack(name);
      else {
        missing.add(as);
        lacking.set(as, () => lack(name));
      }
    }
    return Object.keys(more).length > 0 ? { ...namespace, ...more } : namespace;
  };
  const loader = {
    /** Runs `import { names } from 'specifier'`. The names must exist; those that the cell does not use need not. */
    load: (...request: Parameters<typeof load>) => withCaller(() => load(...request)),
    /** Runs `import(specifier)`. */
    dynamic: (specifier: unknown, options?: ImportCallOptions): Promise<Namespace> =>
      withCaller(async () => importFrom(checkedSpecifier(specifier), folder, options)),
    /** The cells' `import.meta`; its `resolve` can be called once `resolver` has been awaited. */
    meta: metaOf(notebook),
    resolver: loadResolver,
    /** The value of one of the missing names where a cell reads it; throws if it is a missing import. */
    missing(name: string): unknown {
      const error = lacking.get(name);
      if (error) throw error();
      if (Object.hasOwn(given, name)) return given[name];
      throw new ReferenceError(`${name} is not defined`);
    },
  };
  return { loader, missing };
}

function checkedSpecifier(specifier: unknown): string {
  if (typeof specifier === 'string') return specifier;
  if (specifier instanceof URL) return specifier.href;
  throw new TypeError(`import() takes the name of a package or the path of a file; got ${inspect(specifier)}.`);
}

/** The error for importing a name that a module lacks, with what may help. */
function noExport(namespace: Namespace, name: string, specifier: string, remedy?: string): SyntaxError {
  // Newer Node.js exports the whole CommonJS module under this name.
  const names = Object.keys(namespace).filter((each) => each !== 'module.exports');
  const told = missingExport(name, specifier, names);
  return new SyntaxError(remedy === undefined ? told : `${told}. ${remedy}`);
}
