import type { CumulativePnlRecord } from '../analysis/cumulative-pnl.js';
import { formatUsd } from '../analysis/shown-result.js';
import { itemAt } from '../base/item-at.js';
import { counted } from '../base/texts.js';
import { DAY_MS } from '../contract/time.js';
import { type Content, html, type Markup } from './markup.js';
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
  WIDTH,
} from './picture.js';
import type { PeriodFigures } from './wallet-figures.js';

const HEIGHT = 200;

/** The share of the width at the left that the amounts take, also on a phone. */
const LEFT = 0.11;

/** PnL by month or year: gains filled, losses hollow, so that colour alone tells nothing. */
export function periodBars(periods: readonly PeriodFigures[], name: 'month' | 'year'): Markup {
  const all = filledPeriods(periods, name);
  const scale = amountScale(
    all.map(({ pnl }) => pnl),
    HEIGHT,
  );
  const step = (1 - LEFT) / Math.max(all.length, 6);
  const placeAt = (bar: number) => LEFT + step * bar;
  const spans = all.map(({ pnl }) => [Math.min(scale.y(0), scale.y(pnl)), Math.max(scale.y(0), scale.y(pnl))] as const);
  const bars = all.map(({ pnl }, at) => {
    // Where nothing was realized, the line of zero says so: a bar would have the colour of a gain.
    if (Math.abs(pnl) < HALF_CENT) return undefined;
    const [from, to] = itemAt(spans, at);
    return html`<rect class="${pnl < 0 ? 'ts-loss' : 'ts-gain'}" x="${percent(placeAt(at + 0.15))}" width="${percent(step * 0.7)}" y="${from}" height="${place(Math.max(to - from, 0.5))}"/>`;
  });
  const gains = all.filter(({ pnl }) => pnl > 0).length;
  const every = Math.ceil(all.length / 4);
  const words = all.flatMap(({ period }, at) => (at % every === 0 ? [{ at: placeAt(at + 0.5), text: period }] : []));
  const drawn = picture({
    label: `Chart: realized profit by ${name}. ${gains} of ${counted(all.length, name)} with a gain.`,
    height: HEIGHT,
    body: html`${amountLines(scale)}${bars}${amountWords(scale)}${axisWords(words, HEIGHT)}`,
  });
  const along = (at: number) => place(WIDTH * placeAt(at));
  const at = spans.flatMap(([from, to], bar) => [along(bar + 0.15), from, along(bar + 0.85), to]);
  const tips = all.map(({ period, pnl }) => [
    [name === 'month' ? 'Month' : 'Year', period] as const,
    ['PnL', formatUsd(pnl)] as const,
  ]);
  const box = [0, ABOVE, WIDTH, HEIGHT - ABOVE - BELOW] as const;
  return figure(drawn, { plots: [{ box, find: 'column', size: 4, at }], tips }, HEIGHT);
}

/** The periods with those between that have no event, of a profit of 0. */
function filledPeriods(periods: readonly PeriodFigures[], name: 'month' | 'year') {
  const known = new Map(periods.map((period) => [period.period, period.pnl]));
  const numberOf = (period: string) =>
    name === 'year' ? Number(period) : Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1;
  const nameOf = (number: number) =>
    name === 'year'
      ? String(number).padStart(4, '0')
      : `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
  const [first, last] = [numberOf(periods[0]?.period ?? ''), numberOf(periods.at(-1)?.period ?? '')];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const period = nameOf(first + at);
    return { period, pnl: known.get(period) ?? 0 };
  });
}

/** The most years of the calendar. */
const CALENDAR_YEARS = 2;

/** The size of a day in the calendar's own coordinates, and its four strengths. */
const [CELL, BETWEEN, STRENGTHS] = [10, 1.5, 4];

/** Below half a cent a day counts as without profit. */
const HALF_CENT = 0.005;

/** A picture for each of the last calendar years: a column a week, a row a weekday. */
export function calendar(rows: readonly CumulativePnlRecord[]): Markup {
  const years = new Map<string, CumulativePnlRecord[]>();
  for (const row of rows) {
    const year = row.date.slice(0, 4);
    const own = years.get(year);
    if (own) own.push(row);
    else years.set(year, [row]);
  }
  const shown = [...years].slice(-CALENDAR_YEARS);
  const most = shown.flatMap(([, days]) => days).reduce((top, { pnl }) => Math.max(top, Math.abs(pnl)), 0);
  const [first, last] = [rows[0]?.date ?? '', rows.at(-1)?.date ?? ''];
  const left =
    years.size > shown.length && html`<p class="ts-note">Shown: the last ${shown.length} of ${years.size} years.</p>`;
  return html`${left}${shown.map(([year, days]) => yearPicture({ year, days, most, first, last }))}`;
}

interface Year {
  readonly year: string;
  readonly days: readonly CumulativePnlRecord[];
  /** The largest amount of all years shown. */
  readonly most: number;
  /** The first and the last day of the whole record: none is drawn beyond. */
  readonly first: string;
  readonly last: string;
}

function yearPicture({ year, days, most, first, last }: Year): Markup {
  const start = Date.UTC(Number(year), 0, 1);
  const dayCount = (Date.UTC(Number(year) + 1, 0, 1) - start) / DAY_MS;
  const offset = (new Date(start).getUTCDay() + 6) % 7;
  const weeks = Math.ceil((offset + dayCount) / 7);
  const at = (day: number) => ({ x: Math.floor((offset + day) / 7) * CELL, y: ((offset + day) % 7) * CELL });
  const size = CELL - BETWEEN;
  const dayOf = (date: string) => Math.round((Date.parse(`${date.slice(0, 10)}T00:00:00Z`) - start) / DAY_MS);
  const pale = Array.from({ length: dayCount }, (_, day) => {
    const { x, y } = at(day);
    return day < dayOf(first) || day > dayOf(last) ? '' : `M${x} ${y}h${size}v${size}h-${size}z`;
  }).join('');
  const gains = days.filter(({ pnl }) => pnl >= HALF_CENT).length;
  const losses = days.filter(({ pnl }) => pnl <= -HALF_CENT).length;
  const sum = days.reduce((total, { pnl }) => total + pnl, 0);
  const text = `${year}: ${formatUsd(sum)}; ${counted(gains, 'day')} with a gain, ${losses} with a loss`;
  const shown = days.filter(({ pnl }) => Math.abs(pnl) >= HALF_CENT);
  const cells = shown.map(({ date, pnl }): Content => {
    const { x, y } = at(dayOf(date));
    const strength = Math.min(STRENGTHS, Math.max(1, Math.ceil(STRENGTHS * Math.sqrt(Math.abs(pnl) / most))));
    const dash = pnl < 0 && html`<path class="ts-dash" d="M${x + 2} ${y + size / 2}h${size - 4}"/>`;
    return html`<rect class="${pnl < 0 ? 'ts-lost' : 'ts-won'} ts-s${strength}" x="${x}" y="${y}" width="${size}" height="${size}"/>${dash}`;
  });
  const months = ['Jan', 'Apr', 'Jul', 'Oct'].map((name, quarter) => {
    const day = (Date.UTC(Number(year), quarter * 3, 1) - start) / DAY_MS;
    return html`<text x="${percent(at(day).x / (weeks * CELL))}" y="11">${name}</text>`;
  });
  const drawn = html`<svg class="ts-picture" role="img" aria-label="Chart: realized profit by day. ${text}" viewBox="0 0 ${weeks * CELL} ${7 * CELL}" width="100%"><path class="ts-pale" d="${pale}"/>${cells}</svg>`;
  const places = shown.flatMap(({ date }) => {
    const { x, y } = at(dayOf(date));
    return [x, y, x + size, y + size];
  });
  const tips = shown.map(({ date, pnl }) => [['Day', date.slice(0, 10)] as const, ['PnL', formatUsd(pnl)] as const]);
  const plot = { box: [0, 0, weeks * CELL, 7 * CELL], find: 'cell', size: 4, at: places } as const;
  return html`<div class="ts-year"><p>${text}</p>
<svg class="ts-picture" width="100%" height="16" aria-hidden="true">${months}</svg>
${shown.length > 0 ? figure(drawn, { plots: [plot], tips }) : drawn}</div>`;
}
