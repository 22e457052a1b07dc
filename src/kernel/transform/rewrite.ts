import {
  type ExportDefaultDeclaration,
  type Function as FunctionNode,
  type ImportDeclaration,
  type ImportDeclarationSpecifier,
  type Node,
  type Program,
  parseSync,
  type VariableDeclaration,
} from 'oxc-parser';
import { Edits, type Rewritten } from './edits.js';
import { freeIdentifiers, nameless } from './free-identifiers.js';
import { namesOf, opensFunction, walk } from './syntax-tree.js';
import { type EarlierNames, inScript, rewriteNames, type TopLevelNames, topLevelNames } from './top-level-names.js';
import { TypeEraser } from './type-eraser.js';

/** A cell's code for V8's REPL mode and the names that it declares at its top level. */
export type RewrittenCell = Rewritten & { names: TopLevelNames };

/**
 * Rewrites a cell's JavaScript for V8's REPL mode, which lets only `let` and `class` be declared again, and only as the
 * same kind: `const`, `var`, functions and imports become `let`, and what JavaScript hoists moves to the front.
 *
 * @param options.showsValue Whether the value of the last expression is wanted.
 * @param options.written Maps an offset in this code to the cell's.
 * @param options.constants The names that the cell declares by `const` or `using`, which this code may declare otherwise.
 */
export function rewriteCell(
  code: string,
  earlier: EarlierNames,
  { showsValue, written, constants }: { showsValue: boolean; written: Written; constants: ReadonlySet<string> },
): RewrittenCell {
  const { program } = parseSync('cell.js', code, { lang: 'js', sourceType: 'module' });
  // The transform may append an export list to a module.
  const end = program.body.findLast((each) => each.type !== 'ExportNamedDeclaration' || each.declaration);
  // If the cell contains a top-level `using`, the transform puts its statements into a `try`.
  const last = end?.type === 'TryStatement' ? end.block.body.at(-1) : end;
  const edits = new Edits(code);
  return rewrite(program, {
    last: showsValue ? last : undefined,
    inside: rewriteInside(program, edits, { written }),
    earlier,
    edits,
    constants,
  });
}

/**
 * Does the same for a cell that is JavaScript once its types are left out; undefined if it needs the transform.
 *
 * @param shift How many characters stand before the cell in this code.
 */
export function rewriteTypedCell(
  code: string,
  program: Program,
  earlier: EarlierNames,
  shift: number,
): RewrittenCell | undefined {
  const edits = new Edits(code);
  const types = new TypeEraser(code, edits);
  const inside = rewriteInside(program, edits, { types, written: (offset) => offset - shift });
  return types.isPossible ? rewrite(program, { last: program.body.at(-1), inside, earlier, edits }) : undefined;
}

/** What the rewriting of a program needs. */
interface ToRewrite {
  last: Node | undefined;
  inside: Inside;
  earlier: EarlierNames;
  edits: Edits;
  constants?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

function rewrite(program: Program, { last, inside, earlier, edits, constants = NONE }: ToRewrite): RewrittenCell {
  if (last?.type === 'ExpressionStatement') {
    edits.wrap(last.expression.start, last.expression.end, '__oddslab__.value = (', ')');
  }
  const { referenced, vars } = inside;
  const names = topLevelNames(program, vars, referenced, earlier);
  for (const each of constants) if (names.variables.delete(each)) names.constants.add(each);
  const { renamed } = names;
  rewriteNames(program, names, edits);
  for (const each of program.body)
    if (each.type === 'ImportDeclaration') rewriteImport(each, referenced, renamed, edits);
  for (const statement of program.body) rewriteStatement(statement, renamed, edits);
  edits.prepend("'use strict';");
  const fresh = [...vars].filter((name) => !names.used.vars.has(name)).map((name) => inScript(name, renamed));
  if (fresh.length > 0) edits.prepend(`let ${fresh.join(', ')};`);
  if (inside.usesMeta) edits.prepend(`${lastingAwait('__oddslab__.resolver()')};`);
  return { ...edits.apply(), names };
}

/** The names that a cell uses, those that it declares by `var`, and whether it uses `import.meta`. */
interface Inside {
  referenced: Set<string>;
  vars: Set<string>;
  usesMeta: boolean;
}

/** Rewrites what may stand anywhere: `var`, `throw`, `import()`, `import.meta`, waits. Collects the names in use. */
function rewriteInside(
  program: Program,
  edits: Edits,
  { types, written }: { types?: TypeEraser; written: Written },
): Inside {
  const referenced = new Set<string>();
  const vars = new Set<string>();
  let usesMeta = false;
  const visit = (inFunction: boolean) => (node: Node, parent: Node | undefined) => {
    if (types && !types.visit(node, parent)) return false;
    if (node.type === 'ImportDeclaration') return false;
    if (node.type === 'Identifier') referenced.add(node.name);
    if (node.type === 'ImportExpression')
      edits.replace(node.start, node.start + 'import'.length, inFunction ? DYNAMIC : '__oddslab__.dynamic');
    if (node.type === 'ThrowStatement') rewriteThrow(node.argument, inFunction, edits);
    if (node.type === 'MetaProperty' && node.meta.name === 'import') {
      edits.replace(node.start, node.end, '__oddslab__.meta');
      usesMeta = true;
    }
    if (inFunction) return true;
    types?.endStatement(node, parent);
    rewriteAwait(node, parent, edits, written);
    if (node.type === 'VariableDeclaration' && node.kind === 'var') rewriteVar(node, parent, vars, edits);
    if (!opensFunction(node)) return true;
    walk(node, visit(true));
    return false;
  };
  walk(program, visit(false));
  return { referenced, vars, usesMeta };
}

/** Records where a value is thrown; not a function's `throw new Error()`, since built-in errors know their place. */
function rewriteThrow(thrown: Node, inFunction: boolean, edits: Edits): void {
  const { start, end } = thrown;
  if (inFunction && thrown.type === 'NewExpression' && isOwnError(thrown.callee)) return;
  edits.wrap(start, end, inFunction ? THROWN : '__oddslab__.thrown((', '))');
}

function isOwnError(made: Node): boolean {
  return made.type === 'Identifier' && /^(Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error$/.test(made.name);
}

// The text of a function may be sent to a worker or a page, where there is no `__oddslab__`.
const THROWN = '(globalThis.__oddslab__?.thrown ?? ((value) => value))((';
/** Begins with a word, as `import` does: a bracket would call what ends the line before. */
const DYNAMIC = 'Object(globalThis.__oddslab__?.dynamic ?? ((from, options) => import(from, options)))';

/**
 * Turns `var a = b, c` into the expression `(a = (0, b), void 0)`; the names are declared at the front. `(0, b)` makes
 * V8 place an error of `b` at `b`. Initializers of patterns stay, since V8's messages quote their text.
 */
function rewriteVar(declaration: VariableDeclaration, parent: Node | undefined, vars: Set<string>, edits: Edits): void {
  for (const declarator of declaration.declarations) for (const name of namesOf(declarator.id)) vars.add(name);
  const [first] = declaration.declarations;
  if (!first) return;
  edits.replace(declaration.start, first.start, '');
  const isLoop = parent?.type === 'ForOfStatement' || parent?.type === 'ForInStatement';
  if (isLoop && parent.left === declaration) return;
  for (const { id, start, end, init } of declaration.declarations) {
    if (!init) edits.replace(start, end, 'void 0');
    else if (id.type === 'Identifier' && !nameless(init)) edits.wrap(init.start, init.end, '(0, ', ')');
  }
  edits.wrap(first.start, declaration.declarations.at(-1)?.end ?? first.end, '(', ')');
}

function rewriteStatement(statement: Node, renamed: ReadonlySet<string>, edits: Edits): void {
  if (statement.type === 'FunctionDeclaration') rewriteFunction(statement, renamed, edits);
  if (statement.type === 'ClassDeclaration' && statement.id && renamed.has(statement.id.name)) {
    edits.replace(statement.start, statement.start, `let ${inScript(statement.id.name, renamed)} = `);
    edits.wrap(statement.start, statement.end, '', ';');
  }
  if (statement.type === 'VariableDeclaration' && statement.kind === 'const') {
    edits.replace(statement.start, statement.start + 'const'.length, 'let');
  }
  if (statement.type === 'ExportDefaultDeclaration') rewriteDefault(statement, renamed, edits);
  if (statement.type === 'ExportAllDeclaration') replaceByLoad(statement, statement.source.value, edits);
  if (statement.type !== 'ExportNamedDeclaration') return;
  if (statement.declaration) {
    edits.replace(statement.start, statement.declaration.start, '');
    rewriteStatement(statement.declaration, renamed, edits);
  } else if (statement.source) replaceByLoad(statement, statement.source.value, edits);
  else edits.replace(statement.start, statement.end, '');
}

/**
 * Turns a function declaration into a `let`. One that uses its own name becomes an anonymous expression, so that the
 * name means what is declared by it, even by a later cell; its text gets the name back.
 */
function rewriteFunction(node: FunctionNode, renamed: ReadonlySet<string>, edits: Edits): void {
  if (!node.id) return;
  const { name } = node.id;
  const isSelfless = renamed.has(name) || freeIdentifiers({ body: [node] }, new Set([name])).length === 0;
  const keyword = `${node.async ? 'async ' : ''}function${node.generator ? '*' : ''}`;
  const end = isSelfless ? node.start : node.id.end;
  edits.replace(node.start, end, `let ${inScript(name, renamed)} = ${isSelfless ? '' : `${keyword} `}`);
  edits.wrap(node.start, node.end, '', isSelfless ? ';' : `;__oddslab__.namedInText(${name});`);
  edits.hoist(node.start, node.end);
}

function rewriteDefault(statement: ExportDefaultDeclaration, renamed: ReadonlySet<string>, edits: Edits): void {
  const { declaration } = statement;
  const isNamed =
    (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id;
  edits.replace(statement.start, declaration.start, '');
  if (isNamed) rewriteStatement(declaration, renamed, edits);
  else {
    edits.replace(declaration.start, declaration.start, ';(');
    edits.wrap(statement.start, declaration.end, '', ');');
  }
}

function replaceByLoad(statement: Node, specifier: string, edits: Edits): void {
  edits.replace(
    statement.start,
    statement.end,
    `${lastingAwait(`__oddslab__.load(${JSON.stringify(specifier)}, [])`)};`,
  );
}

/**
 * Turns an import into a call of the loader at the cell's front. Names that the cell itself uses must exist in the
 * module. Others may be types, of which nothing is left at run time. The loader gets these with their names in the
 * cells, so that a later cell that reads a missing one gets an error that says so.
 */
function rewriteImport(
  statement: ImportDeclaration,
  referenced: ReadonlySet<string>,
  renamed: ReadonlySet<string>,
  edits: Edits,
): void {
  const needed: string[] = [];
  const unsure: [imported: string, local: string][] = [];
  const bindings: string[] = [];
  let whole = '';
  for (const specifier of statement.specifiers) {
    const { name } = specifier.local;
    const local = inScript(name, renamed);
    if (specifier.type === 'ImportNamespaceSpecifier') {
      whole = local;
      continue;
    }
    const imported = importedName(specifier);
    if (imported === 'default' || referenced.has(name)) needed.push(imported);
    else unsure.push([imported, name]);
    bindings.push(`${JSON.stringify(imported)}: ${local}`);
  }
  const more = unsure.length > 0 ? `, ${JSON.stringify(unsure)}` : '';
  const loaded = `__oddslab__.load(${JSON.stringify(statement.source.value)}, ${JSON.stringify(needed)}${more})`;
  const from = lastingAwait(loaded);
  const named = `{ ${bindings.join(', ')} }`;
  let text = `${from};`;
  if (whole) text = `let ${whole} = ${from};${bindings.length > 0 ? `let ${named} = ${whole};` : ''}`;
  else if (bindings.length > 0) text = `let ${named} = ${from};`;
  edits.replace(statement.start, statement.end, text);
  edits.hoist(statement.start, statement.end);
}

function importedName(specifier: Exclude<ImportDeclarationSpecifier, { type: 'ImportNamespaceSpecifier' }>): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  return specifier.imported.type === 'Literal' ? specifier.imported.value : specifier.imported.name;
}

const BEFORE = '(__oddslab__.goesOn(';
const AFTER = ') ? __oddslab__.taken() : await __oddslab__.never())';
const NEVER = 'await __oddslab__.never();';
const STOP = `__oddslab__.isOver() && ${NEVER}`;
const GO_ON = `__oddslab__.goesOn() || ${NEVER}`;

/** An `await` of the given expression after which an interrupted cell does not go on. */
function lastingAwait(text: string): string {
  return `${BEFORE}await ${text}${AFTER}`;
}

/**
 * Rewrites a node that waits at the top level so that the cell does not go on once it has been interrupted, whether the
 * wait gives a value, an error or the next item. A cell that was not interrupted takes no additional turn. Records
 * where it waits, which is often all that is known of a failure in a package.
 */
function rewriteAwait(node: Node, parent: Node | undefined, edits: Edits, written: Written): void {
  if (node.type === 'AwaitExpression') {
    const { start, end } = node.argument;
    edits.wrap(node.start, node.end, BEFORE, AFTER);
    edits.wrap(start, end, '__oddslab__.waitsFor(', `, ${written(start)})`);
  }
  if (node.type === 'TryStatement') {
    if (node.handler) putInside(node.handler.body, GO_ON, '', edits);
    if (node.finalizer) putInside(node.finalizer, `${KEEP}${STOP}`, noted('__oddslabAwaited__'), edits);
  }
  if (node.type !== 'ForOfStatement' || !node.await) return;
  const { start, end } = node.right;
  const note = noted(written(start));
  edits.wrap(start, end, `(${note}, `, ')');
  putInside(node.body, GO_ON, note, edits);
  if (parent?.type === 'Program' || parent?.type === 'BlockStatement')
    edits.wrap(node.start, node.end, '', `;${GO_ON}`);
}

/** Maps an offset in the text being rewritten to the cell's. */
type Written = (offset: number) => number | undefined;

/** Keeps the place at which something failed before a `finally`, whatever that awaits. */
const KEEP = 'const __oddslabAwaited__ = __oddslab__.awaited();';

function noted(at: number | string | undefined): string {
  return `__oddslab__.waitsFor(0, ${at})`;
}

function putInside(body: Node, first: string, last: string, edits: Edits): void {
  if (body.type !== 'BlockStatement') return;
  edits.replace(body.start + 1, body.start + 1, first);
  if (last !== '') edits.replace(body.end - 1, body.end - 1, `;${last}`);
}
