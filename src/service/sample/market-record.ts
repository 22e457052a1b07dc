import { decimalOf } from '../../base/decimal.js';
import { DAY_SECONDS, isoOfSeconds } from '../../contract/time.js';
import { sampleWindow, type ToldEvent, type ToldMarket } from './tell-event.js';

/** The result of trading in a market. */
export interface MarketTally {
  /** The takers' dollars, in millionths, so that each match counts once. */
  volumeMicroUsd: number;
  /** The last price of outcome 0, in thousandths of a dollar. */
  lastPrice: number;
  /** The smallest price step, in thousandths of a dollar. */
  tick: number;
}

/** A market as Gamma's `/markets` gives it. */
export function marketRecord(event: ToldEvent, market: ToldMarket, tally: MarketTally): object {
  const closed = event.closedAt > 0;
  const volume = decimalOf(BigInt(tally.volumeMicroUsd));
  return {
    id: market.id,
    question: market.question,
    conditionId: market.conditionId,
    slug: market.slug,
    startDate: isoOfSeconds(event.start),
    endDate: isoOfSeconds(dueAt(event)),
    createdAt: isoOfSeconds(event.start - 3_600),
    updatedAt: isoOfSeconds(Math.min(sampleWindow.end, closed ? event.closedAt + 60 : sampleWindow.end)),
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: JSON.stringify(outcomePrices(market, tally.lastPrice)),
    clobTokenIds: JSON.stringify(market.tokens),
    volume,
    volumeNum: Number(volume),
    active: true,
    closed,
    ...(closed ? { closedTime: `${isoOfSeconds(event.closedAt).replace('T', ' ').slice(0, 19)}+00` } : {}),
    archived: false,
    acceptingOrders: !closed,
    enableOrderBook: true,
    groupItemTitle: market.item,
    lastTradePrice: tally.lastPrice / 1000,
    orderPriceMinTickSize: tally.tick / 1000,
    orderMinSize: 5,
    feesEnabled: false,
    ...(closed ? { umaResolutionStatus: market.resolution === 'unresolved' ? 'disputed' : 'resolved' } : {}),
    negRisk: event.negRiskId !== '',
    ...(event.negRiskId === '' ? {} : { negRiskMarketID: event.negRiskId }),
    events: [eventRecord(event, closed)],
  };
}

/** When an event was due to end: the midnight before its last trades, since an end date is often only a day. */
function dueAt({ end }: ToldEvent): number {
  return end - (end % DAY_SECONDS);
}

function eventRecord(event: ToldEvent, closed: boolean): object {
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    startDate: isoOfSeconds(event.start),
    endDate: isoOfSeconds(dueAt(event)),
    category: categories[event.category],
    active: true,
    closed,
    negRisk: event.negRiskId !== '',
  };
}

const categories = ['Politics', 'Sports', 'Crypto', 'Weather', 'Tech', 'Entertainment'];

function outcomePrices(market: ToldMarket, lastPrice: number): string[] {
  if (market.resolution === 'won') return market.winner === 0 ? ['1', '0'] : ['0', '1'];
  if (market.resolution === 'tie') return ['0.5', '0.5'];
  // A market that closed undecided gets a price that cannot be taken for a result.
  const price = market.resolution === 'open' ? lastPrice : Math.max(60, Math.min(940, lastPrice));
  const shown = price === 500 && market.resolution === 'unresolved' ? 510 : price;
  return [String(shown / 1000), String((1000 - shown) / 1000)];
}
