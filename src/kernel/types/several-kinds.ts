import type { Node } from 'typescript/unstable/ast';
import type { Type } from 'typescript/unstable/async';
import type { CellProgram } from './cell-program.js';
import { partsOf } from './makers.js';
import { isConvertible } from './operands.js';

/** What is no key: of an object, and of one that is written out. */
export const NO_KEY = new Set([2538, 2464]);

/**
 * Whether a value of several kinds, as of a column that nobody gave a type, may be a key, or the part of one that is null;
 * a date, a truth, a list of texts becomes one.
 */
export function mayBeKey(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { TypeFlags } = program.typescript.api;
  const keys = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.ESSymbolLike;
  return mayBeOne(program, nodes, async (part) => (part.flags & keys) !== 0 || isConvertible(program, part));
}

/** Whether a value of several kinds may be a text, a list or another that is iterated. */
export function mayBeList(program: CellProgram, nodes: readonly Node[]): Promise<boolean> {
  const { TypeFlags } = program.typescript.api;
  return mayBeOne(program, nodes, async (part) => {
    if (part.flags & TypeFlags.StringLike) return true;
    const all = await program.checker.getPropertiesOfType(part);
    return all.some(({ escapedName }) => String(escapedName).startsWith('__@iterator'));
  });
}

async function mayBeOne(
  program: CellProgram,
  nodes: readonly Node[],
  isOne: (part: Type) => Promise<boolean>,
): Promise<boolean> {
  for (const node of nodes) {
    const type = await program.typeOf(node);
    for (const part of type ? await partsOf(program, type) : []) if (await isOne(part)) return true;
  }
  return false;
}
