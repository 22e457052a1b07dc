import type { Node, Program } from 'oxc-parser';
import { lexicalNames } from './declared-names.js';
import { isReserved } from './reserved-names.js';

/** What earlier cells determine about a cell's names. */
export interface EarlierNames {
  /** Names declared by `const`, `using` or `import`. */
  constants: ReadonlySet<string>;
  /** Names declared by `var`; another `var` keeps their values. */
  vars: ReadonlySet<string>;
  /** Reserved names that cells declared; they are renamed where the cells run. */
  renamed: ReadonlySet<string>;
  /** Names imported from modules that do not export them. */
  missing: ReadonlySet<string>;
}

/** The top-level names of a cell. */
export interface TopLevelNames {
  /** The names declared by `const`, `using` or `import`. */
  constants: Set<string>;
  /** All other names that the cell declares. */
  variables: Set<string>;
  /** Those of `variables` that are declared by `var`. */
  vars: ReadonlySet<string>;
  /** The part of what earlier cells determine that this cell depends on. */
  used: EarlierNames;
  /** The reserved names that this cell declares, or that it uses and an earlier cell declared. */
  renamed: Set<string>;
}

/**
 * Reads what a cell declares at its top level.
 *
 * @param vars The names that it declares by `var`, at any depth.
 * @param referenced All names that it uses.
 */
export function topLevelNames(
  program: Program,
  vars: ReadonlySet<string>,
  referenced: ReadonlySet<string>,
  earlier: EarlierNames,
): TopLevelNames {
  const constants = new Set<string>();
  const variables = new Set(vars);
  for (const statement of program.body) declare(statement, constants, variables);
  const isOwn = (name: string): boolean => constants.has(name) || variables.has(name);
  const renamed = new Set([...constants, ...variables].filter(isReserved));
  for (const name of referenced) if (earlier.renamed.has(name)) renamed.add(name);
  const used = {
    constants: new Set([...referenced].filter((name) => earlier.constants.has(name) && !isOwn(name))),
    vars: new Set([...vars].filter((name) => earlier.vars.has(name))),
    renamed: new Set([...renamed].filter((name) => earlier.renamed.has(name))),
    missing: new Set([...referenced].filter((name) => earlier.missing.has(name) && !isOwn(name))),
  };
  return { constants, variables, vars, used, renamed };
}

function declare(statement: Node, constants: Set<string>, variables: Set<string>): void {
  if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') {
    if (statement.declaration) declare(statement.declaration, constants, variables);
  } else if (statement.type === 'ImportDeclaration') {
    for (const { local } of statement.specifiers) constants.add(local.name);
  } else {
    const isConstant = statement.type === 'VariableDeclaration' && statement.kind !== 'let';
    for (const name of lexicalNames([statement])) (isConstant ? constants : variables).add(name);
  }
}
