import { quote } from '../store/database.js';

/**
 * SQL for the Unix milliseconds of text that holds a date in UTC or a Unix time. The unit of a Unix time (seconds,
 * milliseconds, microseconds or nanoseconds) follows from the number of digits before its point. Null for other text.
 * Dates need a year of four digits.
 */
export function millisOf(text: string): string {
  const number = `trim(${text})`;
  const digits = `regexp_replace(${number}, '[.][0-9]+$', '')`;
  const toMillis = `regexp_extract(${number}, '^[0-9]+([.][0-9]{1,3})?')`;
  const has = (count: string) => `regexp_full_match(${digits}, '[0-9]{${count}}')`;
  return `CASE
    WHEN ${has('1,10')} THEN (${toMillis}::DECIMAL(13, 3) * 1000)::BIGINT
    WHEN ${has('13')} THEN ${digits}::BIGINT
    WHEN ${has('16')} THEN ${digits}::BIGINT // 1000
    WHEN ${has('19')} THEN try_cast(${digits} AS BIGINT) // 1000000
    ELSE ${thousandth(`epoch_us(CASE WHEN regexp_matches(trim(${text}), '^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?$')
      THEN try_cast(${withSeconds(text)} AS TIMESTAMPTZ) END)`)}
  END`;
}

/** SQL for date text, with `:00` added to a time that has no seconds. */
function withSeconds(text: string): string {
  return `regexp_replace(trim(${text}), '^(.{10}[ T][0-9]{2}:[0-9]{2})($|[Z+-])', '\\1:00\\2')`;
}

/** SQL for the Unix seconds of text, as {@link millisOf} reads it. */
export function secondsOf(text: string): string {
  return thousandth(millisOf(text));
}

/**
 * SQL for a thousandth of a time in milliseconds or microseconds, rounded down. Since `//` rounds towards 0, times
 * before 1970 are shifted past it for the division.
 */
export function thousandth(time: string): string {
  return `(((${time}) + 1000000000000000000) // 1000 - 1000000000000000)`;
}

/** SQL for the text of a whole number, without the `.0` that pandas writes where a column has missing values. */
export function wholeOf(text: string): string {
  return `regexp_replace(trim(${text}), '^([0-9]+)\\.0+$', '\\1')`;
}

/** SQL for a unique id made of parts; null if one of them is missing. */
export function idOf(...parts: readonly string[]): string {
  return `md5(${parts.join(` || '|' || `)})::UUID`;
}

/** The fields that an event is staged from, each as SQL that gives text. A field that a format lacks is null. */
export interface EventFields {
  wallet: string;
  /** TRADE, SPLIT, MERGE, REDEEM or CONVERSION. */
  type: string;
  /** BUY or SELL, in any case. */
  side: string;
  token?: string;
  condition?: string;
  size: string;
  price?: string;
  usdc?: string;
  time?: string;
  tx?: string;
  /** A UUID that no other event has. */
  id?: string;
  /** The block whose time is the event's, if the record has no time itself. */
  block?: string;
  /** The number of the market, if the record has no token; `numberSide` then tells the outcome. */
  number?: string;
  numberSide?: string;
}

/** The names of the fields in a format, for the reasons that rows are refused for. */
export interface EventNames {
  wallet: string;
  side: string;
  token: string;
  condition: string;
  size: string;
  price: string;
  usdc: string;
  time: string;
}

const DATA_API: EventNames = {
  wallet: 'proxyWallet',
  side: 'side',
  token: 'asset',
  condition: 'conditionId',
  size: 'size',
  price: 'price',
  usdc: 'usdcSize',
  time: 'timestamp',
};

/**
 * SQL that stages events: it reads text as integer micro-units and gives a reason for each row that is refused.
 *
 * @param source A query that gives the format's fields and `_row`.
 * @param called The names of the fields in the format. Default those of the Data API.
 */
export function stageEvents(source: string, fields: EventFields, called: Partial<EventNames> = {}): string {
  const { wallet, type, side, size } = fields;
  const { token, condition, price, usdc, time, tx, block, number, numberSide, id = 'NULL' } = fields;
  return `
    WITH typed AS (
      SELECT
        lower(trim(${wallet})) AS wallet, upper(trim(${type})) AS type, upper(trim(${side})) AS side,
        ${text(token)} AS token, lower(${text(condition)}) AS condition_id,
        try_cast(${size} AS DOUBLE) AS size, ${double(price)} AS price, ${double(usdc)} AS usdc,
        ${text(usdc)} IS NOT NULL AS has_usdc,
        ${exact(size, 'DECIMAL(22, 12)')} AS exact_size, ${exact(usdc, 'DECIMAL(22, 12)')} AS exact_usdc,
        ${exact(price, 'DECIMAL(16, 15)')} AS exact_price, ${microsOf('exact_size')} AS shares,
        ${microsOf('coalesce(exact_usdc, exact_size * exact_price)')} AS usd,
        ${time ? secondsOf(time) : 'NULL::BIGINT'} AS ts, lower(${text(tx)}) AS tx, ${id}::UUID AS id,
        ${block ? `try_cast(${block} AS BIGINT)` : 'NULL::BIGINT'} AS block, ${text(number)} AS number,
        ${numberSide ?? 'NULL'}::TINYINT AS number_side, _row AS row
      FROM ${source}
    )
    SELECT
      CASE type WHEN 'SPLIT' THEN 0 WHEN 'CONVERSION' THEN 2 WHEN 'MERGE' THEN 4 WHEN 'REDEEM' THEN 6
        ELSE CASE side WHEN 'BUY' THEN 1 ELSE 3 END END::TINYINT AS kind,
      wallet, condition_id, token, ts, shares, usd, tx, id, block, number,
      number_side AS side, ${reasonOf({ ...DATA_API, ...called })} AS reason, row
    FROM typed`;
}

function text(field: string | undefined): string {
  return field === undefined ? 'NULL::VARCHAR' : `nullif(trim(${field}), '')`;
}

function double(field: string | undefined): string {
  return field === undefined ? 'NULL::DOUBLE' : `try_cast(${field} AS DOUBLE)`;
}

/**
 * SQL for an amount as a decimal: as a double, half a micro-dollar might be rounded the wrong way. Text that is no
 * plain decimal, such as 50e-2, is read as a double first.
 */
export function exact(field: string | undefined, type: string): string {
  return `coalesce(try_cast(${field ?? 'NULL'} AS ${type}), try_cast(${double(field)} AS ${type}))`;
}

/** SQL for a decimal in whole millionths, halves rounded away from zero. The wide type leaves room for the product. */
export function microsOf(amount: string): string {
  return `try_cast(try_cast(round(${amount}, 6) AS DECIMAL(28, 6)) * 1000000 AS BIGINT)`;
}

/** The most dollars or shares of one row: more millionths would not be exact as doubles. */
const MOST = '9e9';

/** Dollars by which a fill may cost more than a dollar a share, since sources round both to hundredths. */
export const ROUNDING = 0.01;

/** The end of a reason for rows that are left out on purpose and raise no doubt about the data. */
export const INCOME = ': income, no trading profit';

/** The fault of a token that {@link isRounded} finds. */
export const ROUNDED = 'is a rounded number, which no longer tells the token';

/**
 * SQL for whether a token has lost digits: it was written with an exponent, such as 7.1e+76, or with a point after more
 * digits than a double holds. 7e76 passes, since it may be hexadecimal, and so does 71.0, which is exact.
 */
export function isRounded(token: string): string {
  const forms = '[0-9]+[.][0-9]+[eE][+]?[0-9]+|[0-9]+[eE][+][0-9]+|[0-9]{16,}[.][0-9]+';
  return `coalesce(regexp_full_match(${token}, '${forms}'), false)`;
}

function reasonOf(names: EventNames): string {
  const say = (field: keyof EventNames, fault: string) => quote(`${names[field]} ${fault}`);
  return `
  CASE
    WHEN wallet IS NULL AND size IS NULL AND ts IS NULL AND block IS NULL THEN 'not a record'
    WHEN type IN ('REWARD', 'MAKER_REBATE', 'TAKER_REBATE', 'REFERRAL_REWARD', 'YIELD')
      THEN 'type ' || type || ${quote(INCOME)}
    WHEN type IS NULL OR type NOT IN ('TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION')
      THEN 'type ' || coalesce(type, '(none)') || ' is not known'
    WHEN wallet IS NULL OR NOT regexp_full_match(wallet, '0x[0-9a-f]{40}') THEN ${say('wallet', 'is missing or malformed')}
    WHEN ts IS NULL AND block IS NULL THEN ${say('time', 'is missing or malformed')}
    WHEN condition_id IS NOT NULL AND NOT regexp_full_match(condition_id, '0x[0-9a-f]{64}')
      THEN ${say('condition', 'is malformed')}
    WHEN type = 'TRADE' AND (side IS NULL OR side NOT IN ('BUY', 'SELL')) THEN ${say('side', 'is neither BUY nor SELL')}
    WHEN type = 'TRADE' AND token IS NULL AND (number IS NULL OR number_side IS NULL) THEN ${say('token', 'is missing')}
    WHEN ${isRounded('token')} THEN ${say('token', ROUNDED)}
    WHEN type = 'CONVERSION' AND token IS NULL THEN 'CONVERSION does not name the NO token that left (asset)'
    WHEN type IN ('SPLIT', 'MERGE', 'REDEEM') AND condition_id IS NULL THEN ${say('condition', 'is missing')}
    WHEN size IS NULL OR NOT isfinite(size) OR size < 0 THEN ${say('size', 'is missing or no number of 0 or more')}
    WHEN size > ${MOST} OR usdc > ${MOST} THEN ${quote(`${names.size} or ${names.usdc} is above ${MOST}`)}
    WHEN type <> 'REDEEM' AND size < 0.0000005 THEN ${say('size', 'is zero')}
    WHEN NOT has_usdc AND price IS NOT NULL AND NOT (isfinite(price) AND price BETWEEN 0 AND 1) THEN ${say('price', 'is outside 0 to 1')}
    WHEN has_usdc AND NOT coalesce(isfinite(usdc) AND usdc >= 0, false) THEN ${say('usdc', 'is no number of 0 or more')}
    WHEN type = 'TRADE' AND usdc > size + ${ROUNDING} THEN ${say('usdc', 'is more than a dollar a share')}
    WHEN type = 'TRADE' AND price IS NULL AND usdc IS NULL THEN ${say('price', 'is missing or no number')}
    WHEN type = 'REDEEM' AND usdc IS NULL THEN ${say('usdc', 'is missing or no number')}
    WHEN shares IS NULL OR (usd IS NULL AND type IN ('TRADE', 'REDEEM')) THEN 'an amount cannot be read exactly'
  END`;
}
