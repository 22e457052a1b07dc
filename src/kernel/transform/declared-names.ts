import type { Node } from 'oxc-parser';
import { namesOf } from './names-of.js';
import { walk } from './walk.js';

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
      for (const { id } of node.declarations) names.push(...namesOf(id));
    }
    return node === body || !opensFunction(node);
  });
  return names;
}

/** Whether a node has its own `var`s and `await`s. */
export function opensFunction({ type }: Node): boolean {
  return (
    type === 'FunctionDeclaration' ||
    type === 'FunctionExpression' ||
    type === 'ArrowFunctionExpression' ||
    type === 'StaticBlock' ||
    type === 'TSModuleDeclaration' ||
    type === 'PropertyDefinition'
  );
}
