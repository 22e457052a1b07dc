import type { Node, Program, VariableDeclaration } from 'oxc-parser';
import { Edits, type Rewritten } from './edits.js';
import { freeIdentifiers } from './free-identifiers.js';
import { lexicalNames, walk } from './syntax-tree.js';

/** One `{ … }` of a namespace. */
interface Block {
  statements: Node[];
  /** The variables that it exports. They may change, so they exist only as properties of the namespace's object. */
  variables: VariableDeclaration[];
  /** The other names that it declares. */
  own: Set<string>;
}

/**
 * Rewrites module syntax of TypeScript that the transform does not support: namespaces that export variables,
 * namespaces of several blocks that use each other's exports, and `export =`. Undefined if there is nothing to do.
 *
 * @param isCommonJs Whether to keep `export =`, which the transform turns into `module.exports =`. Default false.
 */
export function lowerNamespaces(program: Program, source: string, isCommonJs = false): Rewritten | undefined {
  const namespaces = new Map<string, Block[]>();
  const edits = new Edits(source);
  let isNeeded = false;
  for (const statement of program.body) {
    if (statement.type !== 'TSExportAssignment' || isCommonJs) continue;
    edits.replace(statement.start, statement.expression.start, 'export default ');
    isNeeded = true;
  }
  gather(program, '', namespaces);
  for (const [path, blocks] of namespaces) {
    const exported = new Set(blocks.flatMap(({ statements }) => exportedNames(statements)));
    if (blocks.length < 2 && blocks.every(({ variables }) => variables.length === 0)) continue;
    isNeeded = true;
    for (const block of blocks) lower(block, path.slice(path.lastIndexOf('.') + 1), exported, edits);
  }
  return isNeeded ? edits.apply() : undefined;
}

/** Finds the blocks of each namespace, by its full name. */
function gather(root: Node, outer: string, namespaces: Map<string, Block[]>): void {
  walk(root, (node) => {
    if (node.type !== 'TSModuleDeclaration') return true;
    if (node.kind === 'global') return false;
    const statements = node.body?.type === 'TSModuleBlock' ? node.body.body : undefined;
    const name = dotted(node.id);
    if (node.declare || !statements || name === undefined) return false;
    const path = outer === '' ? name : `${outer}.${name}`;
    const variables = statements.flatMap((each) => exportedVariable(each) ?? []);
    const own = new Set(lexicalNames(statements.filter((each) => !exportedVariable(each))));
    namespaces.set(path, [...(namespaces.get(path) ?? []), { statements, variables, own }]);
    for (const statement of statements) gather(statement, path, namespaces);
    return false;
  });
}

function dotted(id: Node): string | undefined {
  if (id.type === 'Identifier') return id.name;
  return id.type === 'TSQualifiedName' ? `${dotted(id.left)}.${id.right.name}` : undefined;
}

function exportedVariable(statement: Node): VariableDeclaration | undefined {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
  const isVariable = declaration?.type === 'VariableDeclaration' && !declaration.declare;
  return isVariable && (declaration.kind === 'let' || declaration.kind === 'var') ? declaration : undefined;
}

function exportedNames(statements: Node[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return [];
    const { declaration } = statement;
    const asLet = declaration.type === 'VariableDeclaration' ? { ...declaration, kind: 'let' as const } : declaration;
    return lexicalNames([asLet]);
  });
}

function lower({ statements, variables, own }: Block, namespace: string, exported: Set<string>, edits: Edits): void {
  const empty = new Set<number>();
  for (const { start, end, declarations } of variables) {
    const [first] = declarations;
    const exportAt = statements.find((each) => each.start <= start && each.end >= end)?.start ?? start;
    edits.replace(exportAt, first?.start ?? end, ';(');
    for (const { id, init } of declarations) {
      if (!init) empty.add(id.start);
      if (!init) edits.replace(id.start, id.end, 'void 0');
      else if (id.typeAnnotation) edits.replace(id.typeAnnotation.start, id.typeAnnotation.end, '');
    }
    const last = declarations.at(-1);
    if (last) edits.replace(last.end, last.end, ')');
  }
  const wanted = new Set([...exported].filter((name) => !own.has(name)));
  for (const each of freeIdentifiers({ body: statements }, wanted)) {
    if (empty.has(each.start)) continue;
    const member = `${namespace}.${each.name}`;
    const text = each.isCallee ? `(0, ${member})` : member;
    edits.replace(each.start, each.start + each.name.length, each.isShorthand ? `${each.name}: ${member}` : text);
  }
}
