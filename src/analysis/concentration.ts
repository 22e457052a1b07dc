import { knownOptions } from '../base/nearest.js';
import type { Tabular } from '../frame/tabular.js';
import { sortedAmounts } from './amounts-of.js';
import { formatPercent } from './format-percent.js';
import type { ConcentrationOptions } from './lorenz-curve.js';
import { shownResult } from './shown-result.js';
import { sum } from './sum.js';

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
  knownOptions('concentration', options, ['value', 'by']);
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
  return shownResult(result, linesOf(result, by ?? 'row'));
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
