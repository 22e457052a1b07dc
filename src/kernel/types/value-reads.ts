import type { Node } from 'oxc-parser';
import { freeIdentifiers } from '../transform/free-identifiers.js';
import { walk } from '../transform/walk.js';
import { wrapsExpression } from '../transform/wraps-expression.js';

/** Methods that call the given function before they return. */
const CALLS_AT_ONCE =
  /^(map|flatMap|filter|forEach|reduce|reduceRight|some|every|find(Last)?(Index)?|sort|toSorted|from|replace|replaceAll)$/;

/**
 * Where an expression reads variables during its evaluation. Reads in functions count only if these certainly run by
 * then: called on the spot, or given to a method such as `map`. Shorthands such as `{ name }` never count.
 *
 * @example valueReads(parse('rows.map(() => rows).then(() => rows)'), ['rows']) // at 0 and at 15
 */
export function valueReads(expression: Node, names: string[]): { name: string; start: number }[] {
  const free = freeIdentifiers({ body: [expression] }, new Set(names)).filter(({ isShorthand }) => !isShorthand);
  if (free.length === 0) return [];
  const later = runLater(expression);
  return free.filter(({ start: at }) => !later.some(({ start, end }) => start <= at && at < end));
}

/** The functions and classes in an expression that may run only after it has been evaluated. */
function runLater(expression: Node): Node[] {
  const later: Node[] = [];
  const atOnce = new Set<Node>();
  let awaitedTo = 0;
  walk(expression, (node) => {
    if (node.type === 'AwaitExpression') awaitedTo = Math.max(awaitedTo, node.end);
    for (const called of calledAtOnce(node)) atOnce.add(called);
    if (!/Function|Class/.test(node.type)) return true;
    const isLate = !atOnce.has(node) || ('async' in node && node.async && node.end > awaitedTo);
    if (isLate) later.push(node);
    return !isLate;
  });
  return later;
}

function calledAtOnce(node: Node): Node[] {
  if (node.type !== 'CallExpression') return [];
  const callee = unwrapped(node.callee);
  if (callee.type !== 'MemberExpression') return [callee];
  const method = !callee.computed && 'name' in callee.property ? callee.property.name : '';
  return CALLS_AT_ONCE.test(method) ? node.arguments.map(unwrapped) : [];
}

function unwrapped(node: Node): Node {
  return wrapsExpression(node) ? unwrapped(node.expression) : node;
}
