import type { Expression, Node, ParameterDeclaration } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/async';
import type { CellProgram } from './cell-program.js';
import type { Finding } from './finding.js';
import { partsOf } from './makers.js';
import { isConvertible } from './operands.js';

/** What the language calls a parameter that it ignores unless it can use what is given: `lines.map(JSON.parse)`. */
const IGNORED = /^(reviver|replacer)$/;
/** An argument that does not fit, of a function with one way to call it and with several. */
const OF_CALLS = new Set([2345, 2769]);
/** The files that say what the language has. */
export const OF_LANGUAGE = /\/lib\.[\w.]*d\.ts$/;

/**
 * Whether a function that is given as a callback does with an argument that is not of a parameter's type: since the
 * parameter has no type but that of its default, or since the language ignores it.
 */
export async function takesMore(program: CellProgram, { message }: Finding, given: Node): Promise<boolean> {
  const { api, syntax } = program.typescript;
  const [, name = ''] = /Types of parameters '(\w+)' and '\w+' are incompatible/.exec(message) ?? [];
  const type = name === '' ? undefined : await program.typeOf(given);
  const signatures = type ? await program.checker.getSignaturesOfType(type, api.SignatureKind.Call) : [];
  for (const { declaration } of signatures) {
    if (!declaration) continue;
    if (OF_LANGUAGE.test(declaration.path) && IGNORED.test(name)) return true;
    const node = program.isOfCell(declaration) ? await declaration.resolve() : undefined;
    const parameters = node && 'parameters' in node ? (node.parameters as readonly Node[]) : [];
    // A pattern is called by its place.
    const [, place] = /^__(\d+)$/.exec(name) ?? [];
    const parameter = parameters.find((each, at) =>
      place === undefined ? syntax.isParameterDeclaration(each) && each.name.getText() === name : at === Number(place),
    );
    if (!parameter || !syntax.isParameterDeclaration(parameter)) continue;
    if (parameter.initializer && !saysType(program, parameter)) return true;
  }
  return false;
}

/** Whether whatever a function gives becomes a text that says something, where a text is to be given. */
export async function givesTexts(program: CellProgram, { code, message }: Finding, given: Type): Promise<boolean> {
  const { checker, typescript } = program;
  if (!OF_CALLS.has(code) || !message.endsWith("to type 'string'.") || message.includes('Types of parameters'))
    return false;
  for (const signature of await checker.getSignaturesOfType(given, typescript.api.SignatureKind.Call)) {
    const type = await checker.getReturnTypeOfSignature(signature);
    const parts = type ? await partsOf(program, type) : [];
    const convertible = await Promise.all(parts.map((part) => isConvertible(program, part)));
    if (!convertible.every(Boolean)) return false;
  }
  return true;
}

/** Whether a function is given to a method of a list: streams and others await what it answers. */
export async function isOfList(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { syntax } = program.typescript;
  const call = nodes.map((node) => node.parent).find((node) => syntax.isCallExpression(node));
  const callee = call && syntax.isCallExpression(call) ? call.expression : undefined;
  const object = callee && syntax.isPropertyAccessExpression(callee) ? callee.expression : undefined;
  const type = object && (await program.typeOf(object));
  const parts = type ? await partsOf(program, type) : [];
  const isList = (each: Type): Promise<boolean> | boolean => each.isTupleType() || program.checker.isArrayType(each);
  return parts.length > 0 && (await Promise.all(parts.map(isList))).every(Boolean);
}

/**
 * Whether `this` is lost: a function that a method passes to one of a list's methods, another of the language's or a
 * library's function, and that means a member of the method's object. What is called with another `this` is not told.
 */
export async function losesThis(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { syntax, api } = program.typescript;
  const at = nodes.find(({ kind }) => kind === syntax.SyntaxKind.ThisKeyword);
  const member = at?.parent && syntax.isPropertyAccessExpression(at.parent) ? at.parent.name.text : undefined;
  let made = at;
  while (made && !syntax.isFunctionExpression(made)) made = made.parent;
  const call = made?.parent;
  if (member === undefined || !made || !call || !syntax.isCallExpression(call)) return false;
  if (!isOwnMember(program, made, member)) return false;
  const { expression: callee, arguments: given } = call;
  const object = syntax.isPropertyAccessExpression(callee) ? await program.typeOf(callee.expression) : undefined;
  if (object && object.flags & api.TypeFlags.Any)
    return given.at(-1) === made && syntax.isPropertyAccessExpression(callee) && callee.name.text in Array.prototype;
  const signature = await program.checker.getResolvedSignature(call);
  const declaration = signature?.declaration;
  if (!declaration || program.isOfCell(declaration)) return false;
  if (!OF_LANGUAGE.test(declaration.path) && !syntax.isIdentifier(callee)) return false;
  const parameters = await signature.getParameters();
  if (parameters.some(({ name }, place) => name === 'thisArg' && place < given.length)) return false;
  const wanted = await program.checker.getContextualType(made as Expression);
  for (const part of wanted ? await partsOf(program, wanted) : [])
    for (const each of await program.checker.getSignaturesOfType(part, api.SignatureKind.Call))
      if (await each.getThisParameter()) return false;
  return true;
}

/** Whether the class or the object around a function has a member, or its other code takes it to have one. */
function isOwnMember(program: CellProgram, made: Node, member: string): boolean {
  const { syntax } = program.typescript;
  const isOwner = (node: Node): boolean =>
    syntax.isClassDeclaration(node) || syntax.isClassExpression(node) || syntax.isObjectLiteralExpression(node);
  let owner = made.parent;
  // What is passed beside it, or as options, is no object with a method around it.
  while (owner.parent && (!isOwner(owner) || syntax.isCallExpression(owner.parent))) owner = owner.parent;
  if (!isOwner(owner)) return false;
  let isFound = false;
  const visit = (node: Node): void => {
    if (node === made || isFound) return;
    const isOfThis = syntax.isPropertyAccessExpression(node) && node.expression.kind === syntax.SyntaxKind.ThisKeyword;
    isFound = (isOfThis && node.name.text === member) || (node.parent === owner && nameOf(node) === member);
    node.forEachChild(visit);
  };
  owner.forEachChild(visit);
  return isFound;
}

function nameOf(node: Node): string | undefined {
  return 'name' in node ? (node.name as Node | undefined)?.getText() : undefined;
}

/** Whether a parameter has a type: its own, or that of the variable for which its function is written. */
export function saysType(program: CellProgram, { type, parent }: ParameterDeclaration): boolean {
  const { syntax } = program.typescript;
  const outer = parent.parent;
  const isWritten = outer !== undefined && syntax.isVariableDeclaration(outer) && outer.type !== undefined;
  return type !== undefined || isWritten;
}
