import type { Node, Program } from 'oxc-parser';
import { nodesAt, opensFunction, walk } from '../transform/syntax-tree.js';
import { BY_KEY, type Finding, NO_BASE, NO_MEMBER, OTHER_TYPE } from './finding.js';
import { type Habits, memberName } from './habits.js';

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
  /** Where the cell makes maps and sets of values of several types, of which TypeScript takes the first. */
  mixed: ReadonlySet<number>;
}

/** Nothing is treated so. */
export const NOTHING_FREED: Freed = {
  members: new Set(),
  variables: new Set(),
  widened: new Set(),
  bases: new Set(),
  mixed: new Set(),
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
  const mixed = new Set(before.mixed);
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
    const made = each.code === NO_OVERLOAD ? collectionAt(program, each) : undefined;
    if (made !== undefined) mixed.add(made);
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
  return { ...before, members, variables, bases, mixed };

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

export function isClass(node: Node): node is Extract<Node, { type: 'ClassDeclaration' | 'ClassExpression' }> {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
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

const NO_OVERLOAD = 2769;
const COLLECTION = /^(Map|Set|WeakMap|WeakSet)$/;

/** Where the callee of a `new Map([…])` ends in which a finding is, if nothing says what the map holds. */
function collectionAt(program: Program, { start, end }: Finding): number | undefined {
  let found: number | undefined;
  walk(program, (node) => {
    if (isMadeCollection(node) && node.arguments[0]?.type === 'ArrayExpression') found = node.callee.end;
    return node.start <= start && end <= node.end;
  });
  return found;
}

/** Whether a node makes a map or a set without saying what it holds. */
export function isMadeCollection(node: Node): node is Extract<Node, { type: 'NewExpression' }> {
  if (node.type !== 'NewExpression' || node.typeArguments || node.callee.type !== 'Identifier') return false;
  return COLLECTION.test(node.callee.name);
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
