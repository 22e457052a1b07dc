import { ColumnError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { noMore } from '../../base/nearest.js';
import type { ColumnNameOf, DataFrame } from '../tabular/data-frame.js';
import { type Tabular, vectorOf } from '../tabular/tabular.js';
import { type MicrosVector, missingAt } from '../vector/vector.js';
import type { RowGroups } from './row-groups.js';

/**
 * The sum of an exact column to the last digit, in micro-units, whatever its size: 1.5 dollars are 1_500_000n.
 *
 * @returns The sum of the values that are not missing; 0n if there are none.
 * @throws {ColumnError} If the frame lacks the column, or it is not exact: query it with `exact: true`.
 * @example exactSum(pnl, 'pnl'); // -12_345_678n, which is −12.345678 dollars
 */
export function exactSum<Row extends object>(frame: DataFrame<Row>, name: ColumnNameOf<Row, number | bigint>): bigint;
export function exactSum<Row extends object>(
  frame: DataFrame<Row>,
  name: ColumnNameOf<Row, number | bigint>,
  ...others: readonly unknown[]
): bigint {
  noMore('exactSum', others, "it reads one column: exactSum(frame, 'pnl')");
  const { values } = exactVector(frame, name);
  const { high, low } = exactTotals(values, { groupOf: new Uint32Array(values.length), groups: 1 });
  return BigInt(itemAt(high, 0)) * 2n ** 32n + BigInt(itemAt(low, 0));
}

/**
 * An exact column as integer micro-units, copied: 1.5 dollars are 1_500_000n. The frame must have been queried with
 * `exact: true`, or be made of such frames by the toolkit's functions; danfo's methods give doubles.
 *
 * @returns One integer for each row; an empty array for a frame without rows.
 * @throws {ColumnError} If the frame lacks the column, it is not exact, or a value is missing.
 * @example exactColumn(pnl, 'pnl').reduce((total, micros) => total + micros, 0n);
 */
export function exactColumn<Row extends object>(
  frame: DataFrame<Row>,
  name: ColumnNameOf<Row, number | bigint>,
): BigInt64Array;
export function exactColumn<Row extends object>(
  frame: DataFrame<Row>,
  name: ColumnNameOf<Row, number | bigint>,
  ...others: readonly unknown[]
): BigInt64Array {
  noMore('exactColumn', others, "it reads one column: exactColumn(frame, 'pnl')");
  const vector = exactVector(frame, name);
  for (let row = 0; row < vector.values.length; row += 1) {
    if (!missingAt(vector, row)) continue;
    throw new ColumnError(
      `The column "${name}" has no value in row ${row}, counted from 0, and integers have none to stand for it: filter such rows out first.`,
    );
  }
  return vector.values.slice();
}

/**
 * An exact column of a frame, not copied: never change it.
 *
 * @throws {ColumnError} If the frame lacks the column, or it is not exact.
 */
function exactVector(frame: Tabular, name: string): MicrosVector {
  const vector = vectorOf(frame, name);
  if (vector.kind === 'micros') return vector;
  if (frame.shape[0] === 0) return { kind: 'micros', values: new BigInt64Array(0) };
  const found = vector.kind === 'number' ? 'doubles' : 'no amounts';
  throw new ColumnError(
    `The column "${name}" holds ${found}, not exact micro-units: query the frame with { exact: true }.`,
  );
}

/** Exact sums of micro-units, one a group: each is `high` · 2³² + `low`, with `low` from 0 below 2³². */
interface ExactTotals {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

const WORD = 2 ** 32;
const MICRO = 1e6;
/** Rows whose low halves can be added in a double without loss. */
const BLOCK = 2 ** 20;

/**
 * Sums micro-units by group in two doubles a group, which no order of the rows and no number of them makes inexact.
 * Missing values are left out.
 */
export function exactTotals(
  micros: BigInt64Array,
  { groupOf, groups }: Pick<RowGroups, 'groupOf' | 'groups'>,
): ExactTotals {
  const [high, low] = [new Float64Array(groups), new Float64Array(groups)];
  const buffer = [micros.buffer, micros.byteOffset, micros.length * 2] as const;
  const [signed, unsigned] = [new Int32Array(...buffer), new Uint32Array(...buffer)];
  for (let start = 0; start < micros.length; start += BLOCK) {
    for (let row = start; row < Math.min(start + BLOCK, micros.length); row += 1) {
      const upper = signed[2 * row + 1] as number;
      const lower = unsigned[2 * row] as number;
      if (upper === -0x80000000 && lower === 0) continue;
      const group = groupOf[row] as number;
      high[group] = (high[group] as number) + upper;
      low[group] = (low[group] as number) + lower;
    }
    carry(high, low);
  }
  return { high, low };
}

function carry(high: Float64Array, low: Float64Array): void {
  for (let group = 0; group < low.length; group += 1) {
    const words = Math.floor((low[group] as number) / WORD);
    high[group] = (high[group] as number) + words;
    low[group] = (low[group] as number) - words * WORD;
  }
}

/** Exact sums as doubles in units. */
export function unitsOfTotals({ high, low }: ExactTotals): Float64Array {
  return high.map((upper, group) => (upper * WORD + (low[group] as number)) / MICRO);
}

/**
 * Exact sums as micro-units.
 *
 * @param name The column's, for the error.
 * @throws {ColumnError} If a sum does not fit 64 bits.
 */
export function microsOfTotals(name: string, { high, low }: ExactTotals): BigInt64Array {
  const micros = new BigInt64Array(high.length);
  const halves = new Int32Array(micros.buffer);
  for (let group = 0; group < high.length; group += 1) {
    const upper = high[group] as number;
    if (Math.abs(upper) >= 2 ** 31) {
      throw new ColumnError(
        `A sum of "${name}" exceeds 9.2 trillion, the most that an exact column holds: sum the column by exactSum.`,
      );
    }
    halves[2 * group + 1] = upper;
    halves[2 * group] = low[group] as number;
  }
  return micros;
}
