import type { TopLevelSpec } from 'vega-lite';
import { pnlCurve } from '../analysis/records/pnl-curve.js';
import { refuseCoarser } from '../analysis/records/record-granularity.js';
import { formatUsd } from '../analysis/shown-result.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { DAY_SECONDS, dateOfDay } from '../contract/time.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { LABELS } from './design/axes.js';
import { frameOfChart, shareOfPoints } from './design/chart-spec.js';
import { MONTHS, pnlByPeriod } from './design/period-bars.js';
import { COLORS, INK } from './design/theme.js';
import { Chart, emptyChart } from './drawing/chart.js';

/** Options of {@link calendarChart}. */
export interface CalendarChartOptions {
  /** The title. Default: one that says what is shown. */
  title?: string;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Dollars below which a day counts as 0, in the text as in the drawing. */
const HALF_CENT = 0.005;

/** The most days drawn: five years, or one year beside other charts. */
const YEAR = 366;
const MOST_DAYS = 5 * YEAR;

/**
 * Realized PnL by day as a calendar: a column for each week, a row for each weekday, and several years one below the
 * other. The stronger the colour, the more was won or lost; losses carry a dash, which distinguishes them from gains
 * without colour. Several wallets are pooled. If the records span more than five years, the last five are drawn (in a
 * facet, at most the last one), as the subtitle then says.
 *
 * @param frame PnL records by day, in any order: needs `date` and `pnl`.
 * @returns The chart; if no row has a `pnl`, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records are
 * coarser than days.
 * @throws {UsageError} If an option is unknown.
 * @example calendarChart(await lab.pnl({ wallet }).frame());
 */
export function calendarChart(frame: Tabular, options: CalendarChartOptions = {}): Chart {
  knownOptions('calendarChart', options, ['title']);
  const { title = 'Realized PnL by day' } = options;
  refuseCoarser(frame, '1d');
  const pnlOf = pnlByPeriod(pnlCurve(frame), 'day');
  if (pnlOf.size === 0) return emptyChart(title, 'There is no row with a PnL to show.', frame);
  const last = Math.max(...pnlOf.keys());
  const share = shareOfPoints(MOST_DAYS);
  const most = share < MOST_DAYS ? Math.min(share, YEAR) : share;
  const first = Math.max(Math.min(...pnlOf.keys()), last - most + 1);
  const days = [...pnlOf].filter(([day]) => day >= first);
  const gains = days.filter(([, pnl]) => pnl >= HALF_CENT);
  const losses = days.filter(([, pnl]) => pnl <= -HALF_CENT);
  const [best = 0, worst = 0] = [Math.max(...days.map(([, pnl]) => pnl)), Math.min(...days.map(([, pnl]) => pnl))];
  const subtitle = [
    `${counted(gains.length, 'day')} with a gain, ${losses.length} with a loss; from ${formatUsd(worst)} to ${formatUsd(best)}`,
    'The stronger the colour, the more; a dash: loss; pale: nothing realized',
    days.length < pnlOf.size ? drawnOf(most, days.length, pnlOf.size) : '',
  ];
  const cells = calendarCells(first, last, new Map(days));
  const weeks = 1 + Math.max(...cells.map(({ week }) => week));
  const rows = new Set(cells.map(({ year }) => year)).size;
  const { width, height, ...frameOf } = frameOfChart({
    of: frame,
    title,
    subtitle,
    width: weeks * STEP,
    height: 7 * STEP,
  });
  const has = { gains: cells.some(({ pnl }) => Number(pnl) > 0), losses: cells.some(({ pnl }) => Number(pnl) < 0) };
  const view = { width, height, ...marksOf(rows === 1 ? 24 : 8, has) };
  const facet = { row: { field: 'year', type: 'nominal', header: HEADER } } as const;
  return new Chart({
    ...frameOf,
    data: { values: cells },
    ...(rows === 1 ? view : { facet, spec: view, spacing: 6 }),
  } as TopLevelSpec);
}

/** Pixels of a day, and of those what is between two of them. */
const [STEP, BETWEEN] = [15, 2];

const BANDS = { paddingInner: BETWEEN / STEP, paddingOuter: BETWEEN / STEP / 2 } as const;

const HEADER = { title: null, labelAngle: 0, labelAlign: 'left', labelPadding: 4 } as const;

function drawnOf(most: number, shown: number, all: number): string {
  return `Drawn: the last ${counted(most, 'day')}, with ${shown.toLocaleString('en-US')} of ${counted(all, 'day')} that have a PnL`;
}

/** @param above The height in pixels of the months above the cells and, in a single row, of their years. */
function marksOf(above: number, has: { gains: boolean; losses: boolean }) {
  const x = {
    field: 'week',
    type: 'ordinal',
    scale: BANDS,
    axis: {
      title: null,
      orient: 'top',
      domain: false,
      ticks: false,
      values: [0],
      labelExpr: "''",
      labelPadding: above,
    },
  } as const;
  const axis = { title: null, domain: false, grid: false, values: ['Mon', 'Wed', 'Fri', 'Sun'] as string[] } as const;
  const y = { field: 'weekday', type: 'ordinal', scale: { domain: [...WEEKDAYS], ...BANDS }, axis } as const;
  const months = {
    transform: [{ filter: 'isValid(datum.month)' }],
    mark: MONTH,
    encoding: { y: { bandPosition: 0, datum: 'Mon', axis }, text: { field: 'month', type: 'nominal' } },
  } as const;
  const unrealized = { transform: [{ filter: '!datum.pnl' }], mark: { ...CELL, ...PALE } };
  // A layer without rows has no scale.
  const gains = has.gains ? [realized('datum.pnl > 0', COLORS.main)] : [];
  const losses = has.losses ? [realized('datum.pnl < 0', COLORS.loss), DASHES] : [];
  return { encoding: { x, y }, layer: [unrealized, ...gains, ...losses, months] };
}

const CELL = { type: 'rect' } as const;
const PALE = { color: INK, fillOpacity: 0.09, aria: false, tooltip: null } as const;
const DASH = { type: 'text', text: '–', fontWeight: 700, aria: false } as const;
const MONTH = {
  type: 'text',
  align: 'left',
  baseline: 'bottom',
  dx: -6,
  dy: -5,
  // Upwards.
  lineHeight: -13,
  opacity: 0.8,
  aria: false,
} as const;

/** Opacity by amount. The square root keeps small days visible beside large ones; the upper end, the dash of a loss. */
const STRENGTH = {
  field: 'amount',
  type: 'quantitative',
  scale: { type: 'sqrt', domainMin: 0, range: [0.22, 0.9] as number[] },
  legend: {
    title: 'Gain or loss (USD)',
    labelExpr: LABELS.usd,
    tickCount: 4,
    symbolType: 'square',
    symbolStrokeWidth: 0,
  },
} as const;

const TIP = [
  { field: 'date', type: 'nominal', title: 'Date' },
  { field: 'pnl', type: 'quantitative', title: 'PnL', format: LABELS.usdTip },
] as const;

const DASHES = { transform: [{ filter: 'datum.pnl < 0' }], mark: DASH } as const;

function realized(filter: string, color: string) {
  return {
    transform: [{ filter }, { calculate: 'abs(datum.pnl)', as: 'amount' }],
    mark: { ...CELL, color },
    encoding: { opacity: STRENGTH, tooltip: [...TIP] },
  };
}

/** A day of a calendar. */
interface CalendarCell {
  /** `2025-11-03`. */
  date: string;
  /** The block of weeks that it is in, if there are several. */
  year?: string;
  /** Column within the block, from 0. */
  week: number;
  weekday: (typeof WEEKDAYS)[number];
  /** Null if the day has none. */
  pnl: number | null;
  /** Lines above the column: only on the Monday of a month's first whole week, or on the very first day. */
  month?: string[];
}

/** Weeks that fit in a row: a year and a few days. */
const ROW_WEEKS = 54;

/**
 * The cells of a calendar, one for each day from the first to the last: in one block if they span at most about a year,
 * otherwise in a block for each calendar year.
 *
 * @param first In days since 1970, like `last` and the keys of `pnlOf`.
 */
function calendarCells(first: number, last: number, pnlOf: ReadonlyMap<number, number>): CalendarCell[] {
  const isOneRow = weekOf(last) - weekOf(first) < ROW_WEEKS;
  let isNamed = false;
  const cells = Array.from({ length: last - first + 1 }, (_, at) => {
    const day = first + at;
    const date = dateOfDay(day);
    const year = date.slice(0, 4);
    const pnl = pnlOf.get(day);
    const from = isOneRow ? first : Date.UTC(Number(year), 0, 1) / 1000 / DAY_SECONDS;
    const name = monthFrom(day, date);
    const isNewYear = isOneRow && name !== undefined && (name === 'Jan' || !isNamed);
    isNamed ||= name !== undefined;
    return {
      date,
      ...(isOneRow ? {} : { year }),
      week: weekOf(day) - weekOf(from),
      weekday: itemAt(WEEKDAYS, (((day + 3) % 7) + 7) % 7),
      pnl: pnl === undefined ? null : Math.round(pnl * 100) / 100,
      ...(name === undefined ? {} : { month: isNewYear ? [name, year] : [name] }),
    };
  });
  return isNamed ? cells : cells.map((cell, at) => (at === 0 ? { ...cell, month: namesOf(cell.date) } : cell));
}

/** The month and the year of a day. */
function namesOf(date: string): string[] {
  return [itemAt(MONTHS, Number(date.slice(5, 7)) - 1).slice(0, 3), date.slice(0, 4)];
}

/** Weeks from Monday, counted from the one that holds the first day of 1970, a Thursday. */
function weekOf(day: number): number {
  return Math.floor((day + 3) / 7);
}

/** The month whose first whole week begins on a day; undefined on other days. */
function monthFrom(day: number, date: string): string | undefined {
  const isFirstWeek = (day + 3) % 7 === 0 && Number(date.slice(8)) <= 7;
  return isFirstWeek ? MONTHS[Number(date.slice(5, 7)) - 1]?.slice(0, 3) : undefined;
}
