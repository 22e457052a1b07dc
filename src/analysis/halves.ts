import { UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { shownNumber } from '../base/option-types.js';
import type { Column } from '../contract/definition.js';
import { DAY_MS, dateOfDay } from '../contract/time.js';
import { frameFromColumns, frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, rowCount, type Tabular, vectorsOf } from '../frame/tabular/tabular.js';
import { takeVector } from '../frame/vector/take-vector.js';
import { type MeasureName, numberMeasure } from './named-measure.js';
import { dayGiven, rangeOf } from './records/asked-range.js';
import {
  byKey,
  type GroupedRows,
  groupedRows,
  groupedTogether,
  type KeyCells,
  type Keys,
  refuseOwnColumn,
  withOneKey,
} from './records/grouped-rows.js';
import { distinctMoments } from './records/moments.js';
import { noteOfRecords } from './records/record-faults.js';
import { formatPercent, formatRatio, shownResult } from './shown-result.js';
import { rankCorrelation } from './statistics/rank-correlation.js';
import { refuseConfidence } from './statistics/wilson-interval.js';
import { countsOf } from './win-rate.js';

/** Options of {@link halves}: who is compared, by what, and where time is cut. */
export interface HalvesOptions<By extends string> {
  /** The column that identifies who is compared, or a list of columns. Default `proxy_wallet`. */
  readonly by?: Keys<By>;
  /**
   * What is compared: `roi`, `winRate`, `pnl`, or a function that computes a number from the rows of one wallet and half.
   * Default `roi`.
   */
  readonly measure?: MeasureName | ((rows: Tabular) => number);
  /** First day of the second half, as `2026-01-15` or a `Date`. Default: the middle of the days of the records. */
  readonly at?: string | Date;
  /** Closing events that a wallet needs in each half to be compared, from 0 on. Default 10. */
  readonly minDecided?: number;
  /** Confidence of the interval, in (0, 1). Default 0.95. */
  readonly confidence?: number;
}

/** A wallet in both halves, as {@link halves} compares them. */
export type HalfRecord<By extends string> = KeyCells<By> & {
  first: number;
  second: number;
  first_decided: number;
  second_decided: number;
};

/** How the first half of many records agrees with the second. */
export interface Halves<By extends string = 'proxy_wallet'> {
  /** Spearman's rank correlation of the two halves, in [−1, 1]: 0 is what luck alone gives. */
  readonly correlation: number;
  /** Lower end of its interval. */
  readonly low: number;
  /** Upper end of its interval. */
  readonly high: number;
  /** Wallets that are compared. */
  readonly wallets: number;
  /** Wallets that have too few closing events in one of the halves, or no measure. */
  readonly leftOut: number;
  /** First day of the second half, such as `2026-01-15`; null without a record. */
  readonly at: string | null;
  readonly confidence: number;
  /** What the records behind it lack; null if nothing is known to be missing. */
  readonly note: string | null;
  /** The wallets that are compared, the best of the first half first. */
  readonly pairs: DataFrame<HalfRecord<By>>;
}

const COLUMNS = [
  { name: 'first', dtype: 'float64', nullable: false, meaning: 'The measure in the first half.' },
  { name: 'second', dtype: 'float64', nullable: false, meaning: 'The measure in the second half.' },
  {
    name: 'first_decided',
    dtype: 'int32',
    unit: 'closing events',
    nullable: true,
    meaning: 'Those of the first half.',
  },
  {
    name: 'second_decided',
    dtype: 'int32',
    unit: 'closing events',
    nullable: true,
    meaning: 'Those of the second half.',
  },
] as const satisfies readonly Column[];

/**
 * Skill or luck: whether those who did well in the first half of the time also did well in the second. Luck does not
 * last, so that by luck alone the ranks of the two halves have nothing to do with each other.
 *
 * Spearman's rank correlation ρ of the measure of each wallet before `at` with that from `at` on; its interval is
 * tanh(artanh(ρ) ± z · √((1 + ρ²/2) / (n − 3))) for n wallets.
 *
 * An interval that holds 0 does not prove luck: of few wallets it is wide. And a correlation is not skill alone, as
 * wallets of one owner, or that bet on the same markets, do well together. Records hold what was realized: a bet of the
 * first half may count in the second.
 *
 * @param frame PnL records of many wallets: needs `date`, `wins`, `losses` and, for `roi` and `pnl`, `pnl`; for `roi`
 * also `invested`. A bucket longer than a day counts in the half in which it begins.
 * @param options.by The column that identifies who is compared, or a list of columns. Default `proxy_wallet`.
 * @param options.measure `roi`, `winRate`, `pnl`, or a function of the rows of a wallet and half. Default `roi`.
 * @param options.at First day of the second half. Default: the middle of the days that the query asked for, or that have
 * records.
 * @param options.minDecided Closing events that a wallet needs in each half: with few of them a ratio is chance. Default
 * 10. With 0 the frame need not have `wins` and `losses`; their counts are missing then.
 * @param options.confidence Confidence of the interval, in (0, 1). Default 0.95.
 * @returns The correlation, its interval, and `pairs`, the wallets behind it. The correlation is NaN for fewer than two
 * wallets, and the interval for fewer than four, or where the ranks agree altogether.
 * @throws {ColumnError} If a column is missing, not numeric, infinite, or negative where it must not be, or a date cannot
 * be read.
 * @throws {UsageError} If an option is unknown or out of range.
 * @see Spearman (1904), The proof and measurement of association between two things; Bonett and Wright (2000), Sample
 * size requirements for estimating Pearson, Kendall and Spearman correlations; agrees with pandas, `Series.corr(…,
 * method='spearman')`.
 * @example halves(pnl); // { correlation: 0.31, low: 0.12, high: 0.48, wallets: 96, leftOut: 404, at: '2026-03-01', … }
 */
export function halves<const By extends string = 'proxy_wallet'>(
  frame: Tabular,
  options: HalvesOptions<By> = {},
): Halves<By> {
  knownOptions('halves', options, ['by', 'measure', 'at', 'minDecided', 'confidence']);
  const { by = 'proxy_wallet' as By, measure = 'roi', at, minDecided = 10, confidence = 0.95 } = options;
  refuseConfidence(confidence);
  refuseOwnColumn('halves', by, COLUMNS);
  if (!Number.isInteger(minDecided) || minDecided < 0)
    throw new UsageError(
      `minDecided of halves must be a whole number from 0 on, such as 10; got ${shownNumber(minDecided)}.`,
    );
  const { of: measureOf, ofGroups, kind } = numberMeasure('halves', measure);
  const cut = at === undefined ? middleOf(frame) : dayGiven('halves', 'at', at);
  // All rows first: what is wrong in one is told by its place in the frame.
  if (rowCount(frame) > 0) measureOf(frame);
  const who = groupedRows(frame, by);
  const { pairs, wallets } = pairsOf(frame, who, cut, ofGroups, minDecided);
  const first = pairs.map((pair) => pair.first);
  const second = pairs.map((pair) => pair.second);
  const result = {
    ...rankCorrelation(first, second, confidence),
    wallets: pairs.length,
    leftOut: wallets - pairs.length,
    at: cut === undefined ? null : dateOfDay(cut),
    confidence,
    note: noteOfRecords(frame),
    pairs: pairFrame<By>(frame, who, pairs, kind),
  };
  return shownResult(result, frame, linesOf(result, minDecided));
}

/** The first day of the second half; undefined without a record. */
function middleOf(frame: Tabular): number | undefined {
  const { times } = distinctMoments(frame, 'date');
  const asked = rangeOf('halves', frame, {});
  const [least, most] = [times[0], times.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  const first = Math.min(asked.first ?? Number.POSITIVE_INFINITY, Math.floor(least / DAY_MS));
  const last = Math.max(asked.last ?? Number.NEGATIVE_INFINITY, Math.floor(most / DAY_MS));
  return first + Math.ceil((last - first + 1) / 2);
}

/** One group in both halves. */
interface Pair {
  readonly group: number;
  readonly first: number;
  readonly second: number;
  readonly decided: readonly [number, number];
}

function pairsOf(
  frame: Tabular,
  who: GroupedRows,
  cut: number | undefined,
  measureOf: ReturnType<typeof numberMeasure>['ofGroups'],
  minDecided: number,
): { pairs: Pair[]; wallets: number } {
  const { times, placeOf } = distinctMoments(frame, 'date');
  const halfOf = Uint32Array.from(placeOf, (place) => ((times[place] as number) < (cut ?? 0) * DAY_MS ? 0 : 1));
  const key: Column = { name: 'half', dtype: 'int32', nullable: false, meaning: '' };
  const inHalves = withOneKey({
    key,
    keys: { kind: 'number', values: Float64Array.of(0, 1) },
    groups: 2,
    groupOf: halfOf,
  });
  const numbers = withOneKey({
    key,
    keys: { kind: 'number', values: Float64Array.from({ length: who.groups }, (_, group) => group) },
    groups: who.groups,
    groupOf: who.groupOf,
  });
  const both = groupedTogether(frame, [numbers, inHalves]);
  const columns = columnNames(frame);
  // Where nothing need be decided, a frame need not say what was.
  const countsDecided = minDecided > 0 || (columns.includes('wins') && columns.includes('losses'));
  const decidedOf = countsDecided ? countsOf(frame, both).decided : undefined;
  const found = new Map<number, [first?: number, second?: number]>();
  for (let group = 0; group < both.groups; group += 1) {
    const [whose, half] = both.all.map(({ vector }) => Number(vector.kind === 'number' ? vector.values[group] : 0));
    const of = found.get(whose as number) ?? [];
    of[half as number] = group;
    found.set(whose as number, of);
  }
  const decidedIn = (group: number) => decidedOf?.[group] ?? Number.NaN;
  const whole = [...found].flatMap(([group, [first, second]]) => {
    if (first === undefined || second === undefined) return [];
    const decided = [decidedIn(first), decidedIn(second)] as const;
    return Math.min(decided[0], decided[1]) < minDecided ? [] : [{ group, first, second, decided }];
  });
  const wanted = new Set(whole.flatMap(({ first, second }) => [first, second]));
  const measured = measureOf(frame, both, (group) => wanted.has(group));
  const pairs = whole
    .map((pair) => ({ ...pair, first: itemAt(measured, pair.first), second: itemAt(measured, pair.second) }))
    .filter(({ first, second }) => !Number.isNaN(first) && !Number.isNaN(second));
  return { pairs, wallets: found.size };
}

function pairFrame<By extends string>(
  frame: Tabular,
  who: GroupedRows,
  pairs: readonly Pair[],
  kind: Pick<Column, 'unit' | 'fraction'>,
): DataFrame<HalfRecord<By>> {
  const columns = COLUMNS.map((column, at) => (at < 2 ? { ...column, ...kind } : column));
  const ties = byKey(who);
  const sorted = pairs.toSorted((a, b) => b.first - a.first || ties(a.group, b.group));
  const groups = Uint32Array.from(sorted, ({ group }) => group);
  const figures = frameFromColumns(columns, [
    sorted.map(({ first }) => first),
    sorted.map(({ second }) => second),
    sorted.map(({ decided }) => decided[0]),
    sorted.map(({ decided }) => decided[1]),
  ]);
  return frameFromVectors<HalfRecord<By>>(
    [...who.all.map(({ column }) => column), ...columns],
    [...who.all.map(({ vector }) => takeVector(vector, groups)), ...vectorsOf(figures)],
    frame,
  );
}

function linesOf(result: Omit<Halves<never>, 'pairs'>, minDecided: number): [string, string][] {
  const { correlation, low, high, wallets, leftOut, at, confidence } = result;
  const least = minDecided > 0 ? ` with ${minDecided} or more closing events in each half` : '';
  return [
    ['Rank correlation', formatRatio(correlation)],
    [`${formatPercent(confidence, 0)} interval`, `${formatRatio(low)} to ${formatRatio(high)}`],
    ['Wallets', `${wallets.toLocaleString('en-US')}${least}; ${leftOut.toLocaleString('en-US')} left out`],
    ['Second half', at === null ? 'none' : `from ${at}`],
    ['Says', verdictOf(low, high)],
  ];
}

function verdictOf(low: number, high: number): string {
  if (Number.isNaN(low)) return 'too few wallets to tell';
  if (low > 0) return 'who did well in the first half did well in the second, more than by chance';
  if (high < 0) return 'who did well in the first half did badly in the second, more than by chance';
  return 'no more than chance gives: the interval holds 0';
}
