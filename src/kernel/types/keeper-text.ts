import { cellFile } from './cell-prelude.js';
import { type Binding, isVariable } from './cell-scope.js';
import { NOW, TYPE_OF } from './own-names.js';

/** The keeper's text, which exports all the given names so that a draft can import them. */
export function keeperText(bindings: Binding[], sources: string[]): string {
  const exported = new Map<number, string[]>();
  const add = (id: number, name: string) => exported.set(id, [...(exported.get(id) ?? []), name]);
  for (const binding of bindings) {
    const { name, kind, cell, evolvedBy, types } = binding;
    add(cell.id, name);
    if (evolvedBy) add(evolvedBy.id, NOW + name);
    const isApart = kind !== 'type' && (isVariable(binding) || types !== cell);
    if (types && isApart) add(types.id, `${name} as ${TYPE_OF}${name}`);
  }
  const lines = [...exported].sort(([a], [b]) => a - b);
  const names = lines.map(([id, all]) => `export { ${all.sort().join(', ')} } from './${cellFile(id)}';`);
  return [...sources.map((source) => `import ${JSON.stringify(source)};`), ...names, 'export {};'].join('\n');
}
