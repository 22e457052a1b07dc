import type { Cell } from './document.js';

/** The cell tags that have a meaning here; other notebook runners use the same ones. */
export type KnownTag =
  | 'parameters'
  | 'injected-parameters'
  | 'skip-execution'
  | 'raises-exception'
  | 'ignore-output'
  | 'nbval-ignore-output';

/** Whether a cell has at least one of the tags. */
export function hasTag(cell: Cell, ...tags: KnownTag[]): boolean {
  const own: unknown = Reflect.get(Object(cell.metadata), 'tags');
  return Array.isArray(own) && tags.some((tag) => own.includes(tag));
}
