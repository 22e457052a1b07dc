import { TIE, WINS_ABOVE } from '../base/market-result.js';
import { fieldOf, jsonIn } from '../base/texts.js';
import type { SourceRecord } from './records.js';

type Fields = SourceRecord['value'];

/** What is known of a market from one of its records. */
export interface MarketFact {
  readonly condition: string;
  /** Its slug; where it has none, its condition id. */
  readonly name: string;
  readonly isClosed: boolean;
  /** Whether the record tells a clear result, and when the market closed. */
  readonly isDecided: boolean;
  /** Whether the record tells who won. */
  readonly hasWinner: boolean;
  /** Whether the record says that its result is proposed or disputed, not final. */
  readonly isPending: boolean;
  /** When it closed, or should have, in Unix milliseconds; NaN if the record does not say. */
  readonly closedAt: number;
  /** Id of the group of exclusive markets that it belongs to; empty if none. */
  readonly group: string;
}

/** Condition ids in one form: lower case, 64 digits, as those of 62 are the same with `00` at their end. */
export function idOf(condition: unknown): string {
  const id = String(condition ?? '').toLowerCase();
  return id.length === 64 ? `${id}00` : id;
}

/** The condition id of a record of the CLOB or the Data API. */
export function conditionOf({ condition_id }: Fields): string {
  return idOf(condition_id);
}

/** What makes two of Gamma's records versions of the same, as a condition may have several. */
export function marketId({ id, conditionId }: Fields): string {
  return String(id ?? conditionId);
}

/** What a record of Gamma says. */
export function gammaFact(market: Fields): MarketFact {
  const isClosed = market.closed === true;
  const prices = typeof market.outcomePrices === 'string' ? jsonIn(market.outcomePrices) : market.outcomePrices;
  const numbers = Array.isArray(prices) ? prices.map(Number) : [];
  const isTie = numbers.length === 2 && numbers.every((price) => price >= TIE.least && price <= TIE.most);
  const { umaResolutionStatus: status } = market;
  const isDecided = isClosed && (isTie || numbers.some((price) => price > WINS_ABOVE));
  return {
    condition: idOf(market.conditionId),
    name: String(market.slug ?? market.conditionId),
    isClosed,
    isDecided,
    hasWinner: isDecided,
    isPending: Boolean(status) && status !== 'resolved',
    closedAt: Date.parse(String(market.closedTime ?? market.endDate).replace(/\+00$/, 'Z')),
    group: idOf(market.negRiskMarketID),
  };
}

/** What a record of the CLOB says. It tells who won, but not when the market closed: only a resolution does. */
export function clobFact(market: Fields): MarketFact {
  const { closed, tokens, market_slug: slug } = market;
  return {
    condition: conditionOf(market),
    name: String(slug ?? market.condition_id),
    isClosed: closed === true,
    isDecided: false,
    hasWinner: Array.isArray(tokens) && tokens.some((token) => fieldOf(token, 'winner') === true),
    isPending: false,
    closedAt: Number.NaN,
    group: idOf(market.neg_risk_market_id),
  };
}
