import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { extentOf } from '../base/many.js';
import { counted } from '../base/texts.js';
import { type Curve, curvePicture } from './curve-picture.js';
import { hasNoSoundRoi, LEAST_WEEKS } from './drawn-interval.js';
import { type Bearing, EARLIER_STAKES, finePercent, type Judgement } from './findings.js';
import type { CategoryFigures, FieldFigures, MarketFigures, MarketsFigures } from './market-figures.js';
import { type Content, html, type Markup, table } from './markup.js';
import { calendar, periodBars } from './period-pictures.js';
import { percent } from './picture.js';
import { FIELD_TRADES } from './sheet-data.js';
import type { Half, WalletFigures } from './wallet-figures.js';

/**
 * A section of a sheet.
 *
 * @param faults What the record lacks that its figures come from: then a mark beside the heading says so.
 */
export function section(heading: string, body: Content, faults: readonly string[] = []): Markup {
  const mark = faults.length > 0 && html` <span class="ts-incomplete">${INCOMPLETE}</span>`;
  return html`<section><h2>${heading}${mark}</h2>
${body}
</section>
`;
}

/** What stands beside the figures of a record that lacks something. */
export const INCOMPLETE = 'incomplete record';

const BEARINGS: Readonly<Record<Bearing, string>> = { for: 'For', against: 'Against', open: 'To note' };

/** The verdict, and the findings, each with a word that says what it means for the question. */
export function judgement({ verdict, findings }: Judgement): Markup {
  return html`<p class="ts-verdict ts-${verdict.bearing}">${verdict.text}</p>${
    findings.length > 0 &&
    html`
<ul class="ts-findings">${findings.map(
      ({ bearing, text }) =>
        html`<li><span class="ts-bearing ts-${bearing}">${BEARINGS[bearing]}</span> <span>${text}</span></li>
`,
    )}</ul>`
  }`;
}

/** What a wallet's record lacks, and what mends it. */
export function completeness({ wallet, isSeen, faults, notes, until }: WalletFigures): Markup {
  const fetch = html`<code>oddslab fetch wallet ${wallet}</code>`;
  const at = until && html` It reaches to ${until.slice(0, 16).replace('T', ' ')} UTC.`;
  const state =
    isSeen === undefined
      ? html`<p>The source does not say how complete the record is.</p>`
      : faults.length === 0
        ? html`<p>Nothing of the record is known to be missing.${at}</p>`
        : html`<p><strong>Something is missing.</strong>${at}</p><ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>
<p>A record of Polymarket is fetched by ${fetch}: what stays missing then, no source has. For one from files, <code>oddslab ingest</code> those that hold the rest. Then make this sheet again.</p>`;
  return html`${state}${notes.length > 0 && html`<p>To know, though no fault:</p><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}`;
}

/** The curve, the bars and the calendar. */
export function overTime(figures: WalletFigures): Markup {
  const { curve, drawdown, periods, periodName, wallet, faults } = figures;
  const gains = periods.filter(({ pnl }) => pnl > 0).length;
  return html`${section(
    'How the profit came about',
    html`${curvePicture([{ name: wallet, rows: curve, isIncomplete: faults.length > 0 }], drawdown)}
<p class="ts-note">Cumulative realized profit; shaded: below the highest point so far. Losses on paper show only when they are sold or settled.</p>${curveValues([{ name: wallet, rows: curve }])}`,
    faults,
  )}${section(
    `Profit by ${periodName}`,
    html`<p>${
      periods.length === 1
        ? `All events are of one ${periodName}.`
        : `${gains} of ${counted(periods.length, periodName)} with an event made a gain.`
    }</p>${periodBars(periods, periodName)}
<p class="ts-note">Filled: gain; hollow: loss.</p>${periodTable(figures)}`,
    faults,
  )}${section(
    'Day by day',
    html`${calendar(curve)}<p class="ts-note">The stronger the colour, the more; a dash: loss; pale: nothing realized.</p>`,
    faults,
  )}`;
}

const SHOWN_PERIODS = 24;

function periodTable({ periods, periodName }: WalletFigures): Markup {
  const shown = periods.slice(-SHOWN_PERIODS).reverse();
  const which =
    shown.length < periods.length ? `The last ${shown.length} of ${periods.length} ${periodName}s` : `By ${periodName}`;
  return table(which, shown, [
    { head: periodName === 'month' ? 'Month' : 'Year', cell: ({ period }) => period },
    { head: 'PnL', cell: ({ pnl }) => formatUsd(pnl), isNumber: true },
    { head: 'Invested', cell: ({ invested }) => formatUsd(invested), isNumber: true },
    { head: 'ROI', cell: ({ roi }) => finePercent(roi), isNumber: true },
    { head: 'Closings', cell: ({ wins, losses }) => (wins + losses).toLocaleString('en-US'), isNumber: true },
    { head: 'Win rate', cell: ({ rate }) => formatPercent(rate), isNumber: true },
    {
      head: 'Interval',
      cell: ({ rate, low, high }) => (Number.isNaN(rate) ? '–' : `${formatPercent(low)} to ${formatPercent(high)}`),
      isNumber: true,
    },
  ]);
}

/** Two halves and the intervals. */
export function luck(figures: WalletFigures): Markup {
  const { roi, roiInterval, winRate, winRateInterval, weeks, halves, faults } = figures;
  const confidence = formatPercent(roiInterval.confidence, 0);
  const rows = [
    { name: 'ROI', estimate: roi.roi, interval: roiInterval, how: 'bootstrap of weeks' },
    { name: 'Win rate', estimate: winRate.rate, interval: winRate, how: "Wilson's, as if closings were independent" },
    { name: 'Win rate', estimate: winRate.rate, interval: winRateInterval, how: 'bootstrap of weeks' },
    ...(halves
      ? [
          {
            name: 'Change of ROI, first half to second',
            estimate: halves.change.estimate,
            interval: halves.change,
            how: 'bootstrap of weeks',
          },
        ]
      : []),
  ];
  const few = html`<p>Intervals and halves need more: it has events in ${counted(weeks, 'week')}, and an interval takes ${LEAST_WEEKS}, halves ${2 * LEAST_WEEKS}.</p>`;
  return section(
    'Skill or luck?',
    html`<p>Its weeks are drawn with replacement a thousand times, each as a whole, as bets of one week are related. The middle ${confidence} of the results is the interval: what the same way of betting might have brought with other luck.</p>
${weeks < 2 * LEAST_WEEKS && few}
${table('Estimates and their intervals', rows, [
  { head: 'Figure', cell: ({ name }) => name },
  { head: 'Estimate', cell: ({ estimate }) => finePercent(estimate), isNumber: true },
  {
    head: `${confidence} interval`,
    cell: ({ interval: { low, high } }) => (Number.isNaN(low) ? '–' : `${finePercent(low)} to ${finePercent(high)}`),
    isNumber: true,
  },
  { head: 'By', cell: ({ how }) => how },
])}
${halves && halvesTable([halves.first, halves.second])}
<p class="ts-note">If you came to this wallet because it leads some list, expect less of it than it shows: the best of many looks good even if all of them toss coins.</p>`,
    faults,
  );
}

/** The most rows of a curve's values. */
const MOST_VALUES = 120;

/** The values of curves after each day with an event, or every few of them in a long record, folded up. */
export function curveValues(curves: readonly Curve[]): Markup {
  const dates = [...new Set(curves.flatMap(({ rows }) => rows.map(({ date }) => date.slice(0, 10))))].sort();
  const step = Math.max(1, Math.ceil(dates.length / MOST_VALUES));
  const shown = dates.filter((_, at) => at === dates.length - 1 || at % step === step - 1);
  const totals = curves.map(({ rows }) => {
    let at = 0;
    let total = 0;
    return shown.map((date) => {
      for (; at < rows.length && (rows[at] as Curve['rows'][number]).date.slice(0, 10) <= date; at += 1) {
        total = (rows[at] as Curve['rows'][number]).cumulative_pnl;
      }
      return total;
    });
  });
  const rows = shown.map((date, at) => ({ date, at }));
  const which = step === 1 ? 'every day with an event' : `every ${step} days with an event`;
  return html`<details><summary>The values of the chart</summary>${table(
    `Cumulative realized profit after ${which}`,
    rows,
    [
      { head: 'Day', cell: ({ date }) => date },
      ...curves.map(({ name }, curve) => ({
        head: curves.length === 1 ? 'Cumulative PnL' : name,
        cell: ({ at }: { at: number }) => formatUsd(totals[curve]?.[at] ?? 0),
        isNumber: true,
      })),
    ],
  )}</details>`;
}

/** Two halves beside each other. @param of Whose they are, where a page has several. */
export function halvesTable(halves: readonly Half[], of?: string): Markup {
  const rows = halves.map((half, at) => ({ ...half, name: at === 0 ? 'First half' : 'Second half' }));
  return table(`The record${of ? ` of ${of}` : ''} in two halves by weeks`, rows, [
    { head: 'Half', cell: ({ name }) => name },
    {
      head: 'Weeks',
      cell: ({ from, to, weeks }) => `${weeks}, ${from.slice(0, 10)} to ${to.slice(0, 10)}`,
      isNumber: true,
    },
    { head: 'PnL', cell: ({ roi }) => formatUsd(roi.pnl), isNumber: true },
    { head: 'ROI', cell: ({ roi }) => finePercent(roi.roi), isNumber: true },
    {
      head: 'Interval',
      cell: ({ interval: { low, high } }) => `${finePercent(low)} to ${finePercent(high)}`,
      isNumber: true,
    },
    {
      head: 'Win rate',
      cell: ({ winRate: { rate, low, high } }) =>
        `${formatPercent(rate)} (${formatPercent(low)} to ${formatPercent(high)})`,
      isNumber: true,
    },
  ]);
}

/** A dot and its interval along a common scale; the numbers beside it say the same. */
export function intervalPicture(
  { low, high, estimate }: { low: number; high: number; estimate: number },
  [from, to]: readonly [number, number],
): Markup {
  const at = (value: number) => percent((Math.min(Math.max(value, from), to) - from) / (to - from));
  const isKnown = !Number.isNaN(low) && !Number.isNaN(high);
  return html`<svg class="ts-picture ts-interval" width="100%" height="18" aria-hidden="true">
<line class="ts-zero" x1="${at(0)}" x2="${at(0)}" y1="0" y2="18"/>${
    isKnown && html`<line class="ts-span" x1="${at(low)}" x2="${at(high)}" y1="9" y2="9"/>`
  }${!Number.isNaN(estimate) && html`<circle class="${isKnown ? 'ts-dot' : 'ts-dot ts-hollow'}" cx="${at(estimate)}" cy="9" r="4.5"/>`}</svg>`;
}

/** The scale that holds intervals and estimates, zero in sight; a little room at both ends. */
export function scaleOf(
  intervals: readonly { low: number; high: number; estimate: number }[],
): readonly [number, number] {
  const all = [0, ...intervals.flatMap(({ low, high, estimate }) => [low, high, estimate])].filter(Number.isFinite);
  const [from, to] = extentOf(all);
  const room = (to - from || 1) * 0.06;
  return [from - room, to + room];
}

/** @param faults What the wallet's record lacks, as of {@link markets} and {@link field}. */
export function categories(figures: readonly CategoryFigures[], faults: readonly string[]): Markup {
  const rows = figures.map((row) => ({ ...row, drawn: { ...row.interval, estimate: row.roi.roi } }));
  const scale = scaleOf(rows.map(({ drawn }) => drawn));
  return section(
    'By category',
    html`${table('Categories, most invested first', rows, [
      { head: 'Category', cell: ({ category }) => category },
      { head: 'PnL', cell: ({ roi }) => formatUsd(roi.pnl), isNumber: true },
      { head: 'Invested', cell: ({ roi }) => formatUsd(roi.invested), isNumber: true },
      { head: 'ROI', cell: ({ roi }) => finePercent(roi.roi), isNumber: true },
      {
        head: 'Interval',
        cell: ({ interval: { low, high }, weeks, claim, roi }) =>
          Number.isNaN(low)
            ? hasNoSoundRoi(roi)
              ? EARLIER_STAKES
              : `${counted(weeks, 'week')}: too few`
            : `${finePercent(low)} to ${finePercent(high)}${claim.doubt ? ', not relied on' : ''}`,
        isNumber: true,
      },
      { head: 'ROI as a chart', cell: ({ drawn }) => intervalPicture(drawn, scale) },
      {
        head: 'Win rate',
        cell: ({ winRate: { rate, low, high } }) =>
          Number.isNaN(rate) ? '–' : `${formatPercent(rate)} (${formatPercent(low)} to ${formatPercent(high)})`,
        isNumber: true,
      },
    ])}${
      rows.some(({ claim }) => claim.doubt) &&
      html`<p class="ts-note">Not relied on: an interval that excludes zero, but of too few closings of the other kind, or one more loss of the largest stake would bring it to zero.</p>`
    }`,
    faults,
  );
}

export function markets(figures: MarketsFigures, faults: readonly string[]): Markup {
  const listed = (caption: string, rows: readonly MarketFigures[]) =>
    rows.length > 0 &&
    table(caption, rows, [
      { head: 'Market', cell: ({ name }) => name },
      { head: 'PnL', cell: ({ pnl }) => formatUsd(pnl), isNumber: true },
      { head: 'Invested', cell: ({ invested }) => formatUsd(invested), isNumber: true },
    ]);
  return section(
    'Best and worst markets',
    html`<p>Of ${counted(figures.count, 'market')}, ${figures.gains.toLocaleString('en-US')} made a profit and ${figures.losses.toLocaleString('en-US')} a loss.</p>
${listed('The best', figures.best)}${listed('The worst', figures.worst)}`,
    faults,
  );
}

export function field(figures: FieldFigures, faults: readonly string[]): Markup {
  const { wallets, isCut, standings, rank } = figures;
  const among = `the ${counted(wallets, 'wallet')} with at least ${FIELD_TRADES} trades`;
  if (!standings) {
    const why = isCut
      ? `It is not among the ${counted(wallets, 'wallet')} of most profit that were asked for; how many there are below them is not known.`
      : `It is not among ${among}, with which others are compared.`;
    return section('Against the field', html`<p>${why}</p>`, faults);
  }
  if (wallets === 1) {
    return section(
      'Against the field',
      html`<p>No other wallet has at least ${FIELD_TRADES} trades: there is nothing to compare it with.</p>`,
    );
  }
  const shown = isCut ? [] : standings;
  return section(
    'Against the field',
    html`<p>By realized profit it has rank ${rank.toLocaleString('en-US')} of ${
      isCut
        ? `the ${counted(wallets, 'wallet')} of most profit; there are more below, so that no percentile is told`
        : among
    }, over the whole time.</p>
${
  shown.length > 0 &&
  table('Share of the other wallets that lies below', shown, [
    { head: 'Figure', cell: ({ name }) => name },
    {
      head: 'This wallet',
      cell: ({ value, unit }) => (unit === 'usd' ? formatUsd(value) : finePercent(value)),
      isNumber: true,
    },
    {
      head: 'Above',
      cell: ({ below }) => (Number.isNaN(below) ? 'none known' : `${formatPercent(below)} of the others`),
      isNumber: true,
    },
    {
      head: 'As a chart',
      cell: ({ below }) =>
        Number.isNaN(below)
          ? '–'
          : html`<svg class="ts-picture ts-interval" width="100%" height="18" aria-hidden="true"><line class="ts-grid" x1="0" x2="100%" y1="9" y2="9"/><circle class="ts-dot" cx="${percent(0.03 + 0.94 * below)}" cy="9" r="4.5"/></svg>`,
    },
  ])
}`,
    faults,
  );
}
