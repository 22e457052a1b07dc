import type { CellNames } from './cell-names.js';
import type { Binding, CellScope, KnownCell } from './cell-scope.js';

/** The document that gives on the names of all earlier cells that are open. */
export const KEEPER = '.oddslab-keep.mts';
/** The name by which a draft calls the keeper. */
export const EARLIER = 'oddslab_earlier';
const NARROWED = 'oddslab_now_';

/** A cell as a module that the language server can check. */
export interface CellText {
  /** As later cells import it: it imports from the cells themselves. */
  text: string;
  /**
   * As it is looked at: it imports from the one document {@link KEEPER}, in the same way each time. While imports stay,
   * the server changes its program in a tenth of the time.
   */
  draft: string;
  /** The names of earlier cells that it knows of. */
  bindings: Binding[];
  narrowed: Set<string>;
}

/** The name of a cell's document, as other cells import it. */
export function cellFile(id: number): string {
  return `.oddslab-cell-${id}.mts`;
}

/**
 * Makes a module of a cell: one line before its text imports the names of earlier cells that it mentions, lines after
 * it export its own. So a line of the cell is one line further down in the module, and columns stay.
 *
 * @param options.startsWith Of a cell that is being written, also names that start so are imported: any of them may
 * be meant.
 * @example cellText('b = a', …) // "import { a } from './.oddslab-cell-1.mts'; declare let b: typeof import(…).b;\nb = a…"
 */
export function cellText(
  code: string,
  names: CellNames,
  scope: CellScope,
  options: { startsWith?: Binding[] } = {},
): CellText {
  const bindings = new Map<string, Binding>();
  for (const name of mentioned(code)) {
    const binding = names.declared.has(name) ? undefined : scope.get(name);
    if (binding) bindings.set(name, binding);
  }
  for (const each of options.startsWith ?? []) if (!names.declared.has(each.name)) bindings.set(each.name, each);
  const narrowed = new Set([...names.annotated].filter((name) => names.declared.get(name) === 'let'));
  for (const name of names.assigned) {
    if ((names.declared.get(name) ?? bindings.get(name)?.kind) === 'let') narrowed.add(name);
  }
  const own = [...names.declared.keys()].filter((name) => !names.exported.has(name));
  const now = [...narrowed].map((name) => `export const ${NARROWED}${name} = ${name};`);
  const rest = `${code}\n;export { ${own.join(', ')} };\n${now.join('\n')}\n`;
  const known = [...bindings.values()];
  return { text: `${prelude(known)}\n${rest}`, draft: `${draftPrelude(known)}\n${rest}`, bindings: known, narrowed };
}

/** The cells that a cell's module imports. */
export function neededCells(bindings: Binding[]): KnownCell[] {
  return [...new Set(bindings.flatMap(({ cell, narrowedBy }) => (narrowedBy ? [cell, narrowedBy] : [cell])))];
}

/** Every identifier of a text, also those in strings and comments; not what follows a single dot. */
function mentioned(code: string): Set<string> {
  const found = new Set<string>();
  for (const [name] of code.matchAll(/(?<![\p{ID_Continue}$]|(?<!\.\.)\.)[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    found.add(name);
  }
  return found;
}

/** What the keeper says, so that a draft can import any of some names. */
export function keeperText(bindings: Binding[], sources: string[]): string {
  const exported = new Map<number, string[]>();
  const add = (id: number, name: string) => exported.set(id, [...(exported.get(id) ?? []), name]);
  for (const { name, cell, narrowedBy } of bindings) {
    add(cell.id, name);
    if (narrowedBy) add(narrowedBy.id, NARROWED + name);
  }
  const lines = [...exported].sort(([a], [b]) => a - b);
  const names = lines.map(([id, all]) => `export { ${all.sort().join(', ')} } from './${cellFile(id)}';`);
  return [...sources.map((source) => `import ${JSON.stringify(source)};`), ...names, 'export {};'].join('\n');
}

/** Whether a name is one that cells have for the sake of the checker. */
export function isOwnName(name: string): boolean {
  return name === EARLIER || name.startsWith(NARROWED);
}

function prelude(bindings: Binding[]): string {
  const imported = new Map<number, string[]>();
  for (const { kind, cell, name } of bindings) {
    if (kind !== 'let') imported.set(cell.id, [...(imported.get(cell.id) ?? []), name]);
  }
  const imports = [...imported].map(([id, names]) => `import { ${names.join(', ')} } from './${cellFile(id)}';`);
  return [...imports, ...variables(bindings, ({ id }) => `import('./${cellFile(id)}')`)].join(' ');
}

function draftPrelude(bindings: Binding[]): string {
  const names = bindings.filter(({ kind }) => kind !== 'let').map(({ name }) => name);
  const imports = [`import { ${names.join(', ')} } from './${KEEPER}';`, `import * as ${EARLIER} from './${KEEPER}';`];
  return [...imports, ...variables(bindings, () => EARLIER)].join(' ');
}

/** An import could not be assigned, so a variable of an earlier cell is declared again, with its type. */
function variables(bindings: Binding[], from: (cell: KnownCell) => string): string[] {
  return bindings.flatMap(({ name, kind, cell, narrowedBy }) => {
    if (kind !== 'let') return [];
    const type = `typeof ${from(cell)}.${name}`;
    if (!narrowedBy) return [`declare let ${name}: ${type};`];
    const now = `typeof ${from(narrowedBy)}.${NARROWED}${name}`;
    // After code that always throws the present type is `never`: then the declared one says more.
    return [`let ${name}: ${type} = null! as ([${now}] extends [never] ? ${type} : ${now});`];
  });
}
