import { formatUsd } from '../analysis/shown-result.js';
import { counted } from '../base/texts.js';
import type { HeldFigures, PositionFigures, PositionsFigures } from './market-figures.js';
import { html, type Markup, table } from './markup.js';
import { section } from './sections.js';
import type { WalletFigures } from './wallet-figures.js';

/**
 * Open positions: first those of markets that may still pay, then those of markets that closed with no known result.
 *
 * @param record In how many such closed markets the wallet holds shares, as its record says, and what that lacks.
 */
export function positionsSection(
  { undecided, ...held }: PositionsFigures,
  { undecided: markets, faults }: Pick<WalletFigures, 'undecided' | 'faults'>,
): Markup {
  const { count, cost, unrealized } = held;
  const untold =
    markets > 0 &&
    undecided.count === 0 &&
    html` <strong>${counted(markets, 'market')} among them closed without a known result</strong>, and the source does not tell which: what they add to the amount on paper is not to be relied on.`;
  const which = undecided.count > 0 ? 'position of a market that is open' : 'open position';
  const none = faults.length > 0 ? `No ${which} of it is known.` : `It holds no ${which}.`;
  return section(
    'Open positions',
    html`${
      count === 0
        ? html`<p>${none}</p>`
        : html`<p>${counted(count, 'position')} that cost ${formatUsd(cost)}: ${formatUsd(unrealized)} on paper by the last prices${unpricedText(held)}. The last price is that of the last fill, not an offer to buy.${untold}</p>
${heldTable(held)}`
    }${
      undecided.count > 0 &&
      html`
<p><strong>${counted(undecided.count, 'further position')} of markets that closed without a known result</strong> cost ${formatUsd(undecided.cost)}. By prices as old as their close they would be ${formatUsd(undecided.unrealized)} on paper${unpricedText(undecided)}; whether they will ever pay, the record does not tell, so that this is in no sum here.</p>
${heldTable(undecided, 'closed without a known result')}`
    }`,
    faults,
  );
}

function unpricedText({ unpriced }: HeldFigures): string {
  return unpriced > 0 ? `; of ${unpriced} no price is known` : '';
}

/** @param which What these positions have in common, where a sheet has others, too. */
function heldTable({ count, largest }: HeldFigures, which?: string): Markup {
  const part = largest.length < count ? `The ${largest.length} largest of ${count}` : 'All of them';
  const day = (head: string, name: 'lastTraded' | 'closed') =>
    largest.some((position) => position[name])
      ? [{ head, cell: (position: PositionFigures) => position[name] || '–' }]
      : [];
  return table(which ? `${part}, ${which}` : part, largest, [
    { head: 'Market', cell: ({ name }) => name },
    { head: 'Side', cell: ({ outcome }) => outcome },
    {
      head: 'Shares',
      cell: ({ shares }) => shares.toLocaleString('en-US', { maximumFractionDigits: 2 }),
      isNumber: true,
    },
    { head: 'Cost', cell: ({ cost }) => formatUsd(cost), isNumber: true },
    { head: 'Paid', cell: ({ price }) => priceText(price), isNumber: true },
    { head: 'Last', cell: ({ last }) => priceText(last), isNumber: true },
    { head: 'On paper', cell: ({ unrealized }) => formatUsd(unrealized), isNumber: true },
    ...(which ? day('Closed', 'closed') : day('Last traded', 'lastTraded')),
  ]);
}

/** A price of a share, in cents. */
function priceText(price: number): string {
  return Number.isNaN(price) ? '–' : `${(100 * price).toFixed(1)}¢`;
}
