import { greatestOf } from '../../base/many.js';
import { provenanceOf } from '../../frame/tabular/provenance.js';
import { columnNames, type Tabular } from '../../frame/tabular/tabular.js';
import { amountsOf } from './amounts.js';
import { momentsOf } from './moments.js';
import { pricesOf } from './trade-rows.js';

/** Milliseconds in an hour. */
export const HOUR_MS = 3_600_000;

/** The prices of a token, in the order of time: one a moment. */
interface PriceHistory {
  readonly times: number[];
  readonly prices: number[];
}

/**
 * A function that gives the last price of a token at or before a moment; NaN where there is none, or none that is later
 * than another moment: a fill of the same second is not, nor is a candle that began before it or then, whose last fill
 * may be the one of that moment.
 *
 * @param tokens The token of each row, as `sideKeys` tells it; null where it is not known.
 * @param isClose Whether the moments asked for are the ends of trading, so that a candle in which one lies holds no later
 *   price.
 */
export function lastPrices(
  frame: Tabular,
  tokens: readonly (string | null)[],
  isClose: boolean,
): (token: string, moment: number, after: number) => number {
  const isCandles = columnNames(frame).includes('candle_time');
  const times = momentsOf(frame, isCandles ? 'candle_time' : 'timestamp');
  const prices = pricesOf(frame, isCandles ? 'close' : 'price');
  const sizes = isCandles ? undefined : amountsOf(frame, 'size');
  const rowsOf = new Map<string, number[]>();
  for (const [row, token] of tokens.entries()) {
    if (token === null || Number.isNaN((times[row] as number) + (prices[row] as number))) continue;
    const rows = rowsOf.get(token);
    if (rows) rows.push(row);
    else rowsOf.set(token, [row]);
  }
  for (const rows of rowsOf.values()) rows.sort((a, b) => (times[a] as number) - (times[b] as number));
  const known = isCandles && !isClose ? candleLength(frame, times, rowsOf.values()) : 0;
  const histories = new Map<string, PriceHistory>();
  for (const [token, rows] of rowsOf) histories.set(token, historyOf(rows, times, prices, sizes));
  return (token, moment, after) => {
    const history = histories.get(token);
    // A candle's price is that of its end.
    return history ? lastBetween(history, after, moment - known) : Number.NaN;
  };
}

/** One price a moment: the mean by size of several fills. */
function historyOf(
  rows: readonly number[],
  times: Float64Array,
  prices: Float64Array,
  sizes: Float64Array | undefined,
): PriceHistory {
  const history: PriceHistory = { times: [], prices: [] };
  for (let start = 0; start < rows.length; ) {
    let end = start + 1;
    const time = times[rows[start] as number] as number;
    while (end < rows.length && times[rows[end] as number] === time) end += 1;
    let [weights, weighted, plain] = [0, 0, 0];
    for (const row of rows.slice(start, end)) {
      const weight = sizes?.[row] || 0;
      weights += weight;
      weighted += weight * (prices[row] as number);
      plain += prices[row] as number;
    }
    history.times.push(time);
    history.prices.push(weights > 0 ? weighted / weights : plain / (end - start));
    start = end;
  }
  return history;
}

function lastBetween({ times, prices }: PriceHistory, after: number, moment: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= moment) low = middle + 1;
    else high = middle;
  }
  if (low === 0 || (times[low - 1] as number) <= after) return Number.NaN;
  return prices[low - 1] as number;
}

const LENGTHS: Readonly<Record<string, number>> = {
  '1m': 1 / 60,
  '5m': 1 / 12,
  '15m': 1 / 4,
  '1h': 1,
  '4h': 4,
  '1d': 24,
  '1w': 168,
};

/** How long a candle is: as was asked for or, where that is unknown, the shortest step between two of a token. */
function candleLength(frame: Tabular, times: Float64Array, rowsOf: Iterable<readonly number[]>): number {
  const asked = provenanceOf(frame).map(({ params }) => LENGTHS[params.interval ?? ''] ?? 0);
  const longest = greatestOf([0, ...asked]) * HOUR_MS;
  if (longest > 0) return longest;
  let shortest = Number.POSITIVE_INFINITY;
  for (const rows of rowsOf) {
    for (let at = 1; at < rows.length; at += 1) {
      const step = (times[rows[at] as number] as number) - (times[rows[at - 1] as number] as number);
      if (step > 0 && step < shortest) shortest = step;
    }
  }
  return Number.isFinite(shortest) ? shortest : HOUR_MS;
}
