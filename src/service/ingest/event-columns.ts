/** SQL for the Unix milliseconds of date text in UTC; null for what is no date of the years 1 to 9999. */
export function millisOf(text: string): string {
  return `epoch_ms(CASE WHEN regexp_matches(trim(${text}), '^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?$')
    THEN try_cast(trim(${text}) AS TIMESTAMPTZ) END)`;
}

/**
 * SQL that stages Data API rows: reads the text fields of `raw` (a select with wallet, type, side, token, condition,
 * size, price, usdc, time, tx) as integer micro-units and names what is wrong with each row.
 */
export function stageEvents(raw: string): string {
  return `
    WITH raw AS (${raw}),
    typed AS (
      SELECT
        lower(trim(wallet)) AS wallet, upper(trim(type)) AS type, upper(trim(side)) AS side,
        nullif(trim(token), '') AS token, nullif(lower(trim(condition)), '') AS condition_id,
        try_cast(size AS DOUBLE) AS size, try_cast(price AS DOUBLE) AS price, try_cast(usdc AS DOUBLE) AS usdc,
        ${SECONDS} AS ts,
        nullif(lower(trim(tx)), '') AS tx
      FROM raw
    )
    SELECT
      CASE type WHEN 'SPLIT' THEN 0 WHEN 'CONVERSION' THEN 2 WHEN 'MERGE' THEN 4 WHEN 'REDEEM' THEN 6
        ELSE CASE side WHEN 'BUY' THEN 1 ELSE 3 END END::TINYINT AS kind,
      wallet, condition_id, token, ts,
      try_cast(round(size * 1000000) AS BIGINT) AS shares,
      try_cast(round(coalesce(usdc, size * price) * 1000000) AS BIGINT) AS usd, tx,
      ${REASON} AS reason
    FROM typed`;
}

/** Unix seconds from seconds, milliseconds or date text in UTC. */
const SECONDS = `
  CASE
    WHEN regexp_full_match(trim(time), '[0-9]{1,10}') THEN trim(time)::BIGINT
    WHEN regexp_full_match(trim(time), '[0-9]{13}') THEN trim(time)::BIGINT // 1000
    ELSE ${millisOf('time')} // 1000
  END`;

/** Above this, dollars or shares of one row would leave the integers that doubles keep exactly. */
const MOST = '9e9';

const REASON = `
  CASE
    WHEN wallet IS NULL AND size IS NULL AND ts IS NULL THEN 'not a record'
    WHEN type IN ('REWARD', 'MAKER_REBATE', 'TAKER_REBATE', 'REFERRAL_REWARD', 'YIELD')
      THEN 'type ' || type || ': income, no trading profit'
    WHEN type IS NULL OR type NOT IN ('TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION')
      THEN 'type ' || coalesce(type, '(none)') || ' is not known'
    WHEN wallet IS NULL OR NOT regexp_full_match(wallet, '0x[0-9a-f]{40}') THEN 'proxyWallet is missing or malformed'
    WHEN ts IS NULL THEN 'timestamp is missing or malformed'
    WHEN condition_id IS NOT NULL AND NOT regexp_full_match(condition_id, '0x[0-9a-f]{64}')
      THEN 'conditionId is malformed'
    WHEN type = 'TRADE' AND (side IS NULL OR side NOT IN ('BUY', 'SELL')) THEN 'side is neither BUY nor SELL'
    WHEN type = 'TRADE' AND token IS NULL THEN 'asset is missing'
    WHEN type = 'CONVERSION' AND token IS NULL THEN 'CONVERSION does not name the NO token that left (asset)'
    WHEN type IN ('SPLIT', 'MERGE', 'REDEEM') AND condition_id IS NULL THEN 'conditionId is missing'
    WHEN size IS NULL OR NOT isfinite(size) OR size < 0 THEN 'size is missing or no number of 0 or more'
    WHEN size > ${MOST} OR usdc > ${MOST} THEN 'size or usdcSize is above ${MOST}'
    WHEN type <> 'REDEEM' AND size < 0.0000005 THEN 'size is zero'
    WHEN price IS NOT NULL AND NOT (isfinite(price) AND price BETWEEN 0 AND 1) THEN 'price is outside 0 to 1'
    WHEN usdc IS NOT NULL AND NOT (isfinite(usdc) AND usdc >= 0) THEN 'usdcSize is no number of 0 or more'
    WHEN type = 'TRADE' AND price IS NULL AND usdc IS NULL THEN 'price is missing or no number'
  END`;
