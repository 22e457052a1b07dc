import { dirname } from 'node:path';
import { inspect } from 'node:util';
import type { Cells } from './cell-work.js';
import { upgradedPackage, warnOfUpgrade } from './fresh-modules.js';
import { importPackage, loadResolver, type Namespace } from './import-package.js';
import { LocalModules } from './local-modules.js';
import { isLocal, linkedTypeScript, type Meta, metaOf, resolveLocal } from './resolve-imports.js';
import { type SourceRegistry, withCaller } from './stack.js';

/** What the imports of cells call, under the global name `__oddslab__`. */
interface Loader {
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

/**
 * Names that cells may read although nothing declares them. Some were imported from modules that lack them: such an
 * import is not an error yet, because the name may be a type, of which nothing is left at run time; a later cell that
 * reads it as a value gets the error. Others are those that Node gives each file, such as `__dirname`; as globals, they
 * would mislead packages.
 */
export class MissingImports {
  /** The names as the cells use them. */
  readonly names: Set<string>;
  readonly #errors = new Map<string, () => Error>();
  readonly #given: Readonly<Record<string, unknown>>;

  /** @param given Values by name, such as `__dirname`. */
  constructor(given: Readonly<Record<string, unknown>> = {}) {
    this.#given = given;
    this.names = new Set(Object.keys(given));
  }

  /**
   * Looks for exports that need not exist and remembers those that do not.
   *
   * @param wanted The names that the module and the cell use for each export.
   * @param lack Makes the error for an export that does not exist.
   * @returns The module's exports, with those that only its default export has.
   */
  complete(
    namespace: Namespace,
    wanted: [imported: string, local: string][],
    lack: (name: string) => Error,
  ): Namespace {
    const whole = Object(namespace.default) as Namespace;
    const more: Namespace = {};
    for (const [imported, local] of wanted) {
      if (imported in namespace) continue;
      if (imported in whole) more[imported] = whole[imported];
      else {
        this.names.add(local);
        this.#errors.set(local, () => lack(imported));
      }
    }
    return Object.keys(more).length > 0 ? { ...namespace, ...more } : namespace;
  }

  /** The value of such a name where a cell reads it; throws if it is a missing import. */
  read(name: string): unknown {
    const error = this.#errors.get(name);
    if (error) throw error();
    if (Object.hasOwn(this.#given, name)) return this.#given[name];
    throw new ReferenceError(`${name} is not defined`);
  }
}

/**
 * The error for importing a name that a module lacks.
 *
 * @param remedy What may help. Default: nothing.
 */
function noExport(namespace: Namespace, name: string, specifier: string, remedy?: string): SyntaxError {
  // Newer Node.js exports the whole CommonJS module under this name.
  const names = Object.keys(namespace).filter((each) => each !== 'module.exports');
  const known = names.slice(0, 20).join(', ');
  const told = `The module '${specifier}' has no export named '${name}'. It exports: ${known || 'nothing'}`;
  return new SyntaxError(remedy === undefined ? told : `${told}. ${remedy}`);
}
