import type { Node, Program } from 'oxc-parser';
import { freeIdentifiers } from '../transform/free-identifiers.js';
import { LineIndex } from '../transform/source-lines.js';
import { memberName, opensFunction, walk } from '../transform/syntax-tree.js';
import { isUnchecked } from './cell-diagnostics.js';
import type { CellNames } from './cell-names.js';
import type { CellScope } from './cell-scope.js';
import { OTHER_THIS } from './finding.js';
import { type Habits, isAsyncFunction, promisedBy } from './habits.js';
import { lacking, walkCertain } from './needed-kinds.js';
import type { Diagnostic } from './type-service.js';
import { calledAtOnce } from './variable-changes.js';

const ALWAYS_FALSY = 2873;
const ALWAYS_TRUTHY = 2872;
const UNAWAITED = 2801;
const OTHER_KIND = 2345;
const FORGOTTEN = "Did you forget to use 'await'?";
/** Methods of lists that go by whether a function's answer counts as true. */
const GO_BY = /^(filter|find(Last)?(Index)?|some|every)$/;

type Call = Extract<Node, { type: 'CallExpression' }>;

/** The names of a cell, and of those before it. */
interface Known {
  names: CellNames;
  scope: CellScope;
}

/** Slips that a cell's text shows: certain ones, and those of which the types must say what they are about. */
interface Slips {
  certain: Diagnostic[];
  suspected: (Diagnostic & { from: number; to: number })[];
}

/**
 * Slips that TypeScript lets pass and that a cell's text shows: a value assigned in a condition; a promise that becomes a
 * text, or whose opposite is asked for; an async function by whose answers a list is to be searched; a text asked for among
 * the keys of a list. They are warnings, since such code runs; errors are `this` of a callback that is not that of its
 * method, and an argument, written out, that lacks what its function calls in any case. None in a cell that asks not to be checked.
 */
export function slipsIn(program: Program, code: string, known: Known): Slips {
  const found: Slips = { certain: [], suspected: [] };
  if (isUnchecked(code)) return found;
  const lines = new LineIndex(code);
  const warning = (number: number, message: string, { start, end }: Node): Diagnostic => {
    return { severity: 'warning', code: number, message, start: lines.position(start), end: lines.position(end) };
  };
  for (const call of reachedCalls(program))
    for (const { argument, why } of otherKinds(program, call, known))
      found.certain.push({ ...warning(OTHER_KIND, `${why}.`, argument), severity: 'error' });
  walk(program, (node) => {
    const method = node.type === 'CallExpression' && node.callee.type === 'MemberExpression' ? node.callee : undefined;
    const name = (method && memberName(method)) ?? '';
    const given = node.type === 'CallExpression' && GO_BY.test(name) ? node.arguments[0] : undefined;
    const answer = given?.type === 'ArrowFunctionExpression' ? given.body : null;
    const test = 'test' in node ? (node.test as Node | null) : answer;
    if (test?.type === 'AssignmentExpression' && test.operator === '=' && test.right.type === 'Literal') {
      const always = test.right.value ? 'truthy' : 'falsy';
      const message = `This condition assigns a value and is always ${always}. Did you mean '==='?`;
      found.certain.push(warning(test.right.value ? ALWAYS_TRUTHY : ALWAYS_FALSY, message, test));
    }
    const key = keyOfList(node, known);
    if (key !== undefined && !code.includes(`.${key}`)) {
      const message = "This asks for a key of the list, which are 0, 1, 2 …: its values are asked for by 'includes'.";
      found.certain.push(warning(ALWAYS_FALSY, message, node));
    }
    for (const part of textParts(node))
      if (isPromise(part, known))
        found.certain.push(warning(UNAWAITED, `This becomes the text of a promise. ${FORGOTTEN}`, part));
    if (node.type === 'UnaryExpression' && node.operator === '!' && isPromise(node.argument, known))
      found.certain.push(
        warning(UNAWAITED, `This is always false since a promise is no answer yet. ${FORGOTTEN}`, node),
      );
    const isPromised = given?.type === 'Identifier' ? isAsync(given.name, known) : isAsyncFunction(given);
    if (given && isPromised) {
      const message = `An async function gives a promise, which '${name}' takes for true. Await the answers before.`;
      found.suspected.push({ ...warning(UNAWAITED, message, given), from: given.start, to: given.end });
    }
    for (const each of node.type === 'CallExpression' ? node.arguments : []) {
      const [use] = each.type === 'FunctionExpression' ? ownMembers(each) : [];
      if (!use) continue;
      const message =
        "'this' is not the method's object here: a function that is passed on has its own. Write it with =>.";
      const { start, end } = use;
      found.suspected.push({ ...warning(OTHER_THIS, message, use), severity: 'error', from: start, to: end });
    }
    return true;
  });
  return found;
}

/** The text that an expression asks for among the keys of a list, of which it can be none: `'a' in ['a', 'b']`. */
function keyOfList(node: Node, known: Known): string | undefined {
  if (node.type !== 'BinaryExpression' || node.operator !== 'in') return undefined;
  const { left, right } = node;
  const isNamed = right.type === 'Identifier' && habitsOf(right.name, known)?.isList(right.name);
  const isList = right.type === 'ArrayExpression' || isNamed;
  const key = isList && left.type === 'Literal' && typeof left.value === 'string' ? left.value : undefined;
  return key === undefined || key in [] || /^\d+$/.test(key) ? undefined : key;
}

/** The arguments, written out, that lack what a function of a cell's does with them in any case: `mean(3, prices)`. */
function otherKinds(
  program: Program,
  { callee, arguments: given }: Call,
  known: Known,
): { argument: Node; why: string }[] {
  const name = callee.type === 'Identifier' ? callee.name : undefined;
  const needs = name === undefined ? [] : (habitsOf(name, known)?.needsOf(name) ?? []);
  if (name === undefined || needs.length === 0 || isOther(program, callee, name, known)) return [];
  const all = known.scope.habitsWith(known.names.habits);
  // What is written out has only what its prototype has: who speaks of one may give it members by any keys.
  const isOpen = all.some((each) => each.speaksOfPrototypes) && all.some((each) => each.givesAnyMembers);
  const isGiven = (member: PropertyKey): boolean =>
    isOpen ||
    (typeof member === 'string' && all.some(({ words, written }) => words.has(member) || written.has(member)));
  const end = given.findIndex(({ type }) => type === 'SpreadElement');
  return (end < 0 ? given : given.slice(0, end)).flatMap((argument, at) => {
    const why = lacking(argument, needs[at] ?? [], isGiven);
    return why === undefined ? [] : [{ argument, why: `${why} in '${name}'` }];
  });
}

/** Whether a name stands for something else where it is used than what the cells are known to declare by it. */
function isOther(program: Program, { start }: Node, name: string, { names }: Known): boolean {
  const isInner = !names.declared.has(name) && names.habits.declares(name);
  const isFree = freeIdentifiers(program, new Set([name])).some((each) => each.start === start);
  return isFree === isInner;
}

/** The calls that a cell reaches in any case when it runs to its end, also in functions that are called on the spot. */
function reachedCalls(program: Program): Call[] {
  const found: Call[] = [];
  const called = new Set<Node>();
  const visit = (node: Node): void => {
    // An error in an async function is the cell's if it is awaited there.
    const awaited = node.type === 'AwaitExpression' ? functionCalledBy(node.argument) : undefined;
    if (awaited) called.add(awaited);
    if (node.type !== 'CallExpression') return;
    found.push(node);
    const made = functionCalledBy(node);
    if (made && !isAsyncFunction(made)) called.add(made);
  };
  walkCertain(program, visit, (made) => called.has(made));
  return found;
}

/** The function that an expression writes out and calls; undefined for others, and for generators, which run later. */
function functionCalledBy(node: Node): Node | undefined {
  const [made] = node.type === 'CallExpression' && !node.optional ? calledAtOnce(node) : [];
  const isMethod = node.type === 'CallExpression' && node.callee.type === 'MemberExpression';
  if (!made || isMethod || !opensFunction(made)) return undefined;
  return 'generator' in made && made.generator ? undefined : made;
}

/** Where a function reads or writes members of `this`, not counting functions within it that have their own. */
function ownMembers(made: Node): Node[] {
  const found: Node[] = [];
  walk(made, (node) => {
    if (node.type === 'MemberExpression' && node.object.type === 'ThisExpression') found.push(node.object);
    return node === made || node.type === 'ArrowFunctionExpression' || !opensFunction(node);
  });
  return found;
}

/** Whether an expression is a promise that is not awaited: of a call, or kept in a constant. */
function isPromise(node: Node, known: Known): boolean {
  const called = node.type === 'Identifier' ? habitsOf(node.name, known)?.promisedBy(node.name) : promisedBy(node);
  return called === '' || (called !== undefined && isAsync(called, known));
}

/** Whether a name stands for an async function, of a cell or of the language. */
function isAsync(name: string, known: Known): boolean {
  const habits = habitsOf(name, known);
  return habits ? habits.isAsync(name) : name === 'fetch' && !known.scope.get(name);
}

/**
 * What the cell does that declares a name; undefined if none does, or if the name may stand for something else, as where
 * any other cell assigns it.
 */
function habitsOf(name: string, { names, scope }: Known): Habits | undefined {
  const { kind, cell } = scope.get(name) ?? {};
  const declaring = names.declared.has(name) || !cell ? names : cell.names;
  const isAssigned = (other: CellNames): boolean => other !== declaring && other.assigned.has(name);
  if (isAssigned(names) || scope.cells.some((each) => isAssigned(each.names))) return undefined;
  if (names.declared.has(name)) return names.habits;
  if (names.habits.declares(name)) return cell ? undefined : names.habits;
  return kind === 'let' ? undefined : cell?.names.habits;
}

/** The parts of an expression that become text: in a template, beside a text and `+`, as JSON. */
function textParts(node: Node): Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions;
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const sides: Node[] = [node.left, node.right];
    return sides.some(isText) ? sides : [];
  }
  const callee = node.type === 'CallExpression' ? node.callee : undefined;
  const isJson =
    callee?.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'JSON' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'stringify';
  return isJson && node.type === 'CallExpression' ? node.arguments.slice(0, 1) : [];
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
