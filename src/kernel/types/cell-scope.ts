import type { CellNames, NameKind } from './cell-names.js';
import type { Evolving } from './evolving-variables.js';
import type { Nullish } from './left-in.js';

/** A cell that later cells can refer to. */
export interface KnownCell {
  /** Counted from 1 and never reused. */
  id: number;
  /** The text that the language server gets for it. */
  text: string;
  names: CellNames;
  /** The cells that its text imports. */
  needs: KnownCell[];
  /** Evolving variables, its own or earlier cells', that it changed: it exports what it made of them. */
  evolved: Set<string>;
  /** Other variables, its own or earlier cells', that it assigned or checked; what they are known not to be after it. */
  leftIn: Map<string, Nullish[]>;
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
  /** For an evolving variable, the cell that changed it last; undefined if functions change it. */
  evolvedBy: KnownCell | undefined;
  /** Whether a function changes it: then nobody knows what it holds after a cell. */
  isChangedByFunction: boolean;
  /** The cell that declares the type of this name; undefined if it is only a value. */
  types: KnownCell | undefined;
}

/** How a variable of earlier cells evolves; undefined for others. */
export function evolvingOf({ name, kind, cell }: Binding): Evolving | undefined {
  return kind === 'let' || kind === 'const' ? cell.names.evolving.get(name) : undefined;
}

/** Whether a cell must declare a name again: what is assigned, evolves by use or has become narrower is no import. */
export function isVariable(binding: Binding): boolean {
  return binding.kind === 'let' || binding.isNot.length > 0 || evolvingOf(binding) !== undefined;
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

  /** Adds a cell after the others. */
  add(cell: KnownCell): void {
    this.#cells.push(cell);
    this.#bind(cell);
  }

  /** Removes a cell, even if others follow it. */
  remove(cell: KnownCell): void {
    this.#cells = this.#cells.filter((each) => each !== cell);
    this.#bindings.clear();
    for (const each of this.#cells) this.#bind(each);
  }

  get(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  /** All known names, the one declared last first. */
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
      if (!binding || binding.isChangedByFunction) continue;
      // What a constant is known not to be stays so.
      const known = binding.kind === 'const' ? [...new Set([...binding.isNot, ...isNot])] : isNot;
      this.#bindings.set(name, { ...binding, isNot: known });
    }
    for (const name of cell.evolved) {
      const binding = this.#bindings.get(name);
      if (binding && !binding.isChangedByFunction) this.#bindings.set(name, { ...binding, evolvedBy: cell });
    }
  }
}
