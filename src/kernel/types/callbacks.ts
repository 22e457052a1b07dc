import type { Node, ParameterDeclaration } from 'typescript/unstable/ast';
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

/** Whether a parameter has a type: its own, or that of the variable for which its function is written. */
export function saysType(program: CellProgram, { type, parent }: ParameterDeclaration): boolean {
  const { syntax } = program.typescript;
  const outer = parent.parent;
  const isWritten = outer !== undefined && syntax.isVariableDeclaration(outer) && outer.type !== undefined;
  return type !== undefined || isWritten;
}
