import { quoteText } from '../../base/duckdb.js';
import { exactDecimal, isRounded, microsOf, millisOf, ROUNDED } from './sql-text.js';

/** The fields that a market is staged from, each as SQL: text unless stated. A field that a format lacks is null. */
export interface MarketFields {
  condition: string;
  question: string;
  slug: string;
  eventSlug?: string;
  closed: string;
  volume?: string;
  start?: string;
  end?: string;
  /** When it closed. Default `end`. */
  close?: string;
  tokenA: string;
  tokenB: string;
  outcomeA: string;
  outcomeB: string;
  /** How many outcomes it has, as a number. Default 2. */
  sides?: string;
  /** The side that won, 0 or 1, or 2 for a tie, as a number; not used for an open market. */
  winner: string;
  /** An id that markets share of which only one can come true. */
  group?: string;
  /** Its number in Gamma. */
  number?: string;
  /** A number that is highest in the latest of several records; see {@link RANK}. */
  updated: string;
}

/** The names of the fields in a format, for the reasons that rows are refused for. */
export interface MarketNames {
  condition: string;
  slug: string;
  outcomes: string;
  tokens: string;
  /** The field that tells when a market closed. */
  closes: string;
}

/**
 * The ranks, in {@link MarketFields.updated}, of records from sources that tell less than Gamma. Gamma's records rank
 * by the Unix milliseconds of their last update.
 */
export const RANK = { pma: -1e14, clob: -2e14, mapped: -3e14 } as const;

/** SQL for an entry of a JSON list that a text field holds. */
export function listEntry(field: string, index: number): string {
  return `json_extract_string(try_cast(${field} AS JSON), '$[${index}]')`;
}

/** SQL for {@link MarketFields.winner} by the prices of the outcomes: above 0.99 wins, 0.5 each is a tie. */
export function winnerByPrices(prices: string): string {
  const [a, b] = [0, 1].map((index) => `try_cast(${listEntry(prices, index)} AS DOUBLE)`);
  return `CASE WHEN ${a} > 0.99 THEN 0 WHEN ${b} > 0.99 THEN 1 WHEN ${a} = 0.5 AND ${b} = 0.5 THEN 2 END`;
}

/** SQL for the text of a field; null if it is empty or a missing value as pandas writes it. */
function stated(field: string): string {
  const word = `trim(${field}::VARCHAR)`;
  return `CASE WHEN lower(${word}) NOT IN ('', 'nan', 'nat', 'none', 'null', '<na>') THEN ${word} END`;
}

const IS_VOLUME = '(volume BETWEEN 0 AND 9e9)';

/**
 * SQL that stages markets and gives a reason for each row that is refused.
 *
 * @param source A query that gives the fields and `_row`.
 */
export function stageMarkets(source: string, fields: MarketFields, names: MarketNames): string {
  const { eventSlug = 'NULL', volume = 'NULL', start = 'NULL', end = 'NULL', close = 'NULL' } = fields;
  const { sides = '2', group = 'NULL', number = 'NULL' } = fields;
  return `
    WITH typed AS (
      SELECT
        lower(trim(${fields.condition})) AS condition_id, nullif(${fields.question}, '') AS question,
        nullif(trim(${fields.slug}), '') AS slug, nullif(${eventSlug}::VARCHAR, '') AS event_slug,
        try_cast(${fields.closed} AS BOOLEAN) AS closed,
        ${stated(volume)} AS stated, ${exactDecimal('stated', 'DECIMAL(22, 12)')} AS volume,
        ${stated(end)} AS end_text, ${stated(close)} AS close_text,
        ${millisOf(`${start}::VARCHAR`)} AS start_ms, ${millisOf('end_text')} AS end_ms, ${millisOf('close_text')} AS closed_ms,
        nullif(trim(${fields.tokenA}), '') AS token_a, nullif(trim(${fields.tokenB}), '') AS token_b,
        ${fields.outcomeA} AS outcome_a, ${fields.outcomeB} AS outcome_b, ${sides} AS sides,
        (${fields.winner})::TINYINT AS winner, lower(nullif(trim(${group}::VARCHAR), '')) AS neg_risk_id,
        coalesce(${fields.updated}, 0)::BIGINT AS updated_ms, nullif(trim(${number}::VARCHAR), '') AS number, _row AS row
      FROM ${source}
    )
    SELECT
      condition_id, coalesce(question, slug) AS question, slug, event_slug, closed,
      CASE WHEN ${IS_VOLUME} THEN ${microsOf('volume')} END AS volume,
      start_ms, end_ms, CASE WHEN closed THEN coalesce(closed_ms, end_ms) END AS close_ms, token_a, token_b, outcome_a, outcome_b,
      CASE WHEN closed THEN winner END AS winner, neg_risk_id, updated_ms, number,
      CASE
        WHEN condition_id IS NULL OR NOT regexp_full_match(condition_id, '0x[0-9a-f]{64}')
          THEN ${quoteText(`${names.condition} is missing or malformed`)}
        WHEN slug IS NULL THEN ${quoteText(`${names.slug} is missing`)}
        WHEN closed IS NULL THEN 'closed is missing or neither true nor false'
        WHEN sides IS DISTINCT FROM 2 THEN ${quoteText(`${names.outcomes} are not two`)}
        WHEN token_a IS NULL OR token_b IS NULL OR token_a = token_b THEN ${quoteText(`${names.tokens} are not two`)}
        WHEN ${isRounded('token_a')} OR ${isRounded('token_b')} THEN ${quoteText(`${names.tokens}: one ${ROUNDED}`)}
        WHEN stated IS NOT NULL AND NOT coalesce(${IS_VOLUME}, false) THEN 'volume is no number from 0 to 9e9'
        WHEN closed AND coalesce(close_text, end_text) IS NOT NULL
          AND CASE WHEN close_text IS NULL THEN end_ms ELSE closed_ms END IS NULL THEN ${quoteText(`${names.closes} is no date`)}
      END AS reason, row
    FROM typed`;
}
