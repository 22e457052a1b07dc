import { dirname } from 'node:path';
import { type CellOutlets, defineCellGlobals } from '../display/cell-globals.js';
import { createTslabModule } from '../display/tslab-module.js';
import { createMagics } from './cell-magics.js';
import { createCellRequire } from './cell-require.js';
import { createResumption, loweredSyntax } from './cell-runtime.js';
import { cellScripts, type DeclaredNames } from './cell-scripts.js';
import type { Cells } from './cell-work.js';
import type { Namespace } from './import-package.js';
import { knownProject } from './known-project.js';
import { createLoader } from './loader.js';
import { noteThrown, type SourceRegistry } from './stack.js';

/** What the environment of cells is made of. */
interface EnvironmentParts {
  cells: Cells;
  outlets: CellOutlets;
  /** Gives the cells' `node:test`. */
  tests: () => Namespace;
  /** Gets the names that cells declare. */
  declared: DeclaredNames;
  /** Gives the value that was shown last. */
  last: () => unknown;
}

/**
 * Defines what the cells of a notebook find around them: the globals by which they show and ask, `require`, and, under the
 * global name `__oddslab__`, what their imports and other parts of their code are turned into.
 *
 * @param notebook Full path of the notebook, from which imports resolve.
 * @returns The function that evaluates cells, see {@link cellScripts}.
 */
export function cellEnvironment(
  notebook: string,
  registry: SourceRegistry,
  { cells, outlets, tests, declared, last }: EnvironmentParts,
): ReturnType<typeof cellScripts> {
  const folder = dirname(notebook);
  let made: ReturnType<typeof createTslabModule> | undefined;
  const tslab = () => {
    made ??= createTslabModule(outlets);
    return made;
  };
  const provided = { tslab: async () => tslab(), 'node:test': async () => tests() };
  const { loader, missing } = createLoader(notebook, registry, cells, { provided, last });
  const bridge = {
    ...loader,
    ...createResumption(cells),
    thrown: noteThrown,
    value: undefined,
    ...createMagics(declared),
  };
  defineGlobals({
    ...defineCellGlobals(outlets),
    babelHelpers: loweredSyntax,
    require: createCellRequire(folder, { tslab: () => tslab().default, 'node:test': () => tests().default }),
  });
  // Read-only: without it no cell could run any more.
  Object.defineProperty(globalThis, '__oddslab__', { value: bridge });
  return cellScripts(registry, bridge, { missing, declared }, () => knownProject(folder));
}

function defineGlobals(values: Record<string | symbol, unknown>): void {
  for (const name of Reflect.ownKeys(values)) {
    const value = values[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
  }
}
