import type { ClassLikeDeclaration, Node } from 'typescript/unstable/ast';
import type { Symbol as Named, Type } from 'typescript/unstable/async';
import { type Amendment, AT_END, inserted, literalMember, memberType, open, valueMember } from './amendments.js';
import type { CellProgram, Place } from './cell-program.js';
import { type Doer, givenElsewhere, targetsGiven } from './evidence.js';
import type { Finding } from './finding.js';
import { heldBy, inList, memberOfVariable, saysType, variableOf, writtenType } from './holders.js';
import { type Maker, makersOf, partsOf } from './makers.js';
import { type Access, accessAt, isGuarded, isTested, isWritten } from './reads.js';
import type { Verdict } from './verdicts.js';

/** A name that is written nearly so. */
const NEARLY = 2551;

/** What a cell, and those before it, say of frames' columns and of objects. */
export interface Told {
  doers: readonly Doer[];
  columns: ReadonlySet<string>;
}

/**
 * Whether a member is missing, by whose type lacks it: of a type that the user named, the language's or a package's, it
 * is; an object that a cell makes without saying what it holds has it if cells give it, or where it is only asked for.
 */
export async function missingMember(
  program: CellProgram,
  finding: Finding,
  nodes: readonly Node[],
  told: Told,
): Promise<Verdict> {
  const access = accessAt(program, nodes);
  const type = access && (await program.typeOf(access.object));
  if (!access || !type) return 'doubted';
  const parts = await partsOf(program, type);
  const { TypeFlags } = program.typescript.api;
  if (parts.length === 0 || parts.some(({ flags }) => flags & TypeFlags.Never)) return 'doubted';
  if (await isColumn(program, access, [type, ...parts], told)) return 'silent';
  const having = await Promise.all(parts.map((each) => hasMember(program, each, access.name)));
  // What may be null, but need not.
  if (having.every(Boolean)) return 'silent';
  if (parts.length > 1 && having.some(Boolean)) return ofSeveral(program, access, type);
  const verdicts: Verdict[] = [];
  for (const part of parts)
    for (const maker of await makersOf(program, part))
      verdicts.push(await ofMaker(program, finding, access, part, maker, told));
  if (verdicts.every((each) => each === 'told')) return 'told';
  const amendments = verdicts.flatMap((each) => (typeof each === 'string' ? [] : each));
  return amendments.length > 0 ? amendments : 'silent';
}

async function hasMember(program: CellProgram, type: Type, name: string): Promise<boolean> {
  const { checker, typescript } = program;
  if (await checker.getPropertyOfType(type, name)) return true;
  const infos = await checker.getIndexInfosOfType(type);
  return infos.some(({ keyType }) => keyType.flags & typescript.api.TypeFlags.String);
}

/** A member that some of the types have which a value may be of: it runs, unless the user wrote these types. */
async function ofSeveral(program: CellProgram, access: Access, type: Type): Promise<Verdict> {
  const alias = await type.getAliasSymbol();
  if (alias) return (await program.isOfLibrary(alias)) ? 'silent' : 'told';
  return (await isSaidUnion(program, access.object)) ? 'told' : 'silent';
}

/** Whether the type of an expression is one of several because it is written so. */
async function isSaidUnion(program: CellProgram, expression: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const isNamed = syntax.isIdentifier(expression) || syntax.isPropertyAccessExpression(expression);
  const symbol = isNamed ? await program.symbolOf(expression) : undefined;
  for (const node of symbol ? await program.declarations(symbol) : []) {
    const type = writtenType(program, node);
    if (type?.getText().includes('|')) return true;
  }
  return false;
}

async function ofMaker(
  program: CellProgram,
  finding: Finding,
  access: Access,
  part: Type,
  maker: Maker,
  told: Told,
): Promise<Verdict> {
  const { kind } = maker;
  if (kind === 'untyped') return 'silent';
  const isWrite = isWritten(program, access.node);
  if (kind === 'library') return ofLibrary(program, finding, access, maker.symbol, isWrite, told);
  if (kind === 'said' || kind === 'plain') return (await isOfArrayClass(program, access, part)) ? 'silent' : 'told';
  if (isWrite && (finding.code !== NEARLY || isAnother(finding.message, access.name)))
    return withMember(program, access, maker);
  const isAsked =
    finding.code !== NEARLY && !saysSignature(program, maker.node) && !(await isSlip(program, access, part));
  if (isAsked && (isTested(program, access.node) || isGuarded(program, access))) return 'silent';
  const given = await givenElsewhere(program, maker, access.name, told.doers);
  if (given === 'member') return withMember(program, access, maker);
  if (given === 'any members') return withAnyMembers(program, maker);
  return (await isOfProxy(program, access.object)) ? 'silent' : 'told';
}

/** Whether a function says what it takes or returns. */
function saysSignature(program: CellProgram, node: Node): boolean {
  const { syntax } = program.typescript;
  const isFunction =
    syntax.isArrowFunction(node) || syntax.isFunctionExpression(node) || syntax.isFunctionDeclaration(node);
  return isFunction && (node.type !== undefined || node.parameters.some(({ type }) => type !== undefined));
}

/** Whether a pattern without a default takes a member that is written nearly as one that there is. */
async function isSlip(program: CellProgram, { node, name }: Access, type: Type): Promise<boolean> {
  const { syntax } = program.typescript;
  if (!syntax.isBindingElement(node) || node.initializer || name.length < 4) return false;
  const all = await program.checker.getPropertiesOfType(type);
  return all.some((each) => isOneLetterOff(each.name, name));
}

/** Whether one text becomes the other by a letter more, or two letters in the other order. */
function isOneLetterOff(one: string, other: string): boolean {
  if (one.length === other.length) return one !== other && [...one].sort().join('') === [...other].sort().join('');
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return (
    long.length === short.length + 1 && [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short)
  );
}

/** The amendment by which a maker's objects have a member. */
async function withMember(
  program: CellProgram,
  access: Access,
  maker: Extract<Maker, { node: Node }>,
): Promise<Verdict> {
  const { syntax } = program.typescript;
  const { name } = access;
  const { node } = maker;
  const place = program.place(node);
  if (!place) return 'silent';
  if (maker.kind === 'literal')
    return inList(program, node).flatMap((each) => {
      const at = program.place(each);
      const isThere =
        syntax.isObjectLiteralExpression(each) &&
        each.properties.some((one) => 'name' in one && one.name?.getText() === name);
      return at && !isThere ? [program.amendment(at, literalMember(at.start + 1, name))] : [];
    });
  if (maker.kind === 'class' || maker.kind === 'statics') {
    const inside = insideOfClass(program, node as ClassLikeDeclaration);
    const field = ` ${maker.kind === 'statics' ? 'static ' : ''}${JSON.stringify(name)}: any;`;
    return inside ? [program.amendment(inside, inserted(inside.start, field))] : 'silent';
  }
  // As TypeScript itself takes members of functions.
  const named = functionNamed(program, node);
  const behind = named && program.place(named.statement);
  if (named && behind)
    return [
      program.amendment(behind, inserted(behind.end, `; ${named.name}[${JSON.stringify(name)}] = null! as any;`)),
    ];
  return [program.amendment(place, valueMember(place.start, place.end, name))];
}

/** The name of a function, and the statement that declares it; undefined for one without, or that may be another later. */
function functionNamed(program: CellProgram, node: Node): { name: string; statement: Node } | undefined {
  const { syntax } = program.typescript;
  if (syntax.isFunctionDeclaration(node)) return node.name && { name: node.name.text, statement: node };
  const { parent } = node;
  const statement = parent.parent?.parent;
  if (!syntax.isVariableDeclaration(parent) || !syntax.isIdentifier(parent.name) || !statement) return undefined;
  const isConstant = syntax.isVariableStatement(statement) && /^(export )?const\b/.test(statement.getText());
  return isConstant && !parent.type ? { name: parent.name.text, statement } : undefined;
}

/** The amendment by which a maker's objects have any members. */
async function withAnyMembers(program: CellProgram, maker: Extract<Maker, { node: Node }>): Promise<Verdict> {
  const place = program.place(maker.node);
  if (!place) return 'silent';
  if (maker.kind === 'literal') return [program.amendment(place, open(place.start, place.end))];
  if (maker.kind === 'function') return 'silent';
  const inside = insideOfClass(program, maker.node as ClassLikeDeclaration);
  const field = ` ${maker.kind === 'statics' ? 'static ' : ''}[name: string]: any;`;
  return inside ? [program.amendment(inside, inserted(inside.start, field))] : 'silent';
}

function insideOfClass(program: CellProgram, node: ClassLikeDeclaration): Place | undefined {
  return program.offset(node, node.members.pos);
}

/** A member that the language's library, Node's, or a package's types lack: only the very variable that gets it has it. */
async function ofLibrary(
  program: CellProgram,
  finding: Finding,
  { node, object, name }: Access,
  symbol: Named,
  isWrite: boolean,
  { doers }: Told,
): Promise<Verdict> {
  const { syntax } = program.typescript;
  if (isWrite) {
    const everywhere = await forAllOfKind(program, object, symbol, name);
    if (everywhere) return everywhere;
    const held = await memberOfVariable(program, object, name);
    if (Array.isArray(held)) return held;
    return 'told';
  }
  if (symbol.name === 'Event' && finding.code !== NEARLY) return 'silent';
  for (const target of await targetsGiven(program, symbol, name, doers)) {
    const isPrototype = syntax.isPropertyAccessExpression(target);
    const given = isPrototype ? await forAllOfKind(program, target, symbol, name) : undefined;
    if (given) return given;
    const [one, other] = [await variableOf(program, target), await variableOf(program, object)];
    const held = one !== undefined && one === other ? await memberOfVariable(program, object, name) : undefined;
    if (Array.isArray(held)) return held;
  }
  const type = await program.typeOf(object);
  if (type && (await isOfArrayClass(program, { node, object, name }, type))) return 'silent';
  if (await isStandIn(program, object)) return 'silent';
  return (await isOfProxy(program, object)) ? 'silent' : 'told';
}

/** A column of a frame whose rows have no type, or one that cells add to a frame; not a method. */
async function isColumn(program: CellProgram, { node, name }: Access, types: readonly Type[], { columns }: Told) {
  const { syntax } = program.typescript;
  const isCalled = syntax.isCallExpression(node.parent) && node.parent.expression === node;
  for (const type of types) {
    const symbol = (await type.getAliasSymbol()) ?? (await type.getSymbol());
    if (symbol?.name !== 'DataFrame' || !(await program.isOfLibrary(symbol))) continue;
    if (columns.has(name)) return true;
    return !isCalled && /^DataFrame(<object>)?$/.test(await program.checker.typeToString(type));
  }
  return false;
}

/** `Array.prototype.last = …`: all of the kind have it from then on. */
async function forAllOfKind(
  program: CellProgram,
  object: Node,
  symbol: Named,
  name: string,
): Promise<Amendment[] | undefined> {
  const { syntax, api } = program.typescript;
  const isPrototype = syntax.isPropertyAccessExpression(object) && object.name.text === 'prototype';
  const root = isPrototype ? object.expression : object;
  const global = syntax.isIdentifier(root) ? await program.symbolOf(root) : undefined;
  const isGlobal = global !== undefined && (await program.isOfLibrary(global));
  if (!isGlobal || !(symbol.flags & api.SymbolFlags.Interface) || (await symbol.getParent())) return undefined;
  const type = await program.checker.getDeclaredTypeOfSymbol(symbol);
  const parameters = type.isClassOrInterface() ? await type.getTypeParameters() : [];
  const names = await Promise.all(parameters.map(async (each) => (await each.getSymbol())?.name ?? ''));
  const given = names.filter((each) => each !== '' && each !== symbol.name);
  const head = given.length > 0 ? `${symbol.name}<${given.join(', ')}>` : symbol.name;
  const before = `declare global { interface ${head} ${memberType(name)} }`;
  return [{ cell: undefined, start: AT_END, end: AT_END, before, after: '' }];
}

/** Whether a list comes from a class of a cell's that extends the language's list, by its `from` or `of`. */
async function isOfArrayClass(program: CellProgram, { object, name }: Access, type: Type): Promise<boolean> {
  const { syntax } = program.typescript;
  const parts = await partsOf(program, type);
  const isList = await Promise.all(parts.map((each) => program.checker.isArrayType(each)));
  if (!isList.some(Boolean)) return false;
  const variable = await variableOf(program, object);
  const origin = variable && syntax.isVariableDeclaration(variable) ? variable.initializer : object;
  let found = false;
  const named: Node[] = [];
  const visit = (node: Node): void => {
    if (syntax.isIdentifier(node)) named.push(node);
    node.forEachChild(visit);
  };
  if (origin) visit(origin);
  for (const each of named) {
    const symbol = await program.symbolOf(each);
    for (const made of symbol ? await program.declarations(symbol) : [])
      if (syntax.isClassDeclaration(made))
        found ||= made.members.some(
          (member) => 'name' in member && (member.name as Node | undefined)?.getText() === name,
        );
  }
  return found;
}

/** Whether an expression is a parameter of a function that stands in for a part of the language: `Object.groupBy ?? (…)`. */
async function isStandIn(program: CellProgram, object: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  const variable = await variableOf(program, object);
  if (!variable || !syntax.isParameterDeclaration(variable) || variable.type) return false;
  let outer: Node = variable.parent;
  while (outer.parent && syntax.isParenthesizedExpression(outer.parent)) outer = outer.parent;
  const { parent } = outer;
  if (!parent || !syntax.isBinaryExpression(parent) || parent.right !== outer) return false;
  const { kind } = parent.operatorToken;
  return kind === SyntaxKind.QuestionQuestionToken || kind === SyntaxKind.BarBarToken;
}

/** Whether an expression is a variable that holds a proxy, which answers what its traps answer. */
async function isOfProxy(program: CellProgram, object: Node): Promise<boolean> {
  const { syntax } = program.typescript;
  const variable = await variableOf(program, object);
  const value = variable && syntax.isVariableDeclaration(variable) && !variable.type ? variable.initializer : undefined;
  if (!value || !syntax.isNewExpression(value) || saysType(program, value)) return false;
  return syntax.isIdentifier(value.expression) && value.expression.text === 'Proxy';
}

/** Whether a name that TypeScript takes for a slip of another is rather a further one: `pnl2` beside `pnl`. */
function isAnother(message: string, name: string): boolean {
  const [, meant = name] = /Did you mean '([^']+)'/.exec(message) ?? [];
  return (name.length > meant.length && name.includes(meant)) || meant === `${name}s`;
}

/** A member of an object of which the types of a library say that it may only be read: its variable may hold anything. */
export async function readonlyMember(program: CellProgram, nodes: readonly Node[]): Promise<Verdict> {
  const access =
    accessAt(program, nodes) ??
    accessAt(
      program,
      nodes.flatMap((node) => namesIn(program, node)),
    );
  const type = access && (await program.typeOf(access.object));
  const infos = type ? await program.checker.getIndexInfosOfType(type) : [];
  const isSaid = infos.some(({ declaration }) => declaration !== undefined && program.isOfCell(declaration));
  if (!access || isSaid) return 'told';
  const held = await heldBy(program, access.object);
  return Array.isArray(held) ? held : 'told';
}

function namesIn(program: CellProgram, node: Node): Node[] {
  return program.typescript.syntax.isPropertyAccessExpression(node) ? [node.name] : [];
}

/** A key by which the run finds a member: what it is a key of, if that is a promise, is not awaited. */
export async function keyedMember(
  program: CellProgram,
  finding: Finding,
  nodes: readonly Node[],
  told: Told,
): Promise<Verdict> {
  const { syntax } = program.typescript;
  const access = accessAt(program, nodes);
  const element = nodes.find((node) => syntax.isElementAccessExpression(node));
  const object =
    access?.object ?? (element && syntax.isElementAccessExpression(element) ? element.expression : undefined);
  const type = object && (await program.typeOf(object));
  if (object && syntax.isIdentifier(object) && object.text === 'globalThis') return 'silent';
  for (const part of type ? await partsOf(program, type) : []) {
    const symbol = await part.getSymbol();
    if (symbol?.name === 'Promise' && (await program.isOfLibrary(symbol))) return 'told';
  }
  if (!access) return 'silent';
  return missingMember(program, finding, nodes, told);
}
