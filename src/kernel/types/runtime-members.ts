import { createRequire, isBuiltin } from 'node:module';
import type { Node, Program } from 'oxc-parser';
import { memberName, nodesAt, walk, wrapsExpression } from '../transform/syntax-tree.js';
import type { Finding } from './finding.js';

const NO_MEMBER = new Set([2339, 2550, 2551, 2568, 2812]);
const NO_EXPORT = new Set([2305, 2614, 2724]);
const NO_MODULE = 2307;

/** Methods that a list, a set or a map lacks by its type since it must not be changed. */
const CHANGING = /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear)$/;

/**
 * Whether what the types lack is there: a member of a global object, of a class of the language or of Node's, an export
 * of a module of Node's, or such a module. The cells run in the version of Node.js in which this runs, which may be newer
 * than the types.
 *
 * @param modules Names of modules as a whole, each with what it is imported from.
 */
export function isThere({ code, message, start }: Finding, program: Program, modules: ReadonlySet<string>): boolean {
  const [, name = '', type = ''] =
    /^Property '(.+?)' (?:does|may) not exist on type '([\s\S]*?)'\./.exec(message) ?? [];
  if (NO_MEMBER.has(code) && name !== '') {
    if (/^(readonly |Readonly(Array|Map|Set)<)/.test(type) && CHANGING.test(name)) return false;
    const object = objectAt(program, start);
    return (
      hasMember(typeName(type), name) || hasStatic(object, name) || has(builtin(importedAs(object, modules)), name)
    );
  }
  if (code === NO_MODULE) return isBuiltin(/^Cannot find module '([^']+)'/.exec(message)?.[1] ?? '');
  if (!NO_EXPORT.has(code)) return false;
  const [, module = '', exported = ''] = /'"?(.+?)"?' has no exported member (?:named )?'([^']+)'/.exec(message) ?? [];
  return has(builtin(module), exported);
}

/** What the language gives for loops, as its types are printed; the classes have no global names. */
const ITERATOR = /^(\w*Iterator|IteratorObject|Generator)</;

/** Whether a finding is about a member of a global object, such as `Object`, of what it holds, an iterator, or a module of Node's. */
export function isOfGlobal({ start, message }: Finding, program: Program): boolean {
  const [, type = ''] = / on type '([\s\S]*?)'\./.exec(message) ?? [];
  if (ITERATOR.test(type) || isBuiltin(moduleOf(type))) return true;
  const object = objectAt(program, start);
  return object !== undefined && globalPath(object) !== undefined;
}

/**
 * Members of instances that came to the language after 2020, which code may ask for before it uses them; that one forgets
 * to call a method is rather true of older ones, such as `trim`.
 */
const NEW_MEMBERS =
  /^(at|findLast(Index)?|to(Sorted|Reversed|Spliced|Base64|Hex|TemporalInstant)|with|replaceAll|hasOwn|groupBy|(is|to)WellFormed|union|intersection|(symmetricD|d)ifference|is(Subset|Superset|Disjoint)(Of|From)|resize|transfer(ToFixedLength)?|setFrom(Base64|Hex)|getOrInsert(Computed)?|toArray|take|drop|flatMap)$/;

/**
 * Whether a condition that is a function asks for a part of the language or of Node's: `if (Array.prototype.toSorted)`,
 * `[1].findLast ? … : …`, `fetch ? … : …`.
 */
export function isOfLanguage({ start, end }: Finding, program: Program): boolean {
  return nodesAt(program, start, end).some((node) => {
    if (node.type === 'Identifier') return Object.hasOwn(globalThis, node.name);
    if (node.type !== 'MemberExpression') return false;
    const name = memberName(node) ?? '';
    const path = globalPath(node.object);
    return NEW_MEMBERS.test(name) || (path !== undefined && has(path.value, name));
  });
}

/** The object of the member whose name begins at a place, also in a pattern that takes it from there. */
function objectAt(program: Program, start: number): Node | undefined {
  let found: Node | undefined;
  walk(program, (node) => {
    if (node.type === 'MemberExpression' && node.property.start === start) found = node.object;
    if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern' && node.init)
      if (node.id.properties.some((each) => each.type === 'Property' && each.key.start === start)) found = node.init;
    return node.start <= start && start < node.end;
  });
  return found;
}

/** The module that an expression waits for as a whole: `await import('node:fs')`; undefined for others. */
export function importedBy(value: Node | null | undefined): string | undefined {
  if (value?.type === 'ParenthesizedExpression') return importedBy(value.expression);
  const waited = value?.type === 'AwaitExpression' ? value.argument : undefined;
  const source = waited?.type === 'ImportExpression' ? waited.source : undefined;
  return source?.type === 'Literal' && typeof source.value === 'string' ? source.value : undefined;
}

function importedAs(object: Node | undefined, modules: ReadonlySet<string>): string {
  const imported = importedBy(object);
  if (imported !== undefined) return imported;
  const start = object?.type === 'Identifier' ? `${object.name} ` : undefined;
  const found = start === undefined ? undefined : [...modules].find((each) => each.startsWith(start));
  return found?.slice(start?.length) ?? '';
}

function hasStatic(object: Node | undefined, name: string): boolean {
  const path = object && globalPath(object);
  return path !== undefined && has(path.value, name);
}

/** What a chain of members of a global name holds; undefined for what is no such chain. */
function globalPath(node: Node): { value: unknown } | undefined {
  if (wrapsExpression(node) || node.type === 'ChainExpression') return globalPath(node.expression);
  if (node.type === 'Identifier')
    return Object.hasOwn(globalThis, node.name) ? { value: Reflect.get(globalThis, node.name) } : undefined;
  const inner = node.type === 'MemberExpression' ? globalPath(node.object) : undefined;
  const name = node.type === 'MemberExpression' ? memberName(node) : undefined;
  if (inner === undefined || name === undefined || !has(inner.value, name)) return undefined;
  return { value: memberOf(inner.value, name) };
}

function has(value: unknown, name: string): boolean {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && name in value;
}

/** A member's value; getters of prototypes refuse to be read. */
function memberOf(value: unknown, name: string): unknown {
  try {
    return Reflect.get(Object(value), name);
  } catch {
    return undefined;
  }
}

/** The class of a type as it is printed: `Array` for 'number[]', `String` for '"abc"', `Set` for 'Set<number>'. */
function typeName(type: string): string {
  if (moduleOf(type) !== '') return type;
  if (/\[\]$/.test(type) || /^(readonly )?\[/.test(type)) return 'Array';
  if (/^["`]/.test(type) || type === 'string') return 'String';
  if (/^-?\d+n$/.test(type) || type === 'bigint') return 'BigInt';
  if (/^-?\d/.test(type) || type === 'number') return 'Number';
  return /^(?:NonShared)?([\w$]+)(?:<[\s\S]*>)?$/.exec(type)?.[1]?.replace(/^Readonly(?=Array|Set|Map)/, '') ?? '';
}

/** The module whose exports a type stands for; empty for other types. */
function moduleOf(type: string): string {
  return /^typeof import\("([^"]+)"\)$/.exec(type)?.[1] ?? '';
}

/** Modules of Node's whose classes programs use; others are seldom named. */
const MODULES = ['fs', 'stream', 'events', 'crypto', 'util', 'http', 'net', 'child_process', 'readline', 'url', 'zlib'];

/** Whether instances of a class, of the language or of Node's, have a member. */
function hasMember(type: string, name: string): boolean {
  if (type === '') return false;
  if (moduleOf(type) !== '') return has(builtin(moduleOf(type)), name);
  const [, constructed] = /^(\w+)Constructor$/.exec(type) ?? [];
  if (constructed !== undefined) return has(Reflect.get(globalThis, constructed), name);
  const isGlobal = Object.hasOwn(globalThis, type);
  const found = isGlobal
    ? Reflect.get(globalThis, type)
    : MODULES.map((each) => memberOf(builtin(each), type)).find(Boolean);
  return has(found, 'prototype') && has(memberOf(found, 'prototype'), name);
}

const require = createRequire(import.meta.url);

/** What a module of Node's exports; undefined for other modules. */
function builtin(name: string): unknown {
  if (!isBuiltin(name)) return undefined;
  try {
    return require(name);
  } catch {
    return undefined;
  }
}
