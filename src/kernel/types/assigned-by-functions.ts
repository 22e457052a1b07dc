import type { Program } from 'oxc-parser';
import { assignmentTargets } from '../assignment-targets.js';
import { opensFunction } from '../declared-names.js';
import { freeIdentifiers } from '../free-identifiers.js';
import { walk } from '../walk.js';

/**
 * The variables of the top level, own ones and those of earlier cells, that functions of a cell assign: what these hold
 * behind the cell depends on what is called, and when.
 *
 * @example assignedByFunctions(parse('const load = () => { rows = [1]; let row; row = 2 }')) // Set { 'rows' }
 */
export function assignedByFunctions(program: Program): Set<string> {
  const targets = new Map<number, string>();
  walk(program, (node) => {
    if (!opensFunction(node)) return true;
    for (const [start, name] of assignmentTargets(node)) targets.set(start, name);
    return false;
  });
  if (targets.size === 0) return new Set();
  const free = freeIdentifiers(program, new Set(targets.values()));
  return new Set(free.filter(({ start }) => targets.has(start)).map(({ name }) => name));
}
