import type { Tabular } from '../frame/tabular.js';
import { doublesOf, numericVector } from '../frame/vector/plain-vector.js';
import { completeNumbers } from './complete-numbers.js';
import { type GroupedRows, groupedRows } from './grouped-rows.js';
import { presentGroups } from './present-groups.js';
import { sumsByGroup, sumsOfAll } from './sums-by-group.js';

/** Sums of columns by group. */
export interface GroupedSums {
  readonly grouped: GroupedRows;
  /** One array per column, with one sum per group. */
  readonly sums: readonly Float64Array[];
  /** The groups that have at least one row in which no column is missing. */
  readonly present: Uint32Array;
}

/**
 * Sums columns by group, without the rows in which any of them is missing.
 *
 * @throws {ColumnError} As {@link completeNumbers} and {@link groupedRows} do.
 */
export function groupedSums(
  frame: Tabular,
  by: string,
  names: readonly string[],
  counts: readonly string[],
): GroupedSums {
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  const grouped = groupedRows(frame, by);
  const sums = columns.map((values, at) => sumsOfAll(values, counts.includes(names[at] ?? ''), grouped));
  if (sums.every((all) => all !== undefined)) {
    return { grouped, sums, present: Uint32Array.from({ length: grouped.groups }, (_, group) => group) };
  }
  const { values, rows } = completeNumbers(frame, names, { counts });
  return {
    grouped,
    sums: values.map((all) => sumsByGroup(all, rows, grouped)),
    present: presentGroups(rows, grouped),
  };
}
