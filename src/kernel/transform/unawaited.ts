import type { Function as FunctionNode, Node, Program } from 'oxc-parser';
import { freeIdentifiers } from './free-identifiers.js';
import {
  assignmentTargets,
  lexicalNames,
  memberName,
  namesOf,
  opensFunction,
  varNames,
  walk,
  wrapsExpression,
} from './syntax-tree.js';

/** The global functions of cells that ask the reader; each returns a promise. */
export const ASKING = ['confirm', 'input', 'prompt', 'password'];

const ANY = `\\b(?:${ASKING.join('|')})\\b`;

/** What a text has that calls one of them, or gives it another name; far cheaper than looking for the call. */
export const ASKING_CALL = new RegExp(
  `${ANY}[\\s)]*(?:!|\\?\\.)?\\s*(?:\\(|\\.\\s*(?:call|apply|bind)\\b)|[=.(["']\\s*${ANY}|\\}\\s*=\\s*global(?:This)?\\b`,
);

/** The names of the global object. */
const GLOBALS = ['globalThis', 'global'];

/** What the message of a call that is not awaited begins with. */
export const UNAWAITED = /^[\p{ID_Continue}$]+\(…\) returns a promise, /u;

/** Names by which cells call the asking functions, and which each is: its own, or that of a cell. */
export type Asking = ReadonlyMap<string, string>;

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
  const free = freeIdentifiers(program, new Set([...aliases.keys(), ...GLOBALS]));
  const starts = new Map(free.map(({ start, name }) => [start, name]));
  if (starts.size === 0) return undefined;
  const nameAt: NameAt = (start) => starts.get(start);
  const parents = new Map<Node, Node | undefined>();
  const calls = new Map<Node, string>();
  walk(program, (node, parent) => {
    parents.set(node, parent);
    const name = node.type === 'CallExpression' ? askedBy(node.callee, nameAt) : undefined;
    if (name !== undefined) calls.set(node, name);
    return true;
  });
  const asks = (name: string): string => aliases.get(name) ?? name;
  const kept = usedLater(program, calls, parents);
  for (const [call, name] of calls) {
    if (kept.has(call) || isUsed(call, parents)) {
      const message = adviceFor(name, asks(name), { call, parents });
      return { message, offset: call.start };
    }
  }
  return undefined;
}

/**
 * The asking function that a call calls: by its name, as a member of `globalThis`, or by a method of functions, as in
 * `confirm.call(null, 'sure?')`; undefined if it is none.
 *
 * @param nameAt The name at a place by which such a function is called, or `globalThis`.
 */
function askedBy(callee: Node, nameAt: NameAt): string | undefined {
  if (wrapsExpression(callee)) return askedBy(callee.expression, nameAt);
  if (callee.type === 'SequenceExpression')
    return callee.expressions.at(-1) && askedBy(callee.expressions.at(-1) as Node, nameAt);
  if (callee.type === 'Identifier') return GLOBALS.includes(callee.name) ? undefined : nameAt(callee.start);
  if (callee.type === 'CallExpression')
    return callee.callee.type === 'MemberExpression' && memberName(callee.callee) === 'bind'
      ? askedBy(callee.callee.object, nameAt)
      : undefined;
  if (callee.type !== 'MemberExpression') return undefined;
  const name = memberName(callee);
  if (name === 'call' || name === 'apply') return askedBy(callee.object, nameAt);
  const isGlobal = callee.object.type === 'Identifier' && GLOBALS.includes(nameAt(callee.object.start) ?? '');
  return isGlobal && name !== undefined && ASKING.includes(name) ? name : undefined;
}

type NameAt = (start: number) => string | undefined;

/**
 * The constants and functions of a cell that are asking functions, and which: `const ask = confirm`,
 * `const { confirm: ask } = globalThis`, or one that returns what such a function returns, `const ask = () => confirm('x')`.
 */
export function aliasesIn(program: Program, named: Asking): Map<string, string> {
  const aliases = new Map<string, string>();
  const assigned = new Set(assignmentTargets(program).values());
  const functions = program.body.flatMap((each) => (each.type === 'FunctionDeclaration' ? [each] : []));
  const constants = program.body.flatMap((each) =>
    each.type === 'VariableDeclaration' && each.kind === 'const' ? each.declarations : [],
  );
  const declared = [...constants, ...functions].flatMap(({ id }) => (id?.type === 'Identifier' ? [id.name] : []));
  const starts = new Map(
    freeIdentifiers(program, new Set([...named.keys(), ...declared, ...GLOBALS])).map(({ start, name }) => [
      start,
      name,
    ]),
  );
  const asks = (name: string): string | undefined => aliases.get(name) ?? named.get(name);
  const nameAt: NameAt = (start) => {
    const name = starts.get(start);
    return name !== undefined && (GLOBALS.includes(name) || asks(name) !== undefined) ? name : undefined;
  };
  for (const each of functions) {
    const asked = returnedAsking(each, nameAt);
    if (each.id && asked !== undefined && !assigned.has(each.id.name)) aliases.set(each.id.name, asks(asked) ?? asked);
  }
  for (const { id, init } of constants) {
    const asked = init ? (askedBy(init, nameAt) ?? returnedAsking(init, nameAt)) : undefined;
    if (id.type === 'Identifier' && asked !== undefined) aliases.set(id.name, asks(asked) ?? asked);
    const isGlobal = init?.type === 'Identifier' && GLOBALS.includes(nameAt(init.start) ?? '');
    for (const [key, name] of isGlobal && id.type === 'ObjectPattern' ? takenBy(id) : [])
      if (ASKING.includes(key)) aliases.set(name, key);
  }
  return aliases;
}

/** The asking function whose promise, or in an async function whose answer, a function returns in any case. */
function returnedAsking(node: Node, nameAt: NameAt): string | undefined {
  if (wrapsExpression(node)) return returnedAsking(node.expression, nameAt);
  if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return undefined;
  const { body, generator } = node as FunctionNode;
  if (!body || generator) return undefined;
  if (body.type !== 'BlockStatement') return askedIn(body, nameAt);
  if (body.body.at(-1)?.type !== 'ReturnStatement') return undefined;
  const asked: (string | undefined)[] = [];
  walk(body, (each) => {
    if (each.type === 'ReturnStatement') asked.push(each.argument ? askedIn(each.argument, nameAt) : undefined);
    return !opensFunction(each);
  });
  return asked.includes(undefined) ? undefined : asked[0];
}

/** The asking function that an expression calls, awaited or not. */
function askedIn(node: Node, nameAt: NameAt): string | undefined {
  if (wrapsExpression(node) || node.type === 'ChainExpression') return askedIn(node.expression, nameAt);
  if (node.type === 'AwaitExpression') return askedIn(node.argument, nameAt);
  return node.type === 'CallExpression' ? askedBy(node.callee, nameAt) : undefined;
}

/** The members that a pattern takes, and the names that they get. */
function takenBy({ properties }: Extract<Node, { type: 'ObjectPattern' }>): [key: string, name: string][] {
  return properties.flatMap((each): [string, string][] => {
    if (each.type !== 'Property' || each.computed || each.key.type !== 'Identifier') return [];
    return each.value.type === 'Identifier' ? [[each.key.name, each.value.name]] : [];
  });
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
  const what = asks === 'confirm' ? 'a promise, which always counts as true' : 'a promise, not what the reader types';
  return `${name}(…) returns ${what}: write await ${name}(…), in an async function if it stands in one`;
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
