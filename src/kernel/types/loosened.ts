import type { Node, Program } from 'oxc-parser';
import { Edits, type Rewritten } from '../transform/edits.js';
import { walk } from '../transform/syntax-tree.js';
import { amend, type Insertion } from './amendments.js';
import { type Assignment, askWider } from './widened.js';

/** Prefix of a variable's name, for its first value where it is declared without one. */
const FIRST = 'oddslab_first_';

/** What a cell's lines have for the checker besides what the user wrote. */
export interface Changes {
  insertions?: readonly Insertion[];
  /** Variables that have the type of their last value. */
  widened?: ReadonlySet<string>;
  /** Assignments of which the text asks whether they give more than there was. */
  assigned?: readonly Assignment[];
}

/**
 * A cell's lines with what stands in them for the checker alone.
 *
 * @param body The cell's text, or one with the same places.
 * @param program Needed if variables have the type of their last value.
 * @returns The lines, and what comes behind the module's end.
 */
export function loosened(
  body: string,
  program: Program | undefined,
  { insertions = [], widened = new Set(), assigned = [] }: Changes,
): { body: Rewritten; atEnd: string } {
  const edits = new Edits(body);
  askWider(edits, assigned);
  const atEnd = amend(edits, insertions);
  if (program && widened.size > 0)
    walk(program, (node, parent) => {
      if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || node.id.typeAnnotation) return true;
      const { name, end } = node.id;
      // Assigned within the same declaration, so that its type is that of its last value.
      if (widened.has(name) && node.init && isAssignable(parent))
        edits.replace(end, end, `, ${FIRST}${name} = ${name}`);
      return true;
    });
  return { body: edits.apply(), atEnd };
}

function isAssignable(declaration: Node | undefined): boolean {
  return declaration?.type === 'VariableDeclaration' && /^(let|var)$/.test(declaration.kind);
}
