import type { Function as FunctionNode, Node, Program } from 'oxc-parser';
import { freeIdentifiers } from './free-identifiers.js';
import { assignmentTargets, memberName, opensFunction, varNames, walk, wrapsExpression } from './syntax-tree.js';
import { NOTHING, topLevelNames } from './top-level-names.js';

/** The global functions of cells that ask the reader; each returns a promise. */
export const ASKING = ['confirm', 'input', 'prompt', 'password'];

const ANY = `\\b(?:${ASKING.join('|')})\\b`;

/** What a text has that calls one of them, or gives it another name; far cheaper than looking for the call. */
export const ASKING_CALL = new RegExp(
  `${ANY}[\\s)]*(?:!|\\?\\.)?\\s*(?:\\(|\\.\\s*(?:call|apply|bind)\\b)|[=.:(["']\\s*${ANY}|\\}\\s*=\\s*global(?:This)?\\b`,
);

/** The names of the global object. */
export const GLOBALS = ['globalThis', 'global'];

/**
 * Names by which cells call the asking functions, and which each is: its own, or that of a cell. Those that objects and
 * lists keep are `q.ask` and `q[0]`, those of the objects of a class `Q#ask`; `answer?` is a constant that keeps a promise.
 */
export type Asking = ReadonlyMap<string, string>;

/**
 * The asking function that a call calls: by its name, as a member of `globalThis`, or by a method of functions, as in
 * `confirm.call(null, 'sure?')`; undefined if it is none.
 *
 * @param nameAt The name at a place by which such a function is called, or `globalThis`.
 */
export function askedBy(callee: Node, nameAt: NameAt): string | undefined {
  if (wrapsExpression(callee)) return askedBy(callee.expression, nameAt);
  if (callee.type === 'SequenceExpression')
    return callee.expressions.at(-1) && askedBy(callee.expressions.at(-1) as Node, nameAt);
  if (callee.type === 'Identifier') return GLOBALS.includes(callee.name) ? undefined : nameAt(callee.start);
  if (callee.type === 'CallExpression')
    return callee.callee.type === 'MemberExpression' && memberName(callee.callee) === 'bind'
      ? askedBy(callee.callee.object, nameAt)
      : undefined;
  if (callee.type !== 'MemberExpression') return undefined;
  const own = callee.object.type === 'Identifier' ? nameAt(callee.object.start, memberOf(callee)) : undefined;
  if (own !== undefined) return own;
  const name = memberName(callee);
  const { object } = callee;
  if (object.type === 'NewExpression' && object.callee.type === 'Identifier')
    return nameAt(object.callee.start, `#${name}`);
  if (name === 'call' || name === 'apply') return askedBy(callee.object, nameAt);
  const isGlobal = callee.object.type === 'Identifier' && GLOBALS.includes(nameAt(callee.object.start) ?? '');
  return isGlobal && name !== undefined && ASKING.includes(name) ? name : undefined;
}

/** The name by which an asking function is called at a place, or that of the global object; with a member, of that. */
export type NameAt = (start: number, member?: string) => string | undefined;

/**
 * The constants and functions of a cell that are asking functions, and which: `const ask = confirm`,
 * `const { confirm: ask } = globalThis`, or one that returns what such a function returns, `const ask = () => confirm('x')`;
 * and those that its objects, lists and classes keep.
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
    freeIdentifiers(program, new Set([...[...named.keys()].map(rootOf), ...declared, ...GLOBALS])).map(
      ({ start, name }) => [start, name],
    ),
  );
  const asks = (name: string): string | undefined => aliases.get(name) ?? named.get(name);
  const nameAt: NameAt = (start, member = '') => {
    const root = starts.get(start);
    const name = root === undefined ? undefined : root + member;
    return name !== undefined && (GLOBALS.includes(name) || asks(name) !== undefined) ? name : undefined;
  };
  for (const each of functions) {
    const asked = returnedAsking(each, nameAt);
    if (each.id && asked !== undefined && !assigned.has(each.id.name)) aliases.set(each.id.name, asks(asked) ?? asked);
  }
  const keep = (kept: ReadonlyMap<string, string>): void => {
    for (const [name, asked] of kept) aliases.set(name, asks(asked) ?? asked);
  };
  for (const each of program.body)
    if (each.type === 'ClassDeclaration' && each.id) keep(keptBy(each, each.id.name, nameAt));
  for (const { id, init } of constants) {
    if (id.type === 'Identifier' && init) keep(keptBy(init, id.name, nameAt));
    if (id.type === 'Identifier' && init?.type === 'NewExpression' && init.callee.type === 'Identifier') {
      const own = `${init.callee.name}#`;
      for (const [name, asked] of [...named, ...aliases])
        if (name.startsWith(own)) aliases.set(`${id.name}.${name.slice(own.length)}`, asked);
    }
    const asked = init ? (askedBy(init, nameAt) ?? returnedAsking(init, nameAt)) : undefined;
    if (id.type === 'Identifier' && asked !== undefined) aliases.set(id.name, asks(asked) ?? asked);
    const promised = init?.type === 'CallExpression' ? askedBy(init.callee, nameAt) : undefined;
    if (id.type === 'Identifier' && promised !== undefined)
      aliases.set(`${id.name}${PROMISE}`, asks(promised) ?? promised);
    const isGlobal = init?.type === 'Identifier' && GLOBALS.includes(nameAt(init.start) ?? '');
    for (const [key, name] of isGlobal && id.type === 'ObjectPattern' ? takenBy(id) : [])
      if (ASKING.includes(key)) aliases.set(name, key);
  }
  return untouched(program, aliases);
}

/** How the name of a constant ends that keeps the promise of an answer. */
export const PROMISE = '?';

/** The variable of a name such as `q.ask`. */
export function rootOf(name: string): string {
  return name.replace(/[.[#?].*/s, '');
}

/** How a name ends that means a member: `.ask`, `[0]`; `[]` if only the run knows which. */
function memberOf(node: Extract<Node, { type: 'MemberExpression' }>): string {
  const { property, computed } = node;
  if (computed && property.type === 'Literal' && typeof property.value === 'number') return `[${property.value}]`;
  const name = memberName(node);
  return name === undefined ? '[]' : `.${name}`;
}

/** The asking functions that an object, a list or a class keeps, by the names that they have in a variable. */
function keptBy(value: Node, variable: string, nameAt: NameAt): Map<string, string> {
  const kept = new Map<string, string>();
  const note = (end: string, each: Node | null): void => {
    const asked = each ? (returnedAsking(each, nameAt) ?? askedBy(each, nameAt)) : undefined;
    if (asked === undefined) kept.delete(variable + end);
    else kept.set(variable + end, asked);
  };
  if (wrapsExpression(value)) return keptBy(value.expression, variable, nameAt);
  if (value.type === 'ObjectExpression')
    for (const each of value.properties) {
      if (each.type !== 'Property' || each.computed) kept.clear();
      else if (each.key.type === 'Identifier') note(`.${each.key.name}`, each.kind === 'init' ? each.value : null);
    }
  if (value.type === 'ArrayExpression' && !value.elements.some((each) => each?.type === 'SpreadElement'))
    for (const [at, each] of value.elements.entries()) note(`[${at}]`, each);
  if (value.type === 'ClassDeclaration')
    for (const each of value.body.body) {
      if (each.type !== 'MethodDefinition' && each.type !== 'PropertyDefinition') continue;
      if (
        each.computed ||
        each.key.type !== 'Identifier' ||
        (each.type === 'MethodDefinition' && each.kind !== 'method')
      )
        continue;
      note(`${each.static ? '.' : '#'}${each.key.name}`, each.value);
    }
  return kept;
}

/** The names that a program neither declares nor assigns itself. */
export function ownless(names: Asking, program: Program): Asking {
  const { constants, variables } = topLevelNames(program, new Set(varNames(program)), new Set(), NOTHING);
  const assigned = new Set(assignmentTargets(program).values());
  const isOwn = (name: string): boolean => constants.has(name) || variables.has(name) || assigned.has(name);
  return untouched(program, new Map([...names].filter(([name]) => !isOwn(rootOf(name)))));
}

/** Of some names, those without members that a program may change: it writes them, or gives away what holds them. */
function untouched(program: Program, names: Asking): Map<string, string> {
  const roots = new Set([...names.keys()].filter((name) => rootOf(name) !== name).map(rootOf));
  if (roots.size === 0) return new Map(names);
  const uses = new Set(freeIdentifiers(program, roots).map(({ start }) => start));
  const [shared, written] = [new Set<string>(), new Set<string>()];
  walk(program, (node, parent) => {
    const target =
      node.type === 'AssignmentExpression'
        ? node.left
        : node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete')
          ? node.argument
          : undefined;
    if (node.type === 'MemberExpression' && parent && IN_PATTERN.test(parent.type)) written.add(memberOf(node));
    if (target?.type === 'MemberExpression') {
      written.add(memberOf(target));
      if (memberOf(target) === '[]' && target.object.type === 'Identifier') shared.add(target.object.name);
    }
    if (node.type === 'ThisExpression' && parent?.type !== 'MemberExpression')
      for (const root of roots) shared.add(root);
    if (node.type !== 'Identifier' || !uses.has(node.start) || !roots.has(node.name)) return true;
    const isRead =
      (parent?.type === 'MemberExpression' && parent.object === node && !CHANGES.test(memberOf(parent))) ||
      (parent?.type === 'NewExpression' && parent.callee === node) ||
      (parent?.type === 'VariableDeclarator' && parent.id === node) ||
      parent?.type === 'ExpressionStatement';
    if (!isRead) shared.add(node.name);
    return true;
  });
  const isSure = (name: string): boolean => {
    const root = rootOf(name);
    return (
      root === name ||
      name.endsWith(PROMISE) ||
      (!shared.has(root) && !written.has(name.slice(root.length).replace('#', '.')))
    );
  };
  return new Map([...names].filter(([name]) => isSure(name)));
}

/** Where a member may be given a part of what a pattern takes apart. */
const IN_PATTERN = /^(ArrayPattern|AssignmentPattern|RestElement|Property|For(In|Of)Statement)$/;

/** Methods by which lists change. */
const CHANGES = /^\.(?:copyWithin|fill|pop|push|reverse|shift|sort|splice|unshift|prototype)$/;

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
