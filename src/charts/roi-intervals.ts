import { momentsOf } from '../analysis/records/moments.js';
import { hasEarlierStakes } from '../analysis/roi.js';
import { randomRows } from '../analysis/statistics/random-rows.js';
import { itemAt } from '../base/item-at.js';
import { DAY_MS } from '../contract/time.js';
import { anyColumn, numericColumn } from '../frame/tabular/column-values.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { type Cell, isMissing } from '../frame/vector/vector.js';
import { quantileOf } from '../frame/verbs/quantile.js';

/** The draws of an interval, and the seed of all of them, as `bootstrapInterval` has them by default. */
const [SAMPLES, SEED] = [1000, 1];

/**
 * How uncertain the returns of wallets are: of each, as many of its weeks as it has are drawn with replacement and
 * pooled, again and again; the interval spans the middle of the returns (the percentile method).
 *
 * @returns An interval for each wallet, NaN for one of a single week, and for one whose stakes were paid before its
 *   records; undefined for records without dates and stakes.
 */
export function roiIntervals(frame: Tabular, wallets: readonly Cell[], confidence: number) {
  const names = columnNames(frame);
  if (!['date', 'pnl', 'invested'].every((name) => names.includes(name))) return undefined;
  const keys = anyColumn(frame, 'proxy_wallet') as ArrayLike<Cell>;
  const times = momentsOf(frame, 'date');
  const [pnl, invested] = [numericColumn(frame, 'pnl'), numericColumn(frame, 'invested')];
  const weeksOf = new Map(wallets.map((wallet) => [nameOf(wallet), new Map<number, [number, number]>()]));
  for (let row = 0; row < pnl.length; row += 1) {
    const weeks = weeksOf.get(nameOf(itemAt(keys, row)));
    const [gain, stake] = [itemAt(pnl, row), itemAt(invested, row)];
    if (weeks === undefined || Number.isNaN(gain + stake + itemAt(times, row))) continue;
    const week = Math.floor((Math.floor(itemAt(times, row) / DAY_MS) + 3) / 7);
    const [gains, stakes] = weeks.get(week) ?? [0, 0];
    weeks.set(week, [gains + gain, stakes + stake]);
  }
  return wallets.map((wallet) => {
    const weeks = [...(weeksOf.get(nameOf(wallet)) ?? [])].sort(([a], [b]) => a - b).map(([, sums]) => sums);
    return intervalOf(weeks, confidence);
  });
}

function nameOf(wallet: Cell): string | null {
  return isMissing(wallet) ? null : String(wallet);
}

function intervalOf(weeks: readonly [number, number][], confidence: number): { low: number; high: number } {
  if (weeks.length < 2) return { low: Number.NaN, high: Number.NaN };
  const sum = (of: 0 | 1) => weeks.reduce((total, week) => total + week[of], 0);
  if (hasEarlierStakes({ pnl: sum(0), invested: sum(1) })) return { low: Number.NaN, high: Number.NaN };
  const draw = randomRows(SEED);
  const returns = Float64Array.from({ length: SAMPLES }, () => {
    let [gains, stakes] = [0, 0];
    for (const at of draw(weeks.length, weeks.length)) {
      const [gain, stake] = itemAt(weeks, at);
      gains += gain;
      stakes += stake;
    }
    // No record loses more than its stakes: weeks that did were drawn without those in which the stakes were paid.
    return stakes > 0 ? Math.max(-1, gains / stakes) : Number.NaN;
  });
  const defined = returns.filter((value) => !Number.isNaN(value)).sort();
  const at = (share: number) => (defined.length === 0 ? Number.NaN : quantileOf(defined, share));
  return { low: at((1 - confidence) / 2), high: at((1 + confidence) / 2) };
}
