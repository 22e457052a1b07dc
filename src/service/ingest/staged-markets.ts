import { quoteText } from '../../base/duckdb.js';
import { TIE, WINS_ABOVE } from '../../base/market-result.js';
import { exactDecimal, isRounded, microsOf, millisOf, ROUNDED } from './sql-text.js';
import { nameOf, paddedCondition } from './staged-columns.js';

/** The fields that a market is staged from, each as SQL: text unless stated. A field that a format lacks is null. */
interface MarketFields {
  /** The column's name, quoted if it must be; so of `slug`. */
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
  /** What it is about, in a word. */
  category?: string;
  /** JSON text with the `rate`, `exponent` and `takerOnly` of its fees. */
  fees?: string;
  /** Its number in Gamma. */
  number?: string;
  /** A number that is highest in the latest of several records; see {@link RANK}. */
  updated: string;
}

/** The names of the fields in a format, for the reasons that rows are refused for. */
interface MarketNames {
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

/** SQL for {@link MarketFields.winner} by the prices of the outcomes; a tie is {@link areEven}. */
export function winnerByPrices(prices: string): string {
  const [a = '', b = ''] = [0, 1].map((index) => listEntry(prices, index));
  const above = (price: string) => `try_cast(${price} AS DOUBLE) > ${WINS_ABOVE}`;
  return `CASE WHEN ${above(a)} THEN 0 WHEN ${above(b)} THEN 1 WHEN ${areEven(a, b)} THEN 2 END`;
}

/** SQL for whether the prices of a market are those of a {@link TIE}. */
export function areEven(a: string, b: string): string {
  return `(${[a, b].map((price) => `try_cast(${price} AS DOUBLE) BETWEEN ${TIE.least} AND ${TIE.most}`).join(' AND ')})`;
}

/** Labels of tags that say how a site shows an event, not what it is about. */
const HOUSEKEEPING = ['all', 'hide from new', 'recurring', 'weekly', 'daily', 'hourly'];

/**
 * SQL for what a market is about by its tags, a JSON list of words or of objects with a `label`: the first one that is
 * no housekeeping tag, such as "All" or one with `forceHide`; null if there is none.
 */
export function categoryBy(tags: string): string {
  const label = `coalesce(tag ->> '$.label', tag ->> '$')`;
  const plain = `coalesce(tag ->> '$.forceHide', '') <> 'true' AND lower(trim(${label})) NOT IN
    (${['', ...HOUSEKEEPING].map(quoteText).join(', ')})`;
  return `list_transform(list_filter(json_extract(try_cast(${tags} AS JSON), '$[*]'), lambda tag: ${plain}), lambda tag: ${label})[1]`;
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
  const { sides = '2', group = 'NULL', number = 'NULL', category = 'NULL', fees = 'NULL' } = fields;
  return `
    WITH texts AS (
      SELECT
        ${paddedCondition(fields.condition)} AS condition_id, nullif(${fields.question}, '') AS question,
        nullif(trim(${fields.slug}), '') AS slug, nullif(${eventSlug}::VARCHAR, '') AS event_slug,
        try_cast(${fields.closed} AS BOOLEAN) AS closed, ${stated(volume)} AS stated,
        ${start}::VARCHAR AS start_text, ${stated(end)} AS end_text, ${stated(close)} AS close_text,
        nullif(trim(${fields.tokenA}), '') AS token_a, nullif(trim(${fields.tokenB}), '') AS token_b,
        ${fields.outcomeA} AS outcome_a, ${fields.outcomeB} AS outcome_b, ${sides} AS sides,
        (${fields.winner})::TINYINT AS winner, lower(nullif(trim(${group}::VARCHAR), '')) AS neg_risk_id,
        coalesce(${fields.updated}, 0)::BIGINT AS updated_ms, nullif(trim(${number}::VARCHAR), '') AS number,
        nullif(trim(${category}::VARCHAR), '') AS category, try_cast(${fees}::VARCHAR AS JSON) AS fees, _row AS row
      FROM ${source}
    ),
    typed AS (
      SELECT *, ${exactDecimal('stated', 'DECIMAL(22, 12)')} AS volume, ${millisOf('start_text')} AS start_ms,
        ${millisOf('end_text')} AS end_ms, ${millisOf('close_text')} AS closed_ms
      FROM texts
    )
    SELECT
      condition_id, coalesce(question, slug) AS question, slug, event_slug, closed,
      CASE WHEN ${IS_VOLUME} THEN ${microsOf('volume')} END AS volume,
      start_ms, end_ms, CASE WHEN closed THEN coalesce(closed_ms, end_ms) END AS close_ms, token_a, token_b, outcome_a, outcome_b,
      CASE WHEN closed THEN winner END AS winner, neg_risk_id, updated_ms, number, category,
      try_cast(fees ->> 'rate' AS DOUBLE) AS fee_rate, try_cast(fees ->> 'exponent' AS DOUBLE) AS fee_exponent,
      try_cast(fees ->> 'takerOnly' AS BOOLEAN) AS fee_taker_only,
      CASE WHEN closed AND coalesce(closed_ms, end_ms) IS NOT NULL THEN closed_ms IS NULL END AS end_close,
      CASE
        WHEN condition_id IS NULL OR NOT regexp_full_match(condition_id, '0x[0-9a-f]{64}')
          THEN ${quoteText(`${nameOf(fields.condition)} is missing or malformed`)}
        WHEN slug IS NULL THEN ${quoteText(`${nameOf(fields.slug)} is missing`)}
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
