import { jsonIn } from '../base/texts.js';
import type { SourceRecord } from './records.js';

type Fields = SourceRecord['value'];

/** What is known of a market from one of its records. */
export interface MarketFact {
  readonly condition: string;
  /** Whether it is closed with a clear result, so that its record will not change any more. */
  readonly isDecided: boolean;
  readonly isClosed: boolean;
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

/** From what price on an outcome counts as the winner. */
const WINS = 0.99;
/** How far the prices of a tie may be from one half. */
const TIE = 0.001;

/** What a record of Gamma says. */
export function gammaFact(market: Fields): MarketFact {
  const isClosed = market.closed === true;
  const prices = typeof market.outcomePrices === 'string' ? jsonIn(market.outcomePrices) : market.outcomePrices;
  const numbers = Array.isArray(prices) ? prices.map(Number) : [];
  const isTie = numbers.length === 2 && numbers.every((price) => Math.abs(price - 0.5) <= TIE);
  const isDecided = isClosed && (isTie || numbers.some((price) => price > WINS));
  return { condition: idOf(market.conditionId), isClosed, isDecided, group: idOf(market.negRiskMarketID) };
}

/** What a record of the CLOB says. It tells who won, but not when the market closed: only a resolution does. */
export function clobFact(market: Fields): MarketFact {
  const group = idOf(market.neg_risk_market_id);
  return { condition: conditionOf(market), isClosed: market.closed === true, isDecided: false, group };
}
