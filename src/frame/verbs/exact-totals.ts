import { ColumnError } from '../../base/errors.js';
import { HIGH_HALF } from '../vector/high-half.js';
import type { RowGroups } from './row-groups.js';

/** Exact sums of micro-units, one a group: each is `high` · 2³² + `low`, with `low` from 0 below 2³². */
export interface ExactTotals {
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
      const upper = signed[2 * row + HIGH_HALF] as number;
      const lower = unsigned[2 * row + 1 - HIGH_HALF] as number;
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
    halves[2 * group + HIGH_HALF] = upper;
    halves[2 * group + 1 - HIGH_HALF] = low[group] as number;
  }
  return micros;
}
