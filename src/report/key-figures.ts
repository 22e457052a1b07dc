import { formatUsd } from '../analysis/shown-result.js';
import { counted } from '../base/texts.js';
import { hasNoSoundRoi } from './drawn-interval.js';
import { EARLIER_STAKES, finePercent, intervalText, unstatedText } from './findings.js';
import { html, type Markup } from './markup.js';
import { INCOMPLETE } from './sections.js';
import { isUndecided, type WalletFigures } from './wallet-figures.js';

/**
 * The figures in large, with their uncertainty below.
 *
 * @param isPeriod Whether the sheet covers a part of the record's time.
 */
export function keyFigures(figures: WalletFigures, isPeriod: boolean): Markup {
  const { roi, roiInterval, claim, winRate, drawdown, days, weeks, first, last, faults, unstated } = figures;
  const fall = drawdown.depth > 0 ? formatUsd(-drawdown.depth) : 'none';
  const active = ['Active', counted(days, 'day'), `in ${counted(weeks, 'week')}, ${spanText(first, last)}`] as const;
  if (isUndecided(figures)) return tileList([['Invested', formatUsd(roi.invested), 'nothing realized yet'], active]);
  const lack = faults.length > 0 ? `; ${INCOMPLETE}` : '';
  const tiles: readonly Tile[] = [
    ['Realized PnL', formatUsd(roi.pnl), `on ${formatUsd(roi.invested)} invested${unstatedText(unstated)}${lack}`],
    [
      'ROI',
      finePercent(roi.roi),
      hasNoSoundRoi(roi)
        ? `none: ${EARLIER_STAKES}, as more was lost than was invested in it`
        : `${
            Number.isNaN(roiInterval.low)
              ? `no interval from ${counted(weeks, 'week')}`
              : `${intervalText(roiInterval)}${claim.doubt ? '; not relied on, see above' : ''}`
          }${isPeriod ? '; stakes paid before the period do not count' : ''}${lack}`,
    ],
    [
      'Win rate',
      finePercent(winRate.rate),
      `${winRate.decided === 0 ? '' : `${intervalText(winRate)}; `}${counted(winRate.decided, 'closing')}${lack}`,
    ],
    ['Deepest fall', fall, drawdown.to === null ? noFall(faults, days) : `to ${drawdown.to.slice(0, 10)}${lack}`],
    active,
  ];
  return tileList(tiles);
}

type Tile = readonly [label: string, value: string, below: string];

function spanText(first: string, last: string): string {
  const [from, to] = [first.slice(0, 10), last.slice(0, 10)];
  return from === to ? from : `${from} to ${to}`;
}

function tileList(tiles: readonly Tile[]): Markup {
  return html`<dl class="ts-tiles">${tiles.map(
    ([label, value, below]) => html`<div><dt>${label}</dt><dd><strong>${value}</strong> <span>${below}</span></dd></div>
`,
  )}</dl>`;
}

/** What is said of a record without a fall: no more than it can tell. */
function noFall(faults: readonly string[], days: number): string {
  if (faults.length > 0) return 'in what is known of it; the record is incomplete';
  return days === 1 ? 'one day tells of none' : 'it never fell';
}
