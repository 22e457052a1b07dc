import type { BootstrapInterval } from '../analysis/bootstrap-interval.js';
import { type CumulativePnlRecord, cumulativePnl } from '../analysis/cumulative-pnl.js';
import { type Drawdown, drawdown } from '../analysis/drawdowns.js';
import { completeNumbers } from '../analysis/records/complete-numbers.js';
import { parseIso } from '../analysis/records/moments.js';
import { refuseCoarser } from '../analysis/records/record-granularity.js';
import { hasEarlierStakes, type Roi, type RoiRecord, roiBy } from '../analysis/roi.js';
import { type WinRate, type WinRateRecord, winRate, winRateBy } from '../analysis/win-rate.js';
import { faultsOf, notesOf } from '../contract/completeness-words.js';
import { bucketStart, DAY_MS, isoOfSeconds } from '../contract/time.js';
import { frameFromColumns } from '../frame/danfo/frame-from-vectors.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import { completenessOf } from '../frame/tabular/completeness.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { filterRows } from '../frame/verbs/filter-rows.js';
import { type Claim, claimOf, type DatedWeek } from './beyond-chance.js';
import {
  drawnInterval,
  LEAST_WEEKS,
  roiInterval,
  roiMeasure,
  soundRoi,
  type WeekSums,
  winRateInterval,
} from './drawn-interval.js';

/** A bar of a period: a month, or a year of very long records. */
export interface PeriodFigures {
  /** `2026-01`, or `2026`. */
  readonly period: string;
  readonly pnl: number;
  readonly invested: number;
  readonly roi: number;
  readonly wins: number;
  readonly losses: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** One half of a record. */
export interface Half {
  /** Its first day: the Monday of its first week, or the first day of the record. */
  readonly from: string;
  /** Its last day: the Sunday of its last week, or the last day of the record. */
  readonly to: string;
  readonly weeks: number;
  readonly roi: Roi;
  readonly interval: BootstrapInterval;
  readonly claim: Claim;
  readonly winRate: WinRate;
}

/** A record in two halves, with as many weeks that have an event in each. */
export interface Halves {
  readonly first: Half;
  readonly second: Half;
  /** ROI of the second half less that of the first, and the interval that comes from drawing weeks. */
  readonly change: BootstrapInterval;
}

/** All that a sheet says of one wallet's days. Rates and returns are fractions, amounts USD, intervals NaN if unknown. */
export interface WalletFigures {
  readonly wallet: string;
  /** Undefined if the source does not say whether it knows the wallet. */
  readonly isSeen: boolean | undefined;
  readonly incomeOnly: boolean;
  /** Whether events of it are of a simulated market. */
  readonly isSimulated: boolean;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
  /** Closed markets without a known result of which it still holds shares. */
  readonly undecided: number;
  /** Up to when the record was fetched, or else its last event, as far as the source tells. */
  readonly until: string | undefined;
  readonly days: number;
  readonly weeks: number;
  readonly first: string;
  readonly last: string;
  readonly roi: Roi;
  /** Records that have a profit, but do not say what was invested: the ROI leaves them out. */
  readonly unstated: number;
  /** By drawing weeks: what was traded in one week is not independent of each other. */
  readonly roiInterval: BootstrapInterval;
  /** Whether the ROI is beyond chance. */
  readonly claim: Claim;
  /** The weeks that have an event. */
  readonly weekly: readonly DatedWeek[];
  readonly winRate: WinRate;
  readonly winRateInterval: BootstrapInterval;
  readonly drawdown: Drawdown;
  readonly curve: readonly CumulativePnlRecord[];
  readonly periods: readonly PeriodFigures[];
  readonly periodName: 'month' | 'year';
  readonly halves: Halves | undefined;
}

/** Whether a record has days, but nothing on them was closed: then there are no results to show. */
export function isUndecided({ days, winRate, roi }: WalletFigures): boolean {
  return days > 0 && winRate.decided === 0 && roi.pnl === 0;
}

/** The most months shown; years beyond. */
const MOST_MONTHS = 60;

/** A week, and the profit of all its rows: `pnl` and `invested` are of those that have both, as its ROI is. */
type Week = RoiRecord<'week'> & WinRateRecord<'week'> & { readonly realized: number };

/**
 * Measures one wallet's days.
 *
 * @param pnl Daily PnL records, of other wallets too.
 * @throws {ColumnError} If a column is missing or wrong, or the records are coarser than days.
 */
export function walletFigures(pnl: Tabular, wallet: string, confidence: number): WalletFigures {
  refuseCoarser(pnl, '1d');
  const own = rowsOfWallet(pnl, wallet);
  const curve = recordsOf(cumulativePnl(own)) as unknown as CumulativePnlRecord[];
  const weeks = weeksOf(own, curve);
  const record = completenessOf(pnl).find((known) => known.wallet === wallet);
  const months = periodsOf(own, curve, confidence);
  const ofRoi = roiInterval(weeks, confidence);
  const isLong = months.length > MOST_MONTHS;
  return {
    wallet,
    isSeen: record?.seen,
    incomeOnly: record?.income_only ?? false,
    isSimulated: record?.simulated ?? false,
    faults: record ? faultsOf(record) : [],
    notes: record ? notesOf(record) : [],
    undecided: record?.undecided_markets ?? 0,
    until: record?.fetched_until ?? record?.last,
    days: curve.length,
    weeks: weeks.length,
    first: curve[0]?.date ?? '',
    last: curve.at(-1)?.date ?? '',
    roi: soundRoi(own),
    unstated: completeNumbers(own, ['pnl']).rows.length - completeNumbers(own, ['pnl', 'invested']).rows.length,
    roiInterval: ofRoi,
    claim: claimOf(weeks, ofRoi),
    weekly: weeks as unknown as DatedWeek[],
    winRate: winRate(own, { confidence }),
    winRateInterval: winRateInterval(weeks, confidence),
    drawdown: drawdown(own),
    curve,
    periods: isLong ? yearsOf(months, confidence) : months,
    periodName: isLong ? 'year' : 'month',
    halves: halvesOf(weeks, [curve[0]?.date ?? '', curve.at(-1)?.date ?? ''], confidence),
  };
}

/** The rows of a wallet; the column may be in upper or lower case. */
export function rowsOfWallet(frame: Tabular, wallet: string, column = 'proxy_wallet'): DataFrame {
  return filterRows(frame as DataFrame, (row) => String(Reflect.get(row, column)).toLowerCase() === wallet);
}

/** The weeks that have an event, from Monday, in order. */
function weeksOf(own: DataFrame, curve: readonly CumulativePnlRecord[]): Week[] {
  const rates = new Map(recordsOf(winRateBy(own, { by: 'week' })).map((row) => [row.date, row]));
  const returns = new Map(recordsOf(roiBy(own, { by: 'week' })).map((row) => [row.date, row]));
  return Array.from(realizedBy(curve, '1w'), ([date, realized]) => {
    return { ...NOTHING, ...rates.get(date), ...returns.get(date), date, realized };
  }) as unknown as Week[];
}

/** The profit of each period as the curve has it, that of all rows which have one, by the period's first moment. */
function realizedBy(curve: readonly CumulativePnlRecord[], granularity: '1w' | '1m'): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { date, pnl } of curve) {
    const day = Math.floor(parseIso(date) / DAY_MS);
    const start = isoOfSeconds((bucketStart(granularity, day, day) * DAY_MS) / 1000);
    sums.set(start, (sums.get(start) ?? 0) + pnl);
  }
  return sums;
}

const NOTHING: WeekSums = { pnl: 0, invested: 0, wins: 0, losses: 0 };

const NUMBERS = ['pnl', 'invested', 'wins', 'losses'] as const;

/** Sums as a frame, for the measures. */
function frameOf(sums: readonly WeekSums[]): DataFrame {
  const columns = NUMBERS.map((name) => ({ name, dtype: 'float64', nullable: false, meaning: '' }) as const);
  return frameFromColumns(
    columns,
    NUMBERS.map((name) => sums.map((week) => week[name])),
  );
}

/** A month, and the profit behind its ROI: that of the rows which say what was invested. */
interface Month extends PeriodFigures {
  readonly staked: number;
}

function periodsOf(own: DataFrame, curve: readonly CumulativePnlRecord[], confidence: number): Month[] {
  const rates = new Map(recordsOf(winRateBy(own, { by: 'month', confidence })).map((row) => [row.date, row]));
  const returns = new Map(recordsOf(roiBy(own, { by: 'month' })).map((row) => [row.date, row]));
  const unknown = { rate: Number.NaN, low: Number.NaN, high: Number.NaN };
  return Array.from(realizedBy(curve, '1m'), ([date, pnl]) => {
    const { wins, losses, rate, low, high } = { ...NOTHING, ...unknown, ...rates.get(date) };
    const sums = returns.get(date) ?? { ...NOTHING, roi: Number.NaN };
    const roi = hasEarlierStakes(sums) ? Number.NaN : sums.roi;
    const { invested, pnl: staked } = sums;
    return { period: date.slice(0, 7), pnl, staked, invested, roi, wins, losses, rate, low, high };
  });
}

/** Months pooled into years. */
function yearsOf(months: readonly Month[], confidence: number): PeriodFigures[] {
  const years = new Map<string, Month[]>();
  for (const month of months) {
    const year = month.period.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), month]);
  }
  return Array.from(years, ([period, all]) => {
    const sum = (name: (typeof NUMBERS)[number] | 'staked') => all.reduce((total, month) => total + month[name], 0);
    const sums = { pnl: sum('pnl'), invested: sum('invested'), wins: sum('wins'), losses: sum('losses') };
    const frame = frameOf([{ ...sums, pnl: sum('staked') }]);
    const { rate, low, high } = winRate(frame, { confidence });
    return { period, ...sums, roi: soundRoi(frame).roi, rate, low, high };
  });
}

function addDays(date: string, days: number): string {
  return new Date(parseIso(date) + days * DAY_MS).toISOString();
}

/** The record in two halves; undefined if one would have too few weeks for an interval, or no ROI. */
function halvesOf(
  weeks: readonly Week[],
  [first, last]: readonly [string, string],
  confidence: number,
): Halves | undefined {
  const middle = Math.floor(weeks.length / 2);
  if (middle < LEAST_WEEKS) return undefined;
  const parts = [weeks.slice(0, middle), weeks.slice(middle)];
  if (parts.some((part) => Number.isNaN(roiInterval(part, confidence).estimate))) return undefined;
  const halfOf = (part: readonly Week[]): Half => {
    const frame = frameOf(part);
    const interval = roiInterval(part, confidence);
    const [monday, sunday] = [String(part[0]?.date), addDays(String(part.at(-1)?.date), 6)];
    return {
      from: monday < first ? first : monday,
      to: sunday > last ? last : sunday,
      weeks: part.length,
      roi: { ...soundRoi(frame), pnl: part.reduce((total, { realized }) => total + realized, 0) },
      interval,
      claim: claimOf(part, interval),
      winRate: winRate(frame, { confidence }),
    };
  };
  const measure = roiMeasure(weeks);
  const change = (rows: ArrayLike<number>) => measure(rows, middle) - measure(rows, 0, middle);
  return {
    first: halfOf(weeks.slice(0, middle)),
    second: halfOf(weeks.slice(middle)),
    change: drawnInterval(weeks.length, change, confidence),
  };
}
