import type { Random } from '../../../src/service/sample/random.js';
import {
  grouped,
  heldOf,
  NO_MARKET,
  type SourceEvent,
  type SourceMarket,
  type UnorderedRow,
} from './source-records.js';

/** The smallest number of NO shares, in millionths, that is worth a conversion. */
const LEAST = 2_000_000;

/**
 * Lets some wallets convert NO shares that they would have kept to the close: after their last trade in the event, and
 * before it ends. What they redeemed for those shares is taken back, and
 * for the YES shares that came the redemption of the question that came true pays more. The rows stay in order of time.
 */
export function convertSome(rows: UnorderedRow[], events: readonly SourceEvent[], random: Random): void {
  for (const event of events) {
    if (event.negRiskId === '') continue;
    const own = rows.filter(({ market }) => market?.event === event);
    for (const [wallet, theirs] of grouped(own, (row) => row.wallet)) {
      const time = Math.max(...theirs.filter(({ type }) => type !== 'REDEEM').map((row) => row.time)) + 30;
      if (time >= event.end || !random.chance(0.4)) continue;
      const byMarket = grouped(theirs, ({ market }) => market);
      const kept = event.markets.map((market) => ({ market, shares: heldOf(byMarket.get(market) ?? [], 1) }));
      const worth = kept.filter(({ shares }) => shares >= LEAST).slice(0, event.markets.length - 1);
      const chosen = worth.slice(0, random.chance(0.3) ? 2 : 1);
      const shares = Math.floor(Math.min(...chosen.map((each) => each.shares)) / 2_000) * 1_000;
      const tx = `0x${random.hex(64)}`;
      for (const { market } of chosen) {
        rows.push({ ...NO_MARKET, type: 'CONVERSION', wallet, time, market, outcome: 1, shares, microUsd: shares, tx });
        takeBack(rows, theirs, market, shares);
      }
      const winner = event.markets.find(({ payouts }) => payouts?.[0] === 1_000_000);
      const redeemed = theirs.find((row) => row.market === winner && row.type === 'REDEEM');
      if (redeemed && chosen.length > 0 && !chosen.some(({ market }) => market === winner)) {
        redeemed.shares += shares;
        redeemed.microUsd += shares;
      }
    }
  }
  rows.sort((a, b) => a.time - b.time);
}

function takeBack(rows: UnorderedRow[], theirs: readonly UnorderedRow[], market: SourceMarket, shares: number): void {
  if (market.payouts?.[1] !== 1_000_000) return;
  const redeemed = theirs.find((row) => row.market === market && row.type === 'REDEEM');
  if (redeemed === undefined) return;
  redeemed.shares -= shares;
  redeemed.microUsd -= shares;
  if (redeemed.shares <= 0) rows.splice(rows.indexOf(redeemed), 1);
}
