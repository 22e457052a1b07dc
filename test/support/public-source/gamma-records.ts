import { isoOfSeconds } from '../../../src/contract/time.js';
import { pairsOf, type SourceEvent, type SourceMarket } from './source-records.js';

const ADDRESS = `0x${'5'.repeat(40)}`;

/** A market as Gamma gives it at a time, with the event that it belongs to. */
export function gammaMarket(market: SourceMarket, now: number): Record<string, unknown> {
  return { ...bareMarket(market, now), events: [bareEvent(market.event, now)] };
}

/** An event as Gamma gives it at a time, with its markets and tags. */
export function gammaEvent(event: SourceEvent, now: number): Record<string, unknown> {
  const markets = event.markets.filter(({ hidden }) => hidden === 'nowhere');
  return {
    ...bareEvent(event, now),
    tags: tagsOf(event).map((label, at) => ({
      id: String(at === 0 ? 100 + label.length : 1),
      label,
      slug: label.toLowerCase(),
      forceShow: false,
      createdAt: microIso(event.start),
    })),
    series: [],
    markets: markets.map((market) => bareMarket(market, now)),
  };
}

/** The labels under which an event is listed. */
export function tagsOf(event: SourceEvent): string[] {
  return [event.category, 'All'];
}

/** Whether a market is closed at a time. */
export function isClosed(market: SourceMarket, now: number): boolean {
  return market.closedAt > 0 && market.closedAt <= now;
}

/** Whether all markets of an event are closed at a time. */
export function isOver(event: SourceEvent, now: number): boolean {
  return event.markets.every((market) => isClosed(market, now));
}

function bareMarket(market: SourceMarket, now: number): Record<string, unknown> {
  const closed = isClosed(market, now);
  const volume = Number(market.volume);
  const { event, carried } = market;
  const pairs = pairsOf(market);
  const v2 = market.protocol === 2 ? pairs[0] : carried;
  return {
    id: market.id,
    question: market.question,
    // Protocol V2's ids are 31 bytes; this source writes them without the padding.
    conditionId: market.protocol === 2 ? market.condition.slice(0, 64) : market.condition,
    slug: market.slug,
    resolutionSource: '',
    endDate: isoOfSeconds(market.end),
    startDate: isoOfSeconds(market.start),
    image: 'https://pictures.example/PRIVATE-IMAGE.png',
    icon: 'https://pictures.example/PRIVATE-ICON.png',
    description: `Rules of “${market.question}”`,
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: JSON.stringify(pricesOf(market, closed)),
    volume: market.volume,
    liquidity: closed ? '0' : '250.5',
    active: true,
    closed,
    marketMakerAddress: '',
    createdAt: microIso(market.start - 3_600),
    updatedAt: microIso(closed ? market.closedAt + 60 : Math.min(now, market.end)),
    ...(closed ? { closedTime: `${isoOfSeconds(market.closedAt).replace('T', ' ').slice(0, 19)}+00` } : {}),
    new: false,
    featured: false,
    submitted_by: ADDRESS,
    archived: false,
    resolvedBy: ADDRESS,
    restricted: true,
    groupItemTitle: market.item,
    groupItemThreshold: '0',
    questionID: market.questionId,
    enableOrderBook: true,
    orderPriceMinTickSize: market.tick,
    orderMinSize: 5,
    umaResolutionStatus: umaStatus(market, closed),
    volumeNum: volume,
    liquidityNum: closed ? 0 : 250.5,
    endDateIso: isoOfSeconds(market.end).slice(0, 10),
    startDateIso: isoOfSeconds(market.start).slice(0, 10),
    hasReviewedDates: true,
    volume24hr: 0,
    volume1wk: 0,
    volume1mo: 0,
    volume1yr: volume,
    clobTokenIds: market.protocol === 2 ? null : JSON.stringify(market.tokens),
    ...(v2 ? { version: 'v2', positionIds: v2.tokens } : {}),
    umaBond: '500',
    umaReward: '2',
    volume1yrClob: volume,
    volumeClob: volume,
    acceptingOrders: !closed,
    negRisk: event.negRiskId !== '',
    ...(event.negRiskId === '' ? {} : { negRiskMarketID: event.negRiskId }),
    negRiskRequestID: '',
    ready: false,
    funded: false,
    cyom: false,
    competitive: 0,
    rewardsMinSize: 20,
    rewardsMaxSpread: 3.5,
    spread: 0.01,
    lastTradePrice: Number(market.lastPrices[0]),
    bestBid: 0.4,
    bestAsk: 0.5,
    automaticallyActive: true,
    clearBookOnStart: true,
    manualActivation: false,
    negRiskOther: false,
    umaResolutionStatuses: closed ? '["proposed"]' : '[]',
    pendingDeployment: false,
    deploying: false,
    rfqEnabled: false,
    holdingRewardsEnabled: false,
    feesEnabled: market.fee !== undefined,
    feeType: market.fee ? 'crypto_fees' : null,
    feeSchedule: market.fee ? { ...market.fee, takerOnly: true, rebateRate: 0.2 } : null,
    makerBaseFee: 0,
    takerBaseFee: market.fee ? 1000 : 0,
    requiresTranslation: false,
  };
}

function umaStatus(market: SourceMarket, closed: boolean): string | null {
  if (!closed) return null;
  if (market.payouts === undefined) return 'disputed';
  return market.looksUnsettled ? 'proposed' : 'resolved';
}

function pricesOf(market: SourceMarket, closed: boolean): string[] {
  if (!closed) return market.payouts ? ['0.41', '0.59'] : market.lastPrices;
  if (market.looksUnsettled) return ['0.58', '0.42'];
  return market.payouts ? market.payouts.map((payout) => String(payout / 1e6)) : market.lastPrices;
}

function bareEvent(event: SourceEvent, now: number): Record<string, unknown> {
  const volume = event.markets.reduce((sum, market) => sum + Number(market.volume), 0);
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    description: `About “${event.title}”`,
    startDate: isoOfSeconds(event.start),
    creationDate: isoOfSeconds(event.start),
    endDate: isoOfSeconds(event.end),
    image: 'https://pictures.example/PRIVATE-IMAGE.png',
    icon: 'https://pictures.example/PRIVATE-ICON.png',
    active: true,
    closed: isOver(event, now),
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    liquidity: 0,
    volume,
    openInterest: 0,
    createdAt: microIso(event.start),
    updatedAt: microIso(event.end),
    competitive: 0,
    volume24hr: 0,
    volume1wk: 0,
    volume1mo: 0,
    volume1yr: volume,
    enableOrderBook: true,
    negRisk: event.negRiskId !== '',
    commentCount: 0,
    cyom: false,
    showAllOutcomes: true,
    automaticallyActive: true,
    gmpChartMode: 'default',
    negRiskAugmented: false,
    requiresTranslation: false,
  };
}

function microIso(seconds: number): string {
  return isoOfSeconds(seconds).replace('Z', '.000001Z');
}
