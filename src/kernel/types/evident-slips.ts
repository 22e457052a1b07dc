import type { Node, Program } from 'oxc-parser';
import { LineIndex } from '../transform/source-lines.js';
import { namesOf, walk } from '../transform/syntax-tree.js';
import { isUnchecked } from './cell-diagnostics.js';
import type { Diagnostic } from './type-service.js';

const ALWAYS_FALSY = 2873;
const ALWAYS_TRUTHY = 2872;
const UNAWAITED = 2801;

/**
 * Slips that TypeScript lets pass and that a cell's text alone shows: a value assigned in a condition, a promise of the
 * cell's own async function that becomes a text, and a text asked for among the keys of a list. They are warnings, since
 * such code runs. None in a cell that asks not to be checked.
 */
export function slipsIn(program: Program, code: string): Diagnostic[] {
  if (isUnchecked(code)) return [];
  const lines = new LineIndex(code);
  const found: Diagnostic[] = [];
  const { asyncs, lists } = namedOnce(program);
  const say = (number: number, message: string, { start, end }: Node): void => {
    found.push({ severity: 'warning', code: number, message, start: lines.position(start), end: lines.position(end) });
  };
  walk(program, (node) => {
    const test = 'test' in node ? (node.test as Node | null) : null;
    if (test?.type === 'AssignmentExpression' && test.operator === '=' && test.right.type === 'Literal') {
      const always = test.right.value ? 'truthy' : 'falsy';
      const message = `This condition assigns a value and is always ${always}. Did you mean '==='?`;
      say(test.right.value ? ALWAYS_TRUTHY : ALWAYS_FALSY, message, test);
    }
    const key = keyOfList(node, lists);
    if (key !== undefined && !code.includes(`.${key}`))
      say(
        ALWAYS_FALSY,
        "This asks for a key of the list, which are 0, 1, 2 …: its values are asked for by 'includes'.",
        node,
      );
    for (const part of textParts(node)) {
      const called = part.type === 'CallExpression' && part.callee.type === 'Identifier' ? part.callee.name : '';
      if (asyncs.has(called))
        say(UNAWAITED, "This becomes the text of a promise. Did you forget to use 'await'?", part);
    }
    return true;
  });
  return found;
}

/** The names that stand for async functions, and for lists that are written out, wherever the cell uses them. */
function namedOnce(program: Program): { asyncs: Set<string>; lists: Set<string> } {
  const declared = new Map<string, number>();
  const [asyncs, lists] = [new Set<string>(), new Set<string>()];
  const note = (name: string, value: Node | null): void => {
    declared.set(name, (declared.get(name) ?? 0) + 1);
    if (value && 'async' in value && value.async && !('generator' in value && value.generator)) asyncs.add(name);
    if (value?.type === 'ArrayExpression') lists.add(name);
  };
  walk(program, (node) => {
    if (node.type === 'FunctionDeclaration' && node.id) note(node.id.name, node);
    if (node.type === 'VariableDeclarator')
      for (const name of namesOf(node.id)) note(name, node.id.type === 'Identifier' ? node.init : null);
    if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier') note(node.left.name, null);
    if ('params' in node && Array.isArray(node.params))
      for (const each of node.params as Node[]) for (const name of namesOf(each)) note(name, null);
    return true;
  });
  // A name that is declared or assigned twice may stand for something else.
  const once = (names: Set<string>): Set<string> => new Set([...names].filter((name) => declared.get(name) === 1));
  return { asyncs: once(asyncs), lists: once(lists) };
}

/** The text that an expression asks for among the keys of a list, of which it can be none: `'a' in ['a', 'b']`. */
function keyOfList(node: Node, lists: ReadonlySet<string>): string | undefined {
  if (node.type !== 'BinaryExpression' || node.operator !== 'in') return undefined;
  const { left, right } = node;
  const isList = right.type === 'ArrayExpression' || (right.type === 'Identifier' && lists.has(right.name));
  const key = isList && left.type === 'Literal' && typeof left.value === 'string' ? left.value : undefined;
  return key === undefined || key in [] || /^\d+$/.test(key) ? undefined : key;
}

/** The parts of an expression that become text: in a template, beside a text and `+`, as JSON. */
function textParts(node: Node): Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions;
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const sides: Node[] = [node.left, node.right];
    return sides.some(isText) ? sides : [];
  }
  const callee = node.type === 'CallExpression' ? node.callee : undefined;
  const isJson =
    callee?.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'JSON' &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'stringify';
  return isJson && node.type === 'CallExpression' ? node.arguments.slice(0, 1) : [];
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
