import type { CellNames, NameKind } from './cell-names.js';
import type { Evolving } from './evolving-variables.js';
import type { Nullish } from './left-in.js';

/** A cell behind which others may stand. */
export interface KnownCell {
  /** Counted from 1, never used twice. */
  id: number;
  /** What the language server is given for it. */
  text: string;
  names: CellNames;
  /** The cells that its text imports. */
  needs: KnownCell[];
  /** Variables that get their type by their use, own or of earlier cells: the cell exports what it made of them. */
  evolved: Set<string>;
  /** Other `let`s, own or of earlier cells, that the cell assigned, with what they are known not to be behind it. */
  leftIn: Map<string, Nullish[]>;
}

/** What a name stands for at the end of the known cells. */
export interface Binding {
  name: string;
  /** Of the value; `type` where there is none. */
  kind: NameKind;
  /** That declares the value; the type, where there is no value. */
  cell: KnownCell;
  /** What it is known not to be since a cell assigned it; nothing where functions do so. */
  isNot: Nullish[];
  /** Where it gets its type by its use, the cell that changed it last; undefined where functions do so. */
  evolvedBy: KnownCell | undefined;
  /** Whether a function of a cell changes it: then nobody knows what it holds behind a cell. */
  isChangedByFunction: boolean;
  /** The cell that declares the type of this name; undefined where it is a value alone. */
  types: KnownCell | undefined;
}

/** How a variable of earlier cells gets its type by its use; undefined of others. */
export function evolvingOf({ name, kind, cell }: Binding): Evolving | undefined {
  return kind === 'let' || kind === 'const' ? cell.names.evolving.get(name) : undefined;
}

/** Whether a cell must declare a name again: what is assigned, or gets its type by its use, can be no import. */
export function isVariable(binding: Binding): boolean {
  return binding.kind === 'let' || evolvingOf(binding) !== undefined;
}

/**
 * The names of all known cells: a later cell's declaration hides an earlier one's, of values and of types apart, since
 * a type hides no value where the cells run.
 */
export class CellScope {
  #cells: KnownCell[] = [];
  #bindings = new Map<string, Binding>();

  /** The cells that declare something for all files. */
  get ambient(): KnownCell[] {
    return this.#cells.filter(({ names }) => names.isAmbient);
  }

  /** Puts a cell behind the others. */
  add(cell: KnownCell): void {
    this.#cells.push(cell);
    this.#bind(cell);
  }

  /** Takes a cell out, whatever stands behind it. */
  remove(cell: KnownCell): void {
    this.#cells = this.#cells.filter((each) => each !== cell);
    this.#bindings.clear();
    for (const each of this.#cells) this.#bind(each);
  }

  get(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  /** Every name that is known, the one declared last first. */
  all(): Binding[] {
    return [...this.#bindings.values()].reverse();
  }

  #bind(cell: KnownCell): void {
    for (const [name, kind] of cell.names.declared) {
      const before = this.#bindings.get(name);
      this.#bindings.delete(name);
      const types = cell.names.types.has(name) ? cell : before?.types;
      const hasValue = kind === 'type' && before && before.kind !== 'type';
      const made = { name, kind, cell, isNot: [], evolvedBy: undefined, isChangedByFunction: false, types };
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
      if (binding && !binding.isChangedByFunction) this.#bindings.set(name, { ...binding, isNot });
    }
    for (const name of cell.evolved) {
      const binding = this.#bindings.get(name);
      if (binding && !binding.isChangedByFunction) this.#bindings.set(name, { ...binding, evolvedBy: cell });
    }
  }
}
