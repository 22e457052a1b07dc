import type { NamedFilter } from '../../contract/answer-notes.js';
import type { Filters } from '../../contract/dataset.js';
import type { LEADERBOARD } from '../../contract/leaderboard.js';
import type { PNL } from '../../contract/pnl.js';
import type { POSITIONS } from '../../contract/positions.js';
import { type NameDialect, namesSql } from '../store/known-names.js';
import {
  type BucketDialect,
  bucketSql,
  countsFromFirst,
  daysWhere,
  leaderboardWhere,
  orderOf,
  positionsWhere,
  StandingConditions,
  sideColumn,
} from '../store/standings.js';
import type { Standing } from '../store/store.js';
import { sqlLiteral } from './clickhouse-connection.js';
import { columnsOf, type ResultColumn, tableName } from './result-tables.js';

const FORMAT = 'FORMAT TabSeparated';

/** The columns of the statements below. */
export const GROUP_DAY_COLUMNS = columnsOf('wallet_market_days').flatMap((column): ResultColumn[] => {
  if (column.name === 'condition_id') return [];
  return column.name === 'day' ? [column, maybeText('key'), maybeText('event_category')] : [column];
});
export const POSITION_COLUMNS = columnsOf('positions');
export const SIDE_COLUMNS = columnsOf('market_sides').filter(({ name }) => !name.endsWith('_key'));
export const BOARD_COLUMNS = columnsOf('leaderboard').filter(({ name }) => name !== 'period');

function maybeText(name: string): ResultColumn {
  return { name, type: 'String', nullable: true };
}

/** A place in a leaderboard, but for its rank, which one shard alone cannot tell. */
export type Unranked = Omit<Standing, 'rank'>;

function conditionsOf(version: string): StandingConditions {
  return new StandingConditions(sqlLiteral, tableName('market_sides', version));
}

function namesOf(columns: readonly ResultColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** Aliases that a month's first day is computed by, from the days of an era of 400 years that begins in March. */
const MONTH_ALIASES =
  '(day + 719468) % 146097 AS era_day, ' +
  'intDiv(era_day - intDiv(era_day, 1460) + intDiv(era_day, 36524) - intDiv(era_day, 146096), 365) AS era_year, ' +
  'era_day - (365 * era_year + intDiv(era_year, 4) - intDiv(era_year, 100)) AS year_day, ' +
  'toInt32(day - (year_day - intDiv(153 * intDiv(5 * year_day + 2, 153) + 2, 5))) AS month_day';

const BUCKETS: BucketDialect = { month: 'month_day', quotient: (a, b) => `intDiv(${a}, ${b})` };

/** The statement for the first buckets of wallets in single markets, by day, wallet and key. */
export function groupDaysStatement(version: string, filters: Filters<typeof PNL>, most: number): string {
  const table = tableName('wallet_market_days', version);
  const where = daysWhere(filters, conditionsOf(version));
  const column = sideColumn(filters);
  const sums = ['invested', 'pnl', 'trades', 'wins', 'losses'];
  const month = filters.granularity === '1m' ? `, ${MONTH_ALIASES}` : '';
  let days = `SELECT wallet, condition_id, day, ${sums.join(', ')}${month} FROM ${table} ${where}`;
  if (countsFromFirst(filters)) {
    const firsts = `SELECT wallet, min(day) AS first_day FROM ${table} ${where} GROUP BY wallet`;
    days = `SELECT wallet, condition_id, day, first_day, ${sums.join(', ')} FROM (${days}) AS d ANY LEFT JOIN (${firsts}) AS f USING (wallet)`;
  }
  if (column) {
    const known =
      `SELECT condition_id, ${column} AS named, event_category FROM ${tableName('market_sides', version)} ` +
      `WHERE side = 0 AND condition_id IN (SELECT condition_id FROM ${table} ${where})`;
    days = `SELECT * FROM (${days}) AS g ANY LEFT JOIN (${known}) AS s USING (condition_id)`;
  }
  const key = column ? 'named' : filters.by === 'market' ? 'condition_id' : 'NULL';
  const label = column === 'event_slug' ? 'min(event_category)' : 'NULL';
  const isWhole = filters.granularity === 'all';
  const keys = filters.by === undefined ? [] : ['group_key'];
  const groups = ['wallet', ...(isWhole ? [] : ['bucket']), ...keys];
  // Sums are named apart, as a name would mean the sum within the other sums, too.
  const columns = [
    'wallet',
    `${bucketSql(filters, BUCKETS)} AS bucket`,
    `${key} AS group_key`,
    `${label} AS label`,
    ...sums.map((name) => `sum(${name}) AS all_${name}`),
  ];
  return (
    `SELECT ${columns.join(', ')} FROM (${days}) GROUP BY ${groups.join(', ')} ` +
    `ORDER BY ${['bucket', 'wallet', ...keys].join(', ')} NULLS LAST LIMIT ${most} ${FORMAT}`
  );
}

/** The statement for the first positions that pass every filter. */
export function positionsStatement(version: string, filters: Filters<typeof POSITIONS>, most: number): string {
  const where = positionsWhere(filters, conditionsOf(version));
  const from = `${tableName('positions', version)} ${where}`;
  return `SELECT ${namesOf(POSITION_COLUMNS)} FROM ${from} ORDER BY wallet, condition_id, side LIMIT ${most} ${FORMAT}`;
}

/** The statement for both sides of some markets. */
export function sidesStatement(version: string, ids: readonly string[]): string {
  const where = conditionsOf(version);
  where.oneOf('condition_id', ids);
  return `SELECT ${namesOf(SIDE_COLUMNS)} FROM ${tableName('market_sides', version)} ${where} ${FORMAT}`;
}

/** The statement for the names of a filter that the data have. */
export function namesStatement(version: string, filter: NamedFilter, texts: readonly string[]): string {
  // A byte order mark at the beginning of an answer would not be read as a part of its text.
  return `SELECT 0, name FROM (${namesSql(filter, texts, { ...CLICKHOUSE, table: (name) => tableName(name, version) })}) ${FORMAT}`;
}

const CLICKHOUSE: Omit<NameDialect, 'table'> = {
  literal: sqlLiteral,
  eventKey: 'event_searched',
  starts: (column, part) => `startsWith(${column}, ${part})`,
  ends: (column, part) => `endsWith(${column}, ${part})`,
  contains: (column, part) => `position(${column}, ${part}) > 0`,
};

/** The statement for the first places of a shard: of these wallets, or of all. */
export function leaderboardStatement(
  version: string,
  filters: Filters<typeof LEADERBOARD>,
  wallets: readonly string[] | undefined,
  most: number,
): string {
  const where = leaderboardWhere(filters, conditionsOf(version));
  if (wallets) where.oneOf('wallet', wallets);
  const from = `${tableName('leaderboard', version)} ${where}`;
  return `SELECT ${namesOf(BOARD_COLUMNS)} FROM ${from} ORDER BY ${orderOf(where)} LIMIT ${most} ${FORMAT}`;
}

type Measure = 'pnl' | 'roi' | 'win_rate' | 'traded' | 'trades' | 'sharpe';

function measureOf(filters: Filters<typeof LEADERBOARD>): Measure {
  return leaderboardWhere(filters, conditionsOf('')).order as Measure;
}

/** The statement for how many of a shard's wallets are ahead of each of these, in one row. */
export function aheadStatement(
  version: string,
  filters: Filters<typeof LEADERBOARD>,
  page: readonly Unranked[],
): string {
  const where = leaderboardWhere(filters, conditionsOf(version));
  const measure = measureOf(filters);
  const counts = page.map((row) => {
    const value = row[measure];
    const next = `(pnl > ${row.pnl} OR (pnl = ${row.pnl} AND wallet < ${sqlLiteral(row.wallet)}))`;
    const ahead =
      value === null
        ? `(isNotNull(${measure}) OR ${next})`
        : `ifNull(${measure} > ${value} OR (${measure} = ${value} AND ${next}), 0)`;
    return `countIf(${ahead})`;
  });
  return `SELECT ${counts.join(', ')} FROM ${tableName('leaderboard', version)} ${where} ${FORMAT}`;
}

/** Places of several shards in the order of the leaderboard. */
export function byPlace(rows: readonly Unranked[], filters: Filters<typeof LEADERBOARD>): Unranked[] {
  const measure = measureOf(filters);
  return [...rows].sort((a, b) => {
    const [one, other] = [a[measure], b[measure]];
    if (one !== other) return one === null ? 1 : other === null ? -1 : one > other ? -1 : 1;
    if (a.pnl !== b.pnl) return a.pnl > b.pnl ? -1 : 1;
    return a.wallet < b.wallet ? -1 : 1;
  });
}
