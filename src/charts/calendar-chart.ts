import { pnlCurve } from '../analysis/records/pnl-curve.js';
import { refuseCoarser } from '../analysis/records/record-granularity.js';
import { formatUsd } from '../analysis/shown-result.js';
import { itemAt } from '../base/item-at.js';
import { extentOf, greatestOf } from '../base/many.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { DAY_SECONDS, dateOfDay } from '../contract/time.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { LABELS } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { shareOfPoints } from './design/chart-spec.js';
import { MONTHS, pnlByPeriod } from './design/period-bars.js';
import { COLORS, INK } from './design/theme.js';
import { Chart, chartOf, emptyChart } from './drawing/chart.js';

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
 * @throws {UsageError} If an option is unknown or of a wrong type.
 * @example calendarChart(await lab.pnl({ wallet }).frame());
 */
export function calendarChart(frame: Tabular, options: ChartOptions = {}): Chart {
  knownOptions('calendarChart', options, [...CHART_OPTIONS]);
  const { title = 'Realized PnL by day' } = options;
  refuseCoarser(frame, '1d');
  const pnlOf = pnlByPeriod(pnlCurve(frame), 'day');
  if (pnlOf.size === 0) return emptyChart(title, 'There is no row with a PnL to show.', frame, options);
  const [least, last] = extentOf(pnlOf.keys());
  const share = shareOfPoints(MOST_DAYS);
  const most = share < MOST_DAYS ? Math.min(share, YEAR) : share;
  const first = Math.max(least, last - most + 1);
  const days = [...pnlOf].filter(([day]) => day >= first);
  const gains = days.filter(([, pnl]) => pnl >= HALF_CENT);
  const losses = days.filter(([, pnl]) => pnl <= -HALF_CENT);
  const [worst, best] = extentOf(days.map(([, pnl]) => pnl));
  const subtitle = [
    `${counted(gains.length, 'day')} with a gain, ${losses.length} with a loss; from ${formatUsd(worst)} to ${formatUsd(best)}`,
    'Dash: loss; pale: nothing realized',
    days.length < pnlOf.size ? drawnOf(most, days.length, pnlOf.size) : '',
  ];
  const cells = calendarCells(first, last, new Map(days));
  const weeks = 1 + greatestOf(cells.map(({ week }) => week));
  const isOneRow = isInOneRow(first, last);
  const about = { of: frame, title, subtitle, width: weeks * STEP, height: 7 * STEP };
  const { width = about.width, height = about.height, color = COLORS.main } = options;
  const view = { width, height, ...marksOf(isOneRow ? 24 : 8, cells, color) };
  const facet = { row: { field: 'year', type: 'nominal', header: HEADER } } as const;
  const chart = chartOf(about, options, {
    data: { values: cells },
    ...(isOneRow ? view : { transform: [BY_YEAR], facet, spec: view, spacing: 6 }),
  });
  if (isOneRow && weeks <= NARROW_WEEKS) return chart;
  const { width: _, height: __, ...whole } = chart.spec;
  const narrow = inBlocks(weekOf(first), 1 + weekOf(last) - weekOf(first), (columns) => {
    return { width: columns * STEP, height: 7 * STEP, ...marksOf(24, cells, color) };
  });
  return new Chart({ ...(isOneRow ? chart.spec : whole), usermeta: { ...Object(whole.usermeta), narrow } });
}

/** The block of weeks of a day, where there are several. */
const BY_YEAR = { calculate: 'slice(datum.date, 0, 4)', as: 'year' } as const;

/** The most weeks beside each other in a narrow place. */
const NARROW_WEEKS = 18;

/** Members of the specification in a narrow place: blocks of a few weeks, as many in each, one below the other. */
function inBlocks(firstWeek: number, weeks: number, viewOf: (columns: number) => object): object {
  const columns = Math.ceil(weeks / Math.ceil(weeks / NARROW_WEEKS));
  const days = 'time(toDate(datum.date)) / 864e5';
  return {
    transform: [
      { calculate: `floor((${days} + 3) / 7) - ${firstWeek}`, as: 'since' },
      { calculate: `floor(datum.since / ${columns})`, as: 'block' },
      { calculate: `datum.since % ${columns}`, as: 'week' },
      ...YEARS,
    ],
    facet: { row: { field: 'block', type: 'nominal', sort: null, header: { title: null, labels: false } } },
    spec: viewOf(columns),
    // Room for the years.
    spacing: 20,
    ...{ layer: null, encoding: null, width: null, height: null },
  };
}

/** The year above the first month of each block. */
const YEARS = [
  { calculate: 'isValid(datum.month) ? 1 : 0', as: 'named' },
  { window: [{ op: 'sum', field: 'named', as: 'nth' }], groupby: ['block'], sort: [{ field: 'date' }] },
  {
    calculate: 'datum.named && datum.nth === 1 ? [datum.month[0], slice(datum.date, 0, 4)] : datum.month',
    as: 'month',
  },
] as const;

/** Pixels of a day, and of those what is between two of them. */
const [STEP, BETWEEN] = [15, 2];

const BANDS = { paddingInner: BETWEEN / STEP, paddingOuter: BETWEEN / STEP / 2 } as const;

const HEADER = { title: null, labelAngle: 0, labelAlign: 'left', labelPadding: 4 } as const;

function drawnOf(most: number, shown: number, all: number): string {
  return `Drawn: the last ${counted(most, 'day')}, with ${shown.toLocaleString('en-US')} of ${counted(all, 'day')} that have a PnL`;
}

/**
 * @param above The height in pixels of the months above the cells and, in a single row, of their years.
 * @param gain The colour of gains.
 */
function marksOf(above: number, cells: readonly CalendarCell[], gain: string) {
  const has = { gains: cells.some(({ pnl }) => Number(pnl) > 0), losses: cells.some(({ pnl }) => Number(pnl) < 0) };
  const strength = strengthOf(gain);
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
  const isRealized = has.gains || has.losses;
  const realized = {
    transform: [{ filter: 'datum.pnl' }],
    mark: CELL,
    encoding: { fill: strength, tooltip: [...TIP] },
  };
  // A layer without rows has no scale.
  const most = greatestOf(cells.map(({ pnl }) => Math.abs(Number(pnl))));
  const ends = [-most, most].map((pnl) => ({ week: 0, weekday: 'Mon', pnl }));
  const both = { data: { values: ends }, mark: UNSEEN, encoding: { fill: strength } };
  const colored = [...(isRealized ? [realized, both] : []), ...(has.losses ? [DASHES] : [])];
  return { encoding: { x, y }, layer: [unrealized, ...colored, months] };
}

const CELL = { type: 'rect' } as const;
const PALE = { color: INK, fillOpacity: 0.09, aria: false, tooltip: null } as const;
/** Holds the colours of losses and gains apart equally far; a domain would conflict with that of a chart beside it. */
const UNSEEN = { type: 'point', opacity: 0, aria: false, tooltip: null } as const;
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

/**
 * Colour by amount, from losses to gains, as strong for as much on either side; nothing is pale on any paper. The square
 * root keeps small days visible beside large ones.
 */
function strengthOf(gain: string) {
  return {
    field: 'pnl',
    type: 'quantitative',
    scale: { type: 'sqrt', domainMid: 0, range: [COLORS.loss, NOTHING, gain], interpolate: 'rgb' },
    legend: {
      title: 'Loss or gain (USD)',
      labelExpr: LABELS.usd,
      tickCount: 4,
      titlePadding: 8,
      gradientLength: 90,
      gradientThickness: 10,
      gradientOpacity: 1,
    },
  };
}

/** Half transparent, so that it is pale on light and dark paper. */
const NOTHING = 'rgba(125, 132, 144, 0.16)';

const TIP = [
  { field: 'date', type: 'nominal', title: 'Date' },
  { field: 'pnl', type: 'quantitative', title: 'PnL', format: LABELS.usdTip },
] as const;

const DASHES = { transform: [{ filter: 'datum.pnl < 0' }], mark: DASH } as const;

/** A day of a calendar. */
interface CalendarCell {
  /** `2025-11-03`. */
  date: string;
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
  const isOneRow = isInOneRow(first, last);
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

function isInOneRow(first: number, last: number): boolean {
  return weekOf(last) - weekOf(first) < ROW_WEEKS;
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
