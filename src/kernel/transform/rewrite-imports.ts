import type { ImportDeclaration, ImportDeclarationSpecifier } from 'oxc-parser';
import type { Edits } from './edits.js';
import { lastingAwait } from './rewrite-awaits.js';
import { inScript } from './rewrite-names.js';

/**
 * Turns an import into a call of the loader at the cell's front. Names that the cell itself uses must exist in the
 * module. Others may be types, of which nothing is left at run time. The loader gets these with their names in the
 * cells, so that a later cell that reads a missing one gets an error that says so.
 *
 * @param renamed The names that differ where the cell runs.
 */
export function rewriteImport(
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
