import { type ChartPoints, plotsData, tipsData } from '../charts/drawing/chart-points.js';
import { type Content, html, Markup } from './markup.js';

/**
 * The sheet draws its own pictures rather than the toolkit's charts: here lines stretch with the page and words do not,
 * so that a label has the same size on a phone, on a screen and on paper, without a script and without loading Vega.
 */

/** The width of a picture's own coordinates; the page stretches it. Words are placed in percent of it. */
export const WIDTH = 1000;

interface Picture {
  /** What the picture shows, for who does not see it. */
  readonly label: string;
  readonly height: number;
  readonly body: Content;
}

/** A picture as wide as the page. */
export function picture({ label, height, body }: Picture): Markup {
  return html`<svg class="ts-picture" role="img" aria-label="${label}" width="100%" height="${height}">${body}</svg>`;
}

/**
 * A picture whose points say more where one points at them, and by the arrow keys, once the page runs the script of
 * charts. Without it, the picture stays.
 *
 * @param height The height of the picture in which the points lie, if it stretches: then they lie in {@link WIDTH} along x.
 */
export function figure(drawn: Markup, points: ChartPoints, height?: number): Markup {
  const data = new Markup(`${plotsData(points)}${tipsData(points)}`);
  const size = height !== undefined && html` data-size="${WIDTH} ${height}"`;
  return html`<figure class="chart-figure"><div class="chart-view"${size}${data}>${drawn}</div></figure>`;
}

/** The part of a picture that stretches: lines and areas in coordinates from 0 to {@link WIDTH}. */
export function stretched(height: number, body: Content): Markup {
  return html`<svg width="100%" height="${height}" viewBox="0 0 ${WIDTH} ${height}" preserveAspectRatio="none">${body}</svg>`;
}

/** A share of the width, as an attribute. */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))}%`;
}

/** A number with at most one decimal, as paths hold it. */
export function place(value: number): number {
  return Number(value.toFixed(1));
}

/** A scale of amounts along the height of a picture, with zero in sight. */
export interface AmountScale {
  readonly y: (amount: number) => number;
  readonly ticks: readonly number[];
}

/** Room above for the top label and below for the words of the axis. */
export const [ABOVE, BELOW] = [18, 22];

export function amountScale(amounts: readonly number[], height: number): AmountScale {
  const least = amounts.reduce((low, amount) => Math.min(low, amount), 0);
  const most = amounts.reduce((high, amount) => Math.max(high, amount), 0);
  const span = most - least || 1;
  const step = niceStep(span / 4);
  const [from, to] = [Math.floor(least / step), Math.ceil((most || (least === 0 ? 1 : 0)) / step)];
  const ticks = Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step);
  const room = height - ABOVE - BELOW;
  const bottom = from * step;
  return { y: (amount) => place(ABOVE + room - ((amount - bottom) / ((to - from) * step)) * room), ticks };
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 2.5, 5].find((step) => step * power >= least * 0.999) ?? 10);
}

/** Amounts in few characters: `$1.2K`. */
export function shortUsd(amount: number): string {
  const format = { notation: 'compact', style: 'currency', currency: 'USD', maximumFractionDigits: 2 } as const;
  return amount.toLocaleString('en-US', { ...format, minimumFractionDigits: 0 });
}

/** Lines across at the ticks, each with its amount above it at the left; the line of zero is stronger. */
export function amountLines({ y, ticks }: AmountScale): Markup {
  return html`${ticks.map(
    (tick) =>
      html`<line class="${tick === 0 ? 'ts-zero' : 'ts-grid'}" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>`,
  )}`;
}

/** The amounts of the ticks: drawn after the lines, so that they stay legible. */
export function amountWords({ y, ticks }: AmountScale): Markup {
  return html`${ticks.map((tick) => html`<text x="0" y="${place(y(tick) - 3)}">${shortUsd(tick)}</text>`)}`;
}

/** Words below a picture, the first at its left end, the last at its right end. */
export function axisWords(words: readonly { readonly at: number; readonly text: string }[], height: number): Markup {
  return html`${words.map(
    ({ at, text }) =>
      html`<text x="${percent(at)}" y="${height - 5}" text-anchor="${at < 0.08 ? 'start' : at > 0.92 ? 'end' : 'middle'}">${text}</text>`,
  )}`;
}
