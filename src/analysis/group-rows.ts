import type { Cell } from '../frame/tabular.js';

/** Rows sorted into groups of one key each. */
export interface RowGroups<Key extends Cell> {
  /** One key a group, in the order of their first rows. */
  readonly keys: readonly Key[];
  /** The number of its group, a row. */
  readonly groupOf: Int32Array;
}

/** Sorts rows into groups by their key. Null is a key of its own, as NaN is. */
export function groupRows<Key extends Cell>(keyOfRow: ArrayLike<Key>): RowGroups<Key> {
  const groups = new Map<Key, number>();
  const groupOf = Int32Array.from(keyOfRow as ArrayLike<unknown>, (_, row) => {
    const key = keyOfRow[row] as Key;
    const known = groups.get(key);
    if (known !== undefined) return known;
    groups.set(key, groups.size);
    return groups.size - 1;
  });
  return { keys: [...groups.keys()], groupOf };
}
