import { type Halves, halves } from '../analysis/halves.js';
import { formatPercent } from '../analysis/shown-result.js';
import { UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { knownOptions } from '../base/nearest.js';
import { shownValue } from '../base/option-types.js';
import { counted, isObject } from '../base/texts.js';
import { anyColumn, numericColumn } from '../frame/tabular/column-values.js';
import { columnOf } from '../frame/tabular/columns-of.js';
import { columnNames, rowCount, type Tabular } from '../frame/tabular/tabular.js';
import type { Cell } from '../frame/vector/vector.js';
import { ranks } from '../frame/verbs/correlate.js';
import { LABELS } from './design/axes.js';
import { CHART_OPTIONS, type ChartOptions } from './design/chart-options.js';
import { shareOfPoints } from './design/chart-spec.js';
import { groupName } from './design/chart-text.js';
import { POINT, REFERENCE } from './design/marks.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** The fewest wallets whose order says anything. */
const FEWEST = 4;

/** The most wallets drawn: a dense cloud of more looks the same. */
const MOST = 2000;

/** What is drawn of the result of {@link halves}, whoever is compared. */
export interface ComparedHalves
  extends Readonly<Pick<Halves<string>, 'correlation' | 'low' | 'high' | 'confidence' | 'leftOut'>> {
  readonly pairs: Tabular;
}

/**
 * Skill or luck: each wallet's rank in the first half of the time against its rank in the second. Skill lasts, so that
 * the points would lie along the dashed diagonal; luck scatters them. The subtitle says their rank correlation with its
 * interval, as {@link halves} computes them. Of more than 2,000 wallets as many are drawn, evenly along the order of the
 * first half; the correlation is that of all.
 *
 * @param source What {@link halves} gives, which can be told a measure, a day and who is compared; or PnL records of
 * several wallets, of which `halves(source)` is drawn: their ROI before and after the middle of their time.
 * @returns The chart; of fewer than four wallets with both halves, an empty one that says so.
 * @throws As {@link halves} of records; a UsageError if an option is unknown or of a wrong type, or the source is neither.
 * @example halvesChart(halves(pnl, { measure: 'winRate', minDecided: 20 }));
 */
export function halvesChart(source: ComparedHalves | Tabular, options: ChartOptions = {}): Chart {
  knownOptions('halvesChart', options, CHART_OPTIONS);
  const result = halvesIn(source);
  const { correlation, low, high, confidence, leftOut, pairs } = result;
  const title = 'Does the order last? Ranks in two halves of the time';
  const last = rowCount(pairs);
  if (last < FEWEST) {
    const text = `There is no order to compare: fewer than ${FEWEST} wallets have enough in both halves.`;
    return emptyChart(options.title ?? title, text, pairs, options);
  }
  const [first, second] = [numericColumn(pairs, 'first'), numericColumn(pairs, 'second')];
  const [before, after] = [first, second].map((values) => ranks(Float64Array.from(values, (value) => -value)));
  const names = namesOf(pairs);
  const values = evenly(last, shareOfPoints(MOST)).map((at) => {
    const wallet = itemAt(names, at);
    const [one, other] = [itemAt(first, at), itemAt(second, at)];
    return { wallet, first: one, second: other, rank_1: before?.[at], rank_2: after?.[at] };
  });
  const subtitle = [
    `Rank correlation ${toldRank(correlation)}${Number.isNaN(low) ? '' : ` (${formatPercent(confidence, 0)} interval ${low.toFixed(2)} to ${high.toFixed(2)})`} of ${counted(last, 'wallet')}: ${verdictOf(result)}`,
    `Dashed: the same rank in both${leftOut === 0 ? '' : `; left out: ${counted(leftOut, 'wallet')} with too little in one half`}`,
    values.length < last
      ? `Drawn: ${counted(values.length, 'wallet')} of them, evenly along the order of the first half`
      : '',
  ];
  const [x, y] = [rankEncoding('rank_1', 'first', last), rankEncoding('rank_2', 'second', last)];
  return chartOf({ of: pairs, title, subtitle, width: 380, height: 380 }, options, {
    data: { values },
    layer: [
      {
        data: { values: [{ from: 1, to: last }] },
        mark: REFERENCE,
        encoding: { x: { ...x, field: 'from' }, x2: { field: 'to' }, y: { ...y, field: 'from' }, y2: { field: 'to' } },
      },
      {
        mark: { ...POINT, opacity: 0.75, size: values.length > 100 ? 30 : 70 },
        encoding: { x, y, tooltip: tipOf(pairs) },
      },
    ],
  });
}

function halvesIn(source: unknown): ComparedHalves {
  if (isFrame(source)) return halves(source);
  if (isObject(source) && isFrame(source.pairs) && typeof source.correlation === 'number') {
    return source as unknown as ComparedHalves;
  }
  throw new UsageError(`This needs a frame, but got ${shownValue(source)}. The result of halves is taken, too.`);
}

/** Who is compared: the columns before `first`, put together. */
function namesOf(pairs: Tabular): string[] {
  const keys = columnNames(pairs).slice(0, columnNames(pairs).indexOf('first'));
  const columns = keys.map((key) => Array.from(anyColumn(pairs, key) as ArrayLike<Cell>, groupName));
  return Array.from({ length: rowCount(pairs) }, (_, at) => columns.map((names) => names[at]).join(', '));
}

function toldRank(correlation: number): string {
  return Number.isNaN(correlation) ? 'unknown' : correlation.toFixed(2);
}

/** Below this, one half tells less than a tenth of the other, however sure that is. */
const LITTLE = 0.3;

function verdictOf({ correlation, low, high }: ComparedHalves): string {
  if (Number.isNaN(correlation)) return 'all are equal in one half';
  if (Number.isNaN(low)) return correlation > 0 ? 'the order is the same' : 'the order is turned around';
  const little = Math.abs(correlation) < LITTLE ? ' a little' : '';
  return low > 0 ? `the order lasts${little}` : high < 0 ? `the order turns${little}` : 'not told from luck';
}

/** The places of as many of a list as may be drawn, evenly along it. */
function evenly(length: number, most: number): number[] {
  const drawn = Math.min(length, most);
  return Array.from({ length: drawn }, (_, at) => Math.floor((at * length) / drawn));
}

function rankEncoding(field: string, half: string, last: number) {
  const step = Math.max(1, Math.ceil(last / 5));
  const values = [1, ...Array.from({ length: Math.floor(last / step) }, (_, at) => (at + 1) * step)];
  const axis = {
    title: `Rank in the ${half} half, 1 is best`,
    values: [...new Set(values)],
    grid: true,
    labelOverlap: true,
  };
  const room = Math.max(0.5, last * 0.03);
  const scale = { domain: [last + room, 1 - room], nice: false, zero: false };
  return { field, type: 'quantitative', scale, axis };
}

/** Ranks and the measure in both halves, as its unit reads. */
function tipOf(pairs: Tabular) {
  const { unit, fraction } = columnOf(pairs, 'first');
  const format = fraction ? LABELS.percentTip : unit === 'USD' ? LABELS.usdTip : ',.4~g';
  return [
    { field: 'wallet', type: 'nominal', title: 'Wallet' },
    { field: 'rank_1', type: 'quantitative', title: 'First rank', format: '~f' },
    { field: 'rank_2', type: 'quantitative', title: 'Second rank', format: '~f' },
    { field: 'first', type: 'quantitative', title: 'First half', format },
    { field: 'second', type: 'quantitative', title: 'Second half', format },
  ] as const;
}

function isFrame(value: unknown): value is Tabular {
  return isObject(value) && Array.isArray(value.columns) && Array.isArray(value.shape);
}
