import type { Cell } from './document.js';

/** The tags of cells that mean something here, as other runners of notebooks know them. */
export type KnownTag =
  | 'parameters'
  | 'injected-parameters'
  | 'skip-execution'
  | 'raises-exception'
  | 'ignore-output'
  | 'nbval-ignore-output';

/** Whether a cell has one of some tags. */
export function hasTag(cell: Cell, ...tags: KnownTag[]): boolean {
  const own: unknown = Reflect.get(Object(cell.metadata), 'tags');
  return Array.isArray(own) && tags.some((tag) => own.includes(tag));
}
