import type { CANDLES } from '../../contract/candles.js';
import { type Filters, narrowed } from '../../contract/dataset.js';
import { CANDLE_SECONDS } from '../../contract/time.js';
import type { TRADES } from '../../contract/trades.js';
import { candleFills, FILLS_WHERE, FillConditions, intervalStart } from '../store/fill-rows.js';
import { type CandlesOf, type FillRow, type FillToken, type Slice, TOKEN_TEXTS } from '../store/store.js';
import { type Cells, sqlLiteral } from './clickhouse-connection.js';
import { tableName } from './result-tables.js';

const FORMAT = 'FORMAT TabSeparated';

/** A fill as a shard gives it: its token is a number. */
type Fill = Omit<FillRow, keyof FillToken> & { readonly number: string };

/** The statement for the first fills that pass every filter, the latest first; they lie by wallet or by token. */
export function fillsStatement(version: string, filters: Filters<typeof TRADES>, most: number): string {
  const asked = narrowed(FILLS_WHERE, filters, new FillConditions(sqlLiteral));
  const conditions = [...asked.fills];
  if (asked.wallets) conditions.push(`wallet IN (${asked.wallets.map(sqlLiteral).join(', ')})`);
  if (asked.tokens.length > 0) conditions.push(`token IN (${numbersOf(version, asked.tokens.join(' AND '))})`);
  const table = tableName(asked.wallets ? 'fills_by_wallet' : 'fills_by_token', version);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return (
    `SELECT wallet, token, sells, ts, shares, usd, price, tx, nth FROM ${table}${where} ` +
    `ORDER BY ts DESC, wallet, nth LIMIT ${most} ${FORMAT}`
  );
}

function numbersOf(version: string, condition: string): string {
  return `SELECT id FROM ${tableName('fill_tokens', version)} WHERE ${condition}`;
}

/** The fills of several shards in one list, the latest first. */
export function latestFills(parts: readonly Cells[][]): Fill[] {
  const fills = parts.flatMap((part) => part.map(fillOf));
  if (parts.length < 2) return fills;
  return fills.sort((a, b) => {
    if (a.ts !== b.ts) return a.ts > b.ts ? -1 : 1;
    return a.wallet === b.wallet ? a.nth - b.nth : a.wallet < b.wallet ? -1 : 1;
  });
}

function fillOf(cells: Cells): Fill {
  const [wallet, number, sells, ts, shares, usd, price, tx = null, nth] = cells;
  const told = { wallet: wallet ?? '', number: number ?? '', sells: Number(sells), ts: BigInt(ts ?? 0) };
  const amounts = { shares: BigInt(shares ?? 0), usd: BigInt(usd ?? 0), price: Number(price) };
  return { ...told, ...amounts, tx, nth: Number(nth) };
}

/** The statement for the tokens of fills: the number of each, then its texts. */
export function tokensStatement(version: string, fills: readonly Fill[]): string {
  const numbers = [...new Set(fills.map(({ number }) => number))].join(', ');
  return `SELECT id, ${TOKEN_TEXTS.join(', ')} FROM ${tableName('fill_tokens', version)} WHERE id IN (${numbers}) ${FORMAT}`;
}

/** Fills with what {@link tokensStatement} gave of their tokens. */
export function fillsOf(fills: readonly Fill[], tokens: readonly Cells[]): FillRow[] {
  const known = new Map(tokens.map(([number, ...texts]) => [number, tokenOf(texts)]));
  return fills.map(({ number, ...fill }) => {
    const token = known.get(number);
    if (!token) throw new RangeError('A fill of ClickHouse has no token');
    return { ...fill, ...token };
  });
}

function tokenOf(texts: Cells): FillToken {
  return Object.fromEntries(TOKEN_TEXTS.map((name, at) => [name, texts[at] ?? null])) as unknown as FillToken;
}

/** The statement for the texts of the token that candles are asked of. */
export function tokenStatement(version: string, { token_id = '' }: Filters<typeof CANDLES>): string {
  const table = tableName('fill_tokens', version);
  return `SELECT ${TOKEN_TEXTS.join(', ')} FROM ${table} WHERE token = ${sqlLiteral(token_id)} ${FORMAT}`;
}

function fillsWhere(version: string, filters: Filters<typeof CANDLES>): string {
  const token = numbersOf(version, `token = ${sqlLiteral(filters.token_id ?? '')}`);
  return `${tableName('fills_by_token', version)} WHERE ${candleFills(filters, `token IN (${token})`)}`;
}

/** The statement for the first, highest, lowest and last price of each interval with a fill. */
export function pricesStatement(version: string, filters: Filters<typeof CANDLES>, { limit, offset }: Slice): string {
  return (
    `SELECT time, argMax(price, place), max(price), min(price), argMin(price, place) FROM (` +
    `SELECT ${intervalStart(filters.interval ?? '1h')} AS time, price, place FROM ${fillsWhere(version, filters)}) ` +
    `GROUP BY time ORDER BY time LIMIT ${offset}, ${limit} ${FORMAT}`
  );
}

/** Price times shares of a fill in whole micro-USD, and the millionths of one that are left, as in DuckDB. */
const GROSS =
  'toInt64(price) * intDiv(shares, 1000000) + intDiv(toInt64(price) * modulo(shares, 1000000), 1000000) AS gross';
const REST = 'modulo(toInt64(price) * modulo(shares, 1000000), 1000000) AS rest';

/** The statement for what was traded in the intervals from one to another: of each trade the buys or the sales, whichever are more shares. */
export function volumesStatement(
  version: string,
  filters: Filters<typeof CANDLES>,
  first: bigint,
  last: bigint,
): string {
  const { interval = '1h' } = filters;
  const end = last + BigInt(CANDLE_SECONDS[interval]);
  const fills =
    `SELECT ${intervalStart(interval)} AS time, ifNull(tx, toString(place)) AS trade, sells, shares, ${GROSS}, ${REST} ` +
    `FROM ${fillsWhere(version, filters)} AND ts >= ${first} AND ts < ${end}`;
  const sides =
    'SELECT time, trade, sum(shares) AS held, sum(gross) + intDiv(sum(rest), 1000000) AS paid, ' +
    `modulo(sum(rest), 1000000) AS left FROM (${fills}) GROUP BY time, trade, sells ` +
    'ORDER BY held DESC, paid DESC, left DESC LIMIT 1 BY time, trade';
  return `SELECT time, sum(held), sum(paid), sum(left), count() FROM (${sides}) GROUP BY time ORDER BY time ${FORMAT}`;
}

/** The candles of a token, from what the statements gave. */
export function candlesOf(token: Cells, prices: readonly Cells[], volumes: readonly Cells[]): CandlesOf {
  const traded = new Map(volumes.map(([time, ...rest]) => [time, rest]));
  const candles = prices.map(([time, open, high, low, close]) => {
    const [volume, gross, rest, trades] = traded.get(time) ?? [];
    if (typeof time !== 'string' || !volume || !gross || !rest)
      throw new RangeError('A candle of ClickHouse lacks its volume');
    const [o, h, l, c] = [open, high, low, close].map(Number) as [number, number, number, number];
    const amounts = { volume: BigInt(volume), gross: BigInt(gross), rest: BigInt(rest), trades: Number(trades) };
    return { time: BigInt(time), open: o, high: h, low: l, close: c, ...amounts };
  });
  return { of: tokenOf(token), candles };
}
