import type { Function as FunctionNode, Node, Program } from 'oxc-parser';
import { type Asking, aliasesIn, askedBy, GLOBALS, type NameAt, PROMISE, rootOf } from './asking-names.js';
import { freeIdentifiers } from './free-identifiers.js';
import { lexicalNames, namesOf, opensFunction, varNames, walk, wrapsExpression } from './syntax-tree.js';

/** What the message of a call that is not awaited begins with, or of a constant that keeps its promise. */
export const UNAWAITED = /^[\p{ID_Continue}$.[\]]+(?:\(…\) returns| is) a promise, /u;

/** A call that asks the reader where its promise stands for the answer, which no check of a promise can be. */
interface Unawaited {
  message: string;
  offset: number;
}

/**
 * The first call in a program that asks the reader and is used as if it were the answer: as a condition, an operand, an
 * object, what a search goes by, or by way of a variable that holds nothing else. Where the promise is passed on
 * otherwise, such as to a call, it may be awaited there.
 *
 * @param named The names by which the asking functions are called, and which each is.
 */
export function unawaitedCall(program: Program, named: Asking): Unawaited | undefined {
  const aliases = new Map([...named, ...aliasesIn(program, named)]);
  const free = freeIdentifiers(program, new Set([...[...aliases.keys()].map(rootOf), ...GLOBALS]));
  const starts = new Map(free.map(({ start, name }) => [start, name]));
  if (starts.size === 0) return undefined;
  const nameAt: NameAt = (start, member = '') => {
    const root = starts.get(start);
    const name = root === undefined ? undefined : root + member;
    return name !== undefined && (aliases.has(name) || GLOBALS.includes(name)) ? name : undefined;
  };
  const parents = new Map<Node, Node | undefined>();
  const calls = new Map<Node, string>();
  const promises: Node[] = [];
  walk(program, (node, parent) => {
    parents.set(node, parent);
    if (node.type === 'Identifier' && starts.has(node.start) && named.has(node.name + PROMISE)) promises.push(node);
    const name = node.type === 'CallExpression' ? askedBy(node.callee, nameAt) : undefined;
    if (name !== undefined) calls.set(node, name);
    return true;
  });
  const asks = (name: string): string => aliases.get(name) ?? name;
  const kept = usedLater(program, calls, parents);
  for (const [call, name] of calls) {
    if (kept.has(call) || isUsed(call, parents)) {
      const message = adviceFor(name.replace(/^.*#/, ''), asks(name), { call, parents });
      return { message, offset: call.start };
    }
  }
  const used = promises.find((node) => isUsed(node, parents));
  const name = used?.type === 'Identifier' ? used.name : '';
  const message = `${name} is ${promiseOf(asks(name + PROMISE))}: write await ${name}`;
  return used && { message, offset: used.start };
}

/** The calls whose promise goes to a variable that gets nothing else and is used as if it were the answer. */
function usedLater(program: Program, calls: ReadonlyMap<Node, string>, parents: Parents): Set<Node> {
  const holders = new Map(
    [...calls.keys()].flatMap((call) => {
      const holder = holderOf(call, parents);
      return holder ? [[holder, call] as const] : [];
    }),
  );
  if (holders.size === 0) return new Set();
  const byStart = new Map<number, Node>();
  for (const node of parents.keys()) if (node.type === 'Identifier') byStart.set(node.start, node);
  const found = new Set<Node>();
  for (const [holder, call] of holders) {
    const { body, isParameter } = reachOf(holder, parents, program);
    const all = freeIdentifiers({ body }, new Set([holder.name])).flatMap(({ start }) => byStart.get(start) ?? []);
    const isOther = (node: Node): boolean => isWritten(node, parents) && !holders.has(node as IdentifierNode);
    if ((!isParameter && !all.includes(holder)) || all.some(isOther)) continue;
    if (all.some((node) => node.start > call.end && isUsed(node, parents))) found.add(call);
  }
  return found;
}

/** The statements in which a name means the variable that it means at a place, and whether that is a parameter. */
function reachOf(
  holder: IdentifierNode,
  parents: Parents,
  program: Program,
): { body: readonly Node[]; isParameter: boolean } {
  const { name } = holder;
  for (let node = parents.get(holder); node; node = parents.get(node)) {
    if (node.type === 'BlockStatement' && lexicalNames(node.body).includes(name))
      return { body: node.body, isParameter: false };
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) continue;
    const { params, body: inner } = node as FunctionNode;
    const body = inner?.type === 'BlockStatement' ? inner.body : inner ? [inner as Node] : [];
    if (params.some((each) => namesOf(each).has(name))) return { body, isParameter: true };
    if (inner?.type === 'BlockStatement' && varNames(inner).includes(name)) return { body, isParameter: false };
  }
  return { body: program.body, isParameter: false };
}

type IdentifierNode = Extract<Node, { type: 'Identifier' }>;
type Parents = ReadonlyMap<Node, Node | undefined>;

/** The variable to which the value of a node goes. */
function holderOf(call: Node, parents: Parents): IdentifierNode | undefined {
  let node = call;
  for (let parent = parents.get(node); parent; parent = parents.get(node)) {
    if (parent.type === 'VariableDeclarator') return parent.id.type === 'Identifier' ? parent.id : undefined;
    if (parent.type === 'AssignmentExpression' && parent.operator === '=' && parent.right === node)
      return parent.left.type === 'Identifier' ? parent.left : undefined;
    if (parent.type === 'AssignmentPattern' && parent.right === node)
      return parent.left.type === 'Identifier' ? parent.left : undefined;
    if (!passesOn(parent, node)) return undefined;
    node = parent;
  }
  return undefined;
}

/** Whether a use of a variable gives it a value. */
function isWritten(node: Node, parents: Parents): boolean {
  const parent = parents.get(node);
  if (parent?.type === 'VariableDeclarator') return parent.id === node && parent.init !== null;
  if (parent?.type === 'AssignmentExpression') return parent.left === node;
  // Whatever takes it apart or counts it up.
  return (
    /^(UpdateExpression|ArrayPattern|ObjectPattern|AssignmentPattern|RestElement|For(In|Of)Statement)$/.test(
      parent?.type ?? '',
    ) ||
    (parent?.type === 'Property' && parents.get(parent)?.type === 'ObjectPattern')
  );
}

/** @param asks What the function is that the cell calls by a name. */
function adviceFor(name: string, asks: string, { call, parents }: { call: Node; parents: Parents }): string {
  if (searchOf(call, parents))
    return `${name}(…) returns a promise, which always counts as true here: ask in a loop, for (const each of list) if (await ${name}(…)) { … }`;
  return `${name}(…) returns ${promiseOf(asks)}: write await ${name}(…), in an async function if it stands in one`;
}

function promiseOf(asks: string): string {
  return asks === 'confirm' ? 'a promise, which always counts as true' : 'a promise, not what the reader types';
}

/** Whether a promise is used where its value is meant. */
function isUsed(call: Node, parents: Parents): boolean {
  if (searchOf(call, parents)) return true;
  let node = call;
  for (let parent = parents.get(node); parent; parent = parents.get(node)) {
    if (isUse(parent, node)) return true;
    if (!passesOn(parent, node)) return false;
    node = parent;
  }
  return false;
}

const SEARCH = /^(filter|some|every|find|findIndex|findLast|findLastIndex)$/;
const CONVERTS = /^(Boolean|Number|String|BigInt|parseInt|parseFloat|isNaN|isFinite)$/;

/** The function that returns the value of a node and by whose answers a list is searched; undefined if none does. */
function searchOf(call: Node, parents: Parents): Node | undefined {
  let node = call;
  for (let parent = parents.get(node); parent && passesOn(parent, node); parent = parents.get(node)) node = parent;
  let returns = parents.get(node);
  if (returns?.type === 'ReturnStatement') {
    while (returns && !opensFunction(returns)) returns = parents.get(returns);
  } else if (returns?.type !== 'ArrowFunctionExpression' || returns.body !== node) return undefined;
  const user = returns && parents.get(returns);
  if (user?.type !== 'CallExpression' || user.arguments[0] !== returns) return undefined;
  const { callee } = user;
  const isSearch = callee.type === 'MemberExpression' && callee.property.type === 'Identifier';
  return isSearch && SEARCH.test((callee.property as IdentifierNode).name) ? returns : undefined;
}

/** Whether a call makes something of its parameter that only the answer can be. */
function converts(callee: Node): boolean {
  if (callee.type === 'Identifier') return CONVERTS.test(callee.name);
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false;
  return /^(Number|Math|JSON)$/.test(callee.object.name);
}

function isUse(parent: Node, node: Node): boolean {
  switch (parent.type) {
    case 'CallExpression':
      return parent.callee !== node && converts(parent.callee);
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'ConditionalExpression':
      return parent.test === node;
    case 'LogicalExpression':
      return parent.left === node;
    case 'UnaryExpression':
      return parent.operator !== 'void' && parent.operator !== 'typeof';
    case 'BinaryExpression':
      return parent.operator !== 'instanceof';
    case 'TemplateLiteral':
    case 'SpreadElement':
      return true;
    case 'MemberExpression':
      return parent.object === node && !isOfPromises(parent.property);
    case 'SwitchStatement':
      return parent.discriminant === node;
    case 'ForOfStatement':
      return parent.right === node && !parent.await;
    default:
      return false;
  }
}

function isOfPromises(property: Node): boolean {
  return property.type === 'Identifier' && /^(then|catch|finally)$/.test(property.name);
}

/** Whether the value of a node is that of its parent. */
function passesOn(parent: Node, node: Node): boolean {
  if (
    wrapsExpression(parent) ||
    parent.type === 'ChainExpression' ||
    parent.type === 'LogicalExpression' ||
    parent.type === 'ConditionalExpression'
  )
    return true;
  return parent.type === 'SequenceExpression' && parent.expressions.at(-1) === node;
}
