import { isBuiltin } from 'node:module';
import { types } from 'node:util';
import { runInThisContext } from 'node:vm';
import { InputError, messageOf } from '../../base/errors.js';
import { describeValue } from '../variables/describe-value.js';
import { type HasTime, isObject, thousands, timeFor } from '../variables/property.js';
import { hasTable } from '../variables/table-of.js';
import { tablePages } from '../variables/table-page.js';
import { partsOf } from '../variables/value-parts.js';
import type { Answered, Question, Variable } from '../wire/variables.js';
import type { DeclaredNames } from './cell-scripts.js';
import { promiseState } from './repl-scripts.js';
import { valuePicture } from './value-picture.js';

/** How long all names may take; those that are left are told without their value. The answer has its way to go, too. */
const BUDGET_MS = 15;
/** So many of the newest are told in any case, which takes little once no more names of properties are listed. */
const ALWAYS = 20;
/** Names whose values are taken by one script. */
const BLOCK = 500;

/** Answers what a parent asks about the variables of the cells. */
export class CellVariables {
  readonly #declared: DeclaredNames;
  readonly #references = new References();
  readonly #tables = tablePages();

  constructor(declared: DeclaredNames) {
    this.#declared = declared;
  }

  /** To be called whenever a cell begins or ends: values that were looked at may not be the same from then on. */
  changed(): void {
    this.#tables.forget();
  }

  /** Answers a question. Runs code of the user's only for the rows of what must be iterated. */
  answer(question: Question, isRunning: boolean): Answered {
    try {
      if (question.about === 'names') return { status: 'ok', answer: this.#names() };
      if (question.about === 'parts') return { status: 'ok', answer: this.#parts(question) };
      const value = this.#value(question.name);
      if (question.about === 'picture') return { status: 'ok', answer: valuePicture(value) };
      if (isRunning) this.changed();
      return { status: 'ok', answer: this.#tables.page(value, question) };
    } catch (thrown) {
      return { status: 'refused', message: messageOf(thrown) };
    }
  }

  /** The newest names come first in line for the time there is. */
  #names(): Variable[] {
    const isInTime = timeFor(BUDGET_MS);
    const listed = [...this.#declared].filter(([, { from }]) => from === undefined || !isBuiltin(from)).reverse();
    const variables: Variable[] = [];
    const hasTime = (): boolean => variables.length < ALWAYS || isInTime();
    for (let at = 0; at < listed.length; at += BLOCK) {
      const block = listed.slice(at, at + BLOCK);
      const values = hasTime() ? valuesOf(block.map(([, { script }]) => script)) : undefined;
      for (const [place, [name, { from }]] of block.entries()) {
        const held = values?.[place];
        // A name without a value, as of a cell that failed before, cannot be read by cells either.
        if (values && !held) continue;
        const isTold = held && (isShort(held.value) || hasTime());
        const told = isTold ? this.#variable(name, held.value, isInTime) : { name, type: '', value: '…', reference: 0 };
        variables.push(from === undefined ? told : { ...told, isImport: true });
      }
    }
    return variables.reverse();
  }

  #variable(name: string, value: unknown, hasTime: HasTime): Variable {
    const { type, value: text, hasParts } = describeValue(value, hasTime);
    const isPending = types.isPromise(value) && !types.isProxy(value);
    return {
      name,
      type,
      value: isPending ? `${type} (${promiseState(value)})` : text,
      reference: hasParts && isObject(value) ? this.#references.of(value) : 0,
      ...(hasTable(value) ? { isTable: true } : {}),
    };
  }

  #parts({ reference, from, count }: Extract<Question, { about: 'parts' }>): Variable[] {
    const value = this.#references.value(reference);
    if (!value) throw new InputError('This value is gone: ask for the variables again.');
    const hasTime = timeFor(BUDGET_MS);
    const { parts, rest } = partsOf(value, from, count);
    const told = parts.map(({ name, ...part }) => {
      if ('value' in part) return this.#variable(name, part.value, hasTime);
      return { name, type: 'getter', value: '(not run)', reference: 0 };
    });
    if (rest === 0) return told;
    const more = rest === undefined ? 'more than can be listed in time' : `${thousands(rest)} more`;
    return [...told, { name: '…', type: '', value: more, reference: 0 }];
  }

  #value(name: string): unknown {
    const declared = this.#declared.get(name);
    const [held] = declared ? valuesOf([declared.script]) : [];
    if (!held) throw new InputError(`No cell has given a value to "${name}".`);
    return held.value;
  }
}

/** Characters of a text that takes no time to be told. */
const SHORT = 1000;

/** Whether telling a value takes no time. */
function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= SHORT : !isObject(value) && typeof value !== 'bigint';
}

/** The value of a name; undefined if it has none yet. */
type HeldValue = { value: unknown } | undefined;

/** The values of names in the scope of the cells. Each is a `let`, however it was declared, and reading that runs nothing. */
function valuesOf(names: readonly string[]): HeldValue[] {
  if (names.length === 0) return [];
  try {
    // Otherwise the trace of the error is written, by a function that cells may have replaced.
    const values: unknown[] = runInThisContext(`[${names.join(',')}]`, { displayErrors: false });
    return values.map((value) => ({ value }));
  } catch {
    if (names.length === 1) return [undefined];
    const half = names.length >> 1;
    return [...valuesOf(names.slice(0, half)), ...valuesOf(names.slice(half))];
  }
}

/** The names of cells that hold a frame: a value with a list of its columns, as cells of SQL take it. */
export function frameNames(declared: DeclaredNames): string[] {
  return namesWhere(declared, isFrame);
}

/** The names of cells that have a value, which may be undefined. */
export function givenNames(declared: DeclaredNames): string[] {
  return namesWhere(declared, () => true);
}

function namesWhere(declared: DeclaredNames, isWanted: (value: unknown) => boolean): string[] {
  const names = [...declared];
  const values = valuesOf(names.map(([, { script }]) => script));
  return names.flatMap(([name], at) => (values[at] && isWanted(values[at].value) ? [name] : []));
}

function isFrame(value: unknown): boolean {
  return isObject(value) && !types.isProxy(value) && 'columns' in value && Array.isArray(value.columns);
}

/** The most values that can be asked for their parts; older ones are forgotten. */
const MOST_REFERENCES = 20_000;

/** Numbers by which a front end names values; they keep none of them alive. */
class References {
  readonly #numbers = new WeakMap<object, number>();
  readonly #values = new Map<number, WeakRef<object>>();
  #last = 0;

  of(value: object): number {
    const known = this.#numbers.get(value);
    if (known !== undefined && this.#values.has(known)) return known;
    this.#last += 1;
    this.#numbers.set(value, this.#last);
    this.#values.set(this.#last, new WeakRef(value));
    this.#values.delete(this.#last - MOST_REFERENCES);
    return this.#last;
  }

  value(reference: number): object | undefined {
    return this.#values.get(reference)?.deref();
  }
}
