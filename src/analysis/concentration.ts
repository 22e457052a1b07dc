import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { sortedAmounts } from './records/amounts.js';
import { formatPercent, shownResult } from './shown-result.js';
import { sum } from './statistics/sums.js';

/** How much of a total a few members hold; shares are in [0, 1]. */
export interface Concentration {
  /** Herfindahl–Hirschman index: Σ share², from 1 / members if all are equal to 1 if one member has everything. */
  readonly hhi: number;
  /** 1 / hhi: the number of equal members that would be as concentrated. */
  readonly effective: number;
  /** Gini coefficient: from 0 if all are equal to 1 − 1 / members if one member has everything. */
  readonly gini: number;
  /** Share of the largest member. */
  readonly top1: number;
  /** Share of the five largest. */
  readonly top5: number;
  /** Share of the ten largest. */
  readonly top10: number;
  /** Number of members compared, including those with an amount of 0. */
  readonly members: number;
  /** Sum of the amounts, in their own unit. */
  readonly total: number;
}

/**
 * How concentrated volume is in a few markets, events or wallets.
 *
 * With n members, amounts x in rising order and shares s = x / Σx: hhi = Σ s²; effective = 1 / hhi; gini = Σ (2i − n −
 * 1) · x(i) / (n · Σx), without a correction for small n; topK = Σ of the K largest s. Where the HHI is stated in
 * points, as by the US Department of Justice, it is 10,000 times this one.
 *
 * @param frame Market records, or any frame with a column of amounts. Rows without an amount are left out.
 * @param options.value The column of amounts. Default `volume_total`.
 * @param options.by The column whose groups are compared; rows without a value there form one group. Default: each row
 * by itself.
 * @returns Indices and shares, NaN where there is no amount or all are 0, with `members` and `total`.
 * @throws {ColumnError} If a column is missing, or `value` is not numeric, negative or infinite.
 * @throws {UsageError} If an option is unknown.
 * @see Hirschman (1964), The paternity of an index; Gini (1912), Variabilità e mutabilità; Laakso and Taagepera (1979),
 * “Effective” number of parties.
 * @example concentration(markets, { by: 'event_slug' }); // { hhi: 0.18, effective: 5.6, gini: 0.71, top1: 0.36, … }
 */
export function concentration(frame: Tabular, options: ConcentrationOptions = {}): Concentration {
  knownOptions('concentration', options, ['value', 'by'], { by: 'text' });
  const { value = 'volume_total', by } = options;
  const amounts = sortedAmounts(frame, value, by).sorted.subarray(1);
  const [members, total] = [amounts.length, sum(amounts)];
  let squares = 0;
  let ranked = 0;
  for (let at = 0; at < members; at += 1) {
    const share = (amounts[at] as number) / total;
    squares += share * share;
    ranked += (2 * at + 1 - members) * share;
  }
  const hhi = total > 0 ? squares : Number.NaN;
  const top = (largest: number) => sum(amounts.subarray(-largest)) / total;
  const gini = total > 0 ? ranked / members : Number.NaN;
  const result = { hhi, effective: 1 / hhi, gini, top1: top(1), top5: top(5), top10: top(10), members, total };
  return shownResult(result, frame, linesOf(result, by ?? 'row'));
}

function linesOf({ hhi, effective, gini, top1, top5, top10, members }: Concentration, each: string) {
  const tops = [top1, top5, top10].map((share) => formatPercent(share));
  const equal = Number.isNaN(effective) ? '–' : effective.toLocaleString('en-US', { maximumFractionDigits: 1 });
  return [
    ['Herfindahl–Hirschman index', shown(hhi)],
    ['Effective number', `${equal} of ${members.toLocaleString('en-US')}, by ${each}`],
    ['Gini coefficient', shown(gini)],
    ['Largest, 5 and 10 largest', tops.join(', ')],
  ] as const;
}

function shown(index: number): string {
  return Number.isNaN(index) ? '–' : index.toFixed(3);
}

/** A point of {@link lorenzCurve}: the share of volume that a share of the markets, the smallest, holds. */
export interface LorenzRecord {
  share_of_markets: number;
  share_of_volume: number;
}

/** Options of {@link lorenzCurve} and {@link concentration}: what is compared. */
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
  knownOptions('lorenzCurve', options, ['value', 'by'], { by: 'text' });
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
    { name: 'share_of_markets', dtype: 'float64', fraction: true, nullable: false, meaning },
    {
      name: 'share_of_volume',
      dtype: 'float64',
      fraction: true,
      nullable: false,
      meaning: `Their share of all ${value}, in [0, 1].`,
    },
  ];
}
