import { quoteText } from '../../base/duckdb.js';
import { KIND } from '../ledger/event.js';
import {
  doubleOf,
  exactDecimal,
  isPlainNumber,
  isRounded,
  microsOf,
  ROUNDED,
  secondsOf,
  trimmedText,
} from './sql-text.js';

/** The fields that an event is staged from, each as SQL that gives text. A field that a format lacks is null. */
interface EventFields {
  wallet: string;
  /** TRADE, SPLIT, MERGE, REDEEM, CONVERSION, MIGRATION or a type of income. */
  type: string;
  /** BUY or SELL, in any case. */
  side: string;
  token?: string;
  condition?: string;
  size: string;
  price?: string;
  usdc?: string;
  /** Whether `usdc` is meant to include the fee, as SQL that gives a boolean. Default true. */
  includesFee?: string;
  time?: string;
  tx?: string;
  /** A UUID that no other event has. */
  id?: string;
  /** The block whose time is the event's, if the record has no time itself. */
  block?: string;
  /** The number or condition id of the market, if the record has no token; `numberSide` then tells the outcome. */
  number?: string;
  numberSide?: string;
}

/** The names of fields, for the reasons that rows are refused for. */
type EventNames = Partial<
  Record<'wallet' | 'side' | 'token' | 'condition' | 'size' | 'price' | 'usdc' | 'time', string>
>;

/** The name of a column that is given as SQL. */
export function nameOf(column: string): string {
  return column.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"');
}

/**
 * SQL that stages events: it reads text as integer micro-units and gives a reason for each row that is refused.
 *
 * @param source A query that gives the format's fields and `_row`.
 * @param called The names of fields that are no plain columns.
 */
export function stageEvents(source: string, fields: EventFields, called: EventNames = {}): string {
  const { wallet, type, side, size, includesFee = 'true' } = fields;
  const { token, condition, price, usdc, time, tx, block, number, numberSide, id = 'NULL' } = fields;
  return `
    WITH typed AS (
      SELECT
        lower(trim(${wallet})) AS wallet, upper(trim(${type})) AS type, upper(trim(${side})) AS side,
        ${trimmedText(token)} AS token, ${condition ? paddedCondition(condition) : 'NULL::VARCHAR'} AS condition_id,
        try_cast(${size} AS DOUBLE) AS size, ${doubleOf(price)} AS price, ${doubleOf(usdc)} AS usdc,
        ${trimmedText(usdc)} IS NOT NULL AS has_usdc,
        ${exactDecimal(size, 'DECIMAL(22, 12)')} AS exact_size, ${exactDecimal(usdc, 'DECIMAL(22, 12)')} AS exact_usdc,
        ${exactDecimal(price, 'DECIMAL(16, 15)')} AS exact_price, ${microsOf('exact_size')} AS shares,
        ${microsOf(`coalesce(exact_usdc, CASE WHEN ${IS_INCOME} THEN exact_size ELSE exact_size * exact_price END)`)} AS usd,
        ${time ? secondsOf(time) : 'NULL::BIGINT'} AS ts, ${time ?? 'NULL'}::VARCHAR AS time_text, lower(${trimmedText(tx)}) AS tx, ${id}::UUID AS id,
        ${block ? `try_cast(${block} AS BIGINT)` : 'NULL::BIGINT'} AS block, ${trimmedText(number)} AS number,
        ${numberSide ?? 'NULL'}::TINYINT AS number_side, _row AS row
      FROM ${source}
    )
    SELECT
      CASE WHEN ${IS_INCOME} THEN ${KIND.income} ELSE
        CASE type WHEN 'SPLIT' THEN 0 WHEN 'CONVERSION' THEN 2 WHEN 'MERGE' THEN 4 WHEN 'MIGRATION' THEN 5 WHEN 'REDEEM' THEN 6
        ELSE CASE side WHEN 'BUY' THEN 1 ELSE 3 END END END::TINYINT AS kind,
      wallet, ${unlessIncome('condition_id')}, ${unlessIncome('token')}, ts, ${unlessIncome('shares')}, usd, tx, id, block,
      number, number_side AS side,
      CASE WHEN type = 'TRADE' THEN CASE WHEN NOT (has_usdc AND ${includesFee}) THEN 0 WHEN ${IS_PLAIN} THEN 2 ELSE 1 END END::TINYINT AS fee,
      ${PRICE} AS price, ${reasonOf(fields, called)} AS reason, row
    FROM typed`;
}

/** The most dollars or shares of one row: more millionths would not be exact as doubles. */
const MOST_AMOUNT = '9e9';

/** Dollars by which a fill may cost more than a dollar a share, since sources round both to hundredths. */
const ROUNDING = 0.01;

/** SQL for whether a row pays for other things than trading. Such a row is a wallet's and a time's, of no market. */
const IS_INCOME = `(type IN ('REWARD', 'MAKER_REBATE', 'TAKER_REBATE', 'REFERRAL_REWARD', 'YIELD'))`;

/**
 * SQL for whether stated dollars are those of price and size, and hold no fee: sources round dollars to six decimals and
 * prices to at least as many.
 */
const IS_PLAIN = 'abs(usdc - size * price) <= 1e-6 + size * 5e-7';

/** SQL for the stated price of a fill in micro-USD; null where none is stated that a share can have. */
const PRICE = `CASE WHEN type = 'TRADE' AND exact_price > 0 AND exact_price <= 1 THEN ${microsOf('exact_price')}::INTEGER END`;

function unlessIncome(column: string): string {
  return `CASE WHEN NOT ${IS_INCOME} THEN ${column} END AS ${column}`;
}

const TRANSFER = ': dollars that moved, no trade';

/** The end of the reason for a market that has no result so far. */
export const UNRESOLVED = ': not resolved yet';

/** Ends of the reasons for rows which are left out on purpose and raise no doubt about the data. */
const PURPOSES = [TRANSFER, UNRESOLVED];

/** Whether a reason is that of rows which are left out on purpose. */
export function isOnPurpose(reason: string): boolean {
  return PURPOSES.some((end) => reason.endsWith(end));
}

/** The same as SQL. */
export const ON_PURPOSE = (reason: string) =>
  `(${PURPOSES.map((end) => `ends_with(${reason}, ${quoteText(end)})`).join(' OR ')})`;

/**
 * SQL for a condition id in lower case. Ids of 62 hex digits, as combinations and newer markets have them, are the same
 * as those of 64 that end in 00.
 */
export function paddedCondition(field: string): string {
  const id = `lower(${trimmedText(field)})`;
  return `CASE WHEN length(${id}) = 64 AND ${id} LIKE '0x%' THEN ${id} || '00' ELSE ${id} END`;
}

/** The fault of a time that is a day of Excel, such as 45778, or a date without dashes, or has another unit than stated. */
const NO_UNIX_TIME = 'is a number that is no Unix time after 2001: write it as a date, such as 2025-05-01T14:30:00Z';

function reasonOf(fields: EventFields, called: EventNames): string {
  const named = (field: keyof EventNames) => called[field] ?? nameOf(fields[field] ?? field);
  const say = (field: keyof EventNames, fault: string) => quoteText(`${named(field)} ${fault}`);
  return `
  CASE
    WHEN wallet IS NULL AND size IS NULL AND ts IS NULL AND block IS NULL THEN 'not a record'
    WHEN type IN ('TIP', 'DEPOSIT', 'WITHDRAWAL') THEN 'type ' || type || ${quoteText(TRANSFER)}
    WHEN type IS NULL OR NOT (${IS_INCOME} OR type IN ('TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION', 'MIGRATION'))
      THEN 'type ' || coalesce(type, '(none)') || ' is not known'
    WHEN wallet IS NULL OR NOT regexp_full_match(wallet, '0x[0-9a-f]{40}') THEN ${say('wallet', 'is missing or malformed')}
    WHEN ts IS NULL AND block IS NULL AND ${isPlainNumber('time_text')} THEN ${say('time', NO_UNIX_TIME)}
    WHEN ts IS NULL AND block IS NULL THEN ${say('time', 'is missing or malformed')}
    WHEN ${IS_INCOME} THEN CASE WHEN NOT coalesce(usd BETWEEN 0 AND ${MOST_MILLIONTHS}, false)
      THEN ${say('usdc', `is no number from 0 to ${MOST_AMOUNT}`)} END
    WHEN condition_id IS NOT NULL AND NOT regexp_full_match(condition_id, '0x[0-9a-f]{64}')
      THEN ${say('condition', 'is malformed')}
    WHEN type = 'TRADE' AND (side IS NULL OR side NOT IN ('BUY', 'SELL')) THEN ${say('side', 'is neither BUY nor SELL')}
    WHEN type = 'TRADE' AND token IS NULL AND (number IS NULL OR number_side IS NULL) THEN ${say('token', 'is missing')}
    WHEN ${isRounded('token')} THEN ${say('token', ROUNDED)}
    WHEN type IN ('CONVERSION', 'MIGRATION') AND token IS NULL AND condition_id IS NULL
      THEN ${say('condition', 'is missing')}
    WHEN type IN ('SPLIT', 'MERGE', 'REDEEM') AND condition_id IS NULL THEN ${say('condition', 'is missing')}
    WHEN size IS NULL OR NOT isfinite(size) OR size < 0 THEN ${say('size', 'is missing or no number of 0 or more')}
    WHEN size > ${MOST_AMOUNT} OR usdc > ${MOST_AMOUNT} THEN ${quoteText(`${named('size')} or ${named('usdc')} is above ${MOST_AMOUNT}`)}
    WHEN type <> 'REDEEM' AND size < 0.0000005 THEN ${say('size', 'is zero')}
    WHEN NOT has_usdc AND price IS NOT NULL AND NOT (isfinite(price) AND price BETWEEN 0 AND 1) THEN ${say('price', 'is outside 0 to 1')}
    WHEN has_usdc AND NOT coalesce(isfinite(usdc) AND usdc >= 0, false) THEN ${say('usdc', 'is no number of 0 or more')}
    WHEN type = 'TRADE' AND usdc > size + ${ROUNDING} THEN ${say('usdc', 'is more than a dollar a share')}
    WHEN type = 'TRADE' AND price IS NULL AND usdc IS NULL THEN ${say('price', 'is missing or no number')}
    WHEN type = 'REDEEM' AND usdc IS NULL THEN ${say('usdc', 'is missing or no number')}
    WHEN shares IS NULL OR (usd IS NULL AND type IN ('TRADE', 'REDEEM')) THEN 'an amount cannot be read exactly'
  END`;
}

/** The fields that an exchange's OrderFilled event is staged from, each as SQL that gives text. */
interface OrderFields {
  maker: string;
  makerAsset: string;
  makerAmount: string;
  takerAsset: string;
  takerAmount: string;
  /** The fee, taken from what the maker received; not known where it is empty. */
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
  const { fee = 'NULL', time, block } = fields;
  return `
    WITH typed AS (
      SELECT
        lower(trim(${maker})) AS wallet, trim(${makerAsset}) AS given, trim(${takerAsset}) AS got,
        try_cast(${makerAmount} AS DOUBLE) AS gave, try_cast(${takerAmount} AS DOUBLE) AS received,
        try_cast(coalesce(nullif(trim(${fee}), ''), '0') AS DOUBLE) AS fee, nullif(trim(${fee}), '') IS NOT NULL AS has_fee,
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
      block, NULL::VARCHAR AS number, NULL::TINYINT AS side, has_fee::TINYINT AS fee,
      -- Before the fee.
      try_cast(least(1000000, round(1000000 * CASE WHEN buys THEN gave / received ELSE received / gave END)) AS INTEGER) AS price,
      ${REASON} AS reason, row
    FROM sided`;
}

/** The largest amount, in millionths: not far above it, doubles no longer hold integers exactly. */
const MOST_MILLIONTHS = '9e15';

const REASON = `
  CASE
    WHEN wallet IS NULL AND given IS NULL AND got IS NULL THEN 'not a record'
    WHEN wallet IS NULL OR NOT regexp_full_match(wallet, '0x[0-9a-f]{40}') THEN 'maker is missing or malformed'
    WHEN ts IS NULL AND block IS NULL THEN 'time or block is missing or malformed'
    WHEN given IS NULL OR got IS NULL OR NOT regexp_full_match(given || got, '[0-9]+')
      THEN 'an asset id is missing or not decimal digits'
    WHEN (given = '0') = (got = '0') THEN 'not one of the two assets is dollars (0)'
    WHEN gave IS NULL OR received IS NULL OR NOT (gave BETWEEN 0 AND ${MOST_MILLIONTHS} AND received BETWEEN 0 AND ${MOST_MILLIONTHS})
      OR gave <> trunc(gave) OR received <> trunc(received) THEN 'an amount is no whole number of millionths up to ${MOST_MILLIONTHS}'
    WHEN fee IS NULL OR NOT (fee BETWEEN 0 AND received) OR fee <> trunc(fee)
      THEN 'fee is no whole number up to what was received'
    WHEN CASE WHEN buys THEN received - fee ELSE gave END = 0 THEN 'size is zero'
    WHEN CASE WHEN buys THEN gave - received ELSE received - gave END > ${ROUNDING * 1e6}
      THEN 'the dollars are more than one a share'
  END`;
