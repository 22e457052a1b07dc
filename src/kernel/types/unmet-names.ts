import type { Node, Program } from 'oxc-parser';
import { freeIdentifiers } from '../transform/free-identifiers.js';
import { LineIndex } from '../transform/source-lines.js';
import { namesOf, walk, wrapsExpression } from '../transform/syntax-tree.js';
import type { Unmet } from './cell-scope.js';
import type { Diagnostic } from './type-service.js';
import { calledAtOnce, runLater } from './variable-changes.js';

/** TypeScript's numbers of names that nothing declares. */
export const UNDECLARED = new Set([2304, 2503, 2552, 18004]);

/**
 * Takes the names that a later cell may declare out of what is found in a cell: those that its functions and classes use,
 * unless the cell itself uses these.
 *
 * @returns What holds now, and the names that are still to come.
 */
export function metLater<F extends { code: number; start: number; diagnostic: Diagnostic }>(
  found: readonly F[],
  program: Program,
): { now: F[]; unmet: Unmet[] } {
  const missing = found.filter((each) => UNDECLARED.has(each.code));
  const later = program.body.flatMap((statement) =>
    runLater(statement).map((node) => ({ node, by: nameOf(statement) })),
  );
  const isLater = (at: number): boolean => later.some(({ node }) => node.start <= at && at < node.end);
  const isCalled = calledPlaces(program);
  const unmet = missing.flatMap(({ start: at, diagnostic }): Unmet[] => {
    const by = later.find(({ node }) => node.start <= at && at < node.end)?.by;
    const [, name = ''] = /'([^']+)'/.exec(diagnostic.message) ?? [];
    if (by === undefined) return [];
    const isUsed = freeIdentifiers(program, new Set([by])).some(({ start }) => !isLater(start) && isCalled.has(start));
    return isUsed ? [] : [{ name, by, diagnostic }];
  });
  const isUnmet = new Set(unmet.map(({ diagnostic }) => diagnostic));
  return { now: found.filter(({ diagnostic }) => !isUnmet.has(diagnostic)), unmet };
}

/** What is wrong in a cell that uses functions of earlier cells whose own names never came. */
export function unmetBefore(program: Program, code: string, unmet: readonly Unmet[]): Diagnostic[] {
  const lines = new LineIndex(code);
  const own = new Set(program.body.flatMap((statement) => [...declaredBy(statement)]));
  const isCalled = calledPlaces(program);
  const used = freeIdentifiers(program, new Set(unmet.map(({ by }) => by))).filter(({ start }) => isCalled.has(start));
  return unmet.flatMap(({ name, by, diagnostic }) => {
    const first = used.find((each) => each.name === by);
    if (!first || own.has(name) || own.has(by)) return [];
    const message = `'${by}' uses '${name}', which no cell has declared yet. ${diagnostic.message}`;
    return [{ ...diagnostic, message, start: lines.position(first.start), end: lines.position(first.end) }];
  });
}

function nameOf(statement: Node): string | undefined {
  const [first] = declaredBy(statement);
  return first;
}

function declaredBy(statement: Node): Set<string> {
  if (statement.type === 'ExportNamedDeclaration')
    return statement.declaration ? declaredBy(statement.declaration) : new Set();
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
    return new Set(statement.id ? [statement.id.name] : []);
  return statement.type === 'VariableDeclaration'
    ? new Set(statement.declarations.flatMap(({ id }) => [...namesOf(id)]))
    : new Set();
}

/** Where names stand whose functions are used then: called, made by `new`, given to a method that calls what it is given. */
function calledPlaces(program: Program): Set<number> {
  const places = new Set<number>();
  walk(program, (node) => {
    const called = node.type === 'CallExpression' ? calledAtOnce(node) : [];
    if (node.type === 'CallExpression' || node.type === 'NewExpression') called.push(node.callee);
    if (node.type === 'TaggedTemplateExpression') called.push(node.tag);
    if (node.type === 'MemberExpression') called.push(node);
    if (node.type === 'JSXOpeningElement') called.push(node.name);
    for (const each of called) places.add(rootOf(each).start);
    return true;
  });
  return places;
}

/** The name in which a chain of members and calls begins. */
function rootOf(node: Node): Node {
  if (node.type === 'MemberExpression') return rootOf(node.object);
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return rootOf(node.callee);
  return wrapsExpression(node) || node.type === 'ChainExpression' ? rootOf(node.expression) : node;
}
