import type { CallExpression, Node } from 'typescript/unstable/ast';
import type { Symbol as Named, Type } from 'typescript/unstable/async';
import type { CellProgram } from './cell-program.js';
import type { KnownCell } from './cell-scope.js';
import type { Habits } from './habits.js';
import { variableOf, writtenType } from './holders.js';
import { type Made, makersOf, partsOf } from './makers.js';
import { holds, mayBe, type Sought } from './untyped-flow.js';

/** A cell, or the one being looked at, with what it does to objects. */
export interface Doer {
  cell: KnownCell | undefined;
  habits: Habits;
}

/** A call of a package without types. */
export interface PackageCall {
  cell: KnownCell | undefined;
  start: number;
  end: number;
  /** The members that the package gives objects, as its code says. */
  gives: ReadonlySet<string>;
}

/** What cells give the objects of a literal, class or function besides what these say; `any` member, or one of this name. */
export type Given = 'member' | 'any members' | undefined;

/** Copies of copies are followed so far. */
const DEEPEST = 3;

/**
 * Whether cells give the objects that come from a place a member where the checker cannot see it: through a function that
 * says nothing of its parameters, by a key that only the run knows, by `Object.assign`.
 *
 * @param doers The cells that may, the one being looked at among them.
 */
export async function givenElsewhere(
  program: CellProgram,
  maker: Made,
  name: string,
  doers: readonly Doer[],
  depth = 0,
): Promise<Given> {
  const sought = { symbol: maker.symbol, cells: doers.map(({ cell }) => cell), otherwise: false };
  for (const { cell, habits } of doers) {
    for (const at of habits.written.get(name) ?? [])
      if (await isUntypedTarget(program, { at, name, cell }, { ...sought, otherwise: true })) return 'member';
    for (const { start, end } of habits.merged) {
      const given = await mergedBy(program, await callAt(program, start, end, cell), maker.symbol, name);
      if (given) return given;
    }
    for (const { start, end } of habits.keyed) {
      const target = (await program.nodesAt(start, end, cell)).at(-1);
      if (target && (await comesFrom(program, target, maker.symbol))) return 'any members';
      if (target && (await isUntyped(program, target)) && (await mayBe(program, target, sought))) return 'any members';
    }
  }
  // What it is a copy of has them.
  const { syntax } = program.typescript;
  const members = syntax.isObjectLiteralExpression(maker.node) && depth < DEEPEST ? [...maker.node.properties] : [];
  for (const each of members.filter(syntax.isSpreadAssignment)) {
    const type = await program.typeOf(each.expression);
    for (const part of type ? await partsOf(program, type) : [])
      for (const source of await makersOf(program, part)) {
        const given = 'node' in source ? await givenElsewhere(program, source, name, doers, depth + 1) : undefined;
        if (given) return given;
      }
  }
  return undefined;
}

/** Whether a package gives a member to what cells pass it, and that comes from a place. */
export async function givenByPackage(
  program: CellProgram,
  maker: Made,
  name: string,
  calls: readonly PackageCall[],
): Promise<Given> {
  for (const { cell, start, end, gives } of calls) {
    const call = gives.has(name) ? await callAt(program, start, end, cell) : undefined;
    if (!call || !(await isUntyped(program, call.expression))) continue;
    for (const each of call.arguments) {
      const type = await program.typeOf(each);
      const sought = { symbol: maker.symbol, cells: [], otherwise: false };
      if (type && (await holds(program, type, sought))) return 'member';
    }
  }
  return undefined;
}

/**
 * Whether cells pass an object that comes from a place, or what holds it, to a function that says nothing of what it takes,
 * or that takes an object of any members, and name the member beside it: `extend(row, { total: 1 })`, `set(row, 'a.b', 1)`.
 */
export async function givenByCall(
  program: CellProgram,
  maker: Made,
  name: string,
  doers: readonly Doer[],
): Promise<Given> {
  const { syntax } = program.typescript;
  const sought = { symbol: maker.symbol, cells: [], otherwise: false };
  const isHolder = async (node: Node): Promise<boolean> => {
    const type = await program.typeOf(node);
    return type !== undefined && holds(program, type, sought);
  };
  for (const { cell, habits } of doers)
    for (const { start, end } of habits.mentioned.get(name) ?? []) {
      const call = await callAt(program, start, end, cell);
      if (!call) continue;
      const { expression, arguments: given } = call;
      const isOpen = await isOpenFunction(program, expression);
      for (const [at, each] of given.entries())
        if ((isOpen || (await takesAnyMembers(program, call, at))) && (await isHolder(each))) return 'member';
      if (isOpen && syntax.isPropertyAccessExpression(expression) && (await isHolder(expression.expression)))
        return 'member';
    }
  return undefined;
}

/** Whether a function has no type, or is a cell's and says nothing of what it takes. */
export async function isOpenFunction(program: CellProgram, expression: Node): Promise<boolean> {
  if (await isUntyped(program, expression)) return true;
  const type = await program.typeOf(expression);
  const kind = program.typescript.api.SignatureKind.Call;
  const [signature] = type ? await program.checker.getSignaturesOfType(type, kind) : [];
  const { declaration } = signature ?? {};
  const node = declaration && program.isOfCell(declaration) ? await declaration.resolve() : undefined;
  const parameters = node && 'parameters' in node ? (node.parameters as readonly Node[]) : [];
  return parameters.length > 0 && parameters.every((each) => writtenType(program, each) === undefined);
}

/** Whether cells make an object iterable that comes from where an expression does: `range[Symbol.iterator] = …`. */
export async function isMadeIterable(program: CellProgram, node: Node, doers: readonly Doer[]): Promise<boolean> {
  for (const { cell, habits } of doers)
    for (const { start, end } of habits.iterables) {
      const target = (await program.nodesAt(start, end, cell)).at(-1);
      const type = target && (await program.typeOf(target));
      for (const part of type ? await partsOf(program, type) : [])
        for (const one of await makersOf(program, part))
          if ('node' in one && (await comesFrom(program, node, one.symbol))) return true;
    }
  return false;
}

/** Whether a parameter is for an object of any members: `object`, or one with members by any name. */
async function takesAnyMembers(program: CellProgram, call: CallExpression, at: number): Promise<boolean> {
  const { TypeFlags } = program.typescript.api;
  const signature = await program.checker.getResolvedSignature(call);
  const wanted = signature && (await program.checker.getParameterType(signature, at));
  const [part, other] = wanted ? await partsOf(program, wanted) : [];
  if (!part || other) return false;
  if (part.flags & TypeFlags.NonPrimitive) return true;
  const infos = await program.checker.getIndexInfosOfType(part);
  return infos.some(({ keyType, valueType }) => keyType.flags & TypeFlags.String && valueType.flags & TypeFlags.Any);
}

async function callAt(
  program: CellProgram,
  start: number,
  end: number,
  cell: KnownCell | undefined,
): Promise<CallExpression | undefined> {
  const nodes = await program.nodesAt(start, end, cell);
  return nodes.find((node) => program.typescript.syntax.isCallExpression(node));
}

/** The objects of a type of a library's to which cells give a member by `Object.assign` and the like. */
export async function targetsGiven(
  program: CellProgram,
  symbol: Named,
  name: string,
  doers: readonly Doer[],
): Promise<Node[]> {
  const found: Node[] = [];
  for (const { cell, habits } of doers)
    for (const { start, end } of habits.merged) {
      const call = await callAt(program, start, end, cell);
      const target = call?.arguments[0];
      if (target && (await mergedBy(program, call, symbol, name))) found.push(target);
    }
  return found;
}

/** Whether the object to which a cell gives a member has no type there, and may be one that comes from a place. */
async function isUntypedTarget(
  program: CellProgram,
  { at, name, cell }: { at: number; name: string; cell: KnownCell | undefined },
  sought: Sought,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const nodes = await program.nodesAt(at, at + name.length, cell);
  const access = nodes.map((node) => node.parent).find((node) => syntax.isPropertyAccessExpression(node));
  if (!access || !syntax.isPropertyAccessExpression(access)) return false;
  return (await isUntyped(program, access.expression)) && mayBe(program, access.expression, sought);
}

async function isUntyped(program: CellProgram, expression: Node): Promise<boolean> {
  const type = await program.typeOf(expression);
  return type !== undefined && (type.flags & program.typescript.api.TypeFlags.Any) !== 0;
}

/** Whether the objects of an expression come from the same place. */
async function comesFrom(program: CellProgram, target: Node, symbol: Named): Promise<boolean> {
  const type = await program.typeOf(target);
  for (const part of type ? await partsOf(program, type) : [])
    for (const one of await makersOf(program, part)) if ('symbol' in one && one.symbol.id === symbol.id) return true;
  return false;
}

/** What a call of `Object.assign`, `defineProperty` and the like gives its first argument, if that comes from a place. */
async function mergedBy(
  program: CellProgram,
  call: CallExpression | undefined,
  symbol: Named,
  name: string,
): Promise<Given> {
  const { syntax } = program.typescript;
  if (!call || !syntax.isPropertyAccessExpression(call.expression)) return undefined;
  const [target, ...given] = call.arguments;
  if (!target || !(await comesFrom(program, target, symbol))) return undefined;
  const method = call.expression.name.text;
  if (method === 'defineProperty') {
    const [key] = given;
    if (!key || !syntax.isStringLiteral(key)) return 'any members';
    return key.text === name ? 'member' : undefined;
  }
  for (const each of given) {
    const type = await program.typeOf(each);
    // By its default, `o = {}` has no members.
    const variable = await variableOf(program, each);
    const isOpen = variable && syntax.isParameterDeclaration(variable) && !writtenType(program, variable);
    const all = type && !isOpen ? await membersOf(program, type) : 'any';
    if (all === 'any') return 'any members';
    if (all.has(name)) return 'member';
  }
  return undefined;
}

/** The names of a type's members; `any` if only the run knows them. */
async function membersOf(program: CellProgram, type: Type): Promise<Set<string> | 'any'> {
  const { TypeFlags } = program.typescript.api;
  const names = new Set<string>();
  for (const part of await partsOf(program, type)) {
    if (part.flags & (TypeFlags.AnyOrUnknown | TypeFlags.Instantiable | TypeFlags.NonPrimitive)) return 'any';
    if ((await program.checker.getIndexInfosOfType(part)).length > 0) return 'any';
    for (const { name } of await program.checker.getPropertiesOfType(part)) names.add(name);
  }
  return names;
}
