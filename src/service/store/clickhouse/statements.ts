import type { Filters } from '../../../contract/dataset.js';
import type { MARKETS } from '../../../contract/markets.js';
import { lowerCase } from '../lower-case.js';
import type { DayRange, Slice } from '../store.js';
import { literal } from './literal.js';
import { tableName } from './result-tables.js';

const FORMAT = 'FORMAT TabSeparated';

/** Columns of a market, in the order in which {@link marketRow} reads them. */
const MARKET_COLUMNS =
  'condition_id, question, slug, event_slug, closed, volume, start_ms, end_ms, close_ms, token_a, token_b, ' +
  'outcome_a, outcome_b, winner';

/** The statement for the markets that pass every filter, by volume descending, then condition id. */
export function marketsStatement(version: string, filters: Filters<typeof MARKETS>, slice: Slice): string {
  const { closed, min_volume, market_slug, end_date_min, end_date_max, condition_id, event_slug } = filters;
  const conditions = [
    closed === undefined ? [] : [`closed = ${closed ? 1 : 0}`],
    min_volume === undefined ? [] : [`volume >= ${min_volume}`],
    market_slug === undefined ? [] : [`position(searched, ${literal(lowerCase(market_slug))}) > 0`],
    end_date_min === undefined ? [] : [`end_ms >= ${BigInt(end_date_min) * 1000n}`],
    end_date_max === undefined ? [] : [`end_ms <= ${BigInt(end_date_max) * 1000n}`],
    condition_id === undefined || condition_id === 'ALL' ? [] : [`condition_id = ${literal(condition_id)}`],
    event_slug === undefined ? [] : [`event_searched = ${literal(lowerCase(event_slug))}`],
  ].flat();
  const table = tableName('market_rows', version);
  const places = statement('place', table, conditions, 'place', slice);
  return `${statement(MARKET_COLUMNS, table, [`place IN (${places})`], 'place')} ${FORMAT}`;
}

/** The statement for days with an event, by wallet, then day. */
export function walletDaysStatement(version: string, { wallets, from, to, conditionId }: DayRange): string {
  const conditions = [
    [oneOf(wallets)],
    conditionId === undefined ? [] : [`condition_id = ${literal(conditionId)}`],
    from === undefined ? [] : [`day >= ${from}`],
    to === undefined ? [] : [`day <= ${to}`],
  ].flat();
  const table = tableName(conditionId === undefined ? 'wallet_days' : 'wallet_market_days', version);
  const columns = 'wallet, day, invested, pnl, trades, wins, losses';
  return `${statement(columns, table, conditions, 'wallet, day')} ${FORMAT}`;
}

/** The statement for wallets with an event, by address. */
export function lifetimesStatement(version: string, wallets: readonly string[], slice: Slice): string {
  const columns = 'wallet, trades, traded, invested, pnl, last_ts';
  return `${statement(columns, tableName('lifetimes', version), [oneOf(wallets)], 'wallet', slice)} ${FORMAT}`;
}

function oneOf(wallets: readonly string[]): string {
  const literals = wallets.map(literal);
  return literals.length === 1 ? `wallet = ${literals[0]}` : `wallet IN (${literals.join(', ')})`;
}

function statement(columns: string, table: string, conditions: readonly string[], order: string, slice?: Slice) {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const part = slice ? ` LIMIT ${slice.offset}, ${slice.limit}` : '';
  return `SELECT ${columns} FROM ${table}${where} ORDER BY ${order}${part}`;
}
