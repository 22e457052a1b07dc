import type { Namespace } from './import-package.js';

/**
 * Names that cells imported from modules that lack them. Such an import is no error yet: the name may be a type, of
 * which nothing is left at run time. A later cell that reads it as a value is told.
 */
export class MissingImports {
  /** What the cells call them. */
  readonly names = new Set<string>();
  readonly #errors = new Map<string, () => Error>();

  /**
   * Looks for exports that need not exist, and remembers which do not.
   *
   * @param wanted Each name as the module and as the cell calls it.
   * @returns The module's exports, with those that only its default export has.
   */
  complete(namespace: Namespace, wanted: [imported: string, local: string][], specifier: string): Namespace {
    const whole = Object(namespace.default) as Namespace;
    const more: Namespace = {};
    for (const [imported, local] of wanted) {
      if (imported in namespace) continue;
      if (imported in whole) more[imported] = whole[imported];
      else {
        this.names.add(local);
        this.#errors.set(local, () => noExport(namespace, imported, specifier));
      }
    }
    return Object.keys(more).length > 0 ? { ...namespace, ...more } : namespace;
  }

  /** What stands for such a name where a cell reads it: throws. */
  read(name: string): never {
    throw this.#errors.get(name)?.() ?? new ReferenceError(`${name} is not defined`);
  }
}

/** The error of an import of what a module lacks. */
export function noExport(namespace: Namespace, name: string, specifier: string): SyntaxError {
  const known = Object.keys(namespace).slice(0, 20).join(', ');
  return new SyntaxError(`The module '${specifier}' has no export named '${name}'. It exports: ${known || 'nothing'}`);
}
