import type { Node, Program } from 'oxc-parser';
import { lexicalNames } from './declared-names.js';
import { isReserved } from './reserved-names.js';

/** What the cells before say of a cell's names. */
export interface EarlierNames {
  /** Declared by `const`. */
  constants: ReadonlySet<string>;
  /** Declared by `var`: another leaves them their values. */
  vars: ReadonlySet<string>;
  /** Reserved names that cells declared: they are called otherwise where the cells run. */
  renamed: ReadonlySet<string>;
  /** Imported, though their modules do not export them. */
  missing: ReadonlySet<string>;
}

/** The top-level names of a cell. */
export interface TopLevelNames {
  /** Those declared by `const`. */
  constants: Set<string>;
  /** All others that it declares. */
  variables: Set<string>;
  /** Those of them that it declares by `var`. */
  vars: ReadonlySet<string>;
  /** What it needed to know of the cells before. */
  used: EarlierNames;
  /** Those reserved names that it or a cell before declared and it uses. */
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
    for (const { local } of statement.specifiers) variables.add(local.name);
  } else {
    const isConstant = statement.type === 'VariableDeclaration' && statement.kind === 'const';
    for (const name of lexicalNames([statement])) (isConstant ? constants : variables).add(name);
  }
}
