import { type CumulativePnlRecord, cumulativePnl } from '../analysis/cumulative-pnl.js';
import { groupedRows } from '../analysis/records/grouped-rows.js';
import { refuseCoarser } from '../analysis/records/record-granularity.js';
import { formatUsd } from '../analysis/shown-result.js';
import { itemAt } from '../base/item-at.js';
import { greatestOf } from '../base/many.js';
import { knownOptions } from '../base/nearest.js';
import { counted } from '../base/texts.js';
import { shortId } from '../frame/display/cell-formatter.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import { columnNames, type Tabular } from '../frame/tabular/tabular.js';
import { cellAt, isMissing } from '../frame/vector/vector.js';
import { cumulativePnlLines, refuseUnknown } from './cumulative-pnl-lines.js';
import { CUMULATIVE_USD, roomTo, timeEncoding, ZERO_LINE } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { shareOfPoints } from './design/chart-spec.js';
import { atBucketEnds, dayInWords, thinned } from './design/curve-points.js';
import { INVISIBLE, TEXT } from './design/marks.js';
import { COLORS, FONT_SIZES } from './design/theme.js';
import { textWidth } from './design/title-text.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** Options of {@link cumulativePnlChart}. */
export interface CumulativePnlChartOptions extends ChartOptions {
  /**
   * Of several wallets, the one whose line stands out, or a list of at most eight, each with a colour of its own; the
   * others are grey. Default: the one that is highest in the end.
   */
  highlight?: string | readonly string[];
}

/** The approximate maximum of dates drawn. */
const MOST_DATES = 800;

/**
 * Cumulative realized PnL over time. For one wallet, or a frame without the column `proxy_wallet`: its curve, with the
 * drawdown below the highest point so far shaded and the deepest fall marked. For several wallets: a line for each of at
 * most eight, those that won or lost most, as the subtitle then says, each named at its end; one stands out. Records of
 * weeks or months step at the end of their period. Of very many dates, those are drawn that preserve the shape of the
 * curve.
 *
 * @param frame PnL records in any order: needs `date` and `pnl`; `proxy_wallet` distinguishes wallets.
 * @returns The chart; if no row has a `pnl`, an empty one that says so.
 * @throws {ColumnError} If a column is missing, not numeric or infinite, a date cannot be read, or the records
 * are each of the whole time.
 * @throws {UsageError} If an option is unknown or of a wrong type, or the frame has no wallet to highlight.
 * @example cumulativePnlChart(await lab.pnl({ wallet }).frame());
 */
export function cumulativePnlChart(frame: Tabular, options: CumulativePnlChartOptions = {}): Chart {
  knownOptions('cumulativePnlChart', options, ['highlight', ...CHART_OPTIONS]);
  const { highlight, ...look } = options;
  refuseCoarser(frame, '1m');
  if (!columnNames(frame).includes('proxy_wallet')) {
    if (highlight !== undefined) refuseUnknown(highlight, []);
    return curveOf(frame, '', look);
  }
  const { keys, groups } = groupedRows(frame, 'proxy_wallet');
  if (groups > 1) return cumulativePnlLines(frame, highlight, look);
  const wallet = groups === 1 ? cellAt(keys, 0) : null;
  if (highlight !== undefined && groups === 1) refuseUnknown(highlight, [String(wallet)]);
  return curveOf(frame, isMissing(wallet) ? '' : ` of ${shortId(String(wallet))}`, look);
}

function curveOf(frame: Tabular, whose: string, options: ChartOptions): Chart {
  const title = `Cumulative realized PnL${whose}`;
  const all = recordsOf(cumulativePnl(frame)) as CumulativePnlRecord[];
  if (all.length === 0)
    return emptyChart(options.title ?? title, 'There is no row with a PnL to add up.', frame, options);
  const { rows, tip } = atBucketEnds(frame, all);
  const shown = thinned(rows, shareOfPoints(MOST_DATES));
  const values = shown.map((row) => ({ ...row, peak: row.cumulative_pnl + row.drawdown }));
  const fall = deepestFall(rows);
  const subtitle = [
    `${formatUsd(itemAt(rows, rows.length - 1).cumulative_pnl)} in the end; ${fall === undefined ? 'never below an earlier point' : `deepest fall ${fall.amount}, ${fall.span}`}`,
    fall === undefined ? '' : 'Shaded: drawdown below the highest point so far',
    shown.length < rows.length ? `Drawn: ${shown.length} of ${counted(rows.length, 'date')}, all peaks kept` : '',
  ];
  const x = timeEncoding(values);
  const step = { interpolate: 'step-after', aria: false } as const;
  const point = values.length === 1;
  return chartOf({ of: frame, title, subtitle, width: WIDTH, height: 320 }, options, {
    data: { values },
    layer: [
      {
        mark: { type: 'area', ...step, color: COLORS.loss, opacity: 0.28 },
        encoding: { x, y: { ...CUMULATIVE_USD, field: 'peak' }, y2: { field: 'cumulative_pnl' } },
      },
      ZERO_LINE,
      {
        mark: { type: 'line', ...step, color: COLORS.main, strokeWidth: 2, point },
        encoding: { x, y: CUMULATIVE_USD },
      },
      ...(fall === undefined || values.length < LEAST_DATES ? [] : markOf(fall, values, x, options.width ?? WIDTH)),
      { mark: INVISIBLE, encoding: { x, y: CUMULATIVE_USD, tooltip: tip } },
    ],
  });
}

/** The fewest dates of a curve on which a fall is marked. */
const LEAST_DATES = 5;

/** Width between the axes in pixels, and that on a phone: of those below {@link IS_NARROW}. */
const [WIDTH, NARROW_WIDTH, IS_NARROW] = [640, 270, 400];

interface Fall {
  readonly date: string;
  readonly cumulative_pnl: number;
  readonly peak: number;
  readonly amount: string;
  readonly span: string;
}

/** The deepest fall below an earlier point, the first of equal ones; undefined if there is none. */
function deepestFall(rows: readonly CumulativePnlRecord[]): Fall | undefined {
  const deepest = rows.reduce((one, other) => (other.drawdown > one.drawdown ? other : one));
  // What is less than a cent is no fall.
  if (!(deepest.drawdown >= 0.005)) return undefined;
  const { date, cumulative_pnl, drawdown } = deepest;
  const top = rows.slice(0, rows.indexOf(deepest)).findLast((row) => row.drawdown === 0);
  const span =
    top === undefined ? `from the start to ${dayInWords(date)}` : `${dayInWords(top.date)} to ${dayInWords(date)}`;
  return { date, cumulative_pnl, peak: cumulative_pnl + drawdown, amount: formatUsd(-drawdown), span };
}

/** A date that is drawn. */
interface Drawn {
  readonly date: string;
  readonly peak: number;
  readonly cumulative_pnl: number;
}

/** A line from the point before the fall down to the lowest, with words where no curve is. */
function markOf(fall: Fall, values: readonly Drawn[], x: object, width: number) {
  const widths = width < IS_NARROW ? [width] : [width, NARROW_WIDTH];
  const places = widths.map((each) => ({ ...fall, ...wordsPlace(fall, values, each), isNarrow: each < IS_NARROW }));
  const highest = values.reduce((most, { peak }) => Math.max(most, peak), 0);
  const lowest = values.reduce((least, { cumulative_pnl }) => Math.min(least, cumulative_pnl), 0);
  const top = places.reduce((most, { words_at }) => Math.max(most, words_at + 0.14 * (highest - lowest)), highest);
  // Of two places, one is for this width.
  const isElsewhere = `${widths.length === 2} && datum.isNarrow !== (width < ${IS_NARROW})`;
  const line = { type: 'rule', color: COLORS.loss, aria: false, tooltip: null } as const;
  const lead = { ...line, strokeWidth: 1, strokeDash: [2, 3], opacity: { expr: `${isElsewhere} ? 0 : 1` } };
  const words = { type: 'text', align: { expr: 'datum.align' }, baseline: 'bottom', dx: 2, dy: -18 };
  const isAbove = places.some(({ words_at }) => words_at > fall.peak);
  return [
    {
      data: { values: [fall] },
      mark: { ...line, strokeWidth: 1.5 },
      encoding: { x, y: { ...CUMULATIVE_USD, field: 'peak' }, y2: { field: 'cumulative_pnl' } },
    },
    ...(isAbove
      ? [
          {
            data: { values: places.filter(({ words_at }) => words_at > fall.peak) },
            mark: lead,
            encoding: { x, y: { ...CUMULATIVE_USD, field: 'peak' }, y2: { field: 'words_at' } },
          },
        ]
      : []),
    {
      data: { values: places.map(({ words_date, ...place }) => ({ ...place, date: words_date })) },
      mark: { ...words, lineBreak: '\n', lineHeight: 13, aria: false },
      encoding: {
        x,
        y: { ...CUMULATIVE_USD, field: 'words_at' },
        text: { ...TEXT, condition: { test: isElsewhere, value: '' } },
      },
    },
    roomTo('y', 'quantitative', 'cumulative_pnl', [top]),
  ];
}

/**
 * Where the words of a fall stand in a plot of some width: before the fall, above whose point before it no curve can be;
 * or, where there is no room for them, from the left edge on, above all of the curve that is below them.
 */
function wordsPlace({ amount, span, date, peak }: Fall, values: readonly Drawn[], width: number) {
  const lines = [`Deepest fall ${amount}`, span];
  const times = values.map((row) => Date.parse(row.date));
  const [first, last] = [itemAt(times, 0), itemAt(times, times.length - 1)];
  const room = (greatestOf(lines.map((line) => textWidth(line, FONT_SIZES.label))) + ASIDE) / width;
  const text = lines.join('\n');
  if ((Date.parse(date) - first) / (last - first) >= room) {
    return { words_date: date, words_at: peak, align: 'right', text };
  }
  const below = values.filter((_, at) => (itemAt(times, at) - first) / (last - first) <= room);
  const words_at = below.reduce((most, row) => Math.max(most, row.cumulative_pnl), peak);
  return { words_date: itemAt(values, 0).date, words_at, align: 'left', text };
}

/** Room beside words, in pixels. */
const ASIDE = 8;
