import type { Node, Program } from 'oxc-parser';

/**
 * Visits a syntax tree from the outside in, without recursion, so that no depth is too great. `visit` returns false to
 * skip what is inside a node.
 */
export function walk(root: Node, visit: (node: Node, parent: Node | undefined) => boolean): void {
  const waiting: [node: Node, parent: Node | undefined][] = [[root, undefined]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, parent] = next;
    if (!visit(node, parent)) continue;
    // The last first, so that the first is visited next.
    for (const inner of childrenOf(node).reverse()) waiting.push([inner, node]);
  }
}

/** The nodes of a program that stand exactly between two offsets, from the outside in. */
export function nodesAt(program: Program, start: number, end: number): Node[] {
  const found: Node[] = [];
  walk(program, (node) => {
    if (node.start === start && node.end === end) found.push(node);
    return node.start <= start && end <= node.end;
  });
  return found;
}

/** The nodes right inside a node, in the order of its fields. */
export function childrenOf(node: Node): Node[] {
  const found: Node[] = [];
  // By loops: cells of a million characters are walked a dozen times.
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) found.push(item);
    } else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The names that statements declare in their own block, without those of `var`. */
export function lexicalNames(statements: readonly Node[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type === 'ExportNamedDeclaration')
      return statement.declaration ? lexicalNames([statement.declaration]) : [];
    if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
      return statement.declarations.flatMap(({ id }) => [...namesOf(id)]);
    }
    const isNamed = statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration';
    if (isNamed) return statement.id ? [statement.id.name] : [];
    const isTypeScript = statement.type === 'TSEnumDeclaration' || statement.type === 'TSModuleDeclaration';
    return isTypeScript && statement.id.type === 'Identifier' ? [statement.id.name] : [];
  });
}

/** The names that `var` declares in a function's body, at any depth except in inner functions. */
export function varNames(body: Node): string[] {
  const names: string[] = [];
  walk(body, (node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      for (const { id } of node.declarations) for (const name of namesOf(id)) names.push(name);
    }
    return node === body || !opensFunction(node);
  });
  return names;
}

const FUNCTIONS =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|StaticBlock|TSModuleDeclaration|PropertyDefinition)$/;

/** Whether a node has its own `var`s and `await`s. */
export function opensFunction({ type }: Node): boolean {
  return FUNCTIONS.test(type);
}

/** The name of the member that an expression reads; undefined if it is computed at run time. */
export function memberName({ property, computed }: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}

/** The names that a pattern binds: a and c for `{ a, b: [c] }`. */
export function namesOf(pattern: Node): Set<string> {
  const names = new Set<string>();
  addNames(pattern, names);
  return names;
}

function addNames(pattern: Node, names: Set<string>): void {
  walk(pattern, (node) => {
    if (node.type === 'Identifier') {
      names.add(node.name);
      return false;
    }
    if (node.type === 'TSTypeAnnotation') return false;
    if (node.type === 'AssignmentPattern') addNames(node.left, names);
    if (node.type === 'Property') addNames(node.value, names);
    return node.type !== 'AssignmentPattern' && node.type !== 'Property' && node.type !== 'MemberExpression';
  });
}

/** The offsets at which a program, or part of one, assigns to names, even in patterns, and the names. */
export function assignmentTargets(program: Node): Map<number, string> {
  const targets = new Map<number, string>();
  walk(program, (node) => {
    const assigned = assignedBy(node);
    if (assigned) addTargets(assigned, targets);
    return true;
  });
  return targets;
}

function assignedBy(node: Node): Node | undefined {
  if (node.type === 'AssignmentExpression') return node.left;
  if (node.type === 'UpdateExpression') return node.argument;
  const isLoop = node.type === 'ForOfStatement' || node.type === 'ForInStatement';
  return isLoop && node.left.type !== 'VariableDeclaration' ? node.left : undefined;
}

function addTargets(node: Node, targets: Map<number, string>): void {
  if (node.type === 'Identifier') targets.set(node.start, node.name);
  else if (wrapsExpression(node)) addTargets(node.expression, targets);
  else if (node.type === 'AssignmentPattern') addTargets(node.left, targets);
  else if (node.type === 'RestElement') addTargets(node.argument, targets);
  else if (node.type === 'ArrayPattern') {
    for (const element of node.elements) if (element) addTargets(element, targets);
  } else if (node.type === 'ObjectPattern') {
    for (const property of node.properties)
      addTargets(property.type === 'Property' ? property.value : property, targets);
  }
}

/** A node whose value at run time is that of the expression inside it. */
type Wrapper = Extract<
  Node,
  { type: 'ParenthesizedExpression' | 'TSAsExpression' | 'TSSatisfiesExpression' | 'TSNonNullExpression' }
>;

/** Whether a node is an expression in parentheses or with a type assertion. */
export function wrapsExpression(node: Node | null | undefined): node is Wrapper {
  return /^(ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression|TSNonNullExpression)$/.test(node?.type ?? '');
}

/**
 * Text that neither hides a bracket nor nests: comments, escapes, quoted strings, numbers. Repeated alternatives would
 * be simpler but use stack for each character.
 */
export const SKIPPED =
  /\/\*[\s\S]*?\*\/|\/\/.*|\\[\s\S]|'[^\n]*?(?<!\\)(?:\\\\)*'|"[^\n]*?(?<!\\)(?:\\\\)*"|-?\b\d[\w.]*/;
const OPENING = /[([{]/;
const CLOSING = /[)\]}]/;
/** Tokens whose operation may nest in that of the token before, until the statement ends or a comma follows. */
const LINK =
  /[;,]|=>|[!~=+*/%&|^<>?.`@-]|:(?=\s*[\w$]+\s*:)|\b(?:if|else|for|while|with|do|new|typeof|void|delete|await|yield|async|class|function|as|satisfies|in|of|instanceof|extends|keyof|unique|infer|readonly)\b/;
const TOKEN = new RegExp([SKIPPED, OPENING, CLOSING, LINK].map(({ source }) => source).join('|'), 'g');
/** Shorter texts are not examined: they cannot nest deeper than this. */
const SHORT = 1000;

/**
 * An upper estimate of how deeply a program nests, from its brackets and operators; never much below the truth. Native
 * parsers recurse for each level and crash the process if they run out of stack.
 */
export function nestingOf(code: string): number {
  if (code.length <= SHORT) return code.length;
  const outer: number[] = [];
  let depth = 0;
  let deepest = 0;
  for (const [token] of code.matchAll(TOKEN)) {
    if (token === ';' || token === ',') depth = (outer.at(-1) ?? -1) + 1;
    else if (SKIPPED.test(token)) continue;
    else if (CLOSING.test(token)) depth = (outer.pop() ?? depth) + 1;
    else if (OPENING.test(token)) {
      outer.push(depth);
      depth += 1;
    } else depth += 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Whether a text may nest too deeply to parse in a process that must not crash. */
export function isTooDeep(code: string): boolean {
  return nestingOf(code) > DEEPEST;
}

/** One level takes up to 1.5 KB of an 8 MB stack. */
const DEEPEST = 3000;
