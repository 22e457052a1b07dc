import { MICRO } from '../base/decimal.js';
import { knownOptions } from '../base/nearest.js';
import type { Column } from '../contract/definition.js';
import { DAY_SECONDS, isoOfSeconds } from '../contract/time.js';
import { frameFromVectors, vectorsOfArrays } from '../frame/danfo/frame-from-vectors.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import type { Vector } from '../frame/vector/vector.js';
import { type ByOption, type GroupRecord, measureGroups, tablesOfGroups, type Ungrouped } from './records/by-group.js';
import type { KeyCells, Keys } from './records/grouped-rows.js';
import { type Fall, fallsOf, type PnlCurve, pnlCurve } from './records/pnl-curve.js';
import { formatRatio, formatUsd, shownResult } from './shown-result.js';

/** The deepest fall of cumulative PnL. */
export interface Drawdown {
  /** From the highest point to the lowest point after it, in USD; 0 if it never fell. */
  readonly depth: number;
  /** Date of the highest point; null if that is the starting 0, or if it never fell. */
  readonly from: string | null;
  /** Date of the lowest point; null if it never fell. */
  readonly to: string | null;
  /** Date on which the highest point was reached again; null if it has not been, or if it never fell. */
  readonly recovered: string | null;
}

/**
 * Maximum drawdown, in dollars: the deepest fall of cumulative realized PnL below its highest point so far. The
 * starting 0 counts as a point, so a wallet that only loses is in drawdown from the start.
 *
 * depth = max over t of (max over s ≤ t of cumulative_pnl(s), at least 0) − cumulative_pnl(t).
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date; rows without
 * a `pnl` are left out. The shorter the buckets, the more falls are seen: a month hides a fall that recovered within
 * it.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns The deepest fall, the first of several equal ones: exact to the micro-dollar as long as no amount is beyond
 * ±2 billion dollars (2⁵¹ micro-dollars). The depth is NaN where no row has a `pnl`.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are of the
 * whole time (`granularity: 'all'`).
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @example drawdown(pnl); // { depth: 120, from: '2026-01-05T00:00:00Z', to: '2026-01-09T00:00:00Z', recovered: null }
 */
export function drawdown(frame: Tabular, options?: Ungrouped): Drawdown;
export function drawdown<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<GroupRecord<By, Drawdown>>;
export function drawdown(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('drawdown', options, ['by']);
  if (options.by !== undefined)
    return measureGroups('drawdown', frame, options.by, DEEPEST_COLUMNS, (rows) => drawdown(rows));
  const { times, micros } = pnlCurve(frame);
  const deepest = fallsOf({ micros }).reduce(deeper, { depth: 0, from: -1, to: -1, recovered: -1 });
  const dateAt = (place: number) => (place < 0 ? null : isoOfSeconds((times[place] as number) / 1000));
  const result = {
    depth: micros.length === 0 ? Number.NaN : deepest.depth / MICRO,
    from: dateAt(deepest.from),
    to: dateAt(deepest.to),
    recovered: dateAt(deepest.recovered),
  };
  return shownResult(result, frame, linesOf(result));
}

function deeper(deepest: Fall, fall: Fall): Fall {
  return fall.depth > deepest.depth ? fall : deepest;
}

function linesOf({ depth, from, to, recovered }: Drawdown): [string, string][] {
  const lines: [string, string][] = [['Maximum drawdown', formatUsd(depth)]];
  if (to === null) return lines;
  const day = (date: string) => date.slice(0, 10);
  lines.push(['From', from === null ? 'the start' : day(from)], ['To', day(to)]);
  return [...lines, ['Recovered', recovered === null ? 'not yet' : day(recovered)]];
}

const DATE = { dtype: 'datetime', nullable: true } as const;

const DEEPEST_COLUMNS: readonly Column[] = [
  { name: 'depth', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'The deepest fall of cumulative PnL.' },
  { name: 'from', ...DATE, meaning: 'Date of the highest point; missing where that is the starting 0.' },
  { name: 'to', ...DATE, meaning: 'Date of the lowest point; missing where it never fell.' },
  { name: 'recovered', ...DATE, meaning: 'Date on which the highest point was reached again, if it was.' },
];

const RECOVERY_COLUMNS: readonly Column[] = [
  { name: 'recovery_factor', dtype: 'float64', nullable: true, meaning: 'pnl / drawdown.' },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Net realized profit and loss.' },
  { name: 'drawdown', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Maximum drawdown.' },
];

/** A row of {@link drawdowns}: one fall of cumulative PnL. */
export interface DrawdownRecord {
  depth: number;
  from: string | null;
  to: string;
  recovered: string | null;
  days: number;
}

const COLUMNS = [
  {
    name: 'depth',
    dtype: 'float64',
    unit: 'USD',
    nullable: false,
    meaning: 'From the highest point before to the lowest.',
  },
  {
    name: 'from',
    dtype: 'datetime',
    nullable: true,
    meaning: 'Date of the highest point; missing where that is the starting 0.',
  },
  { name: 'to', dtype: 'datetime', nullable: false, meaning: 'Date of the lowest point.' },
  {
    name: 'recovered',
    dtype: 'datetime',
    nullable: true,
    meaning: 'Date on which the highest point was reached again; missing where it has not been.',
  },
  {
    name: 'days',
    dtype: 'float64',
    unit: 'days',
    nullable: false,
    meaning: 'From the highest point, or from the first date, until it was reached again, or to the last date.',
  },
] as const satisfies readonly Column[];

/**
 * Every drawdown: each fall of cumulative realized PnL below its highest point so far, until that point was reached
 * again. The starting 0 counts as a point. The depth of the first row is the maximum drawdown.
 *
 * depth = highest cumulative_pnl before − lowest cumulative_pnl within the fall, as {@link drawdown} defines it.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date; rows without
 * a `pnl` are left out. The shorter the buckets, the more falls are seen.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * the falls of each group, its keys first. Default: all rows together.
 * @returns A row for each fall, the deepest first, and the earlier of equal ones first; depths in USD, exact to the
 * micro-dollar as long as no amount is beyond ±2 billion dollars (2⁵¹ micro-dollars). No rows for a frame without rows,
 * or if cumulative PnL never fell.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are of the
 * whole time (`granularity: 'all'`).
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @example drawdowns(pnl).head(3); // depth, from, to, recovered, days
 */
export function drawdowns<const By extends string = never>(
  frame: Tabular,
  options: { by?: Keys<By> } = {},
): DataFrame<KeyCells<By> & DrawdownRecord> {
  knownOptions('drawdowns', options, ['by']);
  const { by } = options;
  if (by !== undefined) return tablesOfGroups('drawdowns', frame, by, COLUMNS, fallVectors);
  return frameFromVectors<KeyCells<By> & DrawdownRecord>(COLUMNS, fallVectors(frame), frame);
}

function fallVectors(frame: Tabular): Vector[] {
  const curve = pnlCurve(frame);
  const falls = fallsOf(curve).sort((a, b) => b.depth - a.depth);
  const dateAt = (place: number) => (place < 0 ? null : isoOfSeconds((curve.times[place] as number) / 1000));
  return vectorsOfArrays(COLUMNS, [
    falls.map(({ depth }) => depth / MICRO),
    falls.map(({ from }) => dateAt(from)),
    falls.map(({ to }) => dateAt(to)),
    falls.map(({ recovered }) => dateAt(recovered)),
    falls.map((fall) => daysOf(fall, curve)),
  ]);
}

function daysOf({ from, recovered }: Fall, { times }: PnlCurve): number {
  const start = times[Math.max(from, 0)] as number;
  const end = times[recovered < 0 ? times.length - 1 : recovered] as number;
  return (end - start) / 1000 / DAY_SECONDS;
}

/** A recovery factor and what it is computed from. */
export interface RecoveryFactor {
  /** pnl / drawdown; negative if money was lost. */
  readonly recoveryFactor: number;
  /** Net realized profit and loss, in USD. */
  readonly pnl: number;
  /** Maximum drawdown, in USD. */
  readonly drawdown: number;
}

/**
 * Recovery factor: net profit for each dollar of the deepest fall on the way, Σ pnl / maximum drawdown, both in
 * dollars.
 *
 * quantstats divides by the relative drawdown of compounded returns and drops the sign of the profit; this one needs no
 * capital and distinguishes a loss from a gain.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`. Several wallets are pooled, date by date; rows without
 * a `pnl` are left out. The shorter the buckets, the more falls are seen.
 * @param options.by A column such as `proxy_wallet`, `day`, `week`, `month` or `weekday` of `date`, or a list of them:
 * one row for each group, its figures as columns. Default: all rows together.
 * @returns The ratio, and the dollars behind it. The ratio is NaN if cumulative PnL never fell; it and the drawdown
 * are NaN where no row has a `pnl`.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are of the
 * whole time (`granularity: 'all'`).
 * @throws {UsageError} If an option is unknown, or `by` names a column of the result.
 * @example recoveryFactor(pnl); // { recoveryFactor: 2.5, pnl: 1000, drawdown: 400 }
 */
export function recoveryFactor(frame: Tabular, options?: Ungrouped): RecoveryFactor;
export function recoveryFactor<const By extends string>(
  frame: Tabular,
  options: ByOption<By>,
): DataFrame<GroupRecord<By, RecoveryFactor>>;
export function recoveryFactor(frame: Tabular, options: { by?: Keys | undefined } = {}): object {
  knownOptions('recoveryFactor', options, ['by']);
  if (options.by !== undefined)
    return measureGroups('recoveryFactor', frame, options.by, RECOVERY_COLUMNS, (rows) => recoveryFactor(rows));
  const curve = pnlCurve(frame);
  const pnl = curve.micros.reduce((total, micros) => total + micros, 0) / MICRO;
  const deepest = fallsOf(curve).reduce((most, { depth }) => Math.max(most, depth), 0);
  const drawdown = curve.micros.length === 0 ? Number.NaN : deepest / MICRO;
  const result = { recoveryFactor: drawdown > 0 ? pnl / drawdown : Number.NaN, pnl, drawdown };
  return shownResult(result, frame, [
    ['Recovery factor', formatRatio(result.recoveryFactor)],
    ['Realized PnL', formatUsd(pnl)],
    ['Maximum drawdown', formatUsd(drawdown)],
  ]);
}
