import { MICRO } from '../../base/decimal.js';
import { UsageError } from '../../base/errors.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import type { End } from './asked-range.js';
import { isClockPart } from './clock-parts.js';
import { groupedRows, type Keys, namesOf } from './grouped-rows.js';
import { isPeriod } from './record-granularity.js';
import { outcomeLabels, sideKeys } from './side-keys.js';
import { closesOf, tradeRows } from './trade-rows.js';

/** A position as its fills made it: the shares of one outcome of a market that a wallet held over time. */
export interface Holding {
  /** When the first share was bought, in milliseconds since 1970. */
  readonly opened: number;
  /** When the last share left, or the market closed; undefined while shares are held at the end of the data. */
  readonly closed: number | undefined;
  /** Dollars paid for all shares. */
  readonly paid: number;
  /** Shares sold beyond those that were bought, in millionths: whole, so that sums of them are exact. */
  readonly untrackedMicros: number;
  /** Changes of the cost of what was held, in dollars, in the order of time; the last one leaves nothing. */
  readonly steps: readonly CostStep[];
}

/** A change of the cost that is held. */
interface CostStep {
  readonly time: number;
  readonly change: number;
}

/** What the fills of a frame made. */
export interface Holdings {
  readonly holdings: readonly Holding[];
  /** Trades that lack a value that is needed, such as both the token and the outcome. */
  readonly leftOut: number;
}

/**
 * Refuses groups that divide a position, as its buys would be held to the end, and its sales sold from nothing.
 *
 * @param hint What would be right instead of a period; `$` stands for it.
 * @param isDefault Whether nobody asked for these groups.
 * @throws {UsageError} If a group is a period or a part of the clock, or trades of one position are in several groups:
 *   names one.
 */
export function refuseDivided(measure: string, trades: Tabular, by: Keys, hint: string, isDefault = false): void {
  const period = namesOf(by).find((name) => isPeriod(name) || isClockPart(trades, name));
  if (period !== undefined) {
    throw new UsageError(
      `${measure} cannot group by "${period}", since positions are held on${hint.replaceAll('$', period)}.`,
    );
  }
  const [keys = []] = sideKeys([trades], ['proxy_wallet']);
  for (const name of namesOf(by)) {
    const { groupOf } = groupedRows(trades, name, 'timestamp');
    const groups = new Map<string, number>();
    for (const [row, key] of keys.entries()) {
      if (key === null) continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, groupOf[row] as number);
      else if (group !== groupOf[row]) {
        const [wallet, market, side] = key.split('\n');
        const outcome = outcomeLabels(trades)(row) ?? `token ${side}`;
        const remedy = isDefault
          ? "some of its trades lack the label of the outcome. Group by tokens: by: ['proxy_wallet', 'condition_id', 'token_id']."
          : 'take a column that is the same for all trades of a position, such as "category".';
        throw new UsageError(
          `${measure} cannot group by "${name}"${isDefault ? ', as it does by default' : ''}, since it divides positions, ` +
            `such as that of ${wallet} in ${outcome} of ${market}: ${remedy}`,
        );
      }
    }
  }
}

/**
 * Follows the fills of each wallet, market and outcome through time, at average cost: a sale takes its part of the cost
 * along. Shares that are still held when the market closes leave then, also where nothing tells its result.
 *
 * @param markets Market records with `condition_id` and `close_date`.
 * @param end The end of the data: positions held then are cut there. Fills after its last moment are left out.
 * @throws {ColumnError} If a column is missing or of the wrong kind.
 */
export function holdingsOf(trades: Tabular, markets: Tabular, end: End): Holdings {
  const rows = tradeRows(trades);
  const closes = closesOf(markets, 'close_date');
  const lists = new Map<string, number[]>();
  const lastFills = new Map<string, number>();
  let leftOut = 0;
  const [keys = []] = sideKeys([trades], ['proxy_wallet']);
  for (const [row, key] of keys.entries()) {
    if (key === null || !rows.isWhole(row)) leftOut += 1;
    if (key === null || !rows.isWhole(row)) continue;
    const at = rows.time[row] as number;
    lastFills.set(key, Math.max(lastFills.get(key) ?? at, at));
    if (at > end.last) continue;
    const list = lists.get(key);
    if (list) list.push(row);
    else lists.set(key, [row]);
  }
  const { time, sign } = rows;
  // Of one second, buys come first: shares are there before they are sold.
  const inOrder = (a: number, b: number) =>
    (time[a] as number) - (time[b] as number) || (sign[b] as number) - (sign[a] as number);
  const holdings = [...lists].map(([key, list]) => {
    const close = closes.get(key.split('\n')[1] ?? '') ?? Number.POSITIVE_INFINITY;
    // A market never closes before its last fill, also one after the end: what was held then does not depend on the end.
    const settled = Math.max(close, lastFills.get(key) as number);
    return follow(list.sort(inOrder), rows, settled, end);
  });
  return { holdings, leftOut };
}

function follow(list: readonly number[], rows: ReturnType<typeof tradeRows>, settled: number, end: End): Holding {
  const steps: CostStep[] = [];
  // Shares are whole millionths, as in the ledger: sums of doubles would leave some where none are.
  let [shares, cost, paid, untrackedMicros] = [0, 0, 0, 0];
  let last = Number.NEGATIVE_INFINITY;
  let opened = Number.NaN;
  for (const row of list) {
    const [size, usd] = [Math.round((rows.size[row] as number) * MICRO), rows.usd[row] as number];
    last = rows.time[row] as number;
    if (rows.sign[row] === 1) {
      if (Number.isNaN(opened)) opened = last;
      shares += size;
      cost += usd;
      paid += usd;
      steps.push({ time: last, change: usd });
      continue;
    }
    const sold = Math.min(size, shares);
    untrackedMicros += size - sold;
    // The last share takes all that is left, which rounding would miss.
    const leaving = sold < shares ? (cost * sold) / shares : cost;
    shares -= sold;
    cost -= leaving;
    steps.push({ time: last, change: -leaving });
  }
  const isHeld = shares > 0;
  if (cost > 0) steps.push({ time: Math.min(settled, end.time), change: -cost });
  return { opened, closed: isHeld ? (settled <= end.last ? settled : undefined) : last, paid, untrackedMicros, steps };
}

/** Shares of all holdings that were sold beyond those that were bought. */
export function untrackedShares(holdings: readonly Holding[]): number {
  return holdings.reduce((total, { untrackedMicros }) => total + untrackedMicros, 0) / MICRO;
}

/** The times of the first and the last of the trades, in milliseconds since 1970; ∞ and −∞ without any. */
export function spanOfTrades(trades: Tabular): { first: number; last: number } {
  const times = tradeRows(trades)
    .time.filter((time) => !Number.isNaN(time))
    .sort();
  return { first: times[0] ?? Number.POSITIVE_INFINITY, last: times.at(-1) ?? Number.NEGATIVE_INFINITY };
}

/** The end of the data where nothing else was asked for: the last of the trades. */
export function endOfTrades(trades: Tabular): End {
  const { last } = spanOfTrades(trades);
  return { time: last, last };
}

/** ∫ cost dt of a position from one moment to another, in dollar-milliseconds. */
export function dollarTime({ steps }: Pick<Holding, 'steps'>, from: number, to: number): number {
  let [total, cost, since] = [0, 0, from];
  for (const { time, change } of steps) {
    const until = Math.min(Math.max(time, from), to);
    total += cost * (until - since);
    since = until;
    cost += change;
  }
  return total + cost * (to - since);
}
