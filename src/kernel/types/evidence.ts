import type { CallExpression, Node } from 'typescript/unstable/ast';
import type { Symbol as Named, Type } from 'typescript/unstable/async';
import type { CellProgram } from './cell-program.js';
import type { KnownCell } from './cell-scope.js';
import type { Habits } from './habits.js';
import { plain } from './holders.js';
import { givesItself, type Made, makersOf, partsOf } from './makers.js';
import { comingFrom, holds, mayBe, memberName, naming, ownerOfKey, type Sought, takesMore } from './untyped-flow.js';

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
 * says nothing of its parameters, by a key that only the run knows, by `Object.assign`, by a package.
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
  const cells = doers.map(({ cell }) => cell);
  const sought = { isIt: comingFrom(maker.symbol), cells, otherwise: false };
  const named = { name, isIt: naming(program, name), cells, otherwise: true };
  const surely = { name, isIt: naming(program, name, true), cells, otherwise: false };
  const isObject = async (node: Node, otherwise: boolean): Promise<boolean> =>
    (await comesFrom(program, node, maker.symbol)) ||
    ((await isUntyped(program, node)) && mayBe(program, node, { ...sought, otherwise }));
  // What surely names the member may be given to what nobody knows; what may name any, to what surely is such an object.
  const givenTo = async (target: Node, by: (each: NamedMember) => Promise<Given>): Promise<Given> => {
    if (!(await isObject(target, true))) return undefined;
    if ((await by(surely)) === 'member') return 'member';
    return (await isObject(target, false)) ? by(named) : undefined;
  };
  if ((await givesItself(program, maker, named)) || isGathered(program, maker.node, name)) return 'member';
  for (const { cell, habits } of doers) {
    for (const at of habits.written.get(name) ?? [])
      if (await isUntypedTarget(program, { at, name, cell }, { ...sought, otherwise: true })) return 'member';
    for (const { start, end } of habits.merged) {
      const merge = mergeOf(program, await program.nodesAt(start, end, cell));
      const given = merge && (await givenTo(merge.target, (each) => givenBy(program, merge, name, each)));
      if (given) return given;
    }
    for (const { start, end } of habits.passed) {
      const call = await callAt(program, start, end, cell);
      if (call && (await passesTo(program, call, sought, named))) return 'member';
    }
    for (const { start, end } of habits.keyed) {
      const target = (await program.nodesAt(start, end, cell)).at(-1);
      const given = target && (await givenTo(target, (each) => givenByKey(program, keyOf(program, target), each)));
      if (given) return given;
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

/** Whether an object is what a list is gathered from, by a function that makes objects with a member: `xs.reduce(f, { n: 0 })`. */
function isGathered(program: CellProgram, seed: Node, name: string): boolean {
  const { syntax } = program.typescript;
  const call = seed.parent;
  if (!syntax.isCallExpression(call) || !syntax.isPropertyAccessExpression(call.expression)) return false;
  const [gathering, from] = call.arguments;
  if (!gathering || from !== seed || !/^reduce(Right)?$/.test(call.expression.name.text)) return false;
  let found = false;
  const visit = (node: Node): void => {
    found ||=
      syntax.isObjectLiteralExpression(node) &&
      node.properties.some((each) => 'name' in each && each.name?.getText() === name);
    if (!found) node.forEachChild(visit);
  };
  visit(gathering);
  return found;
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
      const sought = { isIt: comingFrom(maker.symbol), cells: [], otherwise: false };
      if (type && (await holds(program, type, sought))) return 'member';
    }
  }
  return undefined;
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
  const named = { name, isIt: naming(program, name), cells: doers.map(({ cell }) => cell), otherwise: true };
  for (const { cell, habits } of doers)
    for (const { start, end } of habits.merged) {
      const merge = mergeOf(program, await program.nodesAt(start, end, cell));
      if (!merge || !(await comesFrom(program, merge.target, symbol))) continue;
      if (await givenBy(program, merge, name, named)) found.push(merge.target);
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

/** What names a member. */
interface NamedMember extends Sought {
  name: string;
}

/** An object that is given what others have, or a member by a key. */
interface Merge {
  target: Node;
  sources: readonly Node[];
  key?: Node | undefined;
}

/** What `Object.assign`, `defineProperty` and the like, or an assignment of a copy with more, gives an object. */
function mergeOf(program: CellProgram, nodes: readonly Node[]): Merge | undefined {
  const { syntax } = program.typescript;
  for (const node of nodes) {
    if (syntax.isBinaryExpression(node) && syntax.isObjectLiteralExpression(plain(program, node.right)))
      return { target: node.left, sources: [plain(program, node.right)] };
    if (!syntax.isCallExpression(node) || !syntax.isPropertyAccessExpression(node.expression)) continue;
    const [target, ...sources] = node.arguments;
    if (!target) continue;
    const isByKey = /^(set|defineProperty)$/.test(node.expression.name.text);
    return { target, sources: isByKey ? [] : sources, key: isByKey ? sources[0] : undefined };
  }
  return undefined;
}

async function givenBy(
  program: CellProgram,
  { target, sources, key }: Merge,
  name: string,
  named: NamedMember,
): Promise<Given> {
  const { syntax } = program.typescript;
  if (key) return givenByKey(program, key, named);
  const text = target.getText();
  for (const source of sources) {
    const parts = syntax.isObjectLiteralExpression(source) ? [...source.properties] : [source];
    for (const part of parts) {
      if ('name' in part && part.name && (part.name as Node).getText().replace(/^["']|["']$/g, '') === name)
        return 'member';
      const other = syntax.isSpreadAssignment(part) ? part.expression : part === source ? source : undefined;
      if (!other || other.getText() === text) continue;
      const type = await program.typeOf(other);
      const all = type && !(await takesMore(program, other)) ? await membersOf(program, type) : 'any';
      if (all === 'any' ? await mayBe(program, other, named) : all.has(name)) return 'member';
    }
  }
  return undefined;
}

async function givenByKey(program: CellProgram, key: Node | undefined, named: NamedMember): Promise<Given> {
  if (!key) return 'any members';
  const source = await ownerOfKey(program, key);
  if (`[${key.getText()}]` === named.name) return 'member';
  if (source) return (await mayBe(program, source, named)) ? 'member' : undefined;
  const isThis = { ...named, isIt: naming(program, named.name, true), otherwise: false };
  if (await mayBe(program, key, isThis)) return 'member';
  // What is no text that is written out may be any; no text is a symbol.
  const { NumberLike, StringLike, StringLiteral, ESSymbolLike } = program.typescript.api.TypeFlags;
  const isText = named.name.startsWith('[') ? StringLike : StringLiteral | ESSymbolLike;
  const isOther = ({ flags }: Type): boolean => (flags & (NumberLike | isText)) === 0;
  return named.otherwise && (await mayBe(program, key, { ...named, isIt: isOther })) ? 'any members' : undefined;
}

function keyOf(program: CellProgram, target: Node): Node | undefined {
  const { syntax } = program.typescript;
  let node = target;
  while (syntax.isParenthesizedExpression(node.parent) || syntax.isNonNullExpression(node.parent)) node = node.parent;
  return syntax.isElementAccessExpression(node.parent) ? node.parent.argumentExpression : undefined;
}

/**
 * Whether a call passes an object that is looked for, with what names a member, to a function of which the checker knows
 * nothing, or that gives back its first argument with more.
 */
async function passesTo(
  program: CellProgram,
  call: CallExpression,
  sought: Sought,
  named: NamedMember,
): Promise<boolean> {
  const { syntax } = program.typescript;
  const [target, ...given] = call.arguments;
  const isNaming = async (node: Node, at: number): Promise<boolean> => {
    if (syntax.isArrowFunction(node) || syntax.isFunctionExpression(node)) return false;
    const isPath = syntax.isArrayLiteralExpression(node) || syntax.isStringLiteral(node);
    // What stands alone is asked for: `pick(row, 'total')`.
    if (isPath && at === given.length - 1) return false;
    const names = syntax.isArrayLiteralExpression(node) ? [...node.elements] : [node];
    for (const each of names) if (await mayBe(program, each, named)) return true;
    return false;
  };
  if (!target || !(await mayGive(program, call))) return false;
  for (const [at, each] of given.entries()) if (await isNaming(each, at)) return mayBe(program, target, sought);
  return false;
}

/** Whether a function may give its first argument members, as far as its type tells. */
async function mayGive(program: CellProgram, call: CallExpression): Promise<boolean> {
  if (await isUntyped(program, call.expression)) return true;
  const { syntax } = program.typescript;
  const signature = await program.checker.getResolvedSignature(call);
  const declared = signature?.declaration;
  if (!declared || program.isOfCell(declared)) return false;
  const node = await declared.resolve();
  const [first] = node && 'parameters' in node ? (node.parameters as readonly Node[]) : [];
  const result = node && 'type' in node ? (node.type as Node | undefined)?.getText() : undefined;
  if (!first || !syntax.isParameterDeclaration(first) || result === undefined) return false;
  const type = first.type?.getText() ?? '';
  if (result === 'any') return /^(any|object)$/.test(type);
  return /^\w+$/.test(type) && result.split(/[<>&\s]+/).includes(type) && !/^(string|number|boolean|void)$/.test(type);
}

/** The names of a type's members; `any` if only the run knows them. */
async function membersOf(program: CellProgram, type: Type): Promise<Set<string> | 'any'> {
  const { TypeFlags } = program.typescript.api;
  const names = new Set<string>();
  for (const part of await partsOf(program, type)) {
    if (part.flags & (TypeFlags.AnyOrUnknown | TypeFlags.Instantiable | TypeFlags.NonPrimitive)) return 'any';
    if ((await program.checker.getIndexInfosOfType(part)).length > 0) return 'any';
    for (const each of await program.checker.getPropertiesOfType(part)) names.add(memberName(each));
  }
  return names;
}
