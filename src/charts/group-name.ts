import type { Cell } from '../frame/tabular.js';
import { isMissing } from '../frame/vector/is-missing.js';

/** What a chart calls a group by its key: `none` where the key is missing. */
export function groupName(key: Cell): string {
  return isMissing(key) ? 'none' : String(key);
}
