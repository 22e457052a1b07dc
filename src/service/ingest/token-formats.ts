import { isRounded, millisOf, ROUNDED } from './sql-text.js';
import type { KnownFormat } from './stage.js';
import { paddedCondition, UNRESOLVED } from './staged-columns.js';

const IS_CONDITION = `coalesce(regexp_full_match(condition_id, '0x[0-9a-f]{64}'), false)`;

/**
 * Tokens as the Data API's `/v2/tokens` returns them, alone or in its pages: which market and side each is of, which
 * markets exclude each other, and both pairs of a market that was migrated.
 */
export const tokensFormat: KnownFormat = {
  name: 'Data API v2 /tokens JSON',
  into: 'tokens',
  required: ['token_id', 'condition_id', 'outcome_index'],
  optional: ['opposite_token_id', 'event_id', 'neg_risk', 'neg_risk_question_index'],
  without: ['proxy_wallet'],
  select: (source) => `
    WITH typed AS (
      SELECT nullif(trim(token_id), '') AS token, ${paddedCondition('condition_id')} AS condition_id,
        try_cast(outcome_index AS INTEGER) AS place, nullif(trim(event_id), '') AS event_id,
        try_cast(neg_risk AS BOOLEAN) AS neg_risk, try_cast(neg_risk_question_index AS INTEGER) AS question_index,
        nullif(trim(opposite_token_id), '') AS opposite, _row AS row
      FROM ${source})
    SELECT token, condition_id, CASE WHEN place IN (0, 1) THEN place END::TINYINT AS side, event_id, neg_risk,
      question_index, opposite,
      CASE
        WHEN token IS NULL AND condition_id IS NULL THEN 'not a record'
        WHEN token IS NULL THEN 'token_id is missing'
        WHEN ${isRounded('token')} THEN 'token_id ${ROUNDED}'
        WHEN NOT ${IS_CONDITION} THEN 'condition_id is missing or malformed'
        WHEN place IS NULL OR place NOT IN (0, 1) THEN 'outcome_index is neither 0 nor 1'
      END AS reason, row
    FROM typed`,
};

/** The sum of the payouts of both sides, in millionths of a dollar. */
const WHOLE = 1_000_000;

/** What each side of a market paid, as the Data API's `/v2/resolutions` returns it, alone or in its pages. */
export const resolutionsFormat: KnownFormat = {
  name: 'Data API v2 /resolutions JSON',
  into: 'resolutions',
  required: ['condition_id', 'payouts', 'resolved_at'],
  optional: [],
  select: (source) => `
    WITH typed AS (
      SELECT ${paddedCondition('condition_id')} AS condition_id, nullif(trim(payouts), 'null') AS payouts,
        json_array_length(try_cast(payouts AS JSON)) AS sides,
        try_cast(json_extract_string(try_cast(payouts AS JSON), '$[0]') AS DOUBLE) AS a,
        try_cast(json_extract_string(try_cast(payouts AS JSON), '$[1]') AS DOUBLE) AS b,
        nullif(trim(resolved_at), '') AS resolved_at, ${millisOf('resolved_at')} AS resolved_ms, _row AS row
      FROM ${source})
    SELECT condition_id, a / ${WHOLE} AS payout_a, b / ${WHOLE} AS payout_b, resolved_ms,
      CASE
        WHEN condition_id IS NULL AND payouts IS NULL AND resolved_at IS NULL THEN 'not a record'
        WHEN NOT ${IS_CONDITION} THEN 'condition_id is missing or malformed'
        WHEN (payouts IS NULL OR payouts = '[]') AND resolved_at IS NULL THEN 'market${UNRESOLVED}'
        WHEN sides IS DISTINCT FROM 2 THEN 'payouts are not two'
        WHEN NOT coalesce(a >= 0 AND b >= 0 AND abs(a + b - ${WHOLE}) <= 1, false)
          THEN 'payouts do not add up to ${WHOLE} millionths of a dollar'
        WHEN resolved_ms IS NULL THEN 'resolved_at is missing or malformed'
      END AS reason, row
    FROM typed`,
};
