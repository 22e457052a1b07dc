import { type Answer, type Asked, listOf, ok, refused } from './answers.js';
import { conditionsOf } from './data-rows.js';
import { canonical, pairsOf, type SourceMarket } from './source-records.js';
import { CONDITIONS } from './v2-pages.js';

const DAY = 86_400;

/** The tokens of tokens, of conditions with all pairs of theirs, or of a whole neg-risk structure. */
export function tokens({ query, records }: Asked): Answer {
  const ids = listOf(query, 'token_id', 'token_ids');
  const conditions = conditionsOf(query, ...CONDITIONS);
  if ((ids.length === 0) === (conditions.length === 0))
    return refused(400, 'exactly one of token_id and condition is required');
  if (ids.length > 50) return refused(400, 'at most 50 token ids');
  if (conditions.length > 10) return refused(400, 'at most 10 conditions');
  const byToken = ids
    .flatMap((id) => records.byToken.get(id) ?? [])
    .map(({ market, pair, outcome }) => tokenRow(market, pair, outcome));
  const byCondition = conditions.flatMap((condition) => {
    const structure = records.events.find(({ negRiskId }) => negRiskId !== '' && canonical(negRiskId) === condition);
    const found = structure ? structure.markets : [records.byCondition.get(condition)];
    return found
      .filter((market) => market !== undefined && market.hidden !== 'everywhere')
      .flatMap((market) => (market ? familyOf(market) : []));
  });
  return ok({ data: [...byToken, ...byCondition] });
}

function familyOf(market: SourceMarket): object[] {
  return pairsOf(market).flatMap((pair) => ([0, 1] as const).map((outcome) => tokenRow(market, pair, outcome)));
}

function tokenRow(market: SourceMarket, pair: ReturnType<typeof pairsOf>[number], outcome: 0 | 1): object {
  const { event } = market;
  const isV2 = pair !== market || market.protocol === 2;
  return {
    token_id: pair.tokens[outcome],
    condition_id: pair.condition,
    module: isV2 ? 'polymarket-v2' : 'conditional-tokens',
    outcome_index: outcome,
    outcome: market.outcomes[outcome],
    opposite_token_id: pair.tokens[outcome === 0 ? 1 : 0],
    title: market.question,
    slug: market.slug,
    event_id: event.id,
    event_slug: event.slug,
    neg_risk: event.negRiskId !== '',
    neg_risk_question_index: event.negRiskId === '' ? null : event.markets.indexOf(market),
    ...(event.negRiskId === '' ? {} : { neg_risk_market_id: event.negRiskId }),
  };
}

/** How markets were settled: payouts in millionths, and when. */
export function resolutions({ query, records, now }: Asked): Answer {
  const questions = listOf(query, 'question_id', 'questionId');
  const conditions = conditionsOf(query, ...CONDITIONS);
  const events = listOf(query, 'event_id', 'eventId');
  if ([questions, conditions, events].filter((list) => list.length > 0).length !== 1) {
    return refused(400, 'exactly one of question_id, condition and event_id is required');
  }
  if (Math.max(questions.length, conditions.length, events.length) > 20) return refused(400, 'at most 20 ids');
  const known = records.markets.filter(
    ({ hidden, payouts, closedAt }) => hidden !== 'everywhere' && payouts && closedAt > 0 && closedAt <= now,
  );
  const rows = known.flatMap((market) =>
    pairsOf(market)
      .filter(
        ({ condition }) =>
          questions.includes(market.questionId) || conditions.includes(condition) || events.includes(market.event.id),
      )
      .map(({ condition }) => ({
        question_id: market.questionId,
        condition_id: condition,
        status: 'resolved',
        payouts: market.payouts,
        resolved_at: market.closedAt,
        resolved_block: 80_000_000 + Math.floor(market.closedAt / DAY),
        reporter: `0x${'5'.repeat(40)}`,
        price: '69',
      })),
  );
  return ok({ data: rows });
}
