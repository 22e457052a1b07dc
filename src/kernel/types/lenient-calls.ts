import type { Node, Program } from 'oxc-parser';
import { walk } from '../transform/syntax-tree.js';
import { type Finding, primitiveOf } from './finding.js';
import { type Habits, memberName, usesArguments } from './habits.js';

/** Where a finding is: its cell, and what this and the cells before do. */
export interface Where {
  program: Program;
  code: string;
  habits: Habits;
}

const OTHER_PARTS = new Set([2322, 2345, 2353, 2559, 2561, 2739, 2740, 2741]);
/** Functions that convert their arguments, and methods that do. */
const CONVERTS =
  /^(Math\.\w+|(Number\.)?(isNaN|isFinite|parseInt|parseFloat)|(en|de)codeURI(Component)?|JSON\.parse|Date|Date\.parse|set(Timeout|Interval))$/;
const CONVERTING =
  /\.(repeat|padStart|padEnd|slice|substring|substr|charAt|charCodeAt|at|toFixed|toPrecision|replace|replaceAll|startsWith|endsWith|split|localeCompare|set(UTC)?(FullYear|Month|Date|Hours|Minutes|Seconds|Milliseconds)|setTime)$/;
/** Methods that do without the argument that their types ask for. */
const DEFAULTING = /^(fill|at|charAt|charCodeAt|codePointAt)$/;
/** What becomes its text where a text is asked for. */
const BYTES = /^(NonShared)?(Array)?Buffer(<[^<>]*>)?(\[\])?$/;

/** An argument, or the attributes of a component, of a function that says nothing of its parameters. */
export function isFreeArgument({ code: number, start }: Finding, { program, habits }: Where): boolean {
  if (!OTHER_PARTS.has(number)) return false;
  let called: Node | undefined;
  walk(program, (node) => {
    if (node.type === 'JSXOpeningElement' && node.start <= start && start < node.end) called = node.name;
    if (node.type === 'CallExpression' || node.type === 'NewExpression')
      if (node.arguments.some((each) => each.start <= start && start < each.end)) called = node.callee;
    return node.start <= start && start < node.end;
  });
  const name =
    called?.type === 'MemberExpression'
      ? memberName(called)
      : called?.type === 'Identifier' || called?.type === 'JSXIdentifier'
        ? called.name
        : undefined;
  // By `apply`, anything with a length is a list of arguments.
  return name !== undefined && (name === 'apply' || habits.free.has(name));
}

/** Arguments that may be left out or given besides, since the function says nothing of its parameters. */
export function takesAnyNumber({ start, end, message }: Finding, { program, habits }: Where): boolean {
  const [, least = '', given = ''] =
    /^Expected (?:at least )?(\d+)(?:-\d+)? arguments?, but got (\d+)/.exec(message) ?? [];
  const isTooMany = Number(given) > Number(least);
  const call = callAround(program, start, end, isTooMany ? 'argument' : 'callee');
  const called = call?.callee;
  const name =
    called?.type === 'MemberExpression' ? memberName(called) : called?.type === 'Identifier' ? called.name : '';
  const isOwn = DEFAULTING.test(name ?? '') || habits.untyped.has(name ?? '');
  if (!isTooMany) return isOwn || (called?.type === 'Identifier' && isFreeParameter(program, called.name));
  // What a function of the cells neither names nor reads is given by mistake.
  if (called?.type === 'Identifier' && call?.type === 'CallExpression' && habits.bounded.has(called.name)) return false;
  return (
    isOwn ||
    call?.type === 'NewExpression' ||
    called?.type === 'Super' ||
    (called !== undefined && usesArguments(called))
  );
}

/** An argument of a function that converts what it gets: `Math.max('3')`, `isNaN(text)`. */
export function convertsArgument({ start, end, message }: Finding, { program, code }: Where): boolean {
  if (/^process\.env\b/.test(code.slice(start, end))) return true;
  const [, source = ''] = /Argument of type '(.*?)' is not assignable/.exec(message) ?? [];
  const call = callAround(program, start, end, 'argument');
  const called = call ? code.slice(call.callee.start, call.callee.end) : '';
  if (/^(URLSearchParams|Headers)$/.test(called)) return true;
  // Of the kinds of bytes that a message may be, all become their text.
  const [, inner = ''] = /\n\s*Type '(.*)' is not assignable to type 'string'\.$/.exec(message) ?? [];
  if (BYTES.test(inner) && called === 'JSON.parse') return true;
  if (source.split(' | ').some((each) => primitiveOf(each) === undefined && !BYTES.test(each))) return false;
  return CONVERTS.test(called) || CONVERTING.test(called);
}

/** Whether a name is a parameter without a type: what it holds may take any number of arguments. */
function isFreeParameter(program: Program, name: string): boolean {
  let isFree = false;
  walk(program, (node) => {
    if ('params' in node && Array.isArray(node.params))
      isFree ||= node.params.some(
        (each: Node) => each.type === 'Identifier' && each.name === name && !each.typeAnnotation,
      );
    return !isFree;
  });
  return isFree;
}

/** The innermost call whose callee ends at a place, or of which the place is an argument. */
export function callAround(program: Program, start: number, end: number, place: 'callee' | 'argument' = 'callee') {
  let found: Extract<Node, { type: 'CallExpression' | 'NewExpression' }> | undefined;
  walk(program, (node) => {
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
    if (isCall && place === 'callee' && node.start <= start && (node.callee.end === end || node.end === end))
      found = node;
    if (isCall && place === 'argument' && node.arguments.some((each) => each.start <= start && start < each.end))
      found = node;
    return node.start <= start && end <= node.end;
  });
  return found;
}
