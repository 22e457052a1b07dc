import type { Node, Program } from 'oxc-parser';
import { walk } from '../transform/syntax-tree.js';
import { type Finding, NO_MEMBER, NO_NAME, OTHER_CLASS } from './finding.js';
import type { Habits } from './habits.js';
import { isOfGlobal, isThere } from './runtime-members.js';

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
  1166, // a field whose name only the run knows
  2358, // `instanceof` of a text or a number
  ...[2775, 2776], // `assert(x)`, whose name has no written type
  2347, // `f<number>(1)` of what has no type
  2417, // statics of a class that are others than those of what it extends
]);
/** Slips that only the strict checker sees: promises and functions as conditions, what never or always holds. */
const SLIPS = new Set([2664, 2665, 2695, 2774, 2801, 2839, 2845, 2869, 2870, 2871, 2872, 2873, 2881]);
/** A function that ends without the value that it says it returns. */
const NO_RETURN = new Set([2355, 2366]);
/** What only a newer version of the language has. */
const NEWER = 2550;
/** A name of types alone; a newer version of the language may have a class of that name, such as `Iterator`. */
const ONLY_TYPE = 2693;
/** What gives nothing, as a condition. */
const NO_VALUE = 1345;
/** Whether a finding that may be an error needs no second look: it is said as the strict checker says it. */
export function isSure({ code }: Finding): boolean {
  const isUnknownName = code >= 2304 && code <= 2307;
  return (
    (code < 2000 && code !== OTHER_CLASS) || SLIPS.has(code) || NO_RETURN.has(code) || isUnknownName || code >= 8000
  );
}

/** What the cells say by their texts alone of what is there when they run. */
export interface Known {
  program: Program;
  code: string;
  /** Those of all cells before it and, as the last, of the cell. */
  habits: readonly Habits[];
}

/** Whether strictness alone dislikes what a finding is about, or the version of Node.js, or what the cells ask for, settles it. */
export function runs(found: Finding, { program, code, habits }: Known): boolean {
  const { code: number, message } = found;
  if (ONLY_STRICT.has(number) || isKnownName(found, habits) || isOfPages(found, program)) return true;
  if (number === NO_VALUE && isForEffect(found, program)) return true;
  const modules = new Set(habits.flatMap((each) => [...each.modules]));
  if (isThere(found, program, modules)) return true;
  if (/on type '(unknown|\{\})'/.test(message)) return !isOfCollection(found);
  if (number === NEWER || NO_MEMBER.has(number)) {
    const [, name = ''] = /^Property '([^']+)'/.exec(message) ?? [];
    const isTested = habits.some(({ tested }) => tested.has(name));
    const isWritten = habits.at(-1)?.written.get(name)?.includes(found.start);
    if (isTested && !isWritten && (number === NEWER || isOfGlobal(found, program))) return true;
    if (message.includes("on type 'never'")) return isOfOtherKind(code.slice(0, found.start), habits);
  }
  if (number === 2538) return /type '(undefined|null|unknown|.*\[\])'/i.test(message);
  return number === 2349 && message.includes('Not all constituents');
}

/** Whether a call that gives nothing is there for what it does: `console.log(x) || x`, `!function () { … }()`. */
function isForEffect({ start, end }: Finding, program: Program): boolean {
  let isFound = false;
  const isHere = (node: Node): boolean => node.start <= start && end <= node.end;
  walk(program, (node, parent) => {
    if (node.type === 'LogicalExpression' && node.operator !== '&&') isFound ||= isHere(node.left);
    const isStatement = node.type === 'UnaryExpression' && parent?.type === 'ExpressionStatement';
    if (isStatement) isFound ||= node.operator === '!' && isHere(node.argument);
    return !isFound && isHere(node);
  });
  return isFound;
}

/** Whether a member that an object without any lacks is one that lists, maps and sets have, and objects do not. */
export function isOfCollection({ message }: Finding): boolean {
  const [, name = ''] = /^Property '([^']+)' does not exist on type '\{\}'/.exec(message) ?? [];
  const kinds = [Array.prototype, Map.prototype, Set.prototype];
  return kinds.some((each) => name in each) && !(name in Object.prototype);
}

/** A name that the cells give the global object, or ask for before they use it. */
export function isKnownName({ code, message }: Finding, habits: readonly Habits[]): boolean {
  const [, name = ''] =
    (code === 2304 && /^Cannot find name '([^']+)'/.exec(message)) ||
    ((code === 2552 || code === ONLY_TYPE) && /'([^']+)'/.exec(message)) ||
    [];
  const isOfLater = code === ONLY_TYPE && habits.some(({ tested }) => tested.has(name));
  return isOfLater || habits.some(({ asked, globals }) => asked.has(name) || globals.has(name));
}

/** What pages have. */
const OF_PAGES = /^(window|document|localStorage|sessionStorage|location|history|alert|screen|requestAnimationFrame)$/;

/** A name that only pages have, where code runs only under a condition or an error of it is caught. */
function isOfPages({ code, message, start }: Finding, program: Program): boolean {
  const [, name = ''] = (NO_NAME.has(code) && /^Cannot find name '([^']+)'/.exec(message)) || [];
  if (!OF_PAGES.test(name)) return false;
  let isAside = false;
  const holds = (part: Node | null | undefined): boolean => Boolean(part && part.start <= start && start < part.end);
  walk(program, (node) => {
    if (node.type === 'TryStatement') isAside ||= node.handler !== null && holds(node.block);
    if (node.type === 'ConditionalExpression' || node.type === 'IfStatement')
      isAside ||= holds(node.consequent) || holds(node.alternate);
    return !isAside && holds(node);
  });
  return isAside;
}

/** A member of a constant that the cells ask for its kind, where it is of another: that code does not run. */
function isOfOtherKind(before: string, habits: readonly Habits[]): boolean {
  const [, name = ''] = /([\p{ID_Start}$_][\p{ID_Continue}$]*)\??\.\s*$/u.exec(before) ?? [];
  return habits.some(({ asked }) => asked.has(name));
}

/** What is of another kind than it must be, whatever null is. */
export function isOfOtherType({ message }: Finding): boolean {
  return /^Type '(string|number|bigint|boolean)' is not assignable to type '(string|number|bigint|boolean)'\.$/.test(
    message,
  );
}

/**
 * Whether what does not fit a type may fit for all that is known: one of several types fits, a list may have as many elements as a tuple.
 */
export function fitsPerhaps({ message }: Finding): boolean {
  if (/(Argument of type|Type) '[^']*\bunknown\b[^']*' is not/.test(message)) return true;
  const lines = message.split('\n');
  const last = lines.at(-1) ?? '';
  if (
    /Target requires \d+ element\(s\) but source may have fewer|Target signature provides too few arguments/.test(last)
  )
    return true;
  const [, source = '', target = ''] =
    /type '(.*?)' is not assignable to (?:parameter of )?type '(.*?)'/i.exec(lines[0] ?? '') ?? [];
  const sources = source.split(' | ').filter((each) => !/^(null|undefined)$/.test(each));
  return sources.length > 1 && target.split(' | ').some((each) => sources.includes(each));
}

/** The text that is no key, as a message says it: the name of a column that a frame's type lacks; undefined in others. */
export function columnIn(message: string): string | undefined {
  return /ype '"([^"']*)"' (?:is not assignable|can't be used)/.exec(message)?.[1];
}
