import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { quoteName, quoteText } from '../../base/duckdb.js';
import { InputError } from '../../base/errors.js';
import { unreadable } from './compression.js';
import { idOf, thousandth, wholeOf } from './sql-text.js';
import type { Format } from './stage.js';
import { stageEvents } from './staged-columns.js';
import { RANK, stageMarkets } from './staged-markets.js';

const column = z.string().min(1);
const words = z.array(z.string().min(1)).min(1);

/** A word for a side as it is compared: case and spaces around it do not matter. */
const plain = (word: string): string => word.trim().toLowerCase();

const UNITS = {
  size: z.enum(['shares', 'millionths']),
  price: z.enum(['dollars', 'cents']),
  dollars: z.enum(['dollars', 'cents', 'micro-dollars']),
  time: z.enum(['seconds', 'milliseconds', 'microseconds', 'nanoseconds', 'date']),
};

const name = z.string().regex(/^[\w .-]{1,60}$/, 'should be 1 to 60 letters, digits, spaces, dots or dashes');

const fills = z.strictObject({
  name,
  records: z.literal('fills'),
  columns: z
    .strictObject({
      wallet: column,
      side: column,
      token: column,
      size: column,
      time: column,
      price: column.optional(),
      usd: column.optional(),
      condition_id: column.optional(),
      transaction: column.optional(),
      id: column.optional(),
    })
    .refine(({ price, usd }) => price !== undefined || usd !== undefined, 'should name price, usd or both'),
  units: z
    .strictObject({
      size: UNITS.size.default('shares'),
      price: UNITS.price.default('dollars'),
      usd: UNITS.dollars.default('dollars'),
      time: UNITS.time.optional(),
    })
    .prefault({}),
  sides: z
    .strictObject({ buy: words.default(['buy']), sell: words.default(['sell']) })
    .refine(({ buy, sell }) => !buy.some((word) => sell.map(plain).includes(plain(word))), 'should not share a word')
    .prefault({}),
});

const markets = z.strictObject({
  name,
  records: z.literal('markets'),
  columns: z.strictObject({
    condition_id: column,
    slug: column,
    closed: column,
    token_a: column,
    token_b: column,
    outcome_a: column,
    outcome_b: column,
    question: column.optional(),
    event_slug: column.optional(),
    volume: column.optional(),
    start: column.optional(),
    end: column.optional(),
    close: column.optional(),
    winner: column.optional(),
  }),
  units: z.strictObject({ volume: UNITS.dollars.default('dollars'), time: UNITS.time.optional() }).prefault({}),
});

/** The content of a mapping file. */
const mappingSchema = z.discriminatedUnion('records', [fills, markets]);

type FillsMapping = z.output<typeof fills>;
type MarketsMapping = z.output<typeof markets>;

/** How to read the columns of a file in no known format: which is which, in what units and with what words. */
export type Mapping = FillsMapping | MarketsMapping;

/**
 * Reads a mapping file.
 *
 * @throws {InputError} If it cannot be read, is no JSON or no valid mapping; the message names each faulty place.
 */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(`the mapping ${path}`, cause);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(`The mapping ${path} is no JSON: ${(cause as Error).message}.`, { cause });
  }
  const { success, data, error } = mappingSchema.safeParse(value);
  if (success) return data;
  const faults = error.issues.map((issue) => `  ${pointer(issue)}: ${fault(issue)}`);
  throw new InputError(
    `The mapping ${path} is not valid:\n${faults.join('\n')}\nAn example stands in \`oddslab ingest --help\`.`,
    { cause: error },
  );
}

function pointer({ path }: z.core.$ZodIssue): string {
  return path.length === 0 ? 'at its top' : `at /${path.map(String).join('/')}`;
}

function fault(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.map((key) => `"${key}"`).join(', ')} is not known here`;
  if (issue.code === 'invalid_union') return 'should be "fills" or "markets"';
  if (issue.code === 'invalid_value')
    return `should be ${issue.values.map((word) => `"${String(word)}"`).join(' or ')}`;
  if (issue.code === 'invalid_type')
    return `should be ${issue.expected === 'string' ? 'the name of a column' : `an ${issue.expected}`}`;
  return issue.message;
}

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
  const word = `lower(trim(${quoteName(side)}))`;
  const list = (words: readonly string[]) => words.map((each) => quoteText(plain(each))).join(', ');
  const fields = {
    wallet: quoteName(wallet),
    type: `'TRADE'`,
    side: `CASE WHEN ${word} IN (${list(sides.buy)}) THEN 'BUY' WHEN ${word} IN (${list(sides.sell)}) THEN 'SELL' END`,
    token: quoteName(token),
    size: divided(size, units.size),
    time: timeOf(time, units.time),
    ...(price ? { price: divided(price, units.price) } : {}),
    ...(usd ? { usdc: divided(usd, units.usd) } : {}),
    ...(condition_id ? { condition: quoteName(condition_id) } : {}),
    ...(transaction ? { tx: quoteName(transaction) } : {}),
    // An id is unique within its source only: two sources may both count from 1.
    ...(id ? { id: idOf(quoteText(name), `nullif(trim(${quoteName(id)}), '')`) } : {}),
  };
  const called = {
    side,
    size,
    time,
    condition: condition_id ?? 'condition_id',
    price: price ?? 'price',
    usdc: usd ?? 'usd',
  };
  return stageEvents(source, fields, called);
}

function selectMarkets({ columns, units }: MarketsMapping, source: string): string {
  const { condition_id, token_a, token_b, outcome_a, outcome_b, closed, winner } = columns;
  const times = (['start', 'end', 'close'] as const).flatMap((key) => {
    const name = columns[key];
    return name === undefined ? [] : [{ key, name }];
  });
  const won = winner === undefined ? 'NULL' : winnerOf(quoteName(winner), [outcome_a, token_a], [outcome_b, token_b]);
  const fields = {
    condition: quoteName(condition_id),
    question: columns.question === undefined ? 'NULL::VARCHAR' : quoteName(columns.question),
    slug: quoteName(columns.slug),
    closed: quoteName(closed),
    tokenA: quoteName(token_a),
    tokenB: quoteName(token_b),
    outcomeA: quoteName(outcome_a),
    outcomeB: quoteName(outcome_b),
    winner: won,
    updated: String(RANK.mapped),
    ...(columns.event_slug ? { eventSlug: quoteName(columns.event_slug) } : {}),
    ...(columns.volume ? { volume: divided(columns.volume, units.volume) } : {}),
    ...Object.fromEntries(times.map(({ key, name }) => [key, dateOf(name, units.time)])),
  };
  return stageMarkets(source, fields, {
    outcomes: 'outcomes',
    tokens: `${token_a} and ${token_b}`,
    closes: columns.close ?? columns.end ?? 'close',
  });
}

/** SQL for the side that won, from an outcome's label or token, its number 0 or 1, or `tie` or 0.5 for a tie. */
function winnerOf(column: string, a: readonly string[], b: readonly string[]): string {
  const value = `lower(${wholeOf(column)})`;
  const names = (columns: readonly string[]) => columns.map((name) => `lower(trim(${quoteName(name)}))`).join(', ');
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
  const column = quoteName(name);
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
function unixMicrosOf(name: string, unit: string): string {
  return `try_cast(floor(try_cast(${quoteName(name)} AS DECIMAL(28, 9)) * ${MICROS[unit]}) AS BIGINT)`;
}

/** SQL for a column's times as Unix seconds or date text; without a unit as they are, to be told by their digits later. */
function timeOf(name: string, unit: string | undefined): string {
  return unit === undefined || unit === 'date'
    ? dateOf(name, unit)
    : `try(${thousandth(thousandth(unixMicrosOf(name, unit)))})::VARCHAR`;
}

/**
 * SQL for a column's times as date text; without a unit as they are. What is no number stays as it is. A number beyond
 * all dates is no date, and none is where dates are stated: 20260131 would count as seconds.
 */
function dateOf(name: string, unit: string | undefined): string {
  if (unit === undefined) return quoteName(name);
  const date = unit === 'date' ? 'NULL' : `try(make_timestamptz(${unixMicrosOf(name, unit)}))::VARCHAR`;
  return `CASE WHEN try_cast(${quoteName(name)} AS DECIMAL(28, 9)) IS NULL THEN ${quoteName(name)} ELSE coalesce(${date}, 'out of range') END`;
}
