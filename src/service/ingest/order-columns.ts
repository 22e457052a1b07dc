import { ROUNDING, secondsOf } from './event-columns.js';

/** The fields that an exchange's OrderFilled event is staged from, each as SQL that gives text. */
export interface OrderFields {
  maker: string;
  makerAsset: string;
  makerAmount: string;
  takerAsset: string;
  takerAmount: string;
  /** The fee, taken from what the maker received. */
  fee?: string;
  time?: string;
  block?: string;
  tx: string;
  id?: string;
}

/**
 * SQL that stages OrderFilled events of the exchange contracts, whose amounts are integer millionths. Each is one fill
 * of its maker, who buys if the asset given is 0 (dollars) and sells if the asset received is 0. The exchange emits an
 * event for each side of a match. The taker of one event is therefore the maker of another, and counting only makers
 * counts each fill once.
 */
export function stageOrders(source: string, fields: OrderFields): string {
  const { maker, makerAsset, makerAmount, takerAsset, takerAmount, tx, id = 'NULL' } = fields;
  const { fee = `'0'`, time, block } = fields;
  return `
    WITH typed AS (
      SELECT
        lower(trim(${maker})) AS wallet, trim(${makerAsset}) AS given, trim(${takerAsset}) AS got,
        try_cast(${makerAmount} AS DOUBLE) AS gave, try_cast(${takerAmount} AS DOUBLE) AS received,
        try_cast(coalesce(nullif(trim(${fee}), ''), '0') AS DOUBLE) AS fee,
        ${time ? secondsOf(time) : 'NULL::BIGINT'} AS ts,
        ${block ? `try_cast(${block} AS BIGINT)` : 'NULL::BIGINT'} AS block,
        nullif(lower(trim(${tx})), '') AS tx, ${id}::UUID AS id, _row AS row
      FROM ${source}
    ),
    sided AS (SELECT *, given = '0' AS buys FROM typed)
    SELECT
      CASE WHEN buys THEN 1 ELSE 3 END::TINYINT AS kind, wallet, NULL::VARCHAR AS condition_id,
      CASE WHEN buys THEN got ELSE given END AS token, ts,
      try_cast(CASE WHEN buys THEN received - fee ELSE gave END AS BIGINT) AS shares,
      try_cast(CASE WHEN buys THEN gave ELSE received - fee END AS BIGINT) AS usd, tx, id,
      block, NULL::VARCHAR AS number, NULL::TINYINT AS side, ${REASON} AS reason, row
    FROM sided`;
}

/** The largest amount, in millionths: not far above it, doubles no longer hold integers exactly. */
const MOST = '9e15';

const REASON = `
  CASE
    WHEN wallet IS NULL AND given IS NULL AND got IS NULL THEN 'not a record'
    WHEN wallet IS NULL OR NOT regexp_full_match(wallet, '0x[0-9a-f]{40}') THEN 'maker is missing or malformed'
    WHEN ts IS NULL AND block IS NULL THEN 'time or block is missing or malformed'
    WHEN given IS NULL OR got IS NULL OR NOT regexp_full_match(given || got, '[0-9]+')
      THEN 'an asset id is missing or not decimal digits'
    WHEN (given = '0') = (got = '0') THEN 'not one of the two assets is dollars (0)'
    WHEN gave IS NULL OR received IS NULL OR NOT (gave BETWEEN 0 AND ${MOST} AND received BETWEEN 0 AND ${MOST})
      OR gave <> trunc(gave) OR received <> trunc(received) THEN 'an amount is no whole number of millionths up to ${MOST}'
    WHEN fee IS NULL OR NOT (fee BETWEEN 0 AND received) OR fee <> trunc(fee)
      THEN 'fee is no whole number up to what was received'
    WHEN CASE WHEN buys THEN received - fee ELSE gave END = 0 THEN 'size is zero'
    WHEN CASE WHEN buys THEN gave - received ELSE received - gave END > ${ROUNDING * 1e6}
      THEN 'the dollars are more than one a share'
  END`;
