import type { CumulativePnlRecord } from '../analysis/cumulative-pnl.js';
import type { Drawdown } from '../analysis/drawdowns.js';
import { parseIso } from '../analysis/records/moments.js';
import { formatUsd } from '../analysis/shown-result.js';
import type { ChartPoints } from '../charts/drawing/chart-points.js';
import { DAY_MS } from '../contract/time.js';
import { html, type Markup } from './markup.js';
import {
  ABOVE,
  amountLines,
  amountScale,
  amountWords,
  axisWords,
  BELOW,
  figure,
  percent,
  picture,
  place,
  stretched,
  WIDTH,
} from './picture.js';

const HEIGHT = 260;

/** About as many points as a wide screen can tell apart. */
const MOST_POINTS = 600;

interface Point {
  readonly time: number;
  readonly total: number;
  readonly pnl: number;
  readonly peak: number;
}

/** A line of a {@link curvePicture}. */
export interface Curve {
  readonly name: string;
  readonly rows: readonly CumulativePnlRecord[];
  /** Whether the record is known to lack something. */
  readonly isIncomplete?: boolean;
}

/**
 * Cumulative PnL over time. One curve has the drawdown below its highest point shaded and its deepest fall marked; of
 * several, each has a stroke of its own.
 */
export function curvePicture(curves: readonly Curve[], fall?: Drawdown): Markup {
  const lines = curves.map(({ rows }) => thinned(rows.map(pointOf)));
  const times = lines.flatMap((points) => points.map(({ time }) => time));
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  // A day lasts until its end, so that a single one has a width.
  const end = times.reduce((most, time) => Math.max(most, time), first) + DAY_MS;
  const x = (time: number) => (time - first) / (end - first);
  const scale = amountScale(
    lines.flatMap((points) => points.map(({ total }) => total)),
    HEIGHT,
  );
  const paths = lines.map((points, at) => {
    const d = steps(points, x, ({ total }) => scale.y(total), scale.y(0));
    return html`<path class="ts-line ts-line-${at}" d="${d}"/>`;
  });
  const single = lines.length === 1 ? lines[0] : undefined;
  const shade = single && html`<path class="ts-fall" d="${area(single, x, scale.y)}"/>`;
  const drawn = picture({
    label: labelOf(curves, fall),
    height: HEIGHT,
    body: html`${amountLines(scale)}${stretched(HEIGHT, html`${shade}${paths}`)}${amountWords(scale)}
${single && fall && markOf(single, fall, x, scale.y)}${axisWords(daysAlong(first, end), HEIGHT)}`,
  });
  const at = lines.flatMap((points) => points.flatMap(({ time, total }) => [place(WIDTH * x(time)), scale.y(total)]));
  const find = single ? 'x' : 'lines';
  const tips = lines.flatMap((points, line) => points.map((point) => tipOf(point, single ? undefined : curves[line])));
  return figure(
    drawn,
    { plots: [{ box: [0, ABOVE, WIDTH, HEIGHT - ABOVE - BELOW], find, size: 2, at }], tips },
    HEIGHT,
  );
}

/** What a point of a curve says. */
function tipOf({ time, total, pnl, peak }: Point, of: Curve | undefined): ChartPoints['tips'][number] {
  return [
    ...(of ? [['Wallet', of.name] as const] : []),
    ['Day', dayText(time)],
    ['Cumulative PnL', formatUsd(total)],
    ['PnL of the day', formatUsd(pnl)],
    ...(peak > total ? [['Below the highest', formatUsd(peak - total)] as const] : []),
  ];
}

function pointOf({ date, pnl, cumulative_pnl: total, drawdown }: CumulativePnlRecord): Point {
  return { time: parseIso(date), total, pnl, peak: total + drawdown };
}

/** A line that keeps each value until the next one, to the end of the last day. It rises from zero, but not on the only day. */
function steps(
  points: readonly Point[],
  x: (time: number) => number,
  y: (point: Point) => number,
  start: number,
): string {
  const [first] = points;
  if (!first) return '';
  const rest = points.map((point) => `H${place(WIDTH * x(point.time))}V${y(point)}`).join('');
  return points.length === 1 ? `M0 ${y(first)}H${WIDTH}` : `M0 ${start}${rest}H${WIDTH}`;
}

/** The area between the highest point so far and the curve. */
function area(points: readonly Point[], x: (time: number) => number, y: (amount: number) => number): string {
  const there = steps(points, x, ({ peak }) => y(peak), y(0));
  const back = points.map((point, at) => {
    const until = points[at + 1];
    return `H${place(WIDTH * (until ? x(until.time) : 1))}V${y(point.total)}`;
  });
  return `${there}${back.reverse().join('')}H0Z`;
}

/** The deepest fall, named at its lowest point. */
function markOf(points: readonly Point[], fall: Drawdown, x: (time: number) => number, y: (amount: number) => number) {
  if (fall.to === null) return undefined;
  const time = parseIso(fall.to);
  const low = points.find((point) => point.time === time);
  if (!low) return undefined;
  const at = x(time);
  const anchor = at > 0.6 ? 'end' : 'start';
  return html`<circle class="ts-mark" cx="${percent(at)}" cy="${y(low.total)}" r="4"/>
<text class="ts-strong" x="${percent(at)}" dx="${anchor === 'end' ? -8 : 8}" y="${Math.min(y(low.total) + 14, HEIGHT - 24)}" text-anchor="${anchor}">${formatUsd(-fall.depth)}</text>`;
}

function labelOf(curves: readonly Curve[], fall: Drawdown | undefined): string {
  const ends = curves.map(({ name, rows, isIncomplete }) => {
    const last = rows.at(-1);
    return last
      ? `${name}${isIncomplete ? ', an incomplete record,' : ''} ends at ${formatUsd(last.cumulative_pnl)} on ${last.date.slice(0, 10)}`
      : `${name} has no day`;
  });
  const deepest = fall && fall.depth > 0 ? ` Its deepest fall was ${formatUsd(fall.depth)}.` : '';
  return `Chart: cumulative realized profit. ${ends.join('; ')}.${deepest}`;
}

/** Up to four days along the axis; the narrowest page has room for them. */
function daysAlong(first: number, end: number) {
  const days = Math.round((end - first) / DAY_MS);
  const count = Math.min(4, days);
  if (count <= 1) return [{ at: 0, text: dayText(first) }];
  return Array.from({ length: count }, (_, at) => {
    const day = Math.round((at * (days - 1)) / (count - 1));
    return { at: at === count - 1 ? 1 : day / days, text: dayText(first + day * DAY_MS) };
  });
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first, lowest, highest and last point of each stretch, so that no peak and no fall is lost. */
function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= MOST_POINTS) return points;
  const stretches = Math.floor(MOST_POINTS / 4);
  return Array.from({ length: stretches }, (_, at) => {
    const from = Math.floor((at * points.length) / stretches);
    const stretch = points.slice(from, Math.floor(((at + 1) * points.length) / stretches));
    const by = (better: (a: number, b: number) => boolean) =>
      stretch.reduce((best, point) => (better(point.total, best.total) ? point : best));
    const kept = new Set([stretch[0], by((a, b) => a < b), by((a, b) => a > b), stretch.at(-1)]);
    return stretch.filter((point) => kept.has(point));
  }).flat();
}
