import type { Program } from 'oxc-parser';
import { nodesAt, walk } from '../transform/syntax-tree.js';
import { ARITHMETIC, BY_KEY, type Finding, NO_BASE, NO_MEMBER, NULLISH, OTHER_TYPE, primitiveOf } from './finding.js';
import type { Habits } from './habits.js';
import { callAround, convertsArgument, isFreeArgument, takesAnyNumber, type Where } from './lenient-calls.js';
import { isOfGlobal, isOfLanguage, isThere } from './runtime-members.js';

/**
 * What the checker says only because it is strict; such code runs. `noImplicitAny` itself stays on, as without it
 * `const out = []` would hold nothing at all.
 */
const ONLY_STRICT = new Set([
  ...[7005, 7006, 7008, 7009, 7010, 7011, 7012, 7013, 7014, 7015, 7016, 7017, 7018, 7019, 7020, 7022, 7023, 7024],
  ...[7025, 7031, 7032, 7033, 7034, 7041, 7051, 7052, 7055, 7057], // what has no type is `any`
  ...[2683, 2350], // `this` of a function, and `new` of one that returns something
  ...[2571, 18046], // what is `unknown`
  ...[2454, 2564, 2794], // variables and fields that get their value later, and `resolve()`
  ...[2447], // `&` and `|` of booleans
  ...[2556, 2700], // a list spread into parameters, and what is left of a text
  ...[1202, 7026], // `import a = require('a')`, and JSX without types
]);
/** Slips that only the strict checker sees: promises and functions as conditions, what never or always holds. */
const SLIPS = new Set([2664, 2665, 2695, 2774, 2801, 2839, 2845, 2869, 2870, 2871, 2872, 2873, 2881]);
/** A function as a condition. */
const ALWAYS_DEFINED = 2774;
/** What only a newer version of the language has. */
const NEWER = 2550;
const NOT_ASSIGNABLE = new Set([2322, 2345, 2769]);
const NO_OVERLAP = 2367;
/** A case that no value of a `switch` has. */
const NO_CASE = 2678;
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const TOO_FEW = new Set([2554, 2555]);

/** Types of the language's library that stand for one of several, which one only the run knows. */
const LIBRARY_UNION = / on type '(PromiseSettledResult|IteratorResult|ReadableStreamReadResult)</;

/** Whether a finding about a member concerns a value of several types; a union that the user names is asked first. */
export function isOneOfSeveral(message: string): boolean {
  return / on type '.* \| /.test(message) || LIBRARY_UNION.test(message);
}

/** What is of another kind than it must be, whatever null is. */
const OTHER_KIND =
  /^Type '(string|number|bigint|boolean)' is not assignable to type '(string|number|bigint|boolean)'\.$/;

/**
 * Whether a doubted finding needs no second look: it is said as the strict checker says it.
 *
 * @param isFreed Whether the cell gives something another type than it had.
 */
export function isSure({ code, message }: Finding, isFreed: boolean): boolean {
  if (NO_MEMBER.has(code) && !isFreed && !isOneOfSeveral(message) && !/on type '.*\bnever\b/.test(message)) return true;
  if (code === 2322 && !isFreed && OTHER_KIND.test(message)) return true;
  // Of what may be null, only what certainly is has come this far.
  return code < 2000 || NULLISH.has(code) || SLIPS.has(code) || (code >= 2304 && code <= 2307) || code >= 8000;
}

/** Whether a finding in a text that asks says that a variable is certainly null or undefined. */
export function saysNothing({ code }: Finding): boolean {
  return TOO_FEW.has(code);
}

/** One cell's findings, and what only strictness dislikes among them. */
export class Strictness {
  readonly #program: Program;
  readonly #code: string;
  readonly #habitsOf: () => Habits;

  /** @param habits Those of the cell and of all before it. */
  constructor(code: string, program: Program, habits: () => Habits) {
    this.#code = code;
    this.#program = program;
    this.#habitsOf = habits;
  }

  get #habits(): Habits {
    return this.#habitsOf();
  }

  get #where(): Where {
    return { program: this.#program, code: this.#code, habits: this.#habits };
  }

  /**
   * The findings that may be errors; those that a looser look must confirm are among them.
   *
   * @param isNothing Whether what may be null, by one of {@link perhapsNothing}, certainly is.
   */
  doubted<F extends Finding>(found: readonly F[], isNothing: (each: F) => boolean): F[] {
    return found.filter((each) => {
      if (ONLY_STRICT.has(each.code) || this.#isKnownToRun(each)) return false;
      if (isThere(each, this.#program, this.#habits.modules) || this.#isAskedFor(each)) return false;
      if (NULLISH.has(each.code)) return isNothing(each);
      return !this.#runs(each);
    });
  }

  /** The findings that a variable may be null or undefined, unless functions of the cell may have assigned it. */
  perhapsNothing<F extends Finding>(found: readonly F[], assignedByFunctions: ReadonlySet<string>): F[] {
    return found.filter(({ code, start, end }) => {
      const named = this.#code.slice(start, end);
      return NULLISH.has(code) && NAME.test(named) && !assignedByFunctions.has(named);
    });
  }

  /** A name that the cells give the global object, or ask for before they use it. */
  #isKnownToRun({ code, message }: Finding): boolean {
    const [, name = ''] =
      (code === 2304 && /^Cannot find name '([^']+)'/.exec(message)) ||
      (code === 2552 && /'([^']+)'/.exec(message)) ||
      [];
    return this.#habits.asked.has(name) || this.#habits.globals.has(name);
  }

  /** Whether a cell asks for what an object, or another version of Node.js, may have or lack. */
  #isAskedFor(found: Finding): boolean {
    const { code, message } = found;
    if (code === ALWAYS_DEFINED) return isOfLanguage(found, this.#program, (name) => this.#habits.bounded.has(name));
    const [, name = ''] = ((code === NEWER || NO_MEMBER.has(code)) && /^Property '([^']+)'/.exec(message)) || [];
    const isOptional = this.#habits.optional.has(name);
    if (isOptional && isUntold(found)) return true;
    return (isOptional || this.#habits.tested.has(name)) && (code === NEWER || isOfGlobal(found, this.#program));
  }

  /** Whether code that a finding is about runs for all that the types tell. */
  #runs(found: Finding): boolean {
    const { code, message } = found;
    if (/(Argument of type|Type) '[^']*\bunknown\b[^']*' is not|on type '(unknown|\{\})'/.test(message)) return true;
    if (this.#isColumn(found) || isFreeArgument(found, this.#where)) return true;
    if (NO_MEMBER.has(code) && message.includes("on type 'never'")) return this.#isOfOtherKind(found);
    if (NO_MEMBER.has(code)) return this.#isPattern(found) && (isOneOfSeveral(message) || message.includes("'any[]'"));
    if (code === NO_CASE) return isOtherSetting(message);
    if (code === NO_BASE) return this.#habits.constructors.has(this.#code.slice(found.start, found.end));
    if (NOT_ASSIGNABLE.has(code)) return fitsPerhaps(message) || convertsArgument(found, this.#where);
    if (code === 2538) return /type '(undefined|null|unknown)'/i.test(message);
    if (code === OTHER_TYPE) return !this.#habits.annotated.has(/'([^']+)' must/.exec(message)?.[1] ?? '');
    if (code === 2349) return message.includes('Not all constituents');
    if (code === 2488) return /^Type '.* \| .*' must/.test(message);
    if (code === BY_KEY) return this.#isKeyOfOwn(message);
    if (code === NO_OVERLAP) return this.#mayBeEqual(found);
    if (code === 2365 && isComparable(message)) return true;
    if (code === 2365 || ARITHMETIC.has(code)) return this.#isConverted(message);
    if (TOO_FEW.has(code)) return takesAnyNumber(found, this.#where);
    return false;
  }

  /** A column of a frame: none of its methods, or a name that cells give a column. */
  #isColumn({ code, message, start, end }: Finding): boolean {
    if (code === BY_KEY) return message.includes("index type 'FrameMembers<object>'");
    if (NO_MEMBER.has(code) && message.includes("on type 'DataFrame<object>'")) {
      const call = callAround(this.#program, start, end);
      return call?.callee.end !== end;
    }
    const [, name = ''] = /ype '"([^"']*)"' is not assignable/.exec(message) ?? [];
    return NOT_ASSIGNABLE.has(code) && this.#habits.extended.has(name);
  }

  /** `a[key]`: by a key that only the run knows, or one that cells assign. */
  #isKeyOfOwn(message: string): boolean {
    // Not awaited.
    if (/index type 'Promise</.test(message)) return false;
    const [, key] = /expression of type '"([^']*)"' can't/.exec(message) ?? [];
    return key === undefined || this.#habits.written.has(key) || /index type '\{\}'/.test(message);
  }

  /** A comparison of two settings, as in `if (MODE === 'fast')`, or by `==`, which converts. */
  #mayBeEqual({ start, end, message }: Finding): boolean {
    const [, left = '', right = ''] = /types '(.*)' and '(.*)' have/.exec(message) ?? [];
    const [a, b] = [primitiveOf(left), primitiveOf(right)];
    if (a === undefined || b === undefined) return false;
    if (a === b) return isLiteral(left) && isLiteral(right);
    return nodesAt(this.#program, start, end).some(
      (node) => node.type === 'BinaryExpression' && /^[!=]=$/.test(node.operator),
    );
  }

  /** A member of a constant that the cells ask for its kind, where it is of another: that code does not run. */
  #isOfOtherKind({ start }: Finding): boolean {
    const [, name = ''] = /([\p{ID_Start}$_][\p{ID_Continue}$]*)\??\.\s*$/u.exec(this.#code.slice(0, start)) ?? [];
    return this.#habits.asked.has(name);
  }

  /** An operand of a class, or object, that says what it is converted to. */
  #isConverted(message: string): boolean {
    const isOther = /\?$|types .*'(bigint|-?\d+n|symbol)'/.test(message);
    return !isOther && this.#habits.converted.size > 0;
  }

  #isPattern({ start }: Finding): boolean {
    let isInside = false;
    walk(this.#program, (node) => {
      if (node.type === 'ObjectPattern')
        isInside ||= node.properties.some((each) => each.type === 'Property' && each.key.start === start);
      return node.start <= start && start < node.end && !isInside;
    });
    return isInside;
  }
}

/** Whether an object without a named type lacks a member, and has none that is written nearly so. */
function isUntold({ code, message }: Finding): boolean {
  return code === 2339 && / on type '\{/.test(message) && !message.endsWith('?');
}

/**
 * Whether what does not fit a type may fit for all that is known: one of several types fits, a text stands for one of
 * several texts, a list may have as many elements as a tuple.
 */
function fitsPerhaps(message: string): boolean {
  const lines = message.split('\n');
  const last = lines.at(-1) ?? '';
  if (
    /Target requires \d+ element\(s\) but source may have fewer|Target signature provides too few arguments/.test(last)
  )
    return true;
  const inner =
    /Type '(string|number)' is not assignable to type '(.*)'/.exec(last) ??
    /^Argument of type '(string|number)' is not assignable to parameter of type '(.*)'/.exec(last);
  if (inner && (/["`]|\bkeyof\b/.test(inner[2] ?? '') || (inner[1] === 'number' && /^[\d| ]+$/.test(inner[2] ?? ''))))
    return true;
  const [, source = '', target = ''] =
    /type '(.*?)' is not assignable to (?:parameter of )?type '(.*?)'/i.exec(lines[0] ?? '') ?? [];
  const sources = source.split(' | ').filter((each) => !/^(null|undefined)$/.test(each));
  return sources.length > 1 && target.split(' | ').some((each) => sources.includes(each));
}

/** A case for another value of a constant: `switch (MODE)`. */
function isOtherSetting(message: string): boolean {
  const [, wanted = '', held = ''] = /^Type '(.*)' is not comparable to type '(.*)'\./.exec(message) ?? [];
  const isOne = isLiteral(held) && !held.includes(' | ');
  return isOne && isLiteral(wanted) && primitiveOf(wanted) === primitiveOf(held);
}

/** Operands that an operator converts: texts, numbers, dates. Big integers with numbers throw. */
function isComparable(message: string): boolean {
  const [, operator = '', left = '', right = ''] =
    /Operator '(.*)' cannot be applied to types '(.*)' and '(.*)'/.exec(message) ?? [];
  const kinds = [left, right].flatMap((type) => type.split(' | ').map(primitiveOf));
  return !kinds.includes(undefined) && (!kinds.includes('bigint') || /[<>]/.test(operator));
}

function isLiteral(type: string): boolean {
  return type.split(' | ').every((each) => /^["\d-]|^(true|false)$/.test(each));
}
