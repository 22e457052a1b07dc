import type { ServerItem } from './cell-completion.js';
import type { NameKind } from './cell-names.js';
import type { Binding } from './cell-scope.js';

/** The language server's numbers of the kinds of items. */
const KIND_NUMBERS: Record<NameKind, number> = {
  let: 6,
  const: 6,
  function: 3,
  class: 7,
  enum: 13,
  namespace: 9,
  import: 6,
  type: 8,
};
/** How the language server sorts what is declared in a file: before the globals. */
const DECLARED_HERE = '11';

/**
 * The names of earlier cells as items of a completion, where any name could stand.
 *
 * @param items What the language server offers: it knows only those names that the cell imports.
 */
export function knownItems(items: ServerItem[], bindings: Binding[]): ServerItem[] {
  const labels = new Set(items.map(({ label }) => label));
  if (!labels.has('globalThis')) return [];
  return bindings
    .filter(({ name }) => !labels.has(name))
    .map(({ name, kind }) => ({ label: name, kind: KIND_NUMBERS[kind], sortText: DECLARED_HERE }));
}
