import { millisOf } from './event-columns.js';
import type { Format } from './format.js';

/** SQL for a Unix time in milliseconds from the several ways in which Gamma writes one. */
function millis(field: string): string {
  return millisOf(`"${field}"`);
}

/** SQL for the entry of a JSON list that stands inside a string. */
function entry(field: string, index: number): string {
  return `json_extract_string(try_cast("${field}" AS JSON), '$[${index}]')`;
}

/** Markets as Gamma's `/markets` returns them. The winner is read from the prices: above 0.99 wins, 0.5 each is a tie. */
export const gammaFormat: Format = {
  name: 'Gamma /markets JSON',
  into: 'markets',
  matches: (head) => head.kind === 'json' && head.keys.has('conditionId') && head.keys.has('outcomes'),
  fields: [
    'conditionId',
    'question',
    'slug',
    'events',
    'closed',
    'volume',
    'startDate',
    'endDate',
    'closedTime',
    'clobTokenIds',
    'outcomes',
    'outcomePrices',
    'negRisk',
    'negRiskMarketID',
    'updatedAt',
  ],
  select: (source) => `
    WITH typed AS (
      SELECT
        lower(trim("conditionId")) AS condition_id, "question" AS question, "slug" AS slug,
        nullif(json_extract_string(try_cast("events" AS JSON), '$[0].slug'), '') AS event_slug,
        try_cast("closed" AS BOOLEAN) AS closed,
        try_cast(nullif(trim("volume"), '') AS DOUBLE) AS volume,
        ${millis('startDate')} AS start_ms, ${millis('endDate')} AS end_ms,
        coalesce(${millis('closedTime')}, ${millis('endDate')}) AS closed_ms,
        ${entry('clobTokenIds', 0)} AS token_a, ${entry('clobTokenIds', 1)} AS token_b,
        ${entry('outcomes', 0)} AS outcome_a, ${entry('outcomes', 1)} AS outcome_b,
        json_array_length(try_cast("outcomes" AS JSON)) AS sides,
        try_cast(${entry('outcomePrices', 0)} AS DOUBLE) AS price_a,
        try_cast(${entry('outcomePrices', 1)} AS DOUBLE) AS price_b,
        CASE WHEN try_cast("negRisk" AS BOOLEAN) THEN lower(nullif(trim("negRiskMarketID"), '')) END AS neg_risk_id,
        coalesce(${millis('updatedAt')}, 0) AS updated_ms
      FROM ${source}
    )
    SELECT
      condition_id, coalesce(question, slug) AS question, slug, event_slug, closed,
      CASE WHEN isfinite(volume) AND volume BETWEEN 0 AND 9e9 THEN round(volume * 1000000)::BIGINT END AS volume,
      start_ms, end_ms, CASE WHEN closed THEN closed_ms END AS close_ms,
      token_a, token_b, outcome_a, outcome_b,
      CASE
        WHEN NOT closed THEN NULL
        WHEN price_a > 0.99 THEN 0 WHEN price_b > 0.99 THEN 1
        WHEN price_a = 0.5 AND price_b = 0.5 THEN 2
      END::TINYINT AS winner,
      neg_risk_id, updated_ms,
      CASE
        WHEN condition_id IS NULL OR NOT regexp_full_match(condition_id, '0x[0-9a-f]{64}')
          THEN 'conditionId is missing or malformed'
        WHEN slug IS NULL OR slug = '' THEN 'slug is missing'
        WHEN closed IS NULL THEN 'closed is missing or neither true nor false'
        WHEN sides IS DISTINCT FROM 2 THEN 'outcomes are not two'
        WHEN nullif(token_a, '') IS NULL OR nullif(token_b, '') IS NULL OR token_a = token_b
          THEN 'clobTokenIds are not two'
      END AS reason
    FROM typed`,
};
