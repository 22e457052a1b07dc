import { createHash } from 'node:crypto';
import { quote } from '../store/database.js';
import { idOf, stageEvents, thousandth, wholeOf } from './event-columns.js';
import type { Format } from './format.js';
import { type FillsMapping, type Mapping, type MarketsMapping, plain } from './mapping-schema.js';
import { RANK, stageMarkets } from './market-columns.js';
import { identifier } from './source.js';

/** The format that a mapping describes. */
export function mappedFormat(mapping: Mapping): Format {
  const version = createHash('sha256').update(JSON.stringify(mapping)).digest('hex');
  const shared = {
    id: `mapping-${version.slice(0, 16)}`,
    name: `mapping "${mapping.name}"`,
    required: [...new Set(Object.values(mapping.columns).filter((name) => name !== undefined))],
    optional: [],
  };
  return mapping.records === 'fills'
    ? { ...shared, into: 'events', select: (source) => selectFills(mapping, source) }
    : { ...shared, into: 'markets', select: (source) => selectMarkets(mapping, source) };
}

function selectFills({ name, columns, units, sides }: FillsMapping, source: string): string {
  const { wallet, side, token, size, time, price, usd, condition_id, transaction, id } = columns;
  const word = `lower(trim(${identifier(side)}))`;
  const list = (words: readonly string[]) => words.map((each) => quote(plain(each))).join(', ');
  const fields = {
    wallet: identifier(wallet),
    type: `'TRADE'`,
    side: `CASE WHEN ${word} IN (${list(sides.buy)}) THEN 'BUY' WHEN ${word} IN (${list(sides.sell)}) THEN 'SELL' END`,
    token: identifier(token),
    size: divided(size, units.size),
    time: timeOf(time, units.time),
    ...(price ? { price: divided(price, units.price) } : {}),
    ...(usd ? { usdc: divided(usd, units.usd) } : {}),
    ...(condition_id ? { condition: identifier(condition_id) } : {}),
    ...(transaction ? { tx: identifier(transaction) } : {}),
    // An id is unique within its source only: two sources may both count from 1.
    ...(id ? { id: idOf(quote(name), `nullif(trim(${identifier(id)}), '')`) } : {}),
  };
  const called = {
    wallet,
    token,
    size,
    time,
    condition: condition_id ?? 'condition_id',
    price: price ?? 'price',
    usdc: usd ?? 'usd',
  };
  return stageEvents(source, fields, { ...called, side });
}

function selectMarkets({ columns, units }: MarketsMapping, source: string): string {
  const { condition_id, slug, token_a, token_b, outcome_a, outcome_b, closed, winner } = columns;
  const times = (['start', 'end', 'close'] as const).flatMap((key) => {
    const name = columns[key];
    return name === undefined ? [] : [{ key, name }];
  });
  const won = winner === undefined ? 'NULL' : winnerOf(identifier(winner), [outcome_a, token_a], [outcome_b, token_b]);
  const fields = {
    condition: identifier(condition_id),
    question: columns.question === undefined ? 'NULL::VARCHAR' : identifier(columns.question),
    slug: identifier(slug),
    closed: identifier(closed),
    tokenA: identifier(token_a),
    tokenB: identifier(token_b),
    outcomeA: identifier(outcome_a),
    outcomeB: identifier(outcome_b),
    winner: won,
    updated: String(RANK.mapped),
    ...(columns.event_slug ? { eventSlug: identifier(columns.event_slug) } : {}),
    ...(columns.volume ? { volume: divided(columns.volume, units.volume) } : {}),
    ...Object.fromEntries(times.map(({ key, name }) => [key, dateOf(name, units.time)])),
  };
  return stageMarkets(source, fields, {
    condition: condition_id,
    slug,
    outcomes: 'outcomes',
    tokens: `${token_a} and ${token_b}`,
    closes: columns.close ?? columns.end ?? 'close',
  });
}

/** SQL for the side that won, from an outcome's label or token, its number 0 or 1, or `tie` or 0.5 for a tie. */
function winnerOf(column: string, a: readonly string[], b: readonly string[]): string {
  const value = `lower(${wholeOf(column)})`;
  const names = (columns: readonly string[]) => columns.map((name) => `lower(trim(${identifier(name)}))`).join(', ');
  return `CASE WHEN ${value} IN (${names(a)}) THEN 0 WHEN ${value} IN (${names(b)}) THEN 1
    WHEN ${value} = '0' THEN 0 WHEN ${value} = '1' THEN 1 WHEN ${value} IN ('tie', '0.5') THEN 2 END`;
}

const DIVISORS: Readonly<Record<string, number>> = {
  shares: 1,
  dollars: 1,
  cents: 100,
  millionths: 1e6,
  'micro-dollars': 1e6,
};

/** SQL for a column's numbers in shares or dollars, as text; they are not checked yet. What is no number stays as it is. */
function divided(name: string, unit: string): string {
  const divisor = DIVISORS[unit] ?? 1;
  const column = identifier(name);
  // Decimal factors keep decimals exact, which a division would not.
  return divisor === 1
    ? column
    : `coalesce((try_cast(${column} AS DECIMAL(22, 6)) * ${1 / divisor})::VARCHAR, ${column})`;
}

/** Microseconds of a unit of time, as a decimal. */
const MICROS: Readonly<Record<string, string>> = {
  seconds: '1000000',
  milliseconds: '1000',
  microseconds: '1',
  nanoseconds: '0.001',
};

/** SQL for a column's times as Unix microseconds; null for anything but a number. */
function microsOf(name: string, unit: string): string {
  return `try_cast(floor(try_cast(${identifier(name)} AS DECIMAL(28, 9)) * ${MICROS[unit]}) AS BIGINT)`;
}

/** SQL for a column's times as Unix seconds or date text; without a unit as they are, to be told by their digits later. */
function timeOf(name: string, unit: string | undefined): string {
  return unit === undefined || unit === 'date'
    ? dateOf(name, unit)
    : `try(${thousandth(thousandth(microsOf(name, unit)))})::VARCHAR`;
}

/**
 * SQL for a column's times as date text; without a unit as they are. What is no number stays as it is. A number beyond
 * all dates is no date, and none is where dates are stated: 20260131 would count as seconds.
 */
function dateOf(name: string, unit: string | undefined): string {
  if (unit === undefined) return identifier(name);
  const date = unit === 'date' ? 'NULL' : `try(make_timestamptz(${microsOf(name, unit)}))::VARCHAR`;
  return `CASE WHEN try_cast(${identifier(name)} AS DECIMAL(28, 9)) IS NULL THEN ${identifier(name)} ELSE coalesce(${date}, 'out of range') END`;
}
