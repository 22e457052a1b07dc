import { type Binding, evolvingOf, type KnownCell } from './cell-scope.js';
import type { Evolving } from './evolving-variables.js';
import { EARLIER, KEEPER, NARROWED, TYPE_OF } from './own-names.js';

/** Of a variable that gets its type by its use, where that is not known. */
const UNKNOWN: Record<Evolving, string> = { array: 'any[]', value: 'any' };

/** What a cell's module takes of a name of earlier cells. */
export interface Taken {
  binding: Binding;
  /** As an import, or as a variable: an import can be neither assigned nor stand beside a type of its name. */
  as: 'import' | 'variable' | 'type';
  /** The cell that has the type of this name, where it must be imported beside a variable of this name. */
  types: KnownCell | undefined;
  /** Whether the cell assigns it, or puts something into it. */
  isChanged?: boolean;
  /** What the cell calls it, where that is not its name. */
  local?: string;
}

/**
 * The line before a cell that other cells import: it takes names from the cells themselves.
 *
 * @example cellPrelude(taken) // "import { a } from './.oddslab-cell-1.mts'; declare let b: typeof import(…).b;"
 */
export function cellPrelude(taken: Taken[]): string {
  const imported = new Map<number, string[]>();
  const add = ({ id }: KnownCell, name: string) => imported.set(id, [...(imported.get(id) ?? []), name]);
  for (const { as, binding, types } of taken) {
    if (as === 'import') add(binding.cell, binding.name);
    if (types) add(types, binding.name);
  }
  const imports = [...imported].map(([id, names]) => `import { ${names.join(', ')} } from './${cellFile(id)}';`);
  return [...imports, ...variables(taken, ({ id }) => `import('./${cellFile(id)}')`)].join(' ');
}

/** The line before the cell that is looked at: it takes names from the one document {@link KEEPER}. */
export function draftPrelude(taken: Taken[]): string {
  const names = taken.flatMap(({ as, binding: { name }, types }) => [
    ...(as === 'import' ? [name] : []),
    ...(types ? [`${TYPE_OF}${name} as ${name}`] : []),
  ]);
  const imports = [`import { ${names.join(', ')} } from './${KEEPER}';`, `import * as ${EARLIER} from './${KEEPER}';`];
  return [...imports, ...variables(taken, () => EARLIER)].join(' ');
}

/** The name of a cell's document, as other cells import it. */
export function cellFile(id: number): string {
  return `.oddslab-cell-${id}.mts`;
}

function variables(taken: Taken[], from: (cell: KnownCell) => string): string[] {
  return taken.flatMap((each) => (each.as === 'variable' ? [variable(each, from)] : []));
}

/**
 * A variable of an earlier cell is declared again, with its type. Of what the cells before left in it no more is carried
 * than that it is not null or not undefined, and this only where no function assigns it: a later cell may well ask which
 * of the types it is, as in `mode === 'fast'`, though at present it is another. One that holds nothing but null or
 * undefined, or nothing since the code before always throws, is of its declared type.
 */
function variable({ binding, local = binding.name, isChanged }: Taken, from: (cell: KnownCell) => string): string {
  const { name, kind, cell, narrowedBy } = binding;
  const evolving = evolvingOf(binding);
  const type = evolving ? UNKNOWN[evolving] : `typeof ${from(cell)}.${name}`;
  const now = narrowedBy ? `typeof ${from(narrowedBy)}.${NARROWED}${name}` : type;
  const keyword = kind === 'let' ? 'let' : 'const';
  if (evolving && isChanged) return `${keyword} ${local}${evolution(binding, now)};`;
  if (!narrowedBy) return `declare ${keyword} ${local}: ${type};`;
  if (evolving) return `declare ${keyword} ${local}: [${now}] extends [null | undefined] ? ${type} : ${now};`;
  const known = `Exclude<${type}, Exclude<null | undefined, ${now}>>`;
  return `let ${local}: ${type} = null! as ([${now}] extends [null | undefined] ? ${type} : ${known});`;
}

/** What the cells before have made of a variable whose type goes on to change by its use. */
function evolution(binding: Binding, now: string): string {
  const { name, narrowedBy, isChangedByFunction } = binding;
  if (evolvingOf(binding) === 'value') return `; ${name} = null! as ${now}`;
  return narrowedBy || isChangedByFunction ? ` = []; ${name}.push(null! as (${now})[number])` : ' = []';
}
