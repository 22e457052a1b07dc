import type { Namespace } from './import-package.js';

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
export function noExport(namespace: Namespace, name: string, specifier: string, remedy?: string): SyntaxError {
  // Newer Node.js exports the whole CommonJS module under this name.
  const names = Object.keys(namespace).filter((each) => each !== 'module.exports');
  const known = names.slice(0, 20).join(', ');
  const told = `The module '${specifier}' has no export named '${name}'. It exports: ${known || 'nothing'}`;
  return new SyntaxError(remedy === undefined ? told : `${told}. ${remedy}`);
}
