import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { counted } from '../base/texts.js';
import { shortId } from '../frame/display/cell-formatter.js';
import { LEAST_CLOSINGS, roiDifference } from './beyond-chance.js';
import { curvePicture } from './curve-picture.js';
import { hasNoSoundRoi } from './drawn-interval.js';
import { EARLIER_STAKES, finePercent, type Judgement } from './findings.js';
import { html, idMarkup, type Markup, table } from './markup.js';
import {
  completeness,
  curveValues,
  halvesTable,
  INCOMPLETE,
  intervalPicture,
  judgement,
  scaleOf,
  section,
} from './sections.js';
import { isUndecided, type WalletFigures } from './wallet-figures.js';

/** A wallet of a comparison. */
export interface Compared {
  readonly figures: WalletFigures;
  readonly judgement: Judgement;
}

/** So many draws, since the intervals of fifteen pairs reach far into the tails. */
const PAIR_SAMPLES = 4000;

/**
 * What can be said of the order of wallets: that one returned more than another only where the interval of the
 * difference lies above zero, at a confidence that is corrected for the number of pairs (Bonferroni's).
 */
export function rankingOf(compared: readonly Compared[]): Judgement {
  const known = compared.map(({ figures }) => figures).filter(({ roiInterval }) => !Number.isNaN(roiInterval.low));
  const unknown = compared.length - known.length;
  const lacking = compared
    .filter(({ figures }) => figures.faults.length > 0)
    .map(({ figures }) => shortId(figures.wallet));
  const rest =
    (unknown > 0 ? ` Of ${counted(unknown, 'wallet')} no interval is known.` : '') +
    (lacking.length > 0
      ? ` What is said of ${new Intl.ListFormat('en').format(lacking)} depends on ${lacking.length === 1 ? 'an incomplete record' : 'incomplete records'}.`
      : '');
  if (known.length < 2) return openVerdict(`There are no two intervals of ROI to compare.${rest}`);
  const count = (known.length * (known.length - 1)) / 2;
  const overall = known[0]?.roiInterval.confidence ?? 0.95;
  const confidence = 1 - (1 - overall) / count;
  const apart = known.flatMap((better, at) =>
    known
      .filter((worse, other) => other !== at && better.roi.roi > worse.roi.roi && isJudged(better, worse))
      .map((worse) => {
        const difference = roiDifference(better.weekly, worse.weekly, confidence, PAIR_SAMPLES);
        return { better, worse, difference };
      })
      .filter(({ difference }) => difference.low > 0),
  );
  const all = `${formatPercent(overall, 0)}, corrected for ${counted(count, 'pair')}`;
  if (apart.length === 0) {
    return openVerdict(
      `These records do not settle which wallet is better: no difference of two ROIs is beyond chance (${all}).${rest}`,
    );
  }
  const caution = `Of ${counted(count, 'pair')} of wallets, ${apart.length} ${apart.length === 1 ? 'differs' : 'differ'} in ROI beyond chance (${all}); the others do not settle it.${rest}`;
  return openVerdict(
    caution,
    apart.map(
      ({ better, worse, difference: { low, high } }) =>
        `${nameOf(better)} returned more than ${nameOf(worse)}: ${finePercent(better.roi.roi)} against ` +
        `${finePercent(worse.roi.roi)}, the difference with one more loss of the better's largest stake between ${finePercent(low)} and ${finePercent(high)}.`,
    ),
  );
}

/** A wallet in a sentence, with what its figures lack. */
function nameOf({ wallet, faults }: WalletFigures): string {
  return `${shortId(wallet)}${faults.length > 0 ? ` (${INCOMPLETE})` : ''}`;
}

/** A ranking speaks neither for nor against a wallet. */
function openVerdict(verdict: string, findings: readonly string[] = []): Judgement {
  const open = (text: string) => ({ bearing: 'open', text }) as const;
  return { verdict: open(verdict), findings: findings.map(open) };
}

/** Whether the better one has lost, and the worse one won, often enough for a difference to be judged. */
function isJudged({ winRate: better }: WalletFigures, { winRate: worse }: WalletFigures): boolean {
  return better.losses >= LEAST_CLOSINGS && worse.wins >= LEAST_CLOSINGS;
}

/** The sheet of several wallets: side by side first, then the findings of each. */
export function comparison(compared: readonly Compared[]): Markup {
  const rows = compared.map(({ figures }) => ({
    ...figures,
    isOpen: isUndecided(figures),
    drawn: { ...figures.roiInterval, estimate: isUndecided(figures) ? Number.NaN : figures.roi.roi },
  }));
  const scale = scaleOf(rows.map(({ drawn }) => drawn));
  const known = compared.filter(({ figures }) => figures.curve.length > 0);
  const curves = known.map(({ figures: { wallet, curve, faults } }) => ({
    name: shortId(wallet),
    rows: curve,
    isIncomplete: faults.length > 0,
  }));
  return html`${section('Findings', judgement(rankingOf(compared)))}${section(
    'Side by side',
    table('Wallets, in the order asked for', rows, [
      {
        head: 'Wallet and its record',
        cell: ({ wallet, isSeen, faults }) =>
          html`${idMarkup(wallet)} <span class="ts-below">${recordText(isSeen, faults)}</span>`,
      },
      {
        head: 'ROI',
        cell: ({ roi, isOpen, drawn: { low, high, estimate } }) =>
          stacked(
            finePercent(estimate),
            isOpen
              ? 'nothing closed yet'
              : hasNoSoundRoi(roi)
                ? EARLIER_STAKES
                : Number.isNaN(low)
                  ? 'too few weeks'
                  : `${finePercent(low)} to ${finePercent(high)}`,
          ),
        isNumber: true,
      },
      { head: 'ROI as a chart', cell: ({ drawn }) => intervalPicture(drawn, scale) },
      {
        head: 'PnL',
        cell: ({ roi }) => stacked(formatUsd(roi.pnl), `on ${formatUsd(roi.invested)}`),
        isNumber: true,
      },
      {
        head: 'Win rate',
        cell: ({ winRate: { rate, low, high } }) =>
          Number.isNaN(rate) ? '–' : stacked(finePercent(rate), `${finePercent(low)} to ${finePercent(high)}`),
        isNumber: true,
      },
      { head: 'Closings', cell: ({ winRate }) => winRate.decided.toLocaleString('en-US'), isNumber: true },
      {
        head: 'Deepest fall',
        cell: ({ drawdown }) => (drawdown.depth > 0 ? formatUsd(-drawdown.depth) : '–'),
        isNumber: true,
      },
      { head: 'Days', cell: ({ days }) => days.toLocaleString('en-US'), isNumber: true },
    ]),
  )}${
    curves.length > 0 &&
    section(
      'How the profit came about',
      html`<ul class="ts-legend">${curves.map(
        ({ name, rows: [...days], isIncomplete }, at) =>
          html`<li><svg width="34" height="10" aria-hidden="true"><path class="ts-line ts-line-${at}" d="M0 5H34"/></svg> <code>${name}</code> ${formatUsd(days.at(-1)?.cumulative_pnl ?? 0)}${isIncomplete && `, ${INCOMPLETE}`}</li>
`,
      )}</ul>${curvePicture(curves)}<p class="ts-note">Cumulative realized profit.</p>${curveValues(curves)}`,
    )
  }${compared.map(({ figures, judgement: own }) =>
    section(
      shortId(figures.wallet),
      html`<p class="ts-wallet"><code>${figures.wallet}</code></p>${judgement(own)}${completeness(figures)}${
        figures.halves && halvesTable([figures.halves.first, figures.halves.second], shortId(figures.wallet))
      }`,
      figures.faults,
    ),
  )}`;
}

function stacked(value: string, below: string): Markup {
  return html`${value} <span class="ts-below">${below}</span>`;
}

function recordText(isSeen: boolean | undefined, faults: readonly string[]): string {
  if (isSeen === undefined) return 'not told';
  return faults.length === 0 ? 'complete as far as known' : `Incomplete: ${faults.join('; ')}`;
}
