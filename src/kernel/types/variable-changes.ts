import type { Node, Program } from 'oxc-parser';
import { freeIdentifiers } from '../transform/free-identifiers.js';
import { opensFunction, walk, wrapsExpression } from '../transform/syntax-tree.js';

/** What a variable's type evolves by: the elements added to the array, or the values assigned. */
export type Evolving = 'array' | 'value';

/**
 * The variables of a declaration whose type TypeScript derives from their use: `let best = null`, `const rows = []`.
 *
 * @example evolvingVariables(parse('let best, n = 1, rows = []')) // [['best', 'value'], ['rows', 'array']]
 */
export function evolvingVariables(declaration: Node): [name: string, evolving: Evolving][] {
  if (declaration.type !== 'VariableDeclaration' || declaration.declare) return [];
  const isAssignable = declaration.kind === 'let' || declaration.kind === 'var';
  return declaration.declarations.flatMap(({ id, init }): [string, Evolving][] => {
    if (id.type !== 'Identifier' || id.typeAnnotation) return [];
    if (init?.type === 'ArrayExpression' && init.elements.length === 0) return [[id.name, 'array']];
    return isAssignable && isNothing(init) ? [[id.name, 'value']] : [];
  });
}

function isNothing(init: Node | null): boolean {
  if (init?.type === 'Identifier') return init.name === 'undefined';
  return !init || (init.type === 'Literal' && init.raw === 'null');
}

/** Where a part of a program adds elements to an array, as far as TypeScript sees: offset and name of the array. */
export function filledArrays(part: Node): Map<number, string> {
  const filled = new Map<number, string>();
  walk(part, (node) => {
    const array = filledBy(node);
    if (array?.type === 'Identifier') filled.set(array.start, array.name);
    return true;
  });
  return filled;
}

function filledBy(node: Node): Node | undefined {
  const isCall = node.type === 'CallExpression';
  const target = isCall ? node.callee : node.type === 'AssignmentExpression' ? node.left : undefined;
  if (target?.type !== 'MemberExpression') return undefined;
  if (!isCall) return target.computed ? target.object : undefined;
  const isFilling = !target.computed && /^(push|unshift)$/.test('name' in target.property ? target.property.name : '');
  return isFilling ? target.object : undefined;
}

/**
 * The top-level variables, the cell's own and earlier cells', that functions of a cell change: what they hold after the
 * cell depends on what is called, and when.
 *
 * @param changes Finds where a part of the program changes variables: offset and name.
 */
export function changedByFunctions(program: Program, changes: (part: Node) => Map<number, string>): Set<string> {
  const targets = new Map<number, string>();
  walk(program, (node) => {
    if (!opensFunction(node)) return true;
    for (const [start, name] of changes(node)) targets.set(start, name);
    return false;
  });
  if (targets.size === 0) return new Set();
  const free = freeIdentifiers(program, new Set(targets.values()));
  return new Set(free.filter(({ start }) => targets.has(start)).map(({ name }) => name));
}

/** Methods that call the given function before they return. */
const CALLS_AT_ONCE =
  /^(map|flatMap|filter|forEach|reduce|reduceRight|some|every|find(Last)?(Index)?|sort|toSorted|from|replace|replaceAll)$/;

/**
 * Where an expression reads variables during its evaluation. Reads in functions count only if these certainly run by
 * then: called on the spot, or given to a method such as `map`. Shorthands such as `{ name }` never count.
 */
export function valueReads(expression: Node, names: string[]): { name: string; start: number }[] {
  const free = freeIdentifiers({ body: [expression] }, new Set(names)).filter(({ isShorthand }) => !isShorthand);
  if (free.length === 0) return [];
  const later = runLater(expression);
  return free.filter(({ start: at }) => !later.some(({ start, end }) => start <= at && at < end));
}

/** The functions and classes in an expression that may run only after it has been evaluated. */
export function runLater(expression: Node): Node[] {
  const later: Node[] = [];
  const atOnce = new Set<Node>();
  let awaitedTo = 0;
  walk(expression, (node) => {
    if (node.type === 'AwaitExpression') awaitedTo = Math.max(awaitedTo, node.end);
    for (const called of calledAtOnce(node)) atOnce.add(called);
    if (!/Function|Class/.test(node.type)) return true;
    const isLate = !atOnce.has(node) || ('async' in node && node.async && node.end > awaitedTo);
    if (isLate) later.push(node);
    return !isLate;
  });
  return later;
}

/** The functions that a call calls before it returns: what is called, what a method such as `map` is given. */
export function calledAtOnce(node: Node): Node[] {
  if (node.type !== 'CallExpression') return [];
  const callee = unwrapped(node.callee);
  if (callee.type !== 'MemberExpression') return [callee];
  const method = !callee.computed && 'name' in callee.property ? callee.property.name : '';
  return CALLS_AT_ONCE.test(method) ? node.arguments.map(unwrapped) : [];
}

function unwrapped(node: Node): Node {
  return wrapsExpression(node) ? unwrapped(node.expression) : node;
}
