import type { Node, Program } from 'oxc-parser';
import { opensFunction } from '../transform/declared-names.js';
import { freeIdentifiers } from '../transform/free-identifiers.js';
import { walk } from '../transform/walk.js';

/**
 * The top-level variables, the cell's own and earlier cells', that functions of a cell change: what they hold after the
 * cell depends on what is called, and when.
 *
 * @param changes Finds where a part of the program changes variables: offset and name.
 * @example changedByFunctions(parse('const load = () => { rows = [1]; let row; row = 2 }'), assignmentTargets) // Set { 'rows' }
 */
export function changedByFunctions(program: Program, changes: (part: Node) => Map<number, string>): Set<string> {
  const targets = new Map<number, string>();
  walk(program, (node) => {
    if (!opensFunction(node)) return true;
    for (const [start, name] of changes(node)) targets.set(start, name);
    return false;
  });
  if (targets.size === 0) return new Set();
  const free = freeIdentifiers(program, new Set(targets.values()));
  return new Set(free.filter(({ start }) => targets.has(start)).map(({ name }) => name));
}
