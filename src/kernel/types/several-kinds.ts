import type { Node } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/async';
import { appendAll } from '../../base/many.js';
import type { Amendment } from './amendments.js';
import type { CellProgram } from './cell-program.js';
import { givenElsewhere } from './evidence.js';
import { makersOf, partsOf, withMember } from './makers.js';
import type { Told } from './missing-members.js';

/** What is no key: of an object, and of one that is written out. */
export const NO_KEY = new Set([2538, 2464]);
/** What cannot be iterated, or not with `await`. */
export const NO_LIST = new Set([2488, 2504]);

/** Whether a value of several kinds, as of a column that nobody gave a type, may be a key, or the part of one that is null. */
export function mayBeKey(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { TypeFlags } = program.typescript.api;
  const keys = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.ESSymbolLike;
  return mayBeOne(program, nodes, async ({ flags }) => (flags & keys) !== 0);
}

/** A symbol where a text is made of it, by a template or by `+`. */
export const NO_TEXT = new Set([2731, 2469]);

/** Whether a value of several kinds, as the key that a proxy is asked for, may be another than a symbol. */
export function mayBeText(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { TypeFlags } = program.typescript.api;
  return mayBeOne(program, nodes, async ({ flags }) => (flags & TypeFlags.ESSymbolLike) === 0);
}

/** Whether the run makes a text of a key that says something: of a date, a truth, an address, what has a `toString` of its own. */
export async function becomesKey(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { syntax } = program.typescript;
  for (const node of nodes) {
    const type = await program.typeOf(syntax.isComputedPropertyName(node) ? node.expression : node);
    const { parent } = node;
    const isOfObject = syntax.isElementAccessExpression(parent) && parent.argumentExpression === node;
    const object = isOfObject ? await program.typeOf(parent.expression) : undefined;
    // A list has no such keys.
    if (!type || (object && (await program.checker.isArrayType(object)))) continue;
    const parts = await partsOf(program, type);
    const isText = await Promise.all(parts.map((part) => hasText(program, part)));
    if (isText.length > 0 && isText.every(Boolean)) return true;
  }
  return false;
}

async function hasText(program: CellProgram, type: Type): Promise<boolean> {
  const { checker, typescript } = program;
  if (type.flags & typescript.api.TypeFlags.Primitive) return true;
  if ((await checker.getSignaturesOfType(type, typescript.api.SignatureKind.Call)).length > 0) return false;
  const own = await checker.getPropertyOfType(type, 'toString');
  const owner = own && (await own.getParent());
  if (own && !(owner?.name === 'Object' && (await program.isOfLibrary(own)))) return true;
  const all = await checker.getPropertiesOfType(type);
  return all.some(({ escapedName }) => String(escapedName).startsWith('__@toPrimitive'));
}

/**
 * The amendments by which objects have a method whose name is a symbol of the language's, where cells give them one:
 * `o[Symbol.iterator] = …`.
 *
 * @param name As it is written in a literal: `[Symbol.iterator]`.
 */
export async function symbolMember(
  program: CellProgram,
  nodes: readonly Node[],
  name: string,
  { doers }: Told,
): Promise<Amendment[]> {
  const { syntax } = program.typescript;
  const amendments: Amendment[] = [];
  for (const node of nodes) {
    const { parent } = node;
    const isPattern = syntax.isVariableDeclaration(parent) && parent.name === node;
    const type = await program.typeOf(isPattern && parent.initializer ? parent.initializer : node);
    for (const part of type ? await partsOf(program, type) : [])
      for (const maker of await makersOf(program, part))
        if ('node' in maker && (await givenElsewhere(program, maker, name, doers)))
          appendAll(amendments, withMember(program, name, maker));
  }
  return amendments;
}

/** Whether a value of several kinds may be a text, a list or another that is iterated. */
export function mayBeList(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { TypeFlags } = program.typescript.api;
  return mayBeOne(program, nodes, async (part) => {
    // What nobody gave a type is any list: `const [line] = await new Promise(…)`.
    if (part.flags & (TypeFlags.StringLike | TypeFlags.Unknown)) return true;
    const all = await program.checker.getPropertiesOfType(part);
    return all.some(({ escapedName }) => String(escapedName).startsWith('__@iterator'));
  });
}

async function mayBeOne(
  program: CellProgram,
  nodes: readonly Node[],
  isOne: (part: Type) => Promise<boolean>,
): Promise<boolean> {
  const { isComputedPropertyName } = program.typescript.syntax;
  for (const node of nodes) {
    const type = await program.typeOf(isComputedPropertyName(node) ? node.expression : node);
    for (const part of type ? await partsOf(program, type) : []) if (await isOne(part)) return true;
  }
  return false;
}
