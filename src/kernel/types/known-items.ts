import type { ServerItem } from './cell-completion.js';
import type { NameKind } from './cell-names.js';
import type { Binding } from './cell-scope.js';

/** The language server's number of each kind of item. */
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
/** The language server's sort key for what a file declares: before the globals. */
const DECLARED_HERE = '11';

/**
 * The names of earlier cells as completion items, for places where any name could stand.
 *
 * @param items The language server's items: it knows only the names that the cell imports.
 */
export function knownItems(items: ServerItem[], bindings: Binding[]): ServerItem[] {
  const labels = new Set(items.map(({ label }) => label));
  if (!labels.has('globalThis')) return [];
  return bindings
    .filter(({ name }) => !labels.has(name))
    .map(({ name, kind }) => ({ label: name, kind: KIND_NUMBERS[kind], sortText: DECLARED_HERE }));
}
