import type {
  ExportDefaultDeclaration,
  Function as FunctionNode,
  ImportDeclaration,
  ImportDeclarationSpecifier,
  Node,
  Program,
  Statement,
  VariableDeclaration,
} from 'oxc-parser';
import { parseSync } from 'oxc-parser';
import { Edits, type Rewritten } from './edits.js';
import { walk } from './walk.js';

/**
 * Rewrites a cell's JavaScript for V8's REPL mode, which lets `let` and `class` be declared again but no other mix:
 * `const`, `var`, functions and imports become `let`, and what JavaScript hoists moves to the front.
 *
 * @param showsValue Whether the value of the last expression is wanted.
 */
export function rewriteCell(code: string, showsValue: boolean): Rewritten {
  const { program } = parseSync('cell.js', code, { lang: 'js', sourceType: 'module' });
  const edits = new Edits(code);
  const names = rewriteInside(program, edits);
  for (const statement of program.body) if (isImport(statement)) rewriteImport(statement, names.referenced, edits);
  for (const statement of program.body) rewriteStatement(statement, edits);
  // The transform may end a module with the names that it exports.
  const last = program.body.findLast((each) => each.type !== 'ExportNamedDeclaration' || each.declaration);
  if (showsValue && last?.type === 'ExpressionStatement') {
    edits.replace(last.expression.start, last.expression.start, '__oddslab__.value = (');
    edits.replace(last.expression.end, last.expression.end, ')');
  }
  edits.prepend("'use strict';");
  if (names.vars.size > 0) edits.prepend(`let ${[...names.vars].join(', ')};`);
  return edits.apply();
}

function isImport(statement: Statement | Node): statement is ImportDeclaration {
  return statement.type === 'ImportDeclaration';
}

/** Rewrites what may stand anywhere: `var`, `import()` and `import.meta`; gathers the names that are used. */
function rewriteInside(program: Program, edits: Edits): { referenced: Set<string>; vars: Set<string> } {
  const referenced = new Set<string>();
  const vars = new Set<string>();
  const visit = (inFunction: boolean) => (node: Node, parent: Node | undefined) => {
    if (isImport(node)) return false;
    if (node.type === 'Identifier') referenced.add(node.name);
    if (node.type === 'ImportExpression')
      edits.replace(node.start, node.start + 'import'.length, '__oddslab__.dynamic');
    if (node.type === 'MetaProperty' && node.meta.name === 'import') {
      edits.replace(node.start, node.end, '__oddslab__.meta');
    }
    if (inFunction) return true;
    if (node.type === 'VariableDeclaration' && node.kind === 'var') rewriteVar(node, parent, vars, edits);
    if (!opensScope(node)) return true;
    walk(node, visit(true));
    return false;
  };
  walk(program, visit(false));
  return { referenced, vars };
}

function opensScope(node: Node): boolean {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'StaticBlock' ||
    node.type === 'PropertyDefinition'
  );
}

/** `var a = 1, b` becomes the expression `(a = 1, void 0)`; its names are declared at the front. */
function rewriteVar(declaration: VariableDeclaration, parent: Node | undefined, vars: Set<string>, edits: Edits): void {
  for (const declarator of declaration.declarations) addNames(declarator.id, vars);
  const [first] = declaration.declarations;
  if (!first) return;
  const isLoopTarget = parent?.type === 'ForOfStatement' || parent?.type === 'ForInStatement';
  if (isLoopTarget && parent.left === declaration) {
    edits.replace(declaration.start, first.start, '');
    return;
  }
  edits.replace(declaration.start, first.start, '(');
  for (const declarator of declaration.declarations) {
    if (!declarator.init) edits.replace(declarator.start, declarator.end, 'void 0');
  }
  const end = declaration.declarations.at(-1)?.end ?? first.end;
  edits.replace(end, end, ')');
}

function addNames(pattern: Node, names: Set<string>): void {
  walk(pattern, (node) => {
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'AssignmentPattern') addNames(node.left, names);
    if (node.type === 'Property') addNames(node.value, names);
    return node.type !== 'AssignmentPattern' && node.type !== 'Property' && node.type !== 'MemberExpression';
  });
}

function rewriteStatement(statement: Statement | Node, edits: Edits): void {
  if (statement.type === 'FunctionDeclaration') rewriteFunction(statement, edits);
  if (statement.type === 'VariableDeclaration' && statement.kind === 'const') {
    edits.replace(statement.start, statement.start + 'const'.length, 'let');
  }
  if (statement.type === 'ExportDefaultDeclaration') rewriteDefault(statement, edits);
  if (statement.type === 'ExportAllDeclaration') replaceByLoad(statement, statement.source.value, edits);
  if (statement.type !== 'ExportNamedDeclaration') return;
  if (statement.declaration) {
    edits.replace(statement.start, statement.declaration.start, '');
    rewriteStatement(statement.declaration, edits);
  } else if (statement.source) replaceByLoad(statement, statement.source.value, edits);
  else edits.replace(statement.start, statement.end, '');
}

function rewriteFunction(node: FunctionNode, edits: Edits): void {
  if (!node.id) return;
  const keyword = `${node.async ? 'async ' : ''}function${node.generator ? '*' : ''}`;
  edits.replace(node.start, node.id.end, `let ${node.id.name} = ${keyword} `);
  edits.replace(node.end, node.end, ';');
  edits.hoist(node.start, node.end + 1);
}

function rewriteDefault(statement: ExportDefaultDeclaration, edits: Edits): void {
  const { declaration } = statement;
  const isNamed =
    (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') && declaration.id;
  edits.replace(statement.start, declaration.start, isNamed ? '' : ';(');
  if (isNamed) rewriteStatement(declaration, edits);
  else edits.replace(declaration.end, declaration.end, ');');
}

function replaceByLoad(statement: Node, specifier: string, edits: Edits): void {
  edits.replace(statement.start, statement.end, `await __oddslab__.load(${JSON.stringify(specifier)}, []);`);
}

/**
 * Names that the cell itself uses must exist in the module. Others may be types, of which nothing is left at run time.
 */
function rewriteImport(statement: ImportDeclaration, referenced: Set<string>, edits: Edits): void {
  const needed: string[] = [];
  const bindings: string[] = [];
  let whole = '';
  for (const specifier of statement.specifiers) {
    const local = specifier.local.name;
    if (specifier.type === 'ImportNamespaceSpecifier') {
      whole = local;
      continue;
    }
    const imported = importedName(specifier);
    if (imported === 'default' || referenced.has(local)) needed.push(imported);
    bindings.push(`${JSON.stringify(imported)}: ${local}`);
  }
  const from = `await __oddslab__.load(${JSON.stringify(statement.source.value)}, ${JSON.stringify(needed)})`;
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
