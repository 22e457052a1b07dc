import { ColumnError, UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import { frameFromColumns, frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../frame/tabular/columns-of.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, numericVector, type Tabular, vectorsOf } from '../frame/tabular/tabular.js';
import { doublesOf } from '../frame/vector/plain-vector.js';
import type { Cell } from '../frame/vector/vector.js';
import { concatRows } from '../frame/verbs/concat-rows.js';
import { entriesOf, PAID, PART, type PositionResult } from './position-entries.js';
import { measureGroups } from './records/by-group.js';
import { stepAbove, stepBelow } from './records/dollar-steps.js';
import { type KeyCells, type Keys, namesOf, refuseUnknownKeys } from './records/grouped-rows.js';
import { frameBeside, matchingKeys } from './records/trade-rows.js';
import { ratioInterval } from './statistics/ratio-interval.js';
import { refuseConfidence } from './statistics/wilson-interval.js';

/** Options of {@link pnlBy}: the groups, and the results of the trades. */
export interface PnlByOptions<By extends string> {
  /**
   * `hour`, `weekday`, `day`, `week` or `month` of the entry, `price` or `size` for bands of them, or a column such as
   * `outcome`, `category` or, where your trades have it, `role` (maker, taker); or a list of them.
   */
  readonly by: Keys<By>;
  /**
   * Positions of the same wallets (`lab.positions()`): needs `proxy_wallet`, `condition_id`, `token_id` or `outcome`,
   * `realized`, `shares` and `opened`.
   */
  readonly positions: Tabular;
  /** Number of bands of equal width into which prices are divided, from 1 to 100. Default 10. */
  readonly bands?: number;
  /** Confidence of the intervals of returns, in (0, 1). Default 0.95. */
  readonly confidence?: number;
}

/** Keys that are missing in the row of what no buy explains; of numbers that is NaN. */
type OrMissing<Keys> = { [Key in keyof Keys]: Keys[Key] extends number ? Keys[Key] : Keys[Key] | null };

/** The keys of a row of {@link pnlBy}: bands have two ends. */
export type PnlByKeys<By extends string> = OrMissing<KeyCells<Exclude<By, 'price' | 'size'>>> &
  ('price' extends By ? { price_from: number; price_to: number } : object) &
  ('size' extends By ? { usd_from: number; usd_to: number } : object);

/** A row of {@link pnlBy}: what the entries of a group made. */
export type PnlByEntryRecord<By extends string> = PnlByKeys<By> & {
  pnl: number;
  usd: number;
  roi: number;
  low: number;
  high: number;
  entries: number;
  markets: number;
} & ('proxy_wallet' extends By ? { note: string | null } : object);

const COLUMNS: readonly Column[] = [
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Realized profit and loss of the entries.' },
  { name: 'usd', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Dollars paid for the entries.' },
  { name: 'roi', dtype: 'float64', fraction: true, nullable: true, meaning: 'pnl / usd, as a fraction: 0.1 is 10%.' },
  {
    name: 'low',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Lower end of its interval, over five or more markets.',
  },
  {
    name: 'high',
    dtype: 'float64',
    fraction: true,
    nullable: true,
    meaning: 'Upper end of its interval, over five or more markets.',
  },
  { name: 'entries', dtype: 'int32', unit: 'fills', nullable: false, meaning: 'Buys of the group.' },
  { name: 'markets', dtype: 'int32', unit: 'markets', nullable: false, meaning: 'Their markets.' },
];

/**
 * Where the profit comes from: realized profit and loss by hour, weekday, price, size, outcome or any other property of
 * the entries, the buys.
 *
 * A position's result is divided among the buys that it was made of. Each of its shares brought the same, whoever it was
 * bought from and when, and each cost what its own buy paid: with S shares bought for C dollars in all, a buy of s shares
 * for u dollars gets realized · s / S + f · (C · s / S − u), f being the part of the shares that the wallet no longer
 * holds. The parts add up to the position's realized profit and loss. So a share bought at 20 cents made 60 cents more
 * than one of the same position bought at 80. Sells have no row of their own: they are how an entry ended.
 *
 * roi = Σ pnl / Σ usd, with an interval over markets, as bets on one market are won or lost together.
 *
 * @param frame Trades (dataset 556): needs `proxy_wallet`, `condition_id`, `token_id` or `outcome`, `side`, `price`,
 * `size` and `timestamp`; `usd` counts where it is there, fees included, else price · size. A trade's position is that of
 * its token or, where there are no tokens, of its outcome's label.
 * @param options.by The groups. `price` has bands of equal width, a price on an edge in the upper one; `size` has bands
 * of dollars that begin at 1, 2 and 5 · 10ᵏ. `role` needs a column of that name: dataset 556 does not say who made a
 * price and who took it.
 * @param options.positions Positions of the same wallets. Those that no buy explains, such as those from splits, have a
 * last row of their own, with missing keys and no entries, so that the rows add up to all realized. So have those that
 * lost more than their buys paid, or won more than a dollar a share, or were opened before the first of their buys, with
 * their buys: others that are not among the trades made them. Give the trades from the wallet's first on.
 * @param options.bands Number of price bands, from 1 to 100. Default 10.
 * @param options.confidence Confidence of the intervals, in (0, 1). Default 0.95.
 * @returns A row for each group: times and bands in order, others by profit, the greatest first; last the row of what no
 * buy explains. Returns are NaN where
 * nothing was paid, intervals for fewer than five markets, too few to tell, or where all of them returned the same. Buys
 * without a position, or without a value that is needed, are left out: a warning counts them.
 * @throws {ColumnError} If a column is missing or of the wrong kind, an amount negative or infinite, or a time cannot be
 * read.
 * @throws {UsageError} If an option is unknown or out of range, `by` is `side`, since every entry is a buy, or no
 * position is of a wallet that traded.
 * @see Cochran (1977), Sampling techniques, for the interval of a ratio.
 * @example pnlBy(trades, { by: 'hour', positions }); // hour, pnl, usd, roi, low, high, entries, markets
 */
export function pnlBy<const By extends string>(
  frame: Tabular,
  options: PnlByOptions<By>,
): DataFrame<PnlByEntryRecord<By>> {
  knownOptions('pnlBy', options ?? {}, ['by', 'positions', 'bands', 'confidence']);
  const { by, bands = 10, confidence = 0.95 }: Partial<PnlByOptions<By>> = options ?? {};
  columnNames(frame);
  const positions = frameBeside('pnlBy', 'positions', options?.positions, "{ by: 'hour', positions }");
  if (by === undefined) throw new UsageError("pnlBy needs groups: pnlBy(trades, { by: 'hour', positions }).");
  refuseConfidence(confidence);
  if (!Number.isInteger(bands) || bands < 1 || bands > 100)
    throw new UsageError(`bands of pnlBy must be a whole number from 1 to 100; got ${shownNumber(bands)}.`);
  const names = namesOf<string>(by);
  refuseSides(frame, names);
  refuseUnknownKeys('pnlBy', frame, names, Object.keys(BANDS));
  const { bought, others } = entriesOf(frame, positions);
  const entries = withBands(bought, names, bands);
  const keys = names.flatMap((name) => BANDS[name] ?? [name]);
  const inOrder = names.some((name) => name in BANDS) || undefined;
  const measured = (rows: Tabular) => resultOf(rows, confidence);
  const rows = measureGroups<PnlByEntryRecord<By>>('pnlBy', entries, keys, COLUMNS, measured, 'timestamp', inOrder);
  return others.length === 0 ? rows : (concatRows(rows, unexplained(rows, others)) as typeof rows);
}

const BANDS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  price: ['price_from', 'price_to'],
  size: ['usd_from', 'usd_to'],
};

function refuseSides(frame: Tabular, names: readonly string[]): void {
  if (names.includes('side')) {
    throw new UsageError(
      "pnlBy divides results among entries, which are all buys: by: 'outcome' tells Yes from No, closingLineValue buys from sells.",
    );
  }
  if (names.includes('role') && !columnNames(frame).includes('role')) {
    throw new ColumnError(
      'The trades have no column "role", and dataset 556 does not say who made a price and who took it. Where you know it, add the column, with maker or taker.',
    );
  }
}

/** The row of positions that no buy explains, whose keys are missing. */
function unexplained<Row extends object>(rows: DataFrame<Row>, others: readonly PositionResult[]): DataFrame<Row> {
  const figures: Readonly<Record<string, Cell>> = {
    pnl: others.reduce((sum, { realized }) => sum + realized, 0),
    usd: 0,
    roi: Number.NaN,
    low: Number.NaN,
    high: Number.NaN,
    entries: 0,
    markets: new Set(others.map(({ market }) => market)).size,
  };
  const isNumber = ({ dtype }: Column) => dtype === 'float64' || dtype === 'int32';
  const columns = columnsOf(rows).map((column) => (column.name in figures ? column : { ...column, nullable: true }));
  return frameFromColumns<Row>(
    columns,
    columns.map((column) => [figures[column.name] ?? (isNumber(column) ? Number.NaN : null)]),
  );
}

/** Adds the ends of the bands that rows are grouped by. */
function withBands(entries: DataFrame, names: readonly string[], bands: number): DataFrame {
  const added: { column: Column; values: Float64Array }[] = [];
  const band = (name: string, meaning: string, values: Float64Array) =>
    added.push({ column: { name, dtype: 'float64', unit: 'USD', nullable: true, meaning }, values });
  if (names.includes('price')) {
    const price = doublesOf(numericVector(entries, 'price'));
    // Computed as 1 − 0.8, a price of 0.2 is a bit below 0.2, but of the upper band.
    const at = price.map((each) => Math.min(bands - 1, Math.floor(each * bands + 1e-9)));
    band(
      'price_from',
      'Least price of the band, itself in it.',
      at.map((each) => each / bands),
    );
    band(
      'price_to',
      'Where the next band begins; the last one has 1 in it.',
      at.map((each) => (each + 1) / bands),
    );
  }
  if (names.includes('size')) {
    const usd = doublesOf(numericVector(entries, PAID)).map((each) => (each > 0 ? each : Number.NaN));
    band(
      'usd_from',
      'Least dollars of an entry of the band.',
      usd.map((each) => stepBelow(each)),
    );
    band(
      'usd_to',
      'Where the next band begins.',
      usd.map((each) => stepAbove(each)),
    );
  }
  if (added.length === 0) return entries;
  return frameFromVectors(
    [...columnsOf(entries), ...added.map(({ column }) => column)],
    [...vectorsOf(entries), ...added.map(({ values }) => ({ kind: 'number', values }) as const)],
    entries,
  );
}

/** What the entries of a group made. */
function resultOf(entries: Tabular, confidence: number) {
  const [parts, paid] = [PART, PAID].map((name) => doublesOf(numericVector(entries, name))) as [
    Float64Array,
    Float64Array,
  ];
  const markets = new Map<string | null, { pnl: number; usd: number }>();
  let [pnl, usd, count] = [0, 0, 0];
  for (const [row, id] of matchingKeys(entries, ['condition_id']).entries()) {
    const market = markets.get(id) ?? { pnl: 0, usd: 0 };
    market.pnl += parts[row] as number;
    market.usd += paid[row] as number;
    markets.set(id, market);
    pnl += parts[row] as number;
    usd += paid[row] as number;
    count += (paid[row] as number) > 0 ? 1 : 0;
  }
  const clusters = [...markets.values()];
  const interval = ratioInterval(
    clusters.map((market) => market.pnl),
    clusters.map((market) => market.usd),
    confidence,
  );
  return { pnl, usd, roi: usd > 0 ? pnl / usd : Number.NaN, ...interval, entries: count, markets: clusters.length };
}
