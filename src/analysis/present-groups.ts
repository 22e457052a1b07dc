import type { GroupedRows } from './grouped-rows.js';

/** The groups that have any of these rows, in order. */
export function presentGroups(rows: Int32Array, { groupOf, groups }: GroupedRows): Uint32Array {
  // If no row is left out, every group has one.
  if (rows.length === groupOf.length) return Uint32Array.from({ length: groups }, (_, group) => group);
  const present = new Uint8Array(groups);
  for (let at = 0; at < rows.length; at += 1) present[groupOf[rows[at] as number] as number] = 1;
  const kept = new Uint32Array(groups);
  let count = 0;
  for (let group = 0; group < groups; group += 1) if (present[group] === 1) kept[count++] = group;
  return kept.subarray(0, count);
}
