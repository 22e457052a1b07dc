import { isoOfSeconds } from '../../../src/contract/time.js';
import { type Answer, type Asked, ok, refused, wholeNumber } from './answers.js';
import { isClosed, tagsOf } from './gamma-records.js';
import { canonical, type Pair, pairsOf, type SourceMarket } from './source-records.js';

const PAGE = 1_000;
const END = 'LTE=';
const WINDOW = 15 * 86_400;

/** Answers as the CLOB does: markets with their tokens and winners, without event, volume and time of closing. */
export function clobAnswer(asked: Asked): Answer {
  const { path, query, records } = asked;
  const [, kind, wanted] = path.split('/');
  if (kind === 'markets' && wanted === undefined) return page(asked);
  if (kind === 'markets') {
    const condition = canonical(wanted ?? '');
    const market = records.byCondition.get(condition);
    const pair = market && pairsOf(market).find((each) => each.condition === condition);
    return market && pair
      ? ok(clobMarket(market, pair, asked.now))
      : { status: 404, body: { error: 'market not found' } };
  }
  if (kind === 'markets-by-token') {
    const found = records.byToken.get(wanted ?? '');
    if (!found) return { status: 404, body: { error: 'market not found' } };
    const [primary, secondary] = found.pair.tokens;
    return ok({ condition_id: found.pair.condition, primary_token_id: primary, secondary_token_id: secondary });
  }
  return kind === 'prices-history' ? pricesHistory(asked, query) : refused(404, 'not found', 'not found error');
}

function page({ query, records, now }: Asked): Answer {
  const cursor = query.get('next_cursor') || 'MA==';
  const text = Buffer.from(cursor, 'base64').toString();
  if (!/^-?\d+$/.test(text)) return { status: 400, body: { error: 'invalid next_cursor' } };
  const from = Number(text);
  const known = records.markets.filter(({ hidden }) => hidden !== 'everywhere');
  const data = from < 0 ? [] : known.slice(from, from + PAGE).map((market) => clobMarket(market, market, now));
  const next = from < 0 || from + PAGE >= known.length ? END : Buffer.from(String(from + PAGE)).toString('base64');
  return ok({ data, next_cursor: next, limit: PAGE, count: data.length });
}

function clobMarket(market: SourceMarket, pair: Pair, now: number): object {
  const closed = isClosed(market, now);
  const { event, payouts } = market;
  const tied = closed && payouts?.[0] === 500_000;
  return {
    enable_order_book: !closed,
    active: true,
    closed,
    archived: false,
    accepting_orders: !closed,
    accepting_order_timestamp: isoOfSeconds(market.start),
    minimum_order_size: 5,
    minimum_tick_size: market.tick,
    condition_id: pair.condition,
    question_id: market.questionId,
    question: market.question,
    description: `Rules of “${market.question}”`,
    market_slug: market.slug,
    end_date_iso: isoOfSeconds(market.end),
    game_start_time: null,
    seconds_delay: 0,
    fpmm: '',
    maker_base_fee: 0,
    taker_base_fee: 0,
    notifications_enabled: true,
    neg_risk: event.negRiskId !== '',
    neg_risk_market_id: event.negRiskId,
    neg_risk_request_id: '',
    icon: 'https://pictures.example/PRIVATE-ICON.png',
    image: 'https://pictures.example/PRIVATE-IMAGE.png',
    rewards: { rates: null, min_size: 0, max_spread: 0 },
    is_50_50_outcome: tied,
    tokens: ([0, 1] as const).map((outcome) => ({
      token_id: pair.tokens[outcome],
      outcome: market.outcomes[outcome],
      price: closed && payouts ? payouts[outcome] / 1e6 : Number(market.lastPrices[outcome]),
      winner: closed && payouts?.[outcome] === 1_000_000,
    })),
    tags: tagsOf(event),
  };
}

/** A token's prices by hour: those of its fills. Windows above 15 days are refused. */
function pricesHistory({ records, now }: Asked, query: URLSearchParams): Answer {
  const found = records.byToken.get(query.get('market') ?? '');
  if (!found) return ok({ history: [] });
  const [start, end] = [wholeNumber(query, 'startTs', 0), wholeNumber(query, 'endTs', now)];
  if (query.has('startTs') && end - start > WINDOW) {
    return { status: 400, body: { error: "invalid filters: 'startTs' and 'endTs' interval is too long" } };
  }
  const step = 60 * wholeNumber(query, 'fidelity', 60);
  const prices = new Map<number, number>();
  for (const { type, time, price, outcome } of records.byMarket.get(found.market.condition) ?? []) {
    if (type !== 'TRADE' || time < start || time > Math.min(end, now)) continue;
    prices.set(Math.floor(time / step) * step, outcome === found.outcome ? price : Math.round(1e6 - price * 1e6) / 1e6);
  }
  return ok({ history: [...prices].map(([t, p]) => ({ t, p })) });
}
