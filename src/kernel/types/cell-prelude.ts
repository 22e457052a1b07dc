import { type Binding, evolvingOf, type KnownCell } from './cell-scope.js';
import type { Evolving } from './evolving-variables.js';
import { EARLIER, KEEPER, NOW, TYPE_OF } from './own-names.js';

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
 * of the types it is, as in `mode === 'fast'`, though at present it is another.
 */
function variable(taken: Taken, from: (cell: KnownCell) => string): string {
  const { binding, local = binding.name } = taken;
  const { name, kind, cell, isNot } = binding;
  const evolving = evolvingOf(binding);
  if (evolving) return evolvingVariable(taken, evolving, from);
  const type = `typeof ${from(cell)}.${name}`;
  if (isNot.length === 0) return `declare ${kind === 'let' ? 'let' : 'const'} ${local}: ${type};`;
  return `let ${local}: ${type} = null! as Exclude<${type}, ${isNot.join(' | ')}>;`;
}

/** A variable whose type goes on to change by its use, from what the cells before have made of it. */
function evolvingVariable(
  { binding, local = binding.name, isChanged }: Taken,
  evolving: Evolving,
  from: (cell: KnownCell) => string,
): string {
  const { name, kind, evolvedBy, isChangedByFunction } = binding;
  const keyword = kind === 'let' ? 'let' : 'const';
  const type = UNKNOWN[evolving];
  const now = evolvedBy ? `typeof ${from(evolvedBy)}.${NOW}${name}` : type;
  if (!isChanged) return `declare ${keyword} ${local}: [${now}] extends [null | undefined] ? ${type} : ${now};`;
  if (evolving === 'value') return `${keyword} ${local}; ${local} = null! as ${now};`;
  const hasElements = evolvedBy || isChangedByFunction;
  return `${keyword} ${local} = [];${hasElements ? ` ${local}.push(null! as (${now})[number]);` : ''}`;
}
