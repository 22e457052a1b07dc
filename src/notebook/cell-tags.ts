import type { Cell } from './document.js';

/** The tags of cells that mean something to a run, as other runners of notebooks know them. */
export type KnownTag = 'parameters' | 'injected-parameters' | 'skip-execution' | 'raises-exception';

/** Whether a cell has a tag. */
export function hasTag(cell: Cell, tag: KnownTag): boolean {
  const tags: unknown = Reflect.get(Object(cell.metadata), 'tags');
  return Array.isArray(tags) && tags.includes(tag);
}
