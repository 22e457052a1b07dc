import type { Node, Program } from 'oxc-parser';
import type { Edits } from './edits.js';
import { type FreeIdentifier, freeIdentifiers } from './free-identifiers.js';
import { assignmentTargets, lexicalNames } from './syntax-tree.js';

/** What earlier cells determine about a cell's names. */
export interface EarlierNames {
  /** Names declared by `const`, `using` or `import`. */
  constants: ReadonlySet<string>;
  /** Names declared by `var`; another `var` keeps their values. */
  vars: ReadonlySet<string>;
  /** Reserved names that cells declared; they are renamed where the cells run. */
  renamed: ReadonlySet<string>;
  /** Names imported from modules that do not export them. */
  missing: ReadonlySet<string>;
}

/** The top-level names of a cell. */
export interface TopLevelNames {
  /** The names declared by `const`, `using` or `import`. */
  constants: Set<string>;
  /** All other names that the cell declares. */
  variables: Set<string>;
  /** Those of `variables` that are declared by `var`. */
  vars: ReadonlySet<string>;
  /** The module of each of `constants` that is imported, as the cell names it. */
  imports: ReadonlyMap<string, string>;
  /** The part of what earlier cells determine that this cell depends on. */
  used: EarlierNames;
  /** The reserved names that this cell declares, or that it uses and an earlier cell declared. */
  renamed: Set<string>;
}

/** What there is before the first cell. */
export const NOTHING: EarlierNames = { constants: new Set(), vars: new Set(), renamed: new Set(), missing: new Set() };

/**
 * Reads what a cell declares at its top level.
 *
 * @param vars The names that it declares by `var`, at any depth.
 * @param referenced All names that it uses.
 */
export function topLevelNames(
  program: Program,
  vars: ReadonlySet<string>,
  referenced: ReadonlySet<string>,
  earlier: EarlierNames,
): TopLevelNames {
  const constants = new Set<string>();
  const variables = new Set(vars);
  for (const statement of program.body) declare(statement, constants, variables);
  const isOwn = (name: string): boolean => constants.has(name) || variables.has(name);
  const renamed = new Set([...constants, ...variables].filter(isReserved));
  for (const name of referenced) if (earlier.renamed.has(name)) renamed.add(name);
  const used = {
    constants: new Set([...referenced].filter((name) => earlier.constants.has(name) && !isOwn(name))),
    vars: new Set([...vars].filter((name) => earlier.vars.has(name))),
    renamed: new Set([...renamed].filter((name) => earlier.renamed.has(name))),
    missing: new Set([...referenced].filter((name) => earlier.missing.has(name) && !isOwn(name))),
  };
  return { constants, variables, vars, imports: importsOf(program), used, renamed };
}

function importsOf(program: Program): Map<string, string> {
  const imports = new Map<string, string>();
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const { local } of statement.specifiers) imports.set(local.name, statement.source.value);
  }
  return imports;
}

function declare(statement: Node, constants: Set<string>, variables: Set<string>): void {
  if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') {
    if (statement.declaration) declare(statement.declaration, constants, variables);
  } else if (statement.type === 'ImportDeclaration') {
    for (const { local } of statement.specifiers) constants.add(local.name);
  } else {
    const isConstant = statement.type === 'VariableDeclaration' && statement.kind !== 'let';
    for (const name of lexicalNames([statement])) (isConstant ? constants : variables).add(name);
  }
}

/** The helpers that the transform calls on `babelHelpers`, even if a cell declares that name. */
const HELPERS = new Set(['decorated', 'decorate', 'decorateParam', 'decorateMetadata', 'usingCtx']);

/**
 * Rewrites the uses of a cell's global names: reserved names are renamed, assigning to a constant throws as it would in
 * a module, and reading an import that its module lacks throws an error that says so.
 */
export function rewriteNames(program: Program, names: TopLevelNames, edits: Edits): void {
  const { renamed, used } = names;
  const targets = assignmentTargets(program);
  const isConstant = (name: string): boolean => names.constants.has(name) || used.constants.has(name);
  const wanted = new Set([...renamed, ...used.missing]);
  for (const name of targets.values()) if (isConstant(name)) wanted.add(name);
  if (wanted.size === 0) return;
  for (const each of freeIdentifiers(program, wanted)) {
    if (each.name === 'babelHelpers' && each.member && HELPERS.has(each.member)) continue;
    const name = inScript(each.name, renamed);
    const isRefused = targets.has(each.start) && isConstant(each.name);
    const isGiven = used.missing.has(each.name);
    if (isGiven && targets.has(each.start)) replaceUse(each, '__oddslab__.constant(() => undefined).value', edits);
    else if (isRefused) replaceUse(each, `__oddslab__.constant(() => ${name}).value`, edits);
    else if (isGiven) replaceUse(each, `__oddslab__.missing(${JSON.stringify(each.name)})`, edits);
    else if (name !== each.name) replaceUse(each, name, edits);
    if (name !== each.name && each.anonymous) {
      // Names it, with no name in scope inside it.
      const key = `[${JSON.stringify(each.name)}]`;
      edits.wrap(each.anonymous.start, each.anonymous.end, `({ ${key}: `, ` })${key}`);
    }
  }
}

/** The name under which the cells' code runs: `URL$cell` for a reserved `URL`. */
export function inScript(name: string, renamed: ReadonlySet<string>): string {
  return renamed.has(name) ? name + SUFFIX : name;
}

function replaceUse({ name, start, end, isShorthand }: FreeIdentifier, text: string, edits: Edits): void {
  edits.replace(start, end, isShorthand ? `${name}: ${text}` : text);
}

const SUFFIX = '$cell';

/** Names by which packages detect where they run, and globals of newer versions of Node. */
const SNIFFED =
  'window document self navigator location frames top parent history screen name localStorage sessionStorage ' +
  'XMLHttpRequest WebSocket EventSource Worker Element Node HTMLElement SVGElement Image CustomEvent CSSStyleSheet ' +
  'requestAnimationFrame cancelAnimationFrame getComputedStyle customElements WorkerGlobalScope importScripts ' +
  'define exports module require __dirname __filename Deno Bun Iterator Temporal SuppressedError DisposableStack ' +
  'AsyncDisposableStack Float16Array Storage CloseEvent ErrorEvent';

/** Names that the code added to cells uses. */
const OURS = '__oddslab__ babelHelpers';

const reserved = new Set([...Object.getOwnPropertyNames(globalThis), ...SNIFFED.split(' '), ...OURS.split(' ')]);

/**
 * Whether code outside the cells may look a name up. Node, the runner and packages see the top-level names of cells in
 * place of globals, so a cell that declares `URL` must declare it under another name.
 */
export function isReserved(name: string): boolean {
  return reserved.has(name) || name.endsWith(SUFFIX);
}

/** How V8 quotes from the script what is not iterable. */
const NOTED = /\(__oddslab__\.waitsFor\(\.\.\.\) , (.*)\) is not/g;

/** Restores in a message of V8 what the cells wrote: reserved names, and what a `for await` iterates over. */
export function withWrittenNames(text: string): string {
  const message = text.replace(NOTED, '$1 is not');
  if (!message.includes(SUFFIX)) return message;
  return message.replace(
    /([\p{ID_Start}$_][\p{ID_Continue}$]*)\$cell(?![\p{ID_Continue}$])/gu,
    (whole, name: string) => (isReserved(name) ? name : whole),
  );
}
