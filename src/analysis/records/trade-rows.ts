import { ColumnError, UsageError } from '../../base/errors.js';
import { columnNames, numericVector, type Tabular, textVector } from '../../frame/tabular/tabular.js';
import { doublesOf } from '../../frame/vector/plain-vector.js';
import { amountsOf } from './amounts.js';
import { momentsOf } from './moments.js';

/** Fills, row by row, as those of dataset 556. */
export interface TradeRows {
  /** In dollars a share, 0 to 1; NaN where missing. */
  readonly price: Float64Array;
  /** Shares; NaN where missing. */
  readonly size: Float64Array;
  /** Dollars as the ledger counts them, fees included: `usd`, or price · size where the frame has none. */
  readonly usd: Float64Array;
  /** Milliseconds since 1970; NaN where missing. */
  readonly time: Float64Array;
  /** 1 for BUY, −1 for SELL, 0 where missing. */
  readonly sign: Int8Array;
  /** Whether nothing of it is missing. */
  readonly isWhole: (row: number) => boolean;
}

/**
 * The fills of a frame of trades.
 *
 * @throws {ColumnError} If `price`, `size`, `side` or `timestamp` is missing or of the wrong kind, a price is outside
 *   [0, 1], an amount negative or infinite, a side neither BUY nor SELL, or a time cannot be read.
 */
export function tradeRows(frame: Tabular): TradeRows {
  const price = pricesOf(frame, 'price');
  const size = amountsOf(frame, 'size');
  const time = momentsOf(frame, 'timestamp');
  const sign = signsOf(frame);
  const isWhole = (row: number) =>
    sign[row] !== 0 && !Number.isNaN((price[row] as number) + (size[row] as number) + (time[row] as number));
  const usd = columnNames(frame).includes('usd') ? amountsOf(frame, 'usd') : undefined;
  const paid = price.map((each, row) => {
    const stated = usd?.[row] ?? Number.NaN;
    return Number.isNaN(stated) ? each * (size[row] as number) : stated;
  });
  return { price, size, usd: paid, time, sign, isWhole };
}

/**
 * A column of prices, each in [0, 1] or missing.
 *
 * @throws {ColumnError} If it is missing or not numeric, or a price is outside [0, 1].
 */
export function pricesOf(frame: Tabular, name: string): Float64Array {
  const prices = doublesOf(numericVector(frame, name));
  const row = prices.findIndex((price) => price < 0 || price > 1);
  if (row < 0) return prices;
  throw new ColumnError(
    `The column "${name}" holds ${prices[row]} in row ${row}, counted from 0; it needs a price in [0, 1], in dollars.`,
  );
}

function signsOf(frame: Tabular): Int8Array {
  const { codes, words } = textVector(frame, 'side', 'BUY or SELL');
  const signs = words.map((word) => (/^buy$/i.test(word ?? '') ? 1 : /^sell$/i.test(word ?? '') ? -1 : 0));
  return Int8Array.from(codes, (code, row) => {
    const sign = code < 0 ? 0 : (signs[code] as number);
    if (sign !== 0 || code < 0) return sign;
    throw new ColumnError(
      `The column "side" holds ${JSON.stringify(words[code])} in row ${row}, counted from 0; it needs BUY or SELL.`,
    );
  });
}

/**
 * What the rows of several frames are matched by, one text a row, such as the market and its outcome; ids are the same
 * in upper and lower case.
 *
 * @returns Null where one of the values is missing.
 * @throws {ColumnError} If a column is missing or holds no text.
 */
export function matchingKeys(frame: Tabular, names: readonly string[]): (string | null)[] {
  const columns = names.map((name) => textCells(frame, name));
  return Array.from({ length: frame.shape[0] ?? 0 }, (_, row) => {
    const cells = columns.map((cell) => cell(row));
    return cells.includes(null) ? null : cells.join('\n');
  });
}

/**
 * The texts of a column, row by row, ids in lower case; null where missing.
 *
 * @throws {ColumnError} If the column is missing or holds no text.
 */
export function textCells(frame: Tabular, name: string): (row: number) => string | null {
  const { codes, words } = textVector(frame, name, 'text');
  const plain = words.map((word) => (/^0x/i.test(word ?? '') ? word.toLowerCase() : word));
  return (row) => ((codes[row] as number) < 0 ? null : (plain[codes[row] as number] ?? null));
}

/**
 * When each market closed, by condition id, in milliseconds since 1970; those still open are left out.
 *
 * @param name The column of the time.
 * @throws {ColumnError} If `condition_id` or the time is missing, or a time cannot be read.
 */
export function closesOf(markets: Tabular, name: string): Map<string, number> {
  const times = momentsOf(markets, name);
  const closes = new Map<string, number>();
  for (const [row, id] of matchingKeys(markets, ['condition_id']).entries()) {
    const time = times[row] as number;
    if (id !== null && !Number.isNaN(time)) closes.set(id, time);
  }
  return closes;
}

/**
 * A frame that a measure needs beside the trades.
 *
 * @throws {UsageError} If it was not given, or is no frame.
 */
export function frameBeside(measure: string, name: string, given: unknown, example: string): Tabular {
  if (given === undefined || given === null)
    throw new UsageError(`${measure} needs ${name} beside the trades: ${measure}(trades, ${example}).`);
  columnNames(given as Tabular);
  return given as Tabular;
}
