import type { Column } from '../contract/column.js';
import { anyColumn, numericColumn } from './column.js';
import { columnsOf } from './columns-of.js';
import { isMissing } from './is-missing.js';
import type { Tabular } from './tabular.js';

/** Rows told apart by group: the group of each row, and how many groups there are. */
export interface Grouping {
  readonly groupOf: Uint32Array;
  readonly groups: number;
}

/** A measure of each group of rows, as {@link groupBy} takes it. */
export interface Aggregation {
  /** One value a group. */
  readonly measure: (frame: Tabular, grouping: Grouping) => Float64Array;
  /** What the result's column is, except for its name. */
  readonly describe: (frame: Tabular) => Omit<Column, 'name'>;
}

/** Sum of a numeric column without its missing values; 0 where there are none. */
export function sum(name: string): Aggregation {
  return folding(name, 'Sum', 0, (total, value) => total + value);
}

/** Least value of a numeric column; NaN where all are missing. */
export function min(name: string): Aggregation {
  return folding(name, 'Least', Number.NaN, (least, value) => (Number.isNaN(least) ? value : Math.min(least, value)));
}

/** Greatest value of a numeric column; NaN where all are missing. */
export function max(name: string): Aggregation {
  return folding(name, 'Greatest', Number.NaN, (greatest, value) =>
    Number.isNaN(greatest) ? value : Math.max(greatest, value),
  );
}

/** Mean of a numeric column without its missing values; NaN where all are missing. */
export function mean(name: string): Aggregation {
  const total = sum(name);
  const counted = count(name);
  return {
    measure: (frame, grouping) => {
      const counts = counted.measure(frame, grouping);
      return total.measure(frame, grouping).map((value, group) => value / (counts[group] ?? 0));
    },
    describe: (frame) => ({ ...total.describe(frame), dtype: 'float64', nullable: true, meaning: `Mean of ${name}.` }),
  };
}

/** Number of rows, or of the rows in which a column is not missing. */
export function count(name?: string): Aggregation {
  return {
    measure: (frame, { groupOf, groups }) => {
      const counts = new Float64Array(groups);
      const values = name === undefined ? undefined : anyColumn(frame, name);
      groupOf.forEach((group, row) => {
        if (values === undefined || !isMissing(values[row])) counts[group] = (counts[group] ?? 0) + 1;
      });
      return counts;
    },
    describe: () => ({ dtype: 'int32', nullable: false, meaning: name === undefined ? 'Rows.' : `Values of ${name}.` }),
  };
}

function folding(
  name: string,
  title: string,
  start: number,
  fold: (folded: number, value: number) => number,
): Aggregation {
  return {
    measure: (frame, { groupOf, groups }) => {
      const folded = new Float64Array(groups).fill(start);
      numericColumn(frame, name).forEach((value, row) => {
        const group = groupOf[row] ?? 0;
        if (!Number.isNaN(value)) folded[group] = fold(folded[group] ?? start, value);
      });
      return folded;
    },
    describe: (frame) => {
      const { unit } = columnsOf(frame).find((known) => known.name === name) ?? {};
      const meaning = `${title} of ${name}.`;
      return { dtype: 'float64', ...(unit === undefined ? {} : { unit }), nullable: Number.isNaN(start), meaning };
    },
  };
}
