import type { Node, Program } from 'oxc-parser';
import { Edits, type Rewritten } from '../transform/edits.js';
import { nodesAt, opensFunction, walk } from '../transform/syntax-tree.js';
import { type Habits, memberName } from './habits.js';
import {
  ARITHMETIC,
  BY_KEY,
  type Finding,
  isOneOfSeveral,
  NO_BASE,
  NO_MEMBER,
  NULLISH,
  OTHER_TYPE,
} from './strictness.js';
import { type Assignment, askWider } from './widened.js';

/** What a cell's text treats as untyped: the members and variables whose types do not hold for what runs. */
export interface Freed {
  /** Members that cells add to objects, or assign something of another type. */
  members: ReadonlySet<string>;
  /** Variables without a written type that the cell assigns something of another type. */
  variables: ReadonlySet<string>;
  /** Variables without a written type that it assigns what has more members: they have the type of their last value. */
  widened: ReadonlySet<string>;
  /** What classes extend though the types do not let them: functions with a prototype, names of the global object. */
  bases: ReadonlySet<string>;
}

/** Nothing is treated so. */
export const NOTHING_FREED: Freed = {
  members: new Set(),
  variables: new Set(),
  widened: new Set(),
  bases: new Set(),
};

const UNKNOWN_NAME = new Set([2304, 2552]);
const MISSING_PARTS = new Set([2322, 2739, 2740, 2741]);
const OTHER_SHAPE = new Set([2322, 2345, 2353, 2561, 2739, 2740, 2741, 2769]);
/** Methods that put what they are given into a list, a set or a map. */
const FILLS = /^(push|unshift|splice|add|set|fill)$/;

/**
 * What the findings show to hold other values than its type says, besides what is known to.
 *
 * @param habits Those of the cell and of all before it.
 */
export function freedBy(
  found: readonly Finding[],
  { code, program, habits }: { code: string; program: Program; habits: Habits },
  before: Freed,
): Freed {
  const members = new Set(before.members);
  const variables = new Set(before.variables);
  const bases = new Set(before.bases);
  for (const each of found) {
    const text = code.slice(each.start, each.end);
    const name = /^["'](.*)["']$/.exec(text)?.[1] ?? text;
    const isMerged = habits.merged.size > 0 && habits.keys.has(name);
    if ((each.code === BY_KEY || each.code === 2339 || each.code === 2812) && (habits.written.has(name) || isMerged))
      members.add(name);
    if (each.code === 2551 && (habits.extended.has(name) || (habits.written.has(name) && extendsMeant(each, name))))
      members.add(name);
    for (const base of baseAt(program, each))
      if (habits.constructors.has(base) || each.code !== NO_BASE) bases.add(base);
    const [, again] = (each.code === OTHER_TYPE && /'([^']+)' must/.exec(each.message)) || [];
    if (again !== undefined && !habits.annotated.has(again)) variables.add(again);
    const holder = OTHER_SHAPE.has(each.code) ? holderOf(program, each) : undefined;
    if (!hasLastType(holder?.assigned)) free(holder?.assigned ?? holder?.filled);
    const read = each.code === BY_KEY || NO_MEMBER.has(each.code) ? objectAt(program, each) : undefined;
    if (read && (habits.keyed.has(read) || habits.unknown.has(read)) && !habits.annotated.has(read))
      variables.add(read);
    if (!MISSING_PARTS.has(each.code) || /^Type '(null|undefined)'/.test(each.message)) continue;
    const assigned = assignedAt(program, each);
    if (!hasLastType(assigned)) free(assigned);
  }
  return { ...before, members, variables, bases };

  /** Whether a variable has the type of what it is assigned. */
  function hasLastType(target: Node | undefined): boolean {
    return target?.type === 'Identifier' && before.widened.has(target.name);
  }

  /** What holds a value of another type: a variable, or a member of an object; for an element, its list. */
  function free(target: Node | undefined): void {
    if (target?.type === 'Identifier' && !habits.annotated.has(target.name)) variables.add(target.name);
    if (target?.type !== 'MemberExpression' || habits.annotated.has(rootOf(target) ?? '')) return;
    const member = memberName(target);
    if (member === undefined) free(target.object);
    else if (!habits.typed.has(member)) members.add(member);
  }
}

/** Whether the name that TypeScript takes for a slip is the meant one with more to it: `pnl2` beside `pnl`. */
function extendsMeant({ message }: Finding, name: string): boolean {
  const [, meant = name] = /Did you mean '([^']+)'/.exec(message) ?? [];
  return name.length > meant.length && name.includes(meant);
}

/** What a class extends, if a finding is about that. */
function baseAt(program: Program, { code, start, end }: Finding): string[] {
  if (code !== NO_BASE && !UNKNOWN_NAME.has(code)) return [];
  const found: string[] = [];
  walk(program, (node) => {
    if (isClass(node)) {
      const base = node.superClass;
      if (base?.type === 'Identifier' && base.start === start) found.push(base.name);
    }
    return node.start <= start && end <= node.end;
  });
  return found;
}

/** The variable in which an expression begins: `a` of `a.b[0].c`. */
function rootOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' ? rootOf(node.object) : undefined;
}

/** What gets the value in which a finding is: the list of `list.push(value)`, the target of `target = value`. */
function holderOf(program: Program, { start, end }: Finding): { assigned?: Node; filled?: Node } | undefined {
  let holder: { assigned?: Node; filled?: Node } | undefined;
  walk(program, (node) => {
    if (opensFunction(node)) holder = undefined;
    if (node.type === 'AssignmentExpression' && isIn(node.right)) holder = { assigned: node.left };
    if (node.type === 'CallExpression' && node.arguments.some(isIn)) {
      const { callee } = node;
      const fills = callee.type === 'MemberExpression' && FILLS.test(memberName(callee) ?? '');
      holder = fills ? { filled: callee.object } : undefined;
    }
    return node.start <= start && end <= node.end;
  });
  return holder;

  function isIn(part: Node): boolean {
    return part.start <= start && start < part.end;
  }
}

/** The variable whose member a finding is about. */
function objectAt(program: Program, { start, end }: Finding): string | undefined {
  let name: string | undefined;
  walk(program, (node) => {
    if (node.type === 'MemberExpression' && node.object.type === 'Identifier')
      if (node.property.start === start || (node.start === start && node.end === end)) name = node.object.name;
    return node.start <= start && end <= node.end;
  });
  return name;
}

/** The target of an assignment that stands exactly where a finding is. */
function assignedAt(program: Program, { start, end }: Finding): Node | undefined {
  const targets = new Set<Node>();
  walk(program, (node) => {
    if (node.type === 'AssignmentExpression') targets.add(node.left);
    return node.start <= start && end <= node.end;
  });
  return nodesAt(program, start, end).find((node) => targets.has(node));
}

/** Prefix of a variable's name, for its first value where it is declared without one. */
const FIRST = 'oddslab_first_';
const HAS = 'oddslab_has';
const NUMBER = 'oddslab_number';
const SOME = 'oddslab_some';
/** What the text that asks is given beside the cell. */
export const ASKING = [
  `declare function ${HAS}<T>(value: T): { [K in T extends unknown ? keyof T : never]: any };`,
  `declare function ${SOME}<T>(value: T, ...none: [NonNullable<T>] extends [never] ? [never] : []): any;`,
  `declare function ${NUMBER}(value: string | number | bigint | boolean | Date | null | undefined): any;`,
].join('\n');

/** What a text asks about, by the places of the findings. */
interface Asked {
  /** Members of values of several types. */
  unions: Set<number>;
  /** Variables that may be nothing. */
  nothing: Set<number>;
  /** Operations whose operands may be converted. */
  arithmetic: readonly Finding[];
}

function askedBy(found: readonly Finding[]): Asked {
  const placesOf = (isOne: (each: Finding) => boolean) => new Set(found.filter(isOne).map(({ start }) => start));
  return {
    unions: placesOf(({ code, message }) => NO_MEMBER.has(code) && isOneOfSeveral(message)),
    nothing: placesOf(({ code }) => NULLISH.has(code)),
    arithmetic: found.filter(
      ({ code, message }) => ARITHMETIC.has(code) && !/\?$|types .*'(bigint|-?\d+n)'/.test(message),
    ),
  };
}

/**
 * A cell's text with what is freed as `any`. Where findings are given, it asks of each, by {@link ASKING}, whether it
 * would be one if a value of several types were any one of them, or were converted as operators do. Where assignments
 * are given, it asks of each whether it gives more than there was.
 *
 * @param body The cell's text, or one with the same places.
 */
export function loosened(
  body: string,
  program: Program,
  freed: Freed,
  { found = [], assigned = [] }: { found?: readonly Finding[]; assigned?: readonly Assignment[] } = {},
): Rewritten {
  const edits = new Edits(body);
  askWider(edits, assigned);
  const asked = askedBy(found);
  walk(program, (node, parent) => {
    if (node.type.startsWith('TS') && !('expression' in node) && node.type !== 'TSModuleBlock')
      return /^TS(Module|Export)/.test(node.type);
    if (node.type === 'MemberExpression') looseMember(node, { body, edits, freed, asked });
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && !node.id.typeAnnotation) {
      const isHead = node.init === null && isLoopHead(program, parent);
      const { name, end } = node.id;
      if (freed.variables.has(name) && !isHead) edits.replace(end, end, ': any');
      // Assigned within the same declaration, so that its type is that of its last value.
      else if (freed.widened.has(name) && node.init && isAssignable(parent))
        edits.replace(end, end, `, ${FIRST}${name} = ${name}`);
    }
    if (isClass(node) && node.superClass?.type === 'Identifier' && freed.bases.has(node.superClass.name))
      edits.wrap(node.superClass.start, node.superClass.end, '(', ' as any)');
    for (const operand of operandsOf(node))
      if (asked.arithmetic.some(({ start, end }) => start <= operand.start && operand.end <= end))
        edits.wrap(operand.start, operand.end, `${NUMBER}(`, ')');
    return true;
  });
  return edits.apply();
}

function isClass(node: Node): node is Extract<Node, { type: 'ClassDeclaration' | 'ClassExpression' }> {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

function isAssignable(declaration: Node | undefined): boolean {
  return declaration?.type === 'VariableDeclaration' && /^(let|var)$/.test(declaration.kind);
}

/** What is written behind a member's object is safe even where a line without semicolon precedes it. */
function looseMember(
  node: Extract<Node, { type: 'MemberExpression' }>,
  { body, edits, freed, asked }: { body: string; edits: Edits; freed: Freed; asked: Asked },
): void {
  const { property, object } = node;
  if (object.type === 'Super') return;
  const name = memberName(node);
  if (name !== undefined && freed.members.has(name)) {
    const from = dotBefore(body, property.start);
    const chain = body[from] === '?' ? '?.' : '';
    if (node.computed) edits.wrap(property.start, property.end, '', ' as any');
    else edits.replace(from, property.end, `${chain}[${JSON.stringify(name)} as any]`);
  } else if (asked.unions.has(property.start)) edits.wrap(object.start, object.end, `${HAS}(`, ')');
  if (asked.nothing.has(object.start) && object.type === 'Identifier')
    edits.wrap(object.start, object.end, `${SOME}(`, ')');
}

/** Where an access by a dot begins, `?.` included. */
function dotBefore(code: string, property: number): number {
  const dot = code.lastIndexOf('.', property - 1);
  return code[dot - 1] === '?' ? dot - 1 : dot;
}

function operandsOf(node: Node): Node[] {
  return node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier' ? [node.left, node.right] : [];
}

function isLoopHead(program: Program, declaration: Node | undefined): boolean {
  let isHead = false;
  walk(program, (node) => {
    if ((node.type === 'ForOfStatement' || node.type === 'ForInStatement') && node.left === declaration) isHead = true;
    return !isHead;
  });
  return isHead;
}
