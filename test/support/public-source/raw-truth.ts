import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isoOfSeconds } from '../../../src/contract/time.js';
import type { SourceMarket, SourceRecords, SourceRow } from './source-records.js';

/** Types that a record of profit and loss does not have: transfers, and what only the venue's contracts do. */
const LEFT_OUT = ['DEPOSIT', 'WITHDRAWAL', 'TIP', 'MIGRATION'];

/**
 * Writes what a perfect download in the plainest form would hold, for comparison: every market as Gamma gives it, with
 * its result and its first pair of tokens, and the activity of wallets with the fees in `usdcSize`, each conversion
 * naming its token. A market that was carried over stands under its first condition throughout, as if it had not been.
 *
 * @param wallets Default all.
 * @returns The files to ingest.
 */
export async function writeRawTruth(
  folder: string,
  records: SourceRecords,
  wallets?: readonly string[],
): Promise<string[]> {
  const rows = wallets ? wallets.flatMap((wallet) => records.byWallet.get(wallet) ?? []) : records.rows;
  const kept = rows.filter(({ type }) => !LEFT_OUT.includes(type));
  const contents = { 'markets.json': records.markets.map(plainMarket), 'activity.json': kept.map(plainRow) };
  const files: string[] = [];
  for (const [name, content] of Object.entries(contents)) {
    files.push(join(folder, name));
    await writeFile(join(folder, name), JSON.stringify(content));
  }
  return files;
}

function plainMarket(market: SourceMarket): object {
  const { payouts, closedAt, event } = market;
  return {
    id: market.id,
    question: market.question,
    conditionId: market.condition,
    slug: market.slug,
    startDate: isoOfSeconds(market.start),
    endDate: isoOfSeconds(market.end),
    updatedAt: isoOfSeconds(closedAt || market.end),
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: JSON.stringify(payouts ? payouts.map((payout) => String(payout / 1e6)) : market.lastPrices),
    clobTokenIds: JSON.stringify(market.tokens),
    volume: market.volume,
    closed: closedAt > 0,
    ...(closedAt > 0 ? { closedTime: `${isoOfSeconds(closedAt).replace('T', ' ').slice(0, 19)}+00` } : {}),
    negRisk: event.negRiskId !== '',
    ...(event.negRiskId === '' ? {} : { negRiskMarketID: event.negRiskId }),
    events: [{ slug: event.slug }],
  };
}

function plainRow({ type, wallet, time, market, outcome, side, shares, microUsd, price, tx }: SourceRow): object {
  return {
    proxyWallet: wallet,
    timestamp: time,
    conditionId: market?.condition ?? '',
    type,
    size: shares / 1e6,
    usdcSize: microUsd / 1e6,
    price,
    asset: outcome === -1 ? '' : (market?.tokens[outcome] ?? ''),
    side,
    outcomeIndex: outcome === -1 ? 999 : outcome,
    transactionHash: tx,
  };
}
