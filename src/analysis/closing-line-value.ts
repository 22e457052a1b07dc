import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../frame/tabular/columns-of.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, type Tabular, vectorsOf } from '../frame/tabular/tabular.js';
import { type ByOption, type GroupRecord, measureGroups, type Ungrouped } from './records/by-group.js';
import { type Keys, refuseUnknownKeys } from './records/grouped-rows.js';
import { HOUR_MS, lastPrices } from './records/last-prices.js';
import { sideKeys } from './records/side-keys.js';
import { closesOf, frameBeside, matchingKeys, tradeRows } from './records/trade-rows.js';
import { formatPercent, formatUsd, shownResult } from './shown-result.js';
import { LEAST_CLUSTERS, ratioInterval } from './statistics/ratio-interval.js';
import { refuseConfidence, wilsonInterval } from './statistics/wilson-interval.js';

/** Where {@link closingLineValue} finds the closing line. */
export interface ClosingLineOptions {
  /** Market records (`lab.markets()`): needs `condition_id` and the column of `close`. */
  readonly markets: Tabular;
  /**
   * Prices of the same tokens, by everybody: candles (`candle_time`, `close`) or trades (`timestamp`, `price`), with
   * `condition_id`, and `token_id` or `outcome`. The wallet's own trades alone are none: its last one would be its own
   * closing line.
   */
  readonly prices: Tabular;
  /** How long before the close the line is taken, in hours. Default 0. */
  readonly hoursBefore?: number;
  /** The column of `markets` that says when the market ends. Default `close_date`. */
  readonly close?: string;
}

/** How much better than the closing line a wallet traded. */
export interface ClosingLineValue {
  /** Gain to the closing line for each dollar traded, as a fraction: 0.1 is 10%. */
  readonly clv: number;
  /** Lower end of its interval, over markets. */
  readonly low: number;
  /** Upper end of its interval, over markets. */
  readonly high: number;
  /** Gain to the closing line for each share, in USD. */
  readonly perShare: number;
  /** Share of the trades at a better price than the closing one, in [0, 1]. */
  readonly beat: number;
  /** Lower end of its interval, over markets. */
  readonly beatLow: number;
  /** Upper end of its interval, over markets. */
  readonly beatHigh: number;
  /** Trades that are compared. */
  readonly trades: number;
  /** Their markets. */
  readonly markets: number;
  /** Their price · size, in USD. */
  readonly usd: number;
  /**
   * Trades without a closing line: of open markets, without a price after the trade, later than the line, or without a
   * value that is needed, such as both the token and the outcome.
   */
  readonly leftOut: number;
}

const SHARE = { dtype: 'float64', fraction: true, nullable: true } as const;

const COLUMNS: readonly Column[] = [
  { name: 'clv', ...SHARE, meaning: 'Gain to the closing line for each dollar traded: 0.1 is 10%.' },
  { name: 'low', ...SHARE, meaning: 'Lower end of its interval, over five or more markets.' },
  { name: 'high', ...SHARE, meaning: 'Upper end of its interval, over five or more markets.' },
  {
    name: 'per_share',
    dtype: 'float64',
    unit: 'USD',
    nullable: true,
    meaning: 'Gain to the closing line for each share.',
  },
  { name: 'beat', ...SHARE, meaning: 'Share of the trades at a better price than the closing one.' },
  { name: 'beat_low', ...SHARE, meaning: 'Lower end of its interval, over five or more markets.' },
  { name: 'beat_high', ...SHARE, meaning: 'Upper end of its interval, over five or more markets.' },
  { name: 'trades', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Trades that are compared.' },
  { name: 'markets', dtype: 'int32', unit: 'markets', nullable: false, meaning: 'Their markets.' },
  { name: 'usd', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Their price · size.' },
  { name: 'left_out', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Trades without a closing line.' },
];

/**
 * Closing-line value: whether a wallet trades at better prices than the last one before the market's end, which knows
 * most. Who beats it again and again knows something early, and it shows after fewer bets than profit does.
 *
 * The closing line c of a trade is the last price of its token at or before the market's close (less `hoursBefore`).
 * A share bought at p has a value of c − p, one sold at p of p − c; clv = Σ size · value / Σ size · p.
 *
 * **When the market closes matters.** A market often closes when its outcome is known: the last price is then nearly 0 or
 * 1, and the closing-line value nearly the return. Where the event begins before that, as a match does, take the line
 * then: `hoursBefore: 3`, or `close: 'end_date'`. Trades later than the line are left out, and those after which there
 * is no price: an older one knows less than the trade did, and one of the same second may be the trade's own, as prices
 * hold the wallet's fills, too. So a fill counts from the second after the trade on, and a candle if it began after the
 * trade: the last fill of the one in which the trade was made may be the trade.
 *
 * The intervals are over markets: trades of one market share its closing line. Fees are not counted.
 *
 * @param frame Trades (dataset 556): needs `condition_id`, `token_id` or `outcome`, `side`, `price`, `size` and
 * `timestamp`. Tokens are matched or, where there are none, the labels of outcomes. Rows that lack one of these are left
 * out, and counted.
 * @param options.markets Market records with `condition_id` and `close_date`.
 * @param options.prices Candles or trades of the same tokens. Of several trades at the last moment, the mean by size
 * counts; a candle counts once it is over, and where the line is the close itself, also the one in which it lies.
 * @param options.hoursBefore How long before the close the line is taken. Default 0.
 * @param options.close The column of `markets` with the end. Default `close_date`.
 * @param options.confidence Confidence of the intervals, in (0, 1). Default 0.95.
 * @param options.by A column such as `category` or `outcome`, `hour`, `weekday`, `day`, `week` or `month` of `timestamp`,
 * or a list of them: one row for each group, its figures as columns. Default: all trades together.
 * @returns Fractions and dollars; NaN where no trade has a closing line, the intervals for fewer than five markets, or
 * where all of them gained the same. Where every trade beat the line, or none, the interval is Wilson's, of the markets.
 * @throws {ColumnError} If a column is missing or of the wrong kind, a price is outside [0, 1], an amount negative or
 * infinite, a side neither BUY nor SELL, or a time cannot be read.
 * @throws {UsageError} If an option is unknown or out of range, markets or prices are not given, or the prices are trades
 * of the one wallet that is judged. Trades of the wallets judged alone give a warning.
 * @see Gandar, Dare, Brown and Zuber (1998), Informed traders and price variations in the betting market for professional
 * basketball games, for why the closing line; Buchdahl (2016), Squares and sharps, suckers and sharks, for the measure;
 * Cochran (1977), Sampling techniques, for the interval of a ratio.
 * @example closingLineValue(trades, { markets, prices: candles, hoursBefore: 24 }); // { clv: 0.021, low: 0.004, … }
 */
export function closingLineValue(
  frame: Tabular,
  options: ClosingLineOptions & { confidence?: number } & Ungrouped,
): ClosingLineValue;
export function closingLineValue<const By extends string>(
  frame: Tabular,
  options: ClosingLineOptions & { confidence?: number } & ByOption<By>,
): DataFrame<GroupRecord<By, ClosingLineValue>>;
export function closingLineValue(
  frame: Tabular,
  options: ClosingLineOptions & { confidence?: number; by?: Keys | undefined },
): object {
  knownOptions('closingLineValue', options ?? {}, [...LINE_OPTIONS, 'confidence', 'by']);
  const { confidence = 0.95, by, ...line } = options ?? {};
  refuseConfidence(confidence);
  const lined = closingLines(frame, line);
  if (by !== undefined) {
    refuseUnknownKeys('closingLineValue', frame, by);
    return measureGroups('closingLineValue', lined, by, COLUMNS, (rows) => clvOf(rows, confidence), 'timestamp');
  }
  const result = clvOf(lined, confidence);
  const interval = `${formatPercent(confidence, 0)} interval`;
  return shownResult(result, frame, [
    ['Closing-line value', `${formatPercent(result.clv)} of the dollars traded`],
    [
      interval,
      Number.isNaN(result.low) && result.markets < LEAST_CLUSTERS
        ? `none of fewer than ${LEAST_CLUSTERS} markets`
        : `${formatPercent(result.low)} to ${formatPercent(result.high)}`,
    ],
    ['Per share', Number.isNaN(result.perShare) ? '–' : `${(100 * result.perShare).toFixed(2)}¢`],
    [
      'Beat the line',
      `${formatPercent(result.beat)}, ${formatPercent(result.beatLow)} to ${formatPercent(result.beatHigh)}`,
    ],
    ['Trades', `${count(result.trades)} in ${count(result.markets)} markets, ${formatUsd(result.usd)}`],
    ['Left out', `${count(result.leftOut)}, without a closing line`],
  ]);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

const LINE_OPTIONS = ['markets', 'prices', 'hoursBefore', 'close'] as const;

/** A row of {@link closingLines}: the trade, its closing line and its value, in USD a share. */
export type ClosingLineRow<Row extends object> = [keyof Row] extends [never]
  ? object
  : Row & { closing_price: number; line_value: number };

const CLOSING_PRICE = {
  name: 'closing_price',
  dtype: 'float64',
  unit: 'USD',
  nullable: true,
  meaning: "Last price of the token before the market's end.",
} as const satisfies Column;

const LINE_VALUE = {
  name: 'line_value',
  dtype: 'float64',
  unit: 'USD',
  nullable: true,
  meaning: 'Gain to the closing line, a share: closing_price − price of a BUY, price − closing_price of a SELL.',
} as const satisfies Column;

/**
 * The closing line of each trade, and what the trade gains to it: {@link closingLineValue} trade by trade.
 *
 * @param frame Trades (dataset 556), as {@link closingLineValue} takes them, with the same options for the line.
 * @returns The same rows and columns, and `closing_price` and `line_value`, in USD a share: NaN for open markets, where
 * there is no price after the trade and up to the line, and for trades later than it.
 * @throws {ColumnError} As {@link closingLineValue} does.
 * @throws {UsageError} As {@link closingLineValue} does.
 * @example topN(closingLines(trades, { markets, prices }), 10, 'line_value'); // the ten best buys
 */
export function closingLines<Row extends object = object>(
  frame: DataFrame<Row> | Tabular,
  options: ClosingLineOptions,
): DataFrame<ClosingLineRow<Row>> {
  knownOptions('closingLines', options ?? {}, LINE_OPTIONS);
  const example = '{ markets, prices: candles }';
  const { hoursBefore = 0, close = 'close_date' } = options ?? {};
  columnNames(frame);
  const markets = frameBeside('closingLines', 'markets', options?.markets, example);
  const given = frameBeside('closingLines', 'prices', options?.prices, example);
  if (!(typeof hoursBefore === 'number' && hoursBefore >= 0 && Number.isFinite(hoursBefore)))
    throw new UsageError(
      `hoursBefore must be a number of hours from 0 on, such as 24; got ${shownNumber(hoursBefore)}.`,
    );
  refuseOwnPrices(frame, given);
  const { price, time, sign, isWhole } = tradeRows(frame);
  const closes = closesOf(markets, close);
  const [tokens = [], priced = []] = sideKeys([frame, given]);
  const priceAt = lastPrices(given, priced, hoursBefore === 0 && close === 'close_date');
  const ids = matchingKeys(frame, ['condition_id']);
  const closing = Float64Array.from(price, (_, row) => {
    const [id, token] = [ids[row] ?? null, tokens[row] ?? null];
    const end = id === null ? undefined : closes.get(id);
    if (end === undefined || token === null || !isWhole(row)) return Number.NaN;
    const line = end - hoursBefore * HOUR_MS;
    return (time[row] as number) > line ? Number.NaN : priceAt(token, line, time[row] as number);
  });
  const values = closing.map((line, row) => (sign[row] as number) * (line - (price[row] as number)));
  const added = [CLOSING_PRICE, LINE_VALUE];
  const kept = columnsOf(frame)
    .map((column, at) => ({ column, at }))
    .filter(({ column }) => !added.some(({ name }) => name === column.name));
  const vectors = vectorsOf(frame);
  return frameFromVectors<ClosingLineRow<Row>>(
    [...kept.map(({ column }) => column), ...added],
    [
      ...kept.map(({ at }) => vectors[at] as (typeof vectors)[number]),
      { kind: 'number', values: closing },
      { kind: 'number', values: values },
    ],
    frame,
  );
}

/** Refuses prices that are the trades of the one wallet that is judged, and warns of those of several judged alone. */
function refuseOwnPrices(frame: Tabular, prices: Tabular): void {
  const walletsOf = (of: Tabular) =>
    new Set(columnNames(of).includes('proxy_wallet') ? matchingKeys(of, ['proxy_wallet']) : []);
  const [judged, priced] = [walletsOf(frame), walletsOf(prices)];
  if (priced.size === 0 || ![...priced].every((wallet) => judged.has(wallet))) return;
  const found = 'got trades of none but the wallets that are judged as prices';
  const remedy = 'give candles (lab.candles), or the trades of everybody in these markets';
  if (judged.size === 1)
    throw new UsageError(
      `closingLineValue ${found}: its last trade would be its own closing line. For prices ${remedy}.`,
    );
  process.emitWarning(
    `closingLineValue ${found}: if others traded, their closing lines are wrong. Unless these are all trades of the markets, ${remedy}.`,
    'OddslabWarning',
  );
}

/** Measures trades that know their closing lines. */
function clvOf(frame: Tabular, confidence: number): ClosingLineValue {
  const { price, size } = tradeRows(frame);
  const values = lineValues(frame);
  const clusters = new Map<string, { gain: number; usd: number; beat: number; trades: number }>();
  let [shares, trades] = [0, 0];
  for (const [row, id] of matchingKeys(frame, ['condition_id']).entries()) {
    const value = values[row] as number;
    if (id === null || Number.isNaN(value)) continue;
    const cluster = clusters.get(id) ?? { gain: 0, usd: 0, beat: 0, trades: 0 };
    cluster.gain += (size[row] as number) * value;
    cluster.usd += (size[row] as number) * (price[row] as number);
    // Prices are whole parts of a cent: a smaller gain is the rounding of a mean.
    cluster.beat += value > 1e-9 ? 1 : 0;
    cluster.trades += 1;
    clusters.set(id, cluster);
    shares += size[row] as number;
    trades += 1;
  }
  const all = [...clusters.values()];
  const [gain, usd, beat] = [
    total(all.map((one) => one.gain)),
    total(all.map((one) => one.usd)),
    total(all.map((one) => one.beat)),
  ];
  const interval = ratioInterval(
    all.map((one) => one.gain),
    all.map((one) => one.usd),
    confidence,
  );
  // Where every trade beat the line, or none, markets do not differ, but count as trials.
  const isAlike = all.length >= LEAST_CLUSTERS && (beat === 0 || beat === trades);
  const share = isAlike
    ? wilsonInterval(beat === 0 ? 0 : all.length, all.length, confidence)
    : ratioInterval(
        all.map((one) => one.beat),
        all.map((one) => one.trades),
        confidence,
      );
  return {
    clv: usd > 0 ? gain / usd : Number.NaN,
    ...interval,
    perShare: shares > 0 ? gain / shares : Number.NaN,
    beat: beat / trades,
    beatLow: Math.max(0, share.low),
    beatHigh: Math.min(1, share.high),
    trades,
    markets: all.length,
    usd,
    leftOut: values.length - trades,
  };
}

function lineValues(frame: Tabular): Float64Array {
  const at = columnNames(frame).indexOf(LINE_VALUE.name);
  const vector = vectorsOf(frame)[at];
  return vector?.kind === 'number' ? vector.values : new Float64Array(0);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
