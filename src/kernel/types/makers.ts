import type { ClassLikeDeclaration, ComputedPropertyName, Node } from 'typescript/unstable/ast';
import type { Symbol as Named, Type } from 'typescript/unstable/async';
import { type Amendment, inserted, keyText, literalMember, open, valueMember } from './amendments.js';
import type { CellProgram, Place } from './cell-program.js';
import { inList, writtenType } from './holders.js';

/** What a type comes from. */
export type Maker =
  /** An object, class or function of a cell that says nothing of its members' types. */
  | { kind: 'literal' | 'class' | 'statics' | 'function'; node: Node; symbol: Named }
  /** What the user named or wrote: an interface, a type, a class with typed fields. */
  | { kind: 'said' }
  /** The language's library, Node's, a package's, ours, or a file of the user's. */
  | { kind: 'library'; symbol: Named }
  /** What has no type. */
  | { kind: 'untyped' }
  /** A text, a number and the like. */
  | { kind: 'plain' };

/** What a cell makes without saying what it holds. */
export type Made = Extract<Maker, { node: Node }>;

/** The types that a value may have, without null and undefined. */
export async function partsOf(program: CellProgram, type: Type): Promise<Type[]> {
  const { TypeFlags } = program.typescript.api;
  if (type.flags & (TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Void)) return [];
  if (type.isUnionType()) {
    // As one, so that what is said does not name both.
    if (type.flags & TypeFlags.BooleanLike) return [type];
    const parts = await Promise.all((await type.getTypes()).map((each) => partsOf(program, each)));
    return parts.flat();
  }
  if (type.flags & TypeFlags.Instantiable) {
    const constraint = await program.checker.getBaseConstraintOfType(type);
    return constraint && constraint.id !== type.id ? partsOf(program, constraint) : [type];
  }
  return [type];
}

/** What one of the {@link partsOf} a value's types comes from; of several objects in one, all. */
export async function makersOf(program: CellProgram, part: Type): Promise<Maker[]> {
  const { TypeFlags } = program.typescript.api;
  if (part.flags & (TypeFlags.AnyOrUnknown | TypeFlags.NonPrimitive)) return [{ kind: 'untyped' }];
  if (part.isIntersectionType()) {
    const makers = (await Promise.all((await part.getTypes()).map((each) => makersOf(program, each)))).flat();
    // What is an object besides is no less known for it.
    const known = makers.filter(({ kind }) => kind !== 'untyped');
    return known.length > 0 ? known : makers;
  }
  const alias = await part.getAliasSymbol();
  if (alias && !(await program.isOfLibrary(alias))) return [{ kind: 'said' }];
  const symbol = (part.flags & TypeFlags.Object) !== 0 ? await part.getSymbol() : undefined;
  if (!symbol) return [{ kind: 'plain' }];
  if (await program.isOfLibrary(symbol)) return [{ kind: 'library', symbol }];
  const declared = (await program.declarations(symbol)).filter((node) => !program.isInserted(node));
  const made = declared.map((node) => makerBy(program, part, symbol, node));
  return made.length > 0 ? made : [{ kind: 'plain' }];
}

function makerBy(program: CellProgram, type: Type, symbol: Named, node: Node): Maker {
  const { syntax, api } = program.typescript;
  if (syntax.isObjectLiteralExpression(node)) return { kind: 'literal', node, symbol };
  if (syntax.isClassDeclaration(node) || syntax.isClassExpression(node)) {
    if (type.isObjectType() && (type.objectFlags & api.ObjectFlags.Anonymous) !== 0)
      return { kind: 'statics', node, symbol };
    return saysItsFields(program, node) ? { kind: 'said' } : { kind: 'class', node, symbol };
  }
  const isFunction =
    syntax.isFunctionDeclaration(node) || syntax.isFunctionExpression(node) || syntax.isArrowFunction(node);
  return isFunction ? { kind: 'function', node, symbol } : { kind: 'said' };
}

/** Whether a class says what its fields are, or what it implements; one that is given what has no type leaves it open. */
function saysItsFields(program: CellProgram, node: ClassLikeDeclaration): boolean {
  const { syntax } = program.typescript;
  const { SyntaxKind } = syntax;
  if (node.heritageClauses?.some(({ token }) => token === SyntaxKind.ImplementsKeyword)) return true;
  const parameters = node.members.flatMap((each) =>
    syntax.isConstructorDeclaration(each) ? [...each.parameters] : [],
  );
  if (parameters.some((each) => !writtenType(program, each) && !each.initializer)) return false;
  const isField = (each: Node): boolean => syntax.isPropertyDeclaration(each) && !program.isInserted(each);
  const taken = parameters.filter(({ modifiers }) => modifiers !== undefined && modifiers.length > 0);
  return [...node.members.filter(isField), ...taken].some((each) => writtenType(program, each) !== undefined);
}

/** Whether what makes an object gives it a member itself: by a key that only the run knows, a decorator, a prototype. */
export async function givesItself(
  program: CellProgram,
  { node }: Made,
  named: { name: string; isIt: (part: Type, makers: readonly Maker[]) => boolean | Promise<boolean> },
): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const given: (Type | undefined)[] = [];
  if (syntax.isClassDeclaration(node) || syntax.isClassExpression(node)) {
    for (const each of node.members)
      if ('name' in each && each.name && syntax.isComputedPropertyName(each.name as Node))
        given.push(await program.typeOf((each.name as ComputedPropertyName).expression));
    for (const each of node.modifiers?.filter(syntax.isDecorator) ?? []) {
      const type = await program.typeOf(each.expression);
      if (!type || type.flags & api.TypeFlags.Any) return true;
      for (const signature of await program.checker.getSignaturesOfType(type, api.SignatureKind.Call)) {
        const made = await program.checker.getReturnTypeOfSignature(signature);
        if (made && (await objectsHave(program, made, named.name))) return true;
      }
    }
  }
  if (syntax.isObjectLiteralExpression(node))
    for (const each of node.properties.filter(syntax.isPropertyAssignment))
      if (each.name.getText() === '__proto__') given.push(await program.typeOf(each.initializer));
  for (const each of given)
    for (const part of each ? await partsOf(program, each) : [])
      if (!(part.flags & api.TypeFlags.Any) && (await named.isIt(part, []))) return true;
  return false;
}

/** Whether a class that is given for another names a member of its objects, whatever it extends. */
async function objectsHave(program: CellProgram, type: Type, name: string): Promise<boolean> {
  const { checker } = program;
  const prototype = await checker.getPropertyOfType(type, 'prototype');
  for (const each of [type, prototype && (await checker.getTypeOfSymbol(prototype))])
    if (each && (await checker.getPropertiesOfType(each)).some((one) => one.name === name)) return true;
  return false;
}

/** The amendment by which a maker's objects have a member. */
export function withMember(program: CellProgram, name: string, { kind, node }: Made): Amendment[] {
  const { syntax } = program.typescript;
  const place = program.place(node);
  if (!place) return [];
  if (kind === 'literal')
    return inList(program, node).flatMap((each) => {
      const at = program.place(each);
      const isThere =
        syntax.isObjectLiteralExpression(each) &&
        each.properties.some((one) => 'name' in one && one.name?.getText() === name);
      const isPlain = isPlainInList(program, each);
      return at && !isThere ? [program.amendment(at, literalMember(at.start + 1, name, isPlain))] : [];
    });
  if (kind === 'class' || kind === 'statics') {
    const inside = insideOfClass(program, node as ClassLikeDeclaration);
    // One that is only declared may be that of the class that it extends, too.
    const field = ` ${kind === 'statics' ? 'static' : 'declare'} ${keyText(name)}: any;`;
    return inside ? [program.amendment(inside, inserted(inside.start, field))] : [];
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

/** Whether an object is one of a list that is written out, and a copy of none. */
function isPlainInList(program: CellProgram, literal: Node): boolean {
  const { syntax } = program.typescript;
  const isPlain = syntax.isObjectLiteralExpression(literal) && !literal.properties.some(syntax.isSpreadAssignment);
  return isPlain && syntax.isArrayLiteralExpression(literal.parent);
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
export function withAnyMembers(program: CellProgram, { kind, node }: Made): Amendment[] {
  const place = program.place(node);
  if (!place) return [];
  if (kind === 'literal') return [program.amendment(place, open(place.start, place.end))];
  if (kind === 'function') return [];
  const inside = insideOfClass(program, node as ClassLikeDeclaration);
  const field = ` ${kind === 'statics' ? 'static ' : ''}[name: string]: any;`;
  return inside ? [program.amendment(inside, inserted(inside.start, field))] : [];
}

function insideOfClass(program: CellProgram, node: ClassLikeDeclaration): Place | undefined {
  return program.offset(node, node.members.pos);
}
