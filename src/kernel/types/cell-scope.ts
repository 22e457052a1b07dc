import type { Rewritten } from '../transform/edits.js';
import type { Amendment, Insertion } from './amendments.js';
import type { CellNames, NameKind } from './cell-names.js';
import type { Habits } from './habits.js';
import type { Diagnostic } from './type-service.js';
import type { Evolving } from './variable-changes.js';

/** A cell that later cells can refer to. */
export interface KnownCell {
  /** Counted from 1 and never reused. */
  id: number;
  /** The text that the language server gets for it. */
  text: string;
  /** The cell's lines within that text, if they are not its own. */
  body: Rewritten | undefined;
  /** The same with what stands in it for the checker alone. */
  written: (insertions: readonly Insertion[]) => Written;
  names: CellNames;
  /** The cells that its text imports. */
  needs: KnownCell[];
  /** Evolving variables, its own or earlier cells', that it changed: it exports what it made of them. */
  evolved: Set<string>;
  /** Other variables, its own or earlier cells', that it assigned or checked; what they are known not to be after it. */
  leftIn: Map<string, Nullish[]>;
  /** Variables without a written type, its own or earlier cells', that have the type of their last value. */
  widened: ReadonlySet<string>;
  /** Variables, its own or earlier cells', that may hold anything since. */
  freed: ReadonlySet<string>;
  /** What it shows of values that it, or an earlier cell, makes. */
  amendments: readonly Amendment[];
  /** Names that its functions use and that no cell had declared when it ran. */
  unmet: Unmet[];
}

/** A cell's text, and its lines in it. */
export interface Written {
  text: string;
  body: Rewritten | undefined;
}

/** A name that a function uses and that may come with a later cell. */
export interface Unmet {
  name: string;
  /** The function, class or constant at the cell's top level that uses it. */
  by: string;
  /** What is wrong if it never comes. */
  diagnostic: Diagnostic;
}

/** What a name stands for after the known cells. */
export interface Binding {
  name: string;
  /** The kind of the value; `type` if there is no value. */
  kind: NameKind;
  /** The cell that declares the value, or the type if there is no value. */
  cell: KnownCell;
  /** What it is known not to be since a cell assigned or checked it; empty if functions assign it. */
  isNot: Nullish[];
  /** How its type derives from its use; undefined if it does not. */
  evolving: Evolving | undefined;
  /** For an evolving variable, the cell that changed it last; undefined if functions change it. */
  evolvedBy: KnownCell | undefined;
  /** Whether a function changes it: then nobody knows what it holds after a cell. */
  isChangedByFunction: boolean;
  /** Whether it may hold anything since a cell gave it something of another type. */
  isFreed: boolean;
  /** The cell that declares the type of this name; undefined if it is only a value. */
  types: KnownCell | undefined;
}

/** How a variable of earlier cells evolves; undefined for others. */
export function evolvingOf({ kind, evolving }: Binding): Evolving | undefined {
  return kind === 'let' || kind === 'const' ? evolving : undefined;
}

/** Whether a cell must declare a name again: what is assigned, evolves by use or has become narrower is no import. */
export function isVariable(binding: Binding): boolean {
  return binding.isFreed || binding.kind === 'let' || binding.isNot.length > 0 || evolvingOf(binding) !== undefined;
}

/**
 * The names of all known cells. A later cell's declaration hides an earlier one's, separately for values and types,
 * since a type hides no value where the cells run.
 */
export class CellScope {
  #cells: KnownCell[] = [];
  #bindings = new Map<string, Binding>();

  /** The cells that declare something for all files. */
  get ambient(): KnownCell[] {
    return this.#cells.filter(({ names }) => names.isAmbient);
  }

  /** All cells, the first first. */
  get cells(): readonly KnownCell[] {
    return this.#cells;
  }

  /** What cells show of values that a cell makes, and what one more shows. */
  insertionsIn(cell: KnownCell, more: readonly Amendment[] = []): Insertion[] {
    const all = [...this.#cells.flatMap(({ amendments }) => amendments), ...more];
    return all.flatMap(({ cell: amended, ...insertion }) => (amended === cell ? [insertion] : []));
  }

  /** What all cells, and one more, do without saying so in types. */
  habitsWith(own: Habits): Habits[] {
    return [...this.#cells.map(({ names }) => names.habits), own];
  }

  /** The names that functions and classes of earlier cells use and that no cell has declared since. */
  get unmet(): Unmet[] {
    const isUsed = ({ by }: Unmet, cell: KnownCell) => this.#bindings.get(by)?.cell === cell;
    return this.#cells.flatMap((cell) => cell.unmet.filter((each) => this.#isUnmet(each) && isUsed(each, cell)));
  }

  /** What is wrong in a cell for the names that have not come since. */
  unmetOf(cell: KnownCell): Diagnostic[] {
    return cell.unmet.filter((each) => this.#isUnmet(each)).map(({ diagnostic }) => diagnostic);
  }

  #isUnmet({ name }: Unmet): boolean {
    return !this.#bindings.has(name);
  }

  /** Adds a cell after the others. */
  add(cell: KnownCell): void {
    this.#cells.push(cell);
    this.#bind(cell);
    this.#write(cell);
  }

  /** Removes a cell, even if others follow it. */
  remove(cell: KnownCell): void {
    this.#cells = this.#cells.filter((each) => each !== cell);
    this.#bindings.clear();
    for (const each of this.#cells) this.#bind(each);
    this.#write(cell);
  }

  get(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  /** All known names, the one declared last first. */
  all(): Binding[] {
    return [...this.#bindings.values()].reverse();
  }

  /** Writes the texts of the cells again of which a cell shows something. */
  #write({ amendments }: KnownCell): void {
    for (const amended of new Set(amendments.map(({ cell }) => cell)))
      if (amended) Object.assign(amended, amended.written(this.insertionsIn(amended)));
  }

  #bind(cell: KnownCell): void {
    for (const [name, kind] of cell.names.declared) {
      const before = this.#bindings.get(name);
      this.#bindings.delete(name);
      const types = cell.names.types.has(name) ? cell : before?.types;
      const hasValue = kind === 'type' && before && before.kind !== 'type';
      const made = {
        name,
        kind,
        cell,
        isNot: [],
        evolving: cell.names.evolving.get(name),
        evolvedBy: undefined,
        isChangedByFunction: false,
        isFreed: false,
        types,
      };
      this.#bindings.set(name, hasValue ? { ...before, types } : made);
    }
    const { assignedByFunctions, filledByFunctions } = cell.names;
    for (const name of new Set([...assignedByFunctions, ...filledByFunctions])) {
      const binding = this.#bindings.get(name);
      if (!binding || !(assignedByFunctions.has(name) || evolvingOf(binding))) continue;
      this.#bindings.set(name, { ...binding, isNot: [], evolvedBy: undefined, isChangedByFunction: true });
    }
    for (const [name, isNot] of cell.leftIn) {
      const binding = this.#bindings.get(name);
      if (!binding || binding.isChangedByFunction) continue;
      // What a constant is known not to be stays so.
      const known = binding.kind === 'const' ? [...new Set([...binding.isNot, ...isNot])] : isNot;
      this.#bindings.set(name, { ...binding, isNot: known });
    }
    for (const name of cell.freed) {
      const binding = this.#bindings.get(name);
      if (binding) this.#bindings.set(name, { ...binding, isFreed: true });
    }
    for (const name of cell.widened) {
      const binding = this.#bindings.get(name);
      if (binding?.kind === 'let') this.#bindings.set(name, { ...binding, evolving: binding.evolving ?? 'value' });
    }
    for (const name of cell.evolved) {
      const binding = this.#bindings.get(name);
      if (binding && !binding.isChangedByFunction) this.#bindings.set(name, { ...binding, evolvedBy: cell });
    }
  }
}

/** The type of an evolving variable for which none is known. */
const UNKNOWN: Record<Evolving, string> = { array: 'any[]', value: 'any' };

/** How a cell's module takes a name from earlier cells. */
export interface Taken {
  binding: Binding;
  /** An import can neither be assigned nor stand beside a type of its name; then a variable is needed. */
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
 * @example cellPrelude(taken) // "import { a } from './.oddslab-cell-1.mts'; … declare let b: typeof ….b;"
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
  const { name, kind, cell, isNot, isFreed } = binding;
  if (isFreed) return `declare let ${local}: any;`;
  const evolving = evolvingOf(binding);
  if (evolving) return evolvingVariable(taken, evolving, from);
  const type = `typeof ${from(cell)}.${name}`;
  if (kind === 'let' && isNot.includes('value'))
    return `let ${local}: ${type} = null! as ([undefined] extends [1] ? ${type} : Extract<${type}, null | undefined>);`;
  const lacks = isNot.filter((each) => each !== 'value');
  if (lacks.length === 0) return `declare ${kind === 'let' ? 'let' : 'const'} ${local}: ${type};`;
  // From its value: by a type written out, `let mode = found` could never hold but one literal.
  const value = `${EARLIER}_${local}`;
  const isNullish = lacks.map((nullish) => `${value} === ${nullish}`).join(' || ');
  const declaration = kind === 'let' ? `let ${local}: ${type}` : `const ${local}`;
  return `const ${value} = ${from(cell)}.${name}; if (${isNullish}) throw 0; ${declaration} = ${value};`;
}

/** Declares a variable whose type keeps evolving by use, beginning with the type that earlier cells have given it. */
function evolvingVariable(
  { binding, local = binding.name, isChanged }: Taken,
  evolving: Evolving,
  from: (cell: KnownCell) => string,
): string {
  const { name, kind, cell, evolvedBy, isChangedByFunction } = binding;
  const keyword = kind === 'let' ? 'let' : 'const';
  const type = UNKNOWN[evolving];
  // One that came to evolve later began with the type of its first value.
  const first = isChangedByFunction || cell.names.evolving.has(name) ? type : `typeof ${from(cell)}.${name}`;
  const now = evolvedBy ? `typeof ${from(evolvedBy)}.${NOW}${name}` : first;
  if (!isChanged) return `declare ${keyword} ${local}: [${now}] extends [null | undefined] ? ${type} : ${now};`;
  if (evolving === 'value') return `${keyword} ${local}; ${local} = null! as ${now};`;
  const hasElements = evolvedBy || isChangedByFunction;
  return `${keyword} ${local} = [];${hasElements ? ` ${local}.push(null! as (${now})[number]);` : ''}`;
}

/** The keeper's text, which exports all the given names so that a draft can import them. */
export function keeperText(bindings: Binding[], sources: string[]): string {
  const exported = new Map<number, string[]>();
  const add = (id: number, name: string) => exported.set(id, [...(exported.get(id) ?? []), name]);
  for (const binding of bindings) {
    const { name, kind, cell, evolvedBy, types } = binding;
    add(cell.id, name);
    if (evolvedBy) add(evolvedBy.id, NOW + name);
    const isApart = kind !== 'type' && (isVariable(binding) || types !== cell);
    if (types && isApart) add(types.id, `${name} as ${TYPE_OF}${name}`);
  }
  const lines = [...exported].sort(([a], [b]) => a - b);
  const names = lines.map(([id, all]) => `export { ${all.sort().join(', ')} } from './${cellFile(id)}';`);
  return [...sources.map((source) => `import ${JSON.stringify(source)};`), ...names, 'export {};'].join('\n');
}

/**
 * Removes from the language server's text the modules that stand for cells, which the user does not know.
 *
 * @example plainNames(`Type 'import("/notes/.oddslab-cell-3.mts").A'`) // "Type 'A (of an earlier cell)'"
 */
export function plainNames(text: string): string {
  return withoutRereads(text)
    .replaceAll(`${EARLIER}.`, '')
    .replaceAll(TYPE_OF, '')
    .replace(/import\("[^"]*\.oddslab-cell-\d+(?:\.mts)?"\)\.([\p{ID_Continue}$.]+)/gu, '$1 (of an earlier cell)')
    .replace(/import\("[^"]*\.oddslab-cell(?:\.mts)?"\)\./g, '');
}

/** The document that passes on the names of all open earlier cells. */
export const KEEPER = '.oddslab-keep.mts';
/** The name under which a draft imports the keeper; longer ones stand for a cell, or for a variable before it is checked. */
const EARLIER = 'oddslab_earlier';
/** Prefix of a variable's name, for what a cell leaves in it. */
export const NOW = 'oddslab_now_';
/** Prefix of a variable's name, for a function that returns it. */
export const DECLARED = 'oddslab_declared_';
/** The type by which a draft asks whether a variable may be null or undefined. */
export const LACKS = 'oddslab_lacks';
/** The type by which it asks whether a variable is nothing else. */
export const EMPTY = 'oddslab_empty';
/** Prefix of a name, for its type where its value comes from another cell. */
const TYPE_OF = 'oddslab_type_';

const FIRST_REREAD = 0x3400;

/** Whether a name exists only for the checker. */
export function isOwnName(name: string): boolean {
  return (
    name === LACKS || name === EMPTY || [EARLIER, NOW, DECLARED, TYPE_OF].some((prefix) => name.startsWith(prefix))
  );
}

/**
 * A name of the same length, so that columns stay, for what an earlier cell left in a variable that is declared again:
 * '㑲ows' for 'rows'. Undefined for names whose first character is not ASCII.
 */
export function rereadName(name: string): string | undefined {
  const first = name.charCodeAt(0);
  return first < 0x80 ? String.fromCharCode(FIRST_REREAD + first) + name.slice(1) : undefined;
}

/** Restores in the language server's text the names that {@link rereadName} changed. */
function withoutRereads(text: string): string {
  return text.replace(/(?<![\p{ID_Continue}$])[\u3424-\u347a]/gu, (changed) =>
    String.fromCharCode(changed.charCodeAt(0) - FIRST_REREAD),
  );
}

/** What a variable may be known not to hold: `value` is anything but null and undefined. */
export type Nullish = 'null' | 'undefined' | 'value';
