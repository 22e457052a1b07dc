import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import type { DataFrame } from '../frame/danfo/data-frame.js';
import { frameFromVectors } from '../frame/frame-from-vectors.js';
import type { Tabular } from '../frame/tabular.js';
import { sortedAmounts } from './amounts-of.js';
import { sum } from './sum.js';

/**
 * A point of {@link lorenzCurve}: the share of volume that a share of the markets, the smallest, holds.
 */
export interface LorenzRecord {
  share_of_markets: number;
  share_of_volume: number;
}

/**
 * Options of {@link lorenzCurve} and {@link concentration}: what is compared.
 */
export interface ConcentrationOptions {
  /** The column of amounts. Default `volume_total`. */
  readonly value?: string;
  /** The column whose groups are compared, such as `event_slug`. Default: each row by itself. */
  readonly by?: string;
}

/**
 * The Lorenz curve of volume: the share of it that the smallest markets hold together, from one market to all. If all
 * markets were equal, it would be the diagonal; the further below, the more concentrated the volume. `concentration`
 * gives its Gini coefficient, which is twice the area between the curve and the diagonal.
 *
 * share_of_markets(i) = i / n; share_of_volume(i) = Σ of the i smallest amounts / Σ of all.
 *
 * @param frame Market records, or any frame with a column of amounts. Rows without an amount are left out.
 * @param options.value The column of amounts. Default `volume_total`.
 * @param options.by The column whose groups are compared; rows without a value there form one group. Default: each row
 * by itself.
 * @returns Shares in [0, 1], from (0, 0) to (1, 1), the smallest market first: one row more than there are markets, or
 * groups, which `share_of_markets` then refers to. No rows if there is no amount, or all are 0.
 * @throws {ColumnError} If a column is missing, or `value` is not numeric, negative or infinite.
 * @throws {UsageError} If an option is unknown.
 * @see Lorenz (1905), Methods of measuring the concentration of wealth.
 * @example lorenzCurve(markets, { by: 'event_slug' }); // share_of_markets, share_of_volume
 */
export function lorenzCurve(frame: Tabular, options: ConcentrationOptions = {}): DataFrame<LorenzRecord> {
  knownOptions('lorenzCurve', options, ['value', 'by']);
  const { value = 'volume_total', by } = options;
  const { sorted: shares, spare: members } = sortedAmounts(frame, value, by);
  const total = sum(shares);
  const points = total > 0 ? shares.length : 0;
  let soFar = 0;
  for (let at = 0; at < points; at += 1) {
    soFar += shares[at] as number;
    members[at] = at / (points - 1);
    shares[at] = Math.min(1, soFar / total);
  }
  // Accumulated rounding must not let the curve miss its end.
  if (points > 0) shares[points - 1] = 1;
  const vectors = [members, shares].map((all) => ({ kind: 'number', values: all.subarray(0, points) }) as const);
  return frameFromVectors<LorenzRecord>(columnsFor(value, by), vectors);
}

function columnsFor(value: string, by: string | undefined): Column[] {
  const members = by === undefined ? 'rows' : `groups by ${by}`;
  const meaning = `Share of the ${members}, those with the least ${value} first, in [0, 1].`;
  return [
    { name: 'share_of_markets', dtype: 'float64', nullable: false, meaning },
    { name: 'share_of_volume', dtype: 'float64', nullable: false, meaning: `Their share of all ${value}, in [0, 1].` },
  ];
}
