import { UsageError } from '../../base/errors.js';
import type { DataFrameConstructor } from '../tabular/data-frame.js';
import { placeOf } from '../tabular/tabular.js';
import { type Cell, isMissing } from '../vector/vector.js';
import { type Internals, type Mending, type Method, replaceMethods } from './danfo-internals.js';
import { cumulate, isCumulation } from './mend-computing.js';

/** Danfo's groups, as their own methods see them. */
interface Groups {
  readonly keyCol: readonly string[];
  readonly data: readonly (readonly Cell[])[];
  readonly columnName: readonly string[];
  readonly colIndex: readonly number[];
  colDict: Record<string, Record<string, Cell[]>>;
  keyToValue: Record<string, readonly Cell[]>;
}

/**
 * Mends `groupby`: groups are told apart by the values of their keys and keep the order in which they first appear,
 * whereas danfo merges keys whose texts run together (`a-b`, null and the empty text) and sorts those that read as
 * numbers; missing values are left out of aggregates; an unknown key column is refused.
 */
export function mendGroups(frameClass: DataFrameConstructor, prototype: Internals): void {
  replaceMethods(prototype, {
    groupby: (original) =>
      function (keys) {
        if (!Array.isArray(keys) || keys.length === 0)
          throw new UsageError(
            `groupby takes a list of column names, as in groupby(['wallet']); groupBy(frame, 'wallet') takes one.`,
          );
        for (const key of keys) placeOf(this, key as string);
        if (this.shape[0] === 0)
          throw new UsageError(
            'groupby of danfo needs rows: groupBy(frame, keys).rollup({ … }) answers without them, too.',
          );
        return original.call(this, keys);
      },
  });
  const groups = Object.getPrototypeOf(new frameClass({ a: [1] }).groupby(['a'])) as Internals;
  const calling: Mending = (original) =>
    function (given) {
      if (typeof given === 'function') return original.call(this, given);
      throw new UsageError('apply of groups takes a function of each group, which is a frame.');
    };
  replaceMethods(groups, {
    group: () => grouped,
    groupMathLog: () => aggregated,
    getGroup: foundGroup,
    colKeyDict: () => (dictionary) => Object.keys(dictionary as object),
    apply: calling,
  });
}

/** A key that no other combination of values shares, and that no object takes for a number or a member. */
function keyOf(cells: readonly Cell[]): string {
  const parts = cells.map((cell) => {
    if (isMissing(cell)) return 'null';
    if (cell instanceof Date) return `date ${cell.getTime()}`;
    return typeof cell === 'string' ? JSON.stringify(cell) : `${typeof cell} ${Object.is(cell, -0) ? 0 : cell}`;
  });
  return `(${parts.join(', ')})`;
}

const grouped: Method = function () {
  const groups = this as unknown as Groups;
  for (const row of groups.data) {
    const cells = groups.colIndex.map((at) => row[at]);
    const key = keyOf(cells);
    groups.keyToValue[key] ??= cells;
    groups.colDict[key] ??= Object.fromEntries(groups.columnName.map((name) => [name, []]));
    const columns = groups.colDict[key];
    for (const [at, name] of groups.columnName.entries()) columns[name]?.push(row[at]);
  }
  return this;
};

function foundGroup(original: Method): Method {
  return function (keys) {
    const groups = this as unknown as Groups;
    const cells = Array.isArray(keys) ? (keys as Cell[]) : [];
    const key = keyOf(cells);
    if (!Object.hasOwn(groups.colDict, key)) {
      const known = Object.keys(groups.colDict).slice(0, 5).join(', ');
      throw new UsageError(
        `There is no group ${Array.isArray(keys) ? key : String(keys)}: getGroup takes a list of the keys' values, in the order of ${groups.keyCol.join(', ')}; there are ${known}.`,
      );
    }
    // Danfo would join the keys to one text.
    return original.call(Object.create(this as object, { colDict: { value: groups.colDict } }) as Internals, {
      join: () => key,
    });
  };
}

/** The aggregate of one column of one group: a list of one value, or for cumulations of as many as there are rows. */
const aggregated: Method = (cells, operation) => {
  const values = cells as readonly Cell[];
  const name = String(operation);
  const running = name.startsWith('cum') ? name.slice(3) : name;
  if (name.startsWith('cum') && isCumulation(running)) return cumulate(running, values);
  const present = values.filter((cell) => !isMissing(cell));
  if (name === 'count') return [present.length];
  const numbers = present.map(Number);
  return [STATISTICS[name]?.(numbers) ?? Number.NaN];
};

const STATISTICS: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  sum: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  mean: (numbers) => meanOf(numbers),
  min: (numbers) => numbers.reduce((least, number) => Math.min(least, number), numbers[0] ?? Number.NaN),
  max: (numbers) => numbers.reduce((most, number) => Math.max(most, number), numbers[0] ?? Number.NaN),
  var: (numbers) => varianceOf(numbers),
  std: (numbers) => Math.sqrt(varianceOf(numbers)),
  median: (numbers) => {
    const sorted = Float64Array.from(numbers).sort();
    const middle = sorted.length >> 1;
    const [low, high] = [sorted[sorted.length % 2 === 1 ? middle : middle - 1], sorted[middle]];
    return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
  },
  mode: (numbers) => {
    const counts = new Map<number, number>();
    for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
    let most = 0;
    for (const count of counts.values()) most = Math.max(most, count);
    return [...counts].find(([, count]) => count === most)?.[0] ?? Number.NaN;
  },
};

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** With n − 1; NaN of fewer than two numbers, of which nothing is known. */
function varianceOf(numbers: readonly number[]): number {
  const mean = meanOf(numbers);
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  return numbers.length < 2 ? Number.NaN : squares / (numbers.length - 1);
}
