import { shellWord } from '../base/texts.js';
import type { IngestResult } from '../service/ingest/ingest-inputs.js';

type Manifest = IngestResult['version']['manifest'];

/** Reasons of doubts about events without a market record; such events have no result, or are kept aside. */
const WITHOUT_MARKET = /^event of a market without a market record|^fill kept aside: no input has a market/;

/** Share of events without a market record from which the report begins with a headline about them. */
const WORTH_A_HEADLINE = 0.1;

/**
 * The headline of an ingest's report where trades were read without their markets: what is missing, what that means for
 * the datasets, and what to do next.
 *
 * @param manifest Manifest of the version that was built or rehearsed.
 * @param folder The data folder, for the suggested command.
 * @returns An empty string if less than a tenth of the events lack a market record.
 */
export function ingestHeadline(manifest: Pick<Manifest, 'totals' | 'doubtful'>, folder: string): string {
  const missing = missingMarkets(manifest);
  if (missing.length === 0) return '';
  return [
    ...missing,
    '  What to do: read the market records, too, as Gamma /markets or CLOB /markets gives them; what was read stays:',
    `  $ oddslab ingest --data ${shellWord(folder)} markets.json`,
    '\n',
  ].join('\n');
}

/** Says which markets are missing and what that means; no lines if less than a tenth of the events lack a record. */
export function missingMarkets({ totals, doubtful }: Pick<Manifest, 'totals' | 'doubtful'>): string[] {
  const counts = Object.entries(doubtful).filter(([reason]) => WITHOUT_MARKET.test(reason));
  const missing = counts.reduce((sum, [, n]) => sum + n, 0);
  const aside = counts.reduce((sum, [reason, n]) => (reason.startsWith('fill kept aside') ? sum + n : sum), 0);
  const all = (totals.events ?? 0) + aside;
  if (missing === 0 || missing / all < WORTH_A_HEADLINE) return [];
  const what = 'trades and other events';
  const share = missing === all ? `All ${what} (${count(all)})` : `${count(missing)} of ${count(all)} ${what}`;
  return [
    `MARKETS ARE MISSING. ${share} are of markets without a record.`,
    ...meaning(missing > aside, aside, totals.markets ?? 0),
  ];
}

function meaning(isUnsettled: boolean, aside: number, markets: number): string[] {
  return [
    ...(isUnsettled
      ? [
          '  The ledger cannot know who won: what was held to the end is neither a win nor a loss there, unless it was redeemed.',
          '  PnL, ROI and win rates in the datasets pnl (569) and lifetime (586) leave it out, and are not to be relied on.',
        ]
      : []),
    ...(aside > 0 ? [`  ${count(aside)} of them name markets by number alone, and are in no dataset yet.`] : []),
    `  ${markets === 0 ? 'The dataset markets (574) is empty.' : 'The dataset markets (574) lacks them.'}`,
  ];
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
