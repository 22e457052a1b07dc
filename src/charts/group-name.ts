import type { Cell } from '../frame/tabular.js';
import { isMissing } from '../frame/vector/is-missing.js';

/** A chart's name for a group with a key: `none` if the key is missing. */
export function groupName(key: Cell): string {
  return isMissing(key) ? 'none' : String(key);
}
