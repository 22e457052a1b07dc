import type { Node, Program } from 'oxc-parser';
import { opensFunction, walk, wrapsExpression } from '../transform/syntax-tree.js';

/** What the text of a cell does with objects, functions and names without saying so in types. */
export class Habits {
  /** Properties that it assigns, or gives an object by `Object.assign` or `Object.defineProperty`. */
  readonly written = new Set<string>();
  /** Those of them that it defines for all objects of a kind: `Array.prototype.last = …`. */
  readonly extended = new Set<string>();
  /** Members that it declares with a type, in interfaces, types and classes. */
  readonly typed = new Set<string>();
  /** Variables that it declares with a type. */
  readonly annotated = new Set<string>();
  /** Names of functions and methods with a parameter that has no type, or that use `arguments`: they take any number. */
  readonly untyped = new Set<string>();
  /** Names of functions, methods and classes of whose parameters none has a type. */
  readonly free = new Set<string>();
  /** Names of functions, methods and classes that do not use `arguments`. */
  readonly bounded = new Set<string>();
  /** Objects to which it gives members by keys that only the run knows: `counts[name] = 1`. */
  readonly keyed = new Set<string>();
  /** Variables that it assigns what has no type: `data = JSON.parse(data)`. */
  readonly unknown = new Set<string>();
  /** Names that it gives the global object: `globalThis.shared = …`. */
  readonly globals = new Set<string>();
  /** Names whose presence it asks for: `typeof window`. */
  readonly asked = new Set<string>();
  /** Members that it uses as a condition: `if (Object.groupBy)`. */
  readonly tested = new Set<string>();
  /** Members that may be missing for all that it says: `row.note ?? 'none'`, `{ note = 'none' } = row`, `'note' in row`. */
  readonly optional = new Set<string>();
  /** What it merges into objects without saying what it has: `Object.assign(row, extra)`. */
  readonly merged = new Set<string>();
  /** The keys of its objects. */
  readonly keys = new Set<string>();
  /** Functions that `new` may call, other than classes. */
  readonly constructors = new Set<string>();
  /** By what it says what objects are converted to: `valueOf`, `Symbol.toPrimitive`. */
  readonly converted = new Set<string>();
  /** Names of modules as a whole, with what they are imported from: `fs node:fs`. */
  readonly modules = new Set<string>();

  /** Reads the text of one cell; an empty program has none. */
  constructor(program: Pick<Program, 'body'>) {
    for (const statement of program.body)
      walk(statement, (node) => {
        this.#read(node);
        return true;
      });
  }

  /** The habits of several cells together. */
  static of(all: Iterable<Habits>): Habits {
    const joined = new Habits({ body: [] });
    for (const one of all) for (const kind of KINDS) for (const name of one[kind]) joined[kind].add(name);
    return joined;
  }

  #read(node: Node): void {
    for (const name of testedBy(node)) this.tested.add(name);
    for (const name of optionalBy(node)) this.optional.add(name);
    if (node.type === 'AssignmentExpression') {
      this.#readTarget(node.left, node.right);
      if (node.left.type === 'Identifier' && isUntypedValue(node.right)) this.unknown.add(node.left.name);
    } else if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete'))
      this.#readTarget(node.argument);
    else if (node.type === 'UnaryExpression' && node.operator === 'typeof' && node.argument.type === 'Identifier')
      this.asked.add(node.argument.name);
    else if (node.type === 'ArrayPattern') for (const each of node.elements) this.#readTarget(each);
    else if (node.type === 'CallExpression') this.#readCall(node);
    else this.#readDeclaration(node);
  }

  #readTarget(target: Node | null, value?: Node): void {
    if (target?.type !== 'MemberExpression') return;
    const name = memberName(target);
    const { object } = target;
    if (name === undefined && object.type === 'Identifier') this.keyed.add(object.name);
    if (name === undefined) return;
    this.written.add(name);
    if (object.type === 'Identifier' && /^(globalThis|global|window|self)$/.test(object.name)) this.globals.add(name);
    if (object.type === 'MemberExpression' && memberName(object) === 'prototype') this.extended.add(name);
    if (value) this.#readFunction(name, value);
  }

  /** `Object.assign(a, { b })` and `Object.defineProperty(a, 'b', …)`. */
  #readCall({ callee, arguments: given }: Extract<Node, { type: 'CallExpression' }>): void {
    const method = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
    const [first, second] = given;
    if (method === 'addColumn' && first?.type === 'Literal') this.#readColumn(String(first.value));
    if (method === 'rename' && first?.type === 'ObjectExpression')
      for (const each of first.properties)
        if (each.type === 'Property' && each.value.type === 'Literal') this.#readColumn(String(each.value.value));
    if (method === 'defineProperty' && second?.type === 'Literal') {
      this.written.add(String(second.value));
      this.extended.add(String(second.value));
    }
    if (!/^(assign|defineProperties|setPrototypeOf)$/.test(method ?? '')) return;
    for (const each of given.slice(1)) {
      // A copy has the members of both.
      if (each.type !== 'ObjectExpression' && first?.type !== 'ObjectExpression') this.merged.add(method ?? '');
      if (each.type !== 'ObjectExpression') continue;
      for (const property of each.properties) {
        const name = property.type === 'Property' && !property.computed ? keyName(property.key) : undefined;
        if (name !== undefined) this.written.add(name);
      }
    }
  }

  /** A column that a frame may get where it stands. */
  #readColumn(name: string): void {
    this.written.add(name);
    this.extended.add(name);
  }

  #readDeclaration(node: Node): void {
    if (node.type === 'ImportDeclaration')
      for (const each of node.specifiers)
        if (each.type !== 'ImportSpecifier') this.modules.add(`${each.local.name} ${node.source.value}`);
    if (node.type === 'FunctionDeclaration' && node.id) this.#readFunction(node.id.name, node);
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
      this.#readFunction(node.id.name, node.init);
      // What a proxy answers is what its traps answer.
      if (node.init?.type === 'NewExpression' && node.init.callee.type === 'Identifier')
        if (node.init.callee.name === 'Proxy') this.keyed.add(node.id.name);
      if (node.id.typeAnnotation || saysType(node.init)) this.annotated.add(node.id.name);
    }
    if (node.type === 'ClassDeclaration' && node.id)
      for (const member of node.body.body)
        if (member.type === 'MethodDefinition' && member.kind === 'constructor')
          this.#readFunction(node.id.name, member.value);
    if (node.type === 'ClassDeclaration') this.#readCollection(node);
    if (node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
      const name = node.computed ? undefined : keyName(node.key);
      const key = node.key.type === 'MemberExpression' && node.computed ? memberName(node.key) : name;
      if (/^(valueOf|toPrimitive)$/.test(key ?? '')) this.converted.add(key ?? '');
      if (name !== undefined) this.#readFunction(name, node.value);
      if (name !== undefined && node.type === 'Property') this.keys.add(name);
    }
    const isMember = node.type === 'TSPropertySignature' || node.type === 'PropertyDefinition';
    const name = isMember && node.typeAnnotation ? keyName(node.key) : undefined;
    if (name !== undefined) this.typed.add(name);
    if (node.type === 'TSParameterProperty' && node.parameter.type === 'Identifier')
      this.typed.add(node.parameter.name);
  }

  /** What `from` of a class over a list makes is of that class, though the types say it is a list. */
  #readCollection({ superClass, body }: Extract<Node, { type: 'ClassDeclaration' | 'ClassExpression' }>): void {
    if (superClass?.type !== 'Identifier' || superClass.name !== 'Array') return;
    for (const member of body.body) {
      const name = member.type === 'MethodDefinition' && !member.computed ? keyName(member.key) : undefined;
      if (name !== undefined) this.#readColumn(name);
    }
  }

  #readFunction(name: string, value: Node | null): void {
    if (!value || !opensFunction(value) || !('params' in value) || !Array.isArray(value.params)) return;
    if (/^Function/.test(value.type)) this.constructors.add(name);
    if (value.params.some((each: Node) => !hasType(each)) || usesArguments(value)) this.untyped.add(name);
    if (value.params.length > 0 && !value.params.some(hasType)) this.free.add(name);
    if (!usesArguments(value)) this.bounded.add(name);
  }
}

const KINDS = [
  'written',
  'extended',
  'typed',
  'annotated',
  'untyped',
  'free',
  'bounded',
  'keyed',
  'unknown',
  'globals',
  'asked',
  'tested',
  'optional',
  'merged',
  'keys',
  'constructors',
  'modules',
  'converted',
] as const;

/** The members that an expression asks for, since it is a condition or a part of one. */
function testedBy(node: Node): string[] {
  const asked: Node[] = 'test' in node && node.test ? [node.test as Node] : [];
  if (node.type === 'LogicalExpression') asked.push(node.left);
  if (node.type === 'UnaryExpression' && node.operator === '!') asked.push(node.argument);
  if (node.type === 'CallExpression' && node.optional) asked.push(node.callee);
  return asked.flatMap(membersOf);
}

/** The members of which an expression says that they may be missing, or what holds without them. */
function optionalBy(node: Node): string[] {
  if (node.type === 'ObjectPattern') return node.properties.flatMap(withDefault);
  if (node.type === 'LogicalExpression') return node.operator === '??' ? membersOf(node.left) : [];
  if (node.type === 'UnaryExpression') return node.operator === 'typeof' ? membersOf(node.argument) : [];
  if (node.type === 'MemberExpression') return node.optional ? membersOf(node.object) : [];
  if (node.type !== 'BinaryExpression') return [];
  if (node.operator === 'in') return node.left.type === 'Literal' ? [String(node.left.value)] : [];
  const isCompared = /^[!=]==?$/.test(node.operator) && [node.left, node.right].some(isNothing);
  return isCompared ? [...membersOf(node.left), ...membersOf(node.right)] : [];
}

function isNothing(node: Node): boolean {
  return node.type === 'Identifier' ? node.name === 'undefined' : node.type === 'Literal' && node.raw === 'null';
}

function membersOf(node: Node): string[] {
  const plain = unwrapped(node);
  if (plain.type === 'LogicalExpression') return [...membersOf(plain.left), ...membersOf(plain.right)];
  const name = plain.type === 'MemberExpression' ? memberName(plain) : undefined;
  return name === undefined ? [] : [name];
}

/** `{ limit = 10 }` */
function withDefault(property: Node): string[] {
  const isDefault = property.type === 'Property' && !property.computed && property.value.type === 'AssignmentPattern';
  return isDefault ? [keyName(property.key) ?? ''] : [];
}

function unwrapped(node: Node): Node {
  const isWrapped = wrapsExpression(node) || node.type === 'ChainExpression';
  return isWrapped ? unwrapped(node.expression) : node;
}

/** Whether a function reads `arguments`. */
export function usesArguments(called: Node): boolean {
  let isUsed = false;
  walk(called, (node) => {
    if (node.type === 'Identifier' && node.name === 'arguments') isUsed = true;
    return !isUsed;
  });
  return isUsed;
}

function hasType(parameter: Node): boolean {
  if (parameter.type === 'TSParameterProperty') return hasType(parameter.parameter);
  const named = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return 'typeAnnotation' in named && Boolean(named.typeAnnotation);
}

/** `new Map<string, number>()`, `[] as Row[]`. */
function saysType(value: Node | null): boolean {
  if (value?.type === 'NewExpression') return Boolean(value.typeArguments);
  return value?.type === 'TSAsExpression' || value?.type === 'TSSatisfiesExpression';
}

/** Whether a value comes from a function that says nothing of what it returns. */
function isUntypedValue(value: Node): boolean {
  if (value.type === 'AwaitExpression') return isUntypedValue(value.argument);
  const called = value.type === 'CallExpression' ? value.callee : undefined;
  if (called?.type !== 'MemberExpression') return false;
  return /^(parse|json|fromEntries)$/.test(memberName(called) ?? '');
}

/** The name of the member that an expression reads; undefined if it is computed at run time. */
export function memberName(node: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  const { property } = node;
  if (!node.computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}

function keyName(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}
