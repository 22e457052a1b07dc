import type { BootstrapInterval } from '../analysis/bootstrap-interval.js';
import { type CumulativePnlRecord, cumulativePnl } from '../analysis/cumulative-pnl.js';
import { type Drawdown, drawdown } from '../analysis/drawdowns.js';
import { parseIso } from '../analysis/records/moments.js';
import { refuseCoarser } from '../analysis/records/record-granularity.js';
import { hasEarlierStakes, type Roi, type RoiRecord, roiBy } from '../analysis/roi.js';
import { type WinRate, type WinRateRecord, winRate, winRateBy } from '../analysis/win-rate.js';
import { faultsOf, notesOf } from '../contract/completeness-words.js';
import { DAY_MS } from '../contract/time.js';
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

type Week = RoiRecord<'week'> & WinRateRecord<'week'>;

/**
 * Measures one wallet's days.
 *
 * @param pnl Daily PnL records, of other wallets too.
 * @throws {ColumnError} If a column is missing or wrong, or the records are coarser than days.
 */
export function walletFigures(pnl: Tabular, wallet: string, confidence: number): WalletFigures {
  refuseCoarser(pnl, '1d');
  const own = rowsOfWallet(pnl, wallet);
  const weeks = weeksOf(own);
  const curve = recordsOf(cumulativePnl(own)) as unknown as CumulativePnlRecord[];
  const record = completenessOf(pnl).find((known) => known.wallet === wallet);
  const months = periodsOf(own, confidence);
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
function weeksOf(own: DataFrame): Week[] {
  const rates = new Map(recordsOf(winRateBy(own, { by: 'week' })).map((row) => [row.date, row]));
  return recordsOf(roiBy(own, { by: 'week' })).map((row) => ({ ...rates.get(row.date), ...row })) as unknown as Week[];
}

const NUMBERS = ['pnl', 'invested', 'wins', 'losses'] as const;

/** Sums as a frame, for the measures. */
function frameOf(sums: readonly WeekSums[]): DataFrame {
  const columns = NUMBERS.map((name) => ({ name, dtype: 'float64', nullable: false, meaning: '' }) as const);
  return frameFromColumns(
    columns,
    NUMBERS.map((name) => sums.map((week) => week[name])),
  );
}

function periodsOf(own: DataFrame, confidence: number): PeriodFigures[] {
  const rates = new Map(recordsOf(winRateBy(own, { by: 'month', confidence })).map((row) => [row.date, row]));
  return recordsOf(roiBy(own, { by: 'month' })).map((row) => {
    const { wins = 0, losses = 0, rate, low, high } = rates.get(row.date) ?? {};
    const period = String(row.date).slice(0, 7);
    return {
      period,
      pnl: row.pnl,
      invested: row.invested,
      roi: hasEarlierStakes(row) ? Number.NaN : row.roi,
      wins,
      losses,
      rate,
      low,
      high,
    } as PeriodFigures;
  });
}

/** Months pooled into years. */
function yearsOf(months: readonly PeriodFigures[], confidence: number): PeriodFigures[] {
  const years = new Map<string, PeriodFigures[]>();
  for (const month of months) {
    const year = month.period.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), month]);
  }
  return Array.from(years, ([period, all]) => {
    const sum = (name: 'pnl' | 'invested' | 'wins' | 'losses') => all.reduce((total, month) => total + month[name], 0);
    const sums = { pnl: sum('pnl'), invested: sum('invested'), wins: sum('wins'), losses: sum('losses') };
    const frame = frameOf([sums]);
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
      roi: soundRoi(frame),
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
