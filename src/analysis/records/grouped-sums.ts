import { itemAt } from '../../base/item-at.js';
import { numericVector, type Tabular } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';
import { sumsByGroup, sumsOfAll } from '../statistics/sums.js';
import { completeNumbers } from './complete-numbers.js';
import { type GroupedRows, groupedRows, type Keys } from './grouped-rows.js';

/** Sums of columns by group. */
interface GroupedSums {
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
  by: Keys,
  names: readonly string[],
  counts: readonly string[],
): GroupedSums {
  const grouped = groupedRows(frame, by);
  return { grouped, ...sumsWithin(frame, grouped, names, counts) };
}

/** The same of groups that are there already: several measures of one table, each over the rows that have what it needs. */
export function sumsWithin(
  frame: Tabular,
  grouped: GroupedRows,
  names: readonly string[],
  counts: readonly string[],
): Omit<GroupedSums, 'grouped'> {
  const columns = names.map((name) => doublesOf(numericVector(frame, name)));
  const sums = columns.map((values, at) => sumsOfAll(values, counts.includes(itemAt(names, at)), grouped));
  if (sums.every((all) => all !== undefined)) return { sums, present: allGroups(grouped) };
  const { values, rows } = completeNumbers(frame, names, { counts });
  return { sums: values.map((all) => sumsByGroup(all, rows, grouped)), present: presentGroups(rows, grouped) };
}

function allGroups({ groups }: Pick<GroupedRows, 'groups'>): Uint32Array {
  return Uint32Array.from({ length: groups }, (_, group) => group);
}

/** The groups that have any of these rows, in order. */
function presentGroups(rows: Int32Array, { groupOf, groups }: GroupedRows): Uint32Array {
  // If no row is left out, every group has one.
  if (rows.length === groupOf.length) return allGroups({ groups });
  const present = new Uint8Array(groups);
  for (let at = 0; at < rows.length; at += 1) present[groupOf[rows[at] as number] as number] = 1;
  const kept = new Uint32Array(groups);
  let count = 0;
  for (let group = 0; group < groups; group += 1) if (present[group] === 1) kept[count++] = group;
  return kept.subarray(0, count);
}
