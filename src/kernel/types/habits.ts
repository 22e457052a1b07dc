import type { Node, Program } from 'oxc-parser';
import { assignmentTargets, memberName, namesOf, walk, wrapsExpression } from '../transform/syntax-tree.js';
import { type Need, needsOf } from './needed-kinds.js';
import { importedBy } from './runtime-members.js';

/** A part of a cell, by offsets. */
interface Span {
  start: number;
  end: number;
}

/** What the text of a cell does with objects and with what is global without saying so in types: where it does so. */
export class Habits {
  /** Where it gives objects members by their names: offsets of the names. */
  readonly written = new Map<string, number[]>();
  /** The names of members that it gives objects, or classes, otherwise than by counting them up: `n` of `{ n: 0 }`. */
  readonly #begun = new Set<string>();
  /** Whether it gives what a class makes members that only the run knows: `Object.assign(this, options)`. */
  #beginsAny = false;
  /** The objects to which it gives members by keys that only the run knows: `counts` of `counts[name] = 1`. */
  readonly keyed: Span[] = [];
  /** Where it gives objects what others have: `Object.assign(row, extra)`, `state = { ...state, ...more }`. */
  readonly merged: Span[] = [];
  /** Its other calls that pass an object with something besides, and may give it that: `extend(row, { total: 1 })`. */
  readonly passed: (Span & { root: string | undefined })[] = [];
  /** Names that it gives the global object: `globalThis.shared = …`. */
  readonly globals = new Set<string>();
  /** Names whose presence it asks for: `typeof window`. */
  readonly asked = new Set<string>();
  /** Members that it uses as a condition, of which the language or Node.js may have or lack some: `if (Object.groupBy)`. */
  readonly tested = new Set<string>();
  /** The frames to which it gives columns where they stand, by the names of these: `pnl` of `pnl.addColumn('roi', …)`. */
  readonly columns = new Map<string, Span[]>();
  /** The variables that it declares with a type, at any depth. */
  readonly annotated = new Set<string>();
  /** Names of modules as a whole, with what they are imported from: `fs node:fs`. */
  readonly modules = new Set<string>();

  /** What it imports, by its own names for them. */
  readonly imports = new Map<string, string>();
  /** Its calls, by the names of the variables with which what is called begins: `d3` of `d3.tree()(root)`. */
  readonly calls = new Map<string, Span[]>();
  /** All names that its text has. */
  readonly names = new Set<string>();
  /** The functions, classes and objects that give objects a member of a name, by their own names. */
  readonly givers = new Map<string, Set<string>>();
  /** Those that give objects members of any names. */
  readonly mergers = new Set<string>();
  /** The names that its texts may be paths to, and the keys of its objects. */
  readonly words = new Set<string>();
  /** The names that it declares, at any depth, and how often: one that is assigned counts once more. */
  readonly #declared = new Map<string, number>();
  readonly #asyncs = new Set<string>();
  readonly #lists = new Set<string>();
  readonly #kept = new Map<string, string>();
  readonly #needs = new Map<string, Need[][]>();

  /** Reads the text of one cell. */
  constructor(program: Program) {
    for (const statement of program.body) this.#readGivers(statement);
    for (const name of assignmentTargets(program).values()) this.#declare(name);
    walk(program, (node) => {
      if (node.type === 'Identifier') this.names.add(node.name);
      if (node.type === 'Literal' && typeof node.value === 'string')
        for (const name of namesInPath(node.value)) this.words.add(name);
      if (node.type === 'Property' && node.key.type === 'Identifier') this.words.add(node.key.name);
      if (BEGINS.test(node.type) && 'key' in node && node.key?.type === 'Identifier') this.#begun.add(node.key.name);
      this.#read(node);
      return true;
    });
  }

  /** Whether it may give an object, or what a class makes, a member of a name with a value to count from. */
  begins(name: string): boolean {
    return this.#beginsAny || this.#begun.has(name) || this.words.has(name);
  }

  /** Whether it declares a name, at any depth. */
  declares(name: string): boolean {
    return this.#declared.has(name);
  }

  /** Whether a name stands for an async function wherever the cell uses it: one declared or assigned twice may not. */
  isAsync(name: string): boolean {
    return this.#asyncs.has(name) && this.#declared.get(name) === 1;
  }

  /** Whether a name stands for a list that is written out, wherever the cell uses it. */
  isList(name: string): boolean {
    return this.#lists.has(name) && this.#declared.get(name) === 1;
  }

  /** What each call of a function needs of its parameters, wherever the cell uses its name; empty where nothing is known. */
  needsOf(name: string): readonly Need[][] {
    // One with a written type takes what that says.
    const isKnown = this.#declared.get(name) === 1 && !this.annotated.has(name);
    return (isKnown && this.#needs.get(name)) || [];
  }

  /** What is called for the promise that a constant holds; empty for one of the language, undefined if it may hold none. */
  promisedBy(name: string): string | undefined {
    return this.#declared.get(name) === 1 ? this.#kept.get(name) : undefined;
  }

  /** Whether it names prototypes, by way of which all texts, or numbers, can be given members. */
  get speaksOfPrototypes(): boolean {
    return PROTOTYPES.some((name) => this.names.has(name) || this.words.has(name));
  }

  /** Whether it gives an object members of which only the run knows the keys. */
  get givesAnyMembers(): boolean {
    return this.keyed.length + this.merged.length + this.passed.length > 0;
  }

  #declare(name: string, value: Node | null = null): void {
    this.#declared.set(name, (this.#declared.get(name) ?? 0) + 1);
    if (isAsyncFunction(value)) this.#asyncs.add(name);
    if (value?.type === 'ArrayExpression') this.#lists.add(name);
    const needs = needsOf(value);
    if (needs.some((each) => each.length > 0)) this.#needs.set(name, needs);
  }

  #read(node: Node): void {
    if (node.type === 'FunctionDeclaration' && node.id) this.#declare(node.id.name, node);
    if ('params' in node && Array.isArray(node.params))
      for (const each of node.params as Node[]) for (const name of namesOf(each)) this.#declare(name);
    if (node.type === 'VariableDeclaration')
      for (const { id, init } of node.declarations) {
        for (const name of namesOf(id)) this.#declare(name, id.type === 'Identifier' ? init : null);
        const called = node.kind === 'const' && id.type === 'Identifier' ? promisedBy(init) : undefined;
        if (called !== undefined && id.type === 'Identifier') this.#kept.set(id.name, called);
      }
    for (const name of testedBy(node)) this.tested.add(name);
    for (const name of begunBy(node)) this.#begun.add(name);
    if (node.type === 'AssignmentExpression') {
      this.#readTarget(node.left);
      if (node.right.type === 'ObjectExpression' && isMerge(node))
        this.merged.push({ start: node.start, end: node.end });
    } else if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete'))
      this.#readTarget(node.argument);
    else if (node.type === 'UnaryExpression' && node.operator === 'typeof' && node.argument.type === 'Identifier')
      this.asked.add(node.argument.name);
    else if (node.type === 'ArrayPattern') for (const each of node.elements) this.#readTarget(each);
    else if (node.type === 'CallExpression') this.#readCall(node);
    else if (node.type === 'ImportDeclaration')
      for (const each of node.specifiers) {
        this.imports.set(each.local.name, node.source.value);
        if (each.type !== 'ImportSpecifier') this.modules.add(`${each.local.name} ${node.source.value}`);
      }
    const imported = node.type === 'VariableDeclarator' ? importedBy(node.init) : undefined;
    if (imported !== undefined && node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      this.modules.add(`${node.id.name} ${imported}`);
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
      if (node.id.typeAnnotation || saysType(node.init)) this.annotated.add(node.id.name);
  }

  #readGivers(statement: Node): void {
    const declared = statement.type === 'VariableDeclaration' ? statement.declarations : [];
    const names = new Set(declared.flatMap(({ id }) => [...namesOf(id)]));
    if (/^(Function|Class)Declaration$/.test(statement.type) && 'id' in statement && statement.id)
      for (const name of namesOf(statement.id as Node)) names.add(name);
    if (names.size === 0) return;
    walk(statement, (node) => {
      if (isMerge(node)) for (const each of names) this.mergers.add(each);
      const name =
        node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression'
          ? memberName(node.left)
          : undefined;
      if (name !== undefined) this.givers.set(name, new Set([...(this.givers.get(name) ?? []), ...names]));
      return true;
    });
  }

  #readTarget(target: Node | null): void {
    if (target?.type !== 'MemberExpression') return;
    const { object, property } = target;
    const name = memberName(target);
    if (name === undefined) {
      if (target.computed) this.keyed.push({ start: object.start, end: object.end });
      this.#beginsAny ||= target.computed && object.type === 'ThisExpression';
      return;
    }
    if (!target.computed) this.written.set(name, [...(this.written.get(name) ?? []), property.start]);
    if (object.type === 'Identifier' && /^(globalThis|global|window|self)$/.test(object.name)) this.globals.add(name);
  }

  /** `Object.assign(a, { b })`, `Object.defineProperty(a, 'b', …)`, `frame.addColumn('b', …)`. */
  #readCall({ callee, arguments: given, start, end }: Extract<Node, { type: 'CallExpression' }>): void {
    const method = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
    const [first] = given;
    const root = rootOf(callee);
    if (first && root !== undefined) this.calls.set(root, [...(this.calls.get(root) ?? []), { start, end }]);
    const columns: string[] = [];
    if (method === 'addColumn' && first?.type === 'Literal') columns.push(String(first.value));
    if (method === 'rename' && first?.type === 'ObjectExpression')
      for (const each of first.properties)
        if (each.type === 'Property' && each.value.type === 'Literal') columns.push(String(each.value.value));
    if (callee.type === 'MemberExpression')
      for (const name of columns)
        this.columns.set(name, [
          ...(this.columns.get(name) ?? []),
          { start: callee.object.start, end: callee.object.end },
        ]);
    this.#beginsAny ||= given.length > 1 && first?.type === 'ThisExpression';
    const isMade = method !== 'assign' && first?.type === 'ObjectExpression';
    if (!first || !(isMade || OBJECT.test(first.type))) return;
    if (root !== undefined && isOfLanguage(root, method)) this.merged.push({ start, end });
    else if (!isMade && given.slice(1).some((each) => NAMING.test(each.type))) this.passed.push({ start, end, root });
  }
}

const PROTOTYPES = ['prototype', '__proto__', 'getPrototypeOf'];

/** What a class, or a type, has. */
const BEGINS =
  /^(Property|(TSAbstract)?(Property|Method|Accessor)|TSProperty|TSMethod)(Definition|Property|Signature)?$/;
/** An assignment that gives no number, or no text, where there was no value: `flags |= 4` begins with 4. */
const COUNTS = /^([-+*/%]|\*\*)=$/;

/** The members that an assignment, or a loop, gives a value otherwise than by counting, also in a pattern. */
function begunBy(node: Node): string[] {
  const isCount = node.type === 'AssignmentExpression' && COUNTS.test(node.operator);
  if (isCount || !/^(AssignmentExpression|For(Of|In)Statement)$/.test(node.type) || !('left' in node)) return [];
  const found: string[] = [];
  walk(node.left, (part) => {
    const name = part.type === 'MemberExpression' ? memberName(part) : undefined;
    if (name !== undefined) found.push(name);
    return part.type !== 'MemberExpression';
  });
  return found;
}

/** What an object may be that is given members; a copy has those of both. */
const OBJECT = /^(Identifier|(Member|This|Call|TSAs|TSNonNull)Expression)$/;
/** What may name the members that an object is to have. */
const NAMING = /^(ObjectExpression|ArrayExpression|Literal|Identifier|MemberExpression|SpreadElement|CallExpression)$/;

function isOfLanguage(root: string, method: string | undefined): boolean {
  return /^(Object|Reflect)$/.test(root) && /^(assign|set|definePropert(y|ies)|setPrototypeOf)$/.test(method ?? '');
}

/** Whether a part of a cell gives an object members of which only the run knows the names. */
function isMerge(node: Node): boolean {
  if (node.type === 'AssignmentExpression') {
    const { left, right } = node;
    if (left.type === 'MemberExpression' && left.computed) return true;
    return right.type === 'ObjectExpression' && right.properties.some(({ type }) => type === 'SpreadElement');
  }
  const callee = node.type === 'CallExpression' ? node.callee : undefined;
  if (callee?.type !== 'MemberExpression') return false;
  return isOfLanguage(rootOf(callee) ?? '', memberName(callee));
}

/** The names in a text that may be a path to a member: a and b of `a.b[0]`; none in another text. */
export function namesInPath(text: string): string[] {
  return /^[\p{ID_Continue}$.[\]]+$/u.test(text) ? text.split(/[.[\]]+/).filter(Boolean) : [];
}

/** The variable with which a chain of members and calls begins; undefined for others. */
function rootOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'CallExpression') return rootOf(node.callee);
  return node.type === 'MemberExpression' ? rootOf(node.object) : undefined;
}

/** The members that an expression asks for, since it is a condition or a part of one. */
function testedBy(node: Node): string[] {
  const asked: Node[] = 'test' in node && node.test ? [node.test as Node] : [];
  if (node.type === 'LogicalExpression') asked.push(node.left);
  if (node.type === 'UnaryExpression' && /^(!|typeof)$/.test(node.operator)) asked.push(node.argument);
  if (node.type === 'CallExpression' && node.optional) asked.push(node.callee);
  if (node.type === 'MemberExpression' && node.optional) asked.push(node.object);
  const named = node.type === 'BinaryExpression' && node.operator === 'in' ? node.left : undefined;
  return [...asked.flatMap(membersOf), ...(named?.type === 'Literal' ? [String(named.value)] : [])];
}

function membersOf(node: Node): string[] {
  const inner = unwrapped(node);
  if (inner.type === 'LogicalExpression') return [...membersOf(inner.left), ...membersOf(inner.right)];
  const name = inner.type === 'MemberExpression' ? memberName(inner) : undefined;
  return name === undefined ? [] : [name];
}

function unwrapped(node: Node): Node {
  const isWrapped = wrapsExpression(node) || node.type === 'ChainExpression';
  return isWrapped ? unwrapped(node.expression) : node;
}

/** `new Map<string, number>()`, `[] as Row[]`. */
function saysType(value: Node | null): boolean {
  if (value?.type === 'NewExpression') return Boolean(value.typeArguments);
  return value?.type === 'TSAsExpression' || value?.type === 'TSSatisfiesExpression';
}

/** Whether an expression is an async function, which gives a promise. */
export function isAsyncFunction(value: Node | null | undefined): boolean {
  return Boolean(value && 'async' in value && value.async && !('generator' in value && value.generator));
}

/** The function whose call gives a promise if it is async; empty for what gives one in any case; undefined for others. */
export function promisedBy(value: Node | null): string | undefined {
  if (value?.type === 'ImportExpression') return '';
  const isCall = value?.type === 'CallExpression' || value?.type === 'NewExpression';
  const callee = isCall ? value.callee : undefined;
  if (callee?.type === 'Identifier') {
    if (value?.type === 'CallExpression') return callee.name;
    return callee.name === 'Promise' ? '' : undefined;
  }
  if (callee?.type !== 'MemberExpression') return undefined;
  const { object } = callee;
  const method = memberName(callee) ?? '';
  if (object.type === 'Identifier' && object.name === 'Promise') return method === 'withResolvers' ? undefined : '';
  return /^(then|catch|finally)$/.test(method) ? promisedBy(object) : undefined;
}
