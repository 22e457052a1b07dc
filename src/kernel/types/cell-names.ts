import type { Node, Program, VariableDeclaration } from 'oxc-parser';
import { InputError } from '../../base/errors.js';
import { loadNative } from '../../base/packages.js';
import { fieldOf } from '../../base/texts.js';
import { parseCell, type ReadCell } from '../transform/read-cell.js';
import { assignmentTargets, isTooDeep, namesOf, opensFunction, walk } from '../transform/syntax-tree.js';
import { Habits } from './habits.js';
import { changedByFunctions, type Evolving, evolvingVariables, filledArrays, valueReads } from './variable-changes.js';

/** What a name was declared as; `let` if it can be assigned. */
export type NameKind = 'let' | 'const' | 'function' | 'class' | 'enum' | 'namespace' | 'import' | 'type';

/** The names of a cell, according to its text. */
export class CellNames {
  /** Why the cell is no valid TypeScript, and where (UTF-16 units); its names are guessed then. */
  fault: { message: string; start: number; end: number } | undefined;
  /** Whether the cell holds JSX. */
  hasJsx = false;
  /** Whether the cell is an object, which begins like a block. */
  isObject = false;
  /** Names declared at the top level, in order; a name declared twice has the last kind other than `type`. */
  readonly declared = new Map<string, NameKind>();
  /** The declared names that can be used as a type; all but those of kind `type` are values, too. */
  readonly types = new Set<string>();
  /** The names in the cell's export lists: `export { a }`. */
  exported = new Set<string>();
  /** Offsets of the `export`s before declarations. */
  readonly exports = new Set<number>();
  /** `let` and `var` variables with a written type, which may hold something narrower. */
  readonly annotated = new Set<string>();
  /** Offsets behind the names of top-level variables without a written type. */
  readonly untyped = new Map<string, number>();
  /** Variables whose type TypeScript derives from their use. */
  readonly evolving = new Map<string, Evolving>();
  /** Names that are assigned anywhere. */
  readonly assigned: Set<string>;
  /** Names in the conditions of top-level `if`s and the arguments of top-level calls, which may throw: `assert(a)`. */
  readonly checked: Set<string>;
  /** Top-level names that functions assign. */
  readonly assignedByFunctions: Set<string>;
  /** Arrays to which elements are added anywhere. */
  readonly filled: Set<string>;
  /** Top-level arrays to which functions add elements. */
  readonly filledByFunctions: Set<string>;
  /** Offsets at which a variable's initial value reads what an earlier cell left in that variable, with its name. */
  readonly rereads = new Map<number, string>();
  /** What it does with objects and functions without saying so in types. */
  readonly habits: Habits;
  /** The modules that it imports from, by any form of import. */
  readonly sources = new Set<string>();
  /** The modules that it augments: `declare module '…'`. */
  readonly augmented = new Set<string>();
  /** Whether it declares something for all files: `declare global`, `declare module '…'`. */
  isAmbient = false;

  /** Reads the names of a parsed cell; if it does not parse, those that the parser still found. */
  constructor(program: Program) {
    this.assigned = new Set(assignmentTargets(program).values());
    this.checked = new Set(program.body.flatMap(checks).flatMap(mentionedNames));
    this.assignedByFunctions = changedByFunctions(program, assignmentTargets);
    this.filled = new Set(filledArrays(program).values());
    this.filledByFunctions = changedByFunctions(program, filledArrays);
    this.habits = new Habits(program);
    for (const statement of program.body) readStatement(statement, this);
    readInside(program, this);
  }
}

function readStatement(statement: Node, names: CellNames): void {
  switch (statement.type) {
    case 'ImportDeclaration':
      for (const specifier of statement.specifiers) declare(specifier.local.name, 'import', names);
      break;
    case 'TSImportEqualsDeclaration':
      declare(statement.id.name, 'import', names);
      break;
    case 'ExportNamedDeclaration':
      for (const { exported } of statement.specifiers) {
        names.exported.add('name' in exported ? exported.name : exported.value);
      }
      if (!statement.declaration) break;
      names.exports.add(statement.start);
      readStatement(statement.declaration, names);
      break;
    case 'ExportDefaultDeclaration':
      readStatement(statement.declaration, names);
      break;
    case 'VariableDeclaration':
      for (const [name, evolving] of evolvingVariables(statement)) names.evolving.set(name, evolving);
      // `readInside` reads `var`, at any depth.
      if (statement.kind !== 'var') readVariables(statement, names);
      break;
    default:
      readDeclaration(statement, names);
  }
}

function readDeclaration(node: Node, names: CellNames): void {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      if (node.id) declare(node.id.name, 'function', names);
      break;
    case 'ClassDeclaration':
      if (node.id) declare(node.id.name, 'class', names);
      break;
    case 'TSEnumDeclaration':
      declare(node.id.name, 'enum', names);
      break;
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      declare(node.id.name, names.declared.get(node.id.name) ?? 'type', names);
      names.types.add(node.id.name);
      break;
    case 'TSModuleDeclaration':
      readNamespace(node, names);
  }
}

function readNamespace({ id, kind }: { id: Node; kind: string }, names: CellNames): void {
  let first = id;
  while (first.type === 'TSQualifiedName') first = first.left;
  if (kind === 'global' || first.type !== 'Identifier') {
    names.isAmbient = true;
    if (first.type === 'Literal') names.augmented.add(String(first.value));
    return;
  }
  declare(first.name, valueKind(first.name, names) ?? 'namespace', names);
  names.types.add(first.name);
}

function readVariables(node: VariableDeclaration, names: CellNames): void {
  const kind = node.kind === 'let' || node.kind === 'var' ? 'let' : 'const';
  for (const { id, init } of node.declarations) {
    const declared = [...namesOf(id)];
    for (const name of declared) declare(name, kind, names);
    if (init) for (const { name, start } of valueReads(init, declared)) names.rereads.set(start, name);
    if (kind === 'let' && id.type === 'Identifier' && id.typeAnnotation) names.annotated.add(id.name);
    if (id.type === 'Identifier' && !id.typeAnnotation) names.untyped.set(id.name, id.end);
  }
}

/** Reads what may stand at any depth: `var` outside functions, `import()`. */
function readInside(program: Program, names: CellNames): void {
  const visit = (inFunction: boolean) => (node: Node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'var' && !inFunction) readVariables(node, names);
    const source = sourceOf(node);
    if (source !== undefined) names.sources.add(source);
    if (inFunction || !opensFunction(node)) return true;
    walk(node, (inner) => inner === node || visit(true)(inner));
    return false;
  };
  walk(program, visit(false));
}

/** The parts of a top-level statement in which it checks variables. */
function checks(statement: Node): Node[] {
  if (statement.type === 'IfStatement') return [statement.test];
  const called = statement.type === 'ExpressionStatement' ? statement.expression : undefined;
  return called?.type === 'CallExpression' ? called.arguments : [];
}

/** The identifiers in a part of a cell, without those in functions. */
function mentionedNames(part: Node): string[] {
  const found: string[] = [];
  walk(part, (node) => {
    if (node.type === 'Identifier') found.push(node.name);
    return !opensFunction(node);
  });
  return found;
}

function sourceOf(node: Node): string | undefined {
  const source = fieldOf(fieldOf(node, 'source'), 'value');
  return typeof source === 'string' ? source : undefined;
}

function declare(name: string, kind: NameKind, names: CellNames): void {
  names.declared.set(name, kind);
  if (/class|enum|import/.test(kind)) names.types.add(name);
}

/** What a cell declares a name as; undefined if it is no value, or none of the cell's names. */
export function valueKind(name: string, { declared }: CellNames): NameKind | undefined {
  const kind = declared.get(name);
  return kind === 'type' ? undefined : kind;
}

const IDENTIFIER = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*';
const DECLARED = new RegExp(
  `\\b(?:const|let|var|function\\*?|class|enum|interface|type|namespace)\\s+(${IDENTIFIER})`,
  'gu',
);
const PATTERN = /\b(?:(?:const|let|var)\s*([[{][^=;]*)=|import\s+([^'";]*?)\s+from\b)/g;
const NAME = new RegExp(`(${IDENTIFIER})(?!\\s*(?::|as\\b|[\\p{ID_Continue}$]))`, 'gu');

/** A module that nobody has: what comes from it is `any`, and so are its members in types, as `Side.Yes`. */
const NOWHERE = 'oddslab:not-looked-at';

/**
 * The names of a cell that is too large to be checked, and a text for later cells in which each is `any`.
 *
 * @throws As {@link parsedCell}.
 */
export async function namesOfLarge(code: string): Promise<{ names: CellNames; text: string }> {
  const [{ declared, types }, names] = [await draftNames(code), await draftNames('')];
  for (const [name, kind] of declared) declare(name, kind === 'let' || kind === 'type' ? kind : 'const', names);
  for (const name of types) names.types.add(name);
  const lines = [...declared].map(([name, kind]) => {
    if (kind === 'enum' || kind === 'namespace') return `export { ${name} } from '${NOWHERE}';`;
    // A class that extends it has all members only if it is declared as any.
    const value = kind === 'type' ? '' : `export declare ${names.declared.get(name)} ${name}: any; `;
    return `${value}${types.has(name) ? `export type ${name}<A = any, B = any, C = any> = any;` : ''}`;
  });
  return { names, text: lines.join('\n') };
}

/**
 * Parses a cell as the checker sees it.
 *
 * @throws {InputError} If it nests so deeply that the parser would crash the process.
 * @throws {OddslabError} If the parser cannot be loaded.
 */
export async function parsedCell(code: string): Promise<ReadCell> {
  if (isTooDeep(code)) throw new InputError('The cell nests too deeply to be looked at.');
  // Loaded only when a cell is looked at, so that the kernel starts without it.
  const { parseSync } = await loadNative('oxc-parser', () => import('oxc-parser'));
  return parseCell(parseSync, code, 'cell.mts');
}

/**
 * Reads the names of a cell. If it does not parse, as while being written, these are the names that look declared.
 *
 * @throws As {@link parsedCell}.
 */
export async function draftNames(code: string): Promise<CellNames> {
  const { parsed, lang, shift } = await parsedCell(code);
  const { program, errors } = parsed;
  const names = new CellNames(program);
  names.hasJsx = lang === 'tsx';
  names.isObject = shift > 0;
  const [error] = errors;
  if (!error) return names;
  const [{ start, end } = { start: 0, end: 0 }] = error.labels;
  names.fault = { message: error.message, start, end };
  for (const [, name = ''] of code.matchAll(DECLARED)) names.declared.set(name, 'const');
  for (const [, pattern = '', clause = ''] of code.matchAll(PATTERN)) {
    for (const [, name = ''] of (pattern || clause).matchAll(NAME)) names.declared.set(name, 'const');
  }
  // Counted as exported, so that the module does not export them: a name that only looks declared must cause no error.
  names.exported = new Set(names.declared.keys());
  return names;
}
