import type { Edits } from '../transform/edits.js';
import type { KnownCell } from './cell-scope.js';

/**
 * Text that a cell's module has for the checker beside what the user wrote, since cells do to a value what the type of
 * the place that makes it does not say: it stands around a part of the cell, of which it changes the type.
 */
export interface Amendment {
  /** The cell whose text it amends; undefined for the cell being looked at. */
  cell: KnownCell | undefined;
  /** Offsets in the cell's own text. */
  start: number;
  end: number;
  before: string;
  after: string;
  /** The name of a member that a value has there: several of one place are written as one. */
  member?: string;
  /** How what has the member is reached from the value; undefined for a literal, which is written with it. */
  steps?: readonly Step[];
}

/** An amendment of a text, whichever cell it is of. */
export type Insertion = Omit<Amendment, 'cell'>;

/** What all files get, at the end of a module: the place of an amendment that is none in the cell's lines. */
export const AT_END = -1;

/** The type of a variable, or a field, that may hold anything. */
export const ANYTHING = ': any';

/** An object that has a member of any type, too. */
export function memberType(name: string): string {
  return `{ ${keyText(name)}: any }`;
}

/** The name of a member as a literal or a class has it; that of a symbol of the language's is `[Symbol.iterator]`. */
export function keyText(name: string): string {
  return /^\[Symbol\.\w+\]$/.test(name) ? name : JSON.stringify(name);
}

/**
 * A member for objects that are made by a literal; `at` is the offset behind its brace. One in a list without a spread of
 * its own gets none: TypeScript gives the objects of a list each other's members only without.
 */
export function literalMember(at: number, name: string, isPlainInList: boolean): Insertion {
  const before = isPlainInList ? listed([name]) : spread([name]);
  return { start: at, end: at, before, after: '', member: name };
}

function listed(names: readonly string[]): string {
  return names.map((name) => `${JSON.stringify(name)}: null! as any, `).join('');
}

function spread(names: Iterable<string>): string {
  return `...({} as { ${Array.from(names, (name) => `${keyText(name)}: any`).join('; ')} }), `;
}

/** Any members for the value of an expression. */
export function open(start: number, end: number): Insertion {
  return { start, end, before: 'Object.assign(', after: ', {} as { [name: string]: any })' };
}

/** How an object is reached from another: as a field, as one of a list, of a map, of a set, of an object's fields. */
export type Step = { field: string } | 'list' | 'map' | 'set' | 'fields';

/**
 * A member for the value of an expression, whatever made it, unless it is null.
 *
 * @param steps How what has the member is reached from the value, if it is not the value.
 */
export function valueMember(start: number, end: number, name: string, steps: readonly Step[] = []): Insertion {
  return { start, end, before: valueWith([name], steps), after: ')', member: name, steps };
}

function valueWith(names: Iterable<string>, steps: readonly Step[]): string {
  const members = Array.from(names, (name) => `${keyText(name)}?: any`).join('; ');
  return `(<T,>(value: T): ${typeWith('T', steps, `{ ${members} }`)} => null!)(`;
}

function typeWith(whole: string, [step, ...further]: readonly Step[], member: string): string {
  if (step === undefined) return `(${whole} extends null | undefined ? ${whole} : ${whole} & ${member})`;
  const part = `${whole}T`;
  const inner = typeWith(part, further, member);
  if (typeof step === 'object') {
    const field = JSON.stringify(step.field);
    return `(${whole} extends { ${field}?: infer ${part} } ? { ${field}: ${inner} } & ${whole} : ${whole})`;
  }
  const [taken, made] = {
    list: [`readonly (infer ${part})[]`, `(${part}[] extends ${whole} ? ${inner}[] : ${inner}[] & ${whole})`],
    map: [`ReadonlyMap<infer K, infer ${part}>`, `Map<K, ${inner}>`],
    set: [`ReadonlySet<infer ${part}>`, `Set<${inner}>`],
    fields: ['object', `{ [K in keyof ${whole}]: ${whole}[K] extends infer ${part} ? ${inner} : never }`],
  }[step];
  return `(${whole} extends ${taken} ? ${made} : ${whole})`;
}

/** The value of an expression as one of any type. */
export function anyValue(start: number, end: number): Insertion {
  return { start, end, before: '((', after: ') as any)' };
}

/** Text at one place. */
export function inserted(at: number, text: string): Insertion {
  return { start: at, end: at, before: text, after: '' };
}

/** Whether two amendments do the same. */
export function isSame(one: Amendment, other: Amendment): boolean {
  return (
    one.cell === other.cell &&
    one.start === other.start &&
    one.end === other.end &&
    one.before === other.before &&
    one.after === other.after
  );
}

/** Writes insertions into the edits of a text; returns what comes at the end of its module. */
export function amend(edits: Edits, insertions: readonly Insertion[]): string {
  const texts = new Set<string>();
  const isNew = (each: Insertion): boolean => {
    const key = JSON.stringify(each);
    return !texts.has(key) && texts.add(key) !== undefined;
  };
  const [atEnd, inside] = [[] as string[], [] as Insertion[]];
  const withMembers = new Map<string, { insertion: Insertion; names: string[] }>();
  for (const each of insertions.filter(isNew)) {
    const { start, end, member, steps } = each;
    if (start === AT_END) atEnd.push(each.before);
    else if (member === undefined) inside.push(each);
    else {
      const key = JSON.stringify([start, end, steps]);
      const { names } = withMembers.get(key) ?? { names: [] };
      withMembers.set(key, { insertion: each, names: [...names, member] });
    }
  }
  for (const { insertion, names } of withMembers.values()) {
    const { steps } = insertion;
    const inLiteral = insertion.before.startsWith('...') ? spread : listed;
    inside.push({ ...insertion, before: steps ? valueWith(names, steps) : inLiteral(names) });
  }
  for (const { start, end, before, after } of inside)
    if (after === '') edits.replace(start, end, before);
    else edits.wrap(start, end, before, after);
  return atEnd.join('\n');
}
