import { type Binding, evolvingOf, type KnownCell } from './cell-scope.js';
import type { Evolving } from './evolving-variables.js';
import { EARLIER, KEEPER, NOW, TYPE_OF } from './own-names.js';

/** The type of an evolving variable for which none is known. */
const UNKNOWN: Record<Evolving, string> = { array: 'any[]', value: 'any' };

/** How a cell's module takes a name from earlier cells. */
export interface Taken {
  binding: Binding;
  /**
   * How it is taken. An import can neither be assigned nor stand beside a type of its name; then a variable is needed.
   */
  as: 'import' | 'variable' | 'type';
  /** The cell whose type of this name must be imported beside a variable of this name. */
  types: KnownCell | undefined;
  /** Whether the cell assigns it or adds elements to it. */
  isChanged?: boolean;
  /** Its name in the cell, if that differs. */
  local?: string;
}

/**
 * The line before a cell that other cells import: it takes names from the cells themselves.
 *
 * @example cellPrelude(taken) // "import { a } from './.oddslab-cell-1.mts'; import * as … from …; declare let b: typeof ….b;"
 */
export function cellPrelude(taken: Taken[]): string {
  const imported = new Map<number, string[]>();
  const add = ({ id }: KnownCell, name: string) => imported.set(id, [...(imported.get(id) ?? []), name]);
  for (const { as, binding, types } of taken) {
    if (as === 'import') add(binding.cell, binding.name);
    if (types) add(types, binding.name);
  }
  const imports = [...imported].map(([id, names]) => `import { ${names.join(', ')} } from './${cellFile(id)}';`);
  const whole = new Set<number>();
  const declared = variables(taken, ({ id }) => {
    whole.add(id);
    return `${EARLIER}_${id}`;
  });
  const wholes = [...whole].map((id) => `import * as ${EARLIER}_${id} from './${cellFile(id)}';`);
  return [...imports, ...wholes, ...declared].join(' ');
}

/** The line before the cell being looked at: it takes all names from one document, {@link KEEPER}. */
export function draftPrelude(taken: Taken[]): string {
  const names = taken.flatMap(({ as, binding: { name }, types }) => [
    ...(as === 'import' ? [name] : []),
    ...(types ? [`${TYPE_OF}${name} as ${name}`] : []),
  ]);
  const imports = [`import { ${names.join(', ')} } from './${KEEPER}';`, `import * as ${EARLIER} from './${KEEPER}';`];
  return [...imports, ...variables(taken, () => EARLIER)].join(' ');
}

/** The file name by which other cells import a cell's document. */
export function cellFile(id: number): string {
  return `.oddslab-cell-${id}.mts`;
}

function variables(taken: Taken[], from: (cell: KnownCell) => string): string[] {
  return taken.flatMap((each) => (each.as === 'variable' ? [variable(each, from)] : []));
}

/**
 * Declares a variable of an earlier cell again, with its type. Of what earlier cells left in it, only that it is not
 * null or not undefined is carried over, and only if no function assigns it. A narrower type would refuse a later cell
 * that asks which of the types it is, as in `mode === 'fast'`.
 */
function variable(taken: Taken, from: (cell: KnownCell) => string): string {
  const { binding, local = binding.name } = taken;
  const { name, kind, cell, isNot } = binding;
  const evolving = evolvingOf(binding);
  if (evolving) return evolvingVariable(taken, evolving, from);
  const type = `typeof ${from(cell)}.${name}`;
  if (isNot.length === 0) return `declare ${kind === 'let' ? 'let' : 'const'} ${local}: ${type};`;
  // From its value: by a type written out, `let mode = found` could never hold but one literal.
  const value = `${EARLIER}_${local}`;
  const isNullish = isNot.map((nullish) => `${value} === ${nullish}`).join(' || ');
  const declaration = kind === 'let' ? `let ${local}: ${type}` : `const ${local}`;
  return `const ${value} = ${from(cell)}.${name}; if (${isNullish}) throw 0; ${declaration} = ${value};`;
}

/** Declares a variable whose type keeps evolving by use, beginning with the type that earlier cells have given it. */
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
