import type { Node } from 'oxc-parser';
import { memberName, opensFunction, walk } from '../transform/syntax-tree.js';

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
 * end it or be left out, in the order of the parameters.
 *
 * @param made A function or an arrow; the list is empty for any other.
 * @example needsOf(…) // of `(xs, n) => xs.map(x => x * n)`: [[{ name: 'xs', method: 'map' }], []]
 */
export function needsOf(made: Node | null | undefined): Need[][] {
  if (!made || !opensFunction(made) || !('params' in made) || !('body' in made)) return [];
  // A generator runs later, and who awaits an async function may be ready for its error.
  if (('generator' in made && made.generator) || ('async' in made && made.async)) return [];
  const parameters = made.params as Node[];
  const found = new Map<string, Need[]>();
  for (const each of parameters) if (each.type === 'Identifier' && !each.typeAnnotation) found.set(each.name, []);
  if (found.size === 0) return [];
  walk(made.body as Node, (node) => {
    const target = node.type === 'AssignmentExpression' ? node.left : undefined;
    const written = target ?? (node.type === 'UpdateExpression' ? node.argument : undefined);
    if (written?.type === 'Identifier') found.delete(written.name);
    return true;
  });
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

function readNeeds(part: Node, found: ReadonlyMap<string, Need[]>): void {
  const add = (value: Node | null | undefined, need: Omit<Need, 'name'>): void => {
    if (value?.type === 'Identifier') found.get(value.name)?.push({ name: value.name, ...need });
  };
  walk(part, (node, parent) => {
    if (opensFunction(node) || node.type === 'YieldExpression' || node.type === 'ChainExpression') return false;
    if (node.type === 'ConditionalExpression' || (node.type === 'AssignmentExpression' && node.operator.length > 2))
      return false;
    if (node.type === 'LogicalExpression') {
      readNeeds(node.left, found);
      return false;
    }
    if (node.type === 'CallExpression') {
      const { callee } = node;
      const method = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
      if (callee.type === 'MemberExpression' && method !== undefined) add(callee.object, { method });
      else add(callee, {});
    }
    if (node.type === 'SpreadElement' && parent?.type !== 'ObjectExpression') add(node.argument, { isIterated: true });
    if (node.type === 'ForOfStatement') {
      add(node.right, { isIterated: true });
      readNeeds(node.right, found);
      return false;
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'ArrayPattern') add(node.init, { isIterated: true });
    return true;
  });
}

/**
 * Why a value that is written out does not do for a parameter; undefined if it does, or if only the run knows what it is.
 *
 * @param isGiven Whether cells give values a member of a name, such as those of a prototype.
 */
export function lacking(value: Node, needs: readonly Need[], isGiven: (name: string) => boolean): string | undefined {
  const kind = kindOf(value);
  if (!kind) return undefined;
  const { name: what, has, isFunction } = kind;
  for (const { name, method, isIterated } of needs) {
    if (isIterated && !has(Symbol.iterator)) return `${what} cannot be gone through, as '${name}' is`;
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
    names.add(each.key.type === 'Identifier' ? each.key.name : String('value' in each.key ? each.key.value : ''));
  }
  return { name: 'An object', has: (name) => names.has(name) || name in Object.prototype, isFunction: false };
}
