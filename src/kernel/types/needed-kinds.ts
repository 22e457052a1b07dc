import type { Node } from 'oxc-parser';
import { assignmentTargets, childrenOf, memberName, opensFunction, varNames, walk } from '../transform/syntax-tree.js';

/** What a function does with a parameter in any case: calls one of its methods, calls it, or goes through it. */
export interface Need {
  /** The parameter's name. */
  name: string;
  /** The method that is called; undefined for the value itself. */
  method?: string;
  isIterated?: boolean;
}

/** Kinds of values that a cell writes out, with what all of the kind have. */
const KINDS: Record<string, object> = {
  string: String.prototype,
  number: Number.prototype,
  boolean: Boolean.prototype,
  bigint: BigInt.prototype,
};

/**
 * What each call of a function needs of the parameters that it names without a type: what stands before anything that may
 * end it or be left out, in the order of the parameters. Nothing of a parameter that the function gives another value.
 *
 * @param made A function or an arrow; the list is empty for any other.
 * @example needsOf(…) // of `(xs, n) => xs.map(x => x * n)`: [[{ name: 'xs', method: 'map' }], []]
 */
export function needsOf(made: Node | null | undefined): Need[][] {
  if (!made || !opensFunction(made) || !('params' in made) || !('body' in made) || !made.body) return [];
  // A generator runs later, and who awaits an async function may be ready for its error.
  if (('generator' in made && made.generator) || ('async' in made && made.async)) return [];
  // What says the type of `this` is no parameter where the cell runs.
  const parameters = (made.params as Node[]).filter((each) => each.type !== 'Identifier' || each.name !== 'this');
  const found = new Map<string, Need[]>();
  for (const each of parameters) if (each.type === 'Identifier' && !each.typeAnnotation) found.set(each.name, []);
  if (found.size === 0) return [];
  const renewed = [...assignmentTargets(made).values(), ...varNames(made.body as Node)];
  for (const name of renewed) found.delete(name);
  for (const part of certainIn(made.body as Node)) readNeeds(part, found);
  return parameters.map((each) => (each.type === 'Identifier' ? (found.get(each.name) ?? []) : []));
}

/** Statements of which an expression is reached in any case. */
const CERTAIN = /^(VariableDeclaration|(Expression|Return|Throw|ForOf)Statement)$/;

/** The parts of a function's body that each call reaches, as far as its text tells. */
function certainIn(body: Node): Node[] {
  const statements: Node[] = body.type === 'BlockStatement' ? body.body : [body];
  const found: Node[] = [];
  for (const each of statements) {
    if (/^(Function|Class)Declaration$/.test(each.type)) continue;
    if (each === body || CERTAIN.test(each.type)) found.push(each);
    if (!/^(VariableDeclaration|ExpressionStatement)$/.test(each.type)) break;
  }
  return found;
}

/**
 * Visits what is reached in any case where a part of a program runs to its end, from the outside in: nothing that a
 * condition, a loop, a label, a default or an optional chain may leave out, nothing in `try`, no functions and classes.
 *
 * @param isCalled Whether a function that it comes to is called on the spot, so that its body is reached, too.
 */
export function walkCertain(
  root: Node,
  visit: (node: Node, parent: Node | undefined) => void,
  isCalled: (made: Node) => boolean = () => false,
): void {
  const waiting: [node: Node, parent: Node | undefined][] = [[root, undefined]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, parent] = next;
    const isLater = opensFunction(node) || OWN.test(node.type);
    if (isLater && !isCalled(node)) continue;
    visit(node, parent);
    const parts = isLater && 'body' in node ? reachedOf(node.body as Node) : certainParts(node);
    for (const part of [...parts].reverse()) waiting.push([part, node]);
  }
}

/** What holds code that does not run where it stands. */
const OWN = /^(Class(Declaration|Expression)|(TSAbstract)?AccessorProperty)$/;

/** The parts of a node that are reached in any case. */
function certainParts(node: Node): Node[] {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return [node.test];
    case 'ForOfStatement':
    case 'ForInStatement':
      return [node.right];
    case 'ForStatement':
      return [node.init, node.test].filter((each) => each !== null);
    case 'SwitchStatement':
      return [node.discriminant];
    case 'LogicalExpression':
    case 'AssignmentPattern':
      return [node.left];
    case 'AssignmentExpression':
      return /^(&&|\|\||\?\?)=$/.test(node.operator) ? [node.left] : childrenOf(node);
    case 'ChainExpression':
      return beforeOptional(node.expression);
    case 'DoWhileStatement':
    case 'LabeledStatement':
    case 'TryStatement':
    case 'YieldExpression':
      return [];
    default:
      return childrenOf(node);
  }
}

/** What an optional chain begins with, before its first `?.`. */
function beforeOptional(chain: Node): Node[] {
  let found: Node[] = [];
  for (let at = chain; at.type === 'MemberExpression' || at.type === 'CallExpression'; ) {
    const { optional } = at;
    at = at.type === 'MemberExpression' ? at.object : at.callee;
    if (optional) found = [at];
  }
  return found;
}

/** The statements of a function's body before any that may end it. */
function reachedOf(body: Node): Node[] {
  if (body.type !== 'BlockStatement') return [body];
  const end = body.body.findIndex(mayReturn);
  const last = body.body[end];
  if (!last) return body.body;
  return body.body.slice(0, last.type === 'ReturnStatement' ? end + 1 : end);
}

function mayReturn(statement: Node): boolean {
  let isFound = false;
  walk(statement, (node) => {
    isFound ||= node.type === 'ReturnStatement';
    return !isFound && !opensFunction(node);
  });
  return isFound;
}

function readNeeds(part: Node, found: ReadonlyMap<string, Need[]>): void {
  const add = (value: Node | null | undefined, need: Omit<Need, 'name'>): void => {
    if (value?.type === 'Identifier') found.get(value.name)?.push({ name: value.name, ...need });
  };
  walkCertain(part, (node, parent) => {
    if (node.type === 'CallExpression') {
      const { callee } = node;
      const method = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
      if (callee.type === 'MemberExpression' && method !== undefined) add(callee.object, { method });
      else add(callee, {});
    }
    if (node.type === 'SpreadElement' && parent?.type !== 'ObjectExpression') add(node.argument, { isIterated: true });
    if (node.type === 'ForOfStatement') add(node.right, { isIterated: true });
    if (node.type === 'VariableDeclarator' && node.id.type === 'ArrayPattern') add(node.init, { isIterated: true });
  });
}

/**
 * Why a value that is written out does not do for a parameter; undefined if it does, or if only the run knows what it is.
 *
 * @param isGiven Whether cells give values a member of a name, or of a symbol, such as those of a prototype.
 */
export function lacking(
  value: Node,
  needs: readonly Need[],
  isGiven: (name: PropertyKey) => boolean,
): string | undefined {
  const kind = kindOf(value);
  if (!kind) return undefined;
  const { name: what, has, isFunction } = kind;
  for (const { name, method, isIterated } of needs) {
    if (isIterated && !has(Symbol.iterator) && !isGiven(Symbol.iterator))
      return `${what} cannot be gone through, as '${name}' is`;
    if (isIterated || (method === undefined ? isFunction : has(method) || isGiven(method))) continue;
    return method === undefined
      ? `${what} cannot be called, as '${name}' is`
      : `${what} has no '${method}', which is called on '${name}'`;
  }
  return undefined;
}

/** What a value is that is written out; undefined where only the run knows. */
function kindOf(value: Node): { name: string; has: (name: PropertyKey) => boolean; isFunction: boolean } | undefined {
  const of = (name: string, prototype: object, isFunction = false) => {
    return { name, has: (member: PropertyKey) => member in prototype, isFunction };
  };
  if (/^(ArrowFunction|Function)Expression$/.test(value.type)) return of('A function', Function.prototype, true);
  if (value.type === 'TemplateLiteral') return of('A text', String.prototype);
  if (value.type === 'ArrayExpression') return of('A list', Array.prototype);
  if (value.type === 'UnaryExpression' && value.operator === '-') return of('A number', Number.prototype);
  if (value.type === 'Literal') {
    const kind = typeof value.value;
    const prototype = KINDS[kind];
    return prototype && of(kind === 'string' ? 'A text' : `A ${kind}`, prototype);
  }
  if (value.type !== 'ObjectExpression') return undefined;
  const names = new Set<PropertyKey>();
  for (const each of value.properties) {
    if (each.type !== 'Property' || each.computed) return undefined;
    const name = each.key.type === 'Identifier' ? each.key.name : String('value' in each.key ? each.key.value : '');
    // It has what that has, whatever it is.
    if (name === '__proto__') return undefined;
    names.add(name);
  }
  return { name: 'An object', has: (name) => names.has(name) || name in Object.prototype, isFunction: false };
}
