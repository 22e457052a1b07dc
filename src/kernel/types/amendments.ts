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
}

/** An amendment of a text, whichever cell it is of. */
export type Insertion = Omit<Amendment, 'cell'>;

/** What all files get, at the end of a module: the place of an amendment that is none in the cell's lines. */
export const AT_END = -1;

/** The type of a variable, or a field, that may hold anything. */
export const ANYTHING = ': any';

/** An object that has a member of any type, too. */
export function memberType(name: string): string {
  return `{ ${JSON.stringify(name)}: any }`;
}

/** A member for objects that are made by a literal; `at` is the offset behind its brace. */
export function literalMember(at: number, name: string): Insertion {
  return { start: at, end: at, before: `...({} as ${memberType(name)}), `, after: '' };
}

/** Any members for the value of an expression. */
export function open(start: number, end: number): Insertion {
  return { start, end, before: 'Object.assign(', after: ', {} as { [name: string]: any })' };
}

/** A member for the value of an expression, whatever made it. */
export function valueMember(start: number, end: number, name: string): Insertion {
  return { start, end, before: 'Object.assign(', after: `, {} as ${memberType(name)})` };
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
  for (const each of insertions.filter(isNew)) {
    if (each.start === AT_END) atEnd.push(each.before);
    else inside.push(each);
  }
  for (const { start, end, before, after } of inside)
    if (after === '') edits.replace(start, end, before);
    else edits.wrap(start, end, before, after);
  return atEnd.join('\n');
}
