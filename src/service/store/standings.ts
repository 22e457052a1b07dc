import { type FilterMeanings, type Filters, narrowed } from '../../contract/dataset.js';
import { type LEADERBOARD, PERIOD_DAYS } from '../../contract/leaderboard.js';
import type { PNL } from '../../contract/pnl.js';
import type { POSITIONS } from '../../contract/positions.js';
import { lowerCase } from './lower-case.js';

/** The tables that positions, leaderboards and profit by market, event and category are answered from. */
export const STANDING_TABLES = ['positions', 'market_sides', 'leaderboard', 'leaderboard_windows'] as const;

/** Conditions in the SQL of every engine. */
export class StandingConditions {
  readonly all: string[] = [];
  /** The wallets whose places in a leaderboard are asked for; undefined for every one. */
  wallets: readonly string[] | undefined;
  /** The column by which a leaderboard is sorted. */
  order: string = ORDERS.pnl;
  readonly #literal: (value: string) => string;
  readonly #sides: string;

  /**
   * @param literal Gives the SQL for a text.
   * @param sides The name of the table `market_sides`.
   */
  constructor(literal: (value: string) => string, sides: string) {
    this.#literal = literal;
    this.#sides = sides;
  }

  /** Rows whose column is one of these texts. */
  oneOf(column: string, texts: readonly string[]): void {
    const literals = texts.map(this.#literal);
    this.all.push(literals.length === 1 ? `${column} = ${literals[0]}` : `${column} IN (${literals.join(', ')})`);
  }

  /** Rows of the markets in which a column of `market_sides` has this text. */
  inMarkets(column: 'event_key' | 'category_key', text: string): void {
    const markets = `SELECT condition_id FROM ${this.#sides} WHERE ${column} = ${this.#literal(lowerCase(text))}`;
    this.all.push(`condition_id IN (${markets})`);
  }

  /** All of them, as a clause. */
  toString(): string {
    return this.all.length === 0 ? '' : `WHERE ${this.all.join(' AND ')}`;
  }
}

const POSITIONS_WHERE: FilterMeanings<typeof POSITIONS, StandingConditions> = {
  wallet: (wallets, where) => where.oneOf('wallet', wallets),
  status: (status, where) => where.all.push(status === 'open' ? 'shares > 0' : 'shares = 0'),
  condition_id: (ids, where) => where.oneOf('condition_id', ids),
  event_slug: (text, where) => where.inMarkets('event_key', text),
  category: (text, where) => where.inMarkets('category_key', text),
};

/** What a query of positions asks of the table. */
export function positionsWhere(filters: Filters<typeof POSITIONS>, into: StandingConditions): StandingConditions {
  return narrowed(POSITIONS_WHERE, filters, into);
}

const DAYS_WHERE: FilterMeanings<typeof PNL, StandingConditions> = {
  wallet: (wallets, where) => where.oneOf('wallet', wallets),
  start_time: (day, where) => where.all.push(`day >= ${day}`),
  end_time: (day, where) => where.all.push(`day <= ${day}`),
  condition_id: (ids, where) => where.oneOf('condition_id', ids),
  event_slug: (text, where) => where.inMarkets('event_key', text),
  category: (text, where) => where.inMarkets('category_key', text),
  // They leave the days as they are.
  granularity: () => {},
  by: () => {},
};

/** What a query of profit asks of the days of wallets in markets. */
export function daysWhere(filters: Filters<typeof PNL>, into: StandingConditions): StandingConditions {
  return narrowed(DAYS_WHERE, filters, into);
}

/** What the SQL for a wallet's buckets in single markets needs of an engine. */
export interface BucketDialect {
  /** SQL for the first day of the month of `day`. */
  readonly month: string;
  /** SQL for a whole quotient of numbers of 0 or more. */
  readonly quotient: (a: string, b: number) => string;
}

/** SQL for the first day of the bucket of `day`, as {@link bucketStart} gives it; `first_day` is the wallet's first. */
export function bucketSql({ granularity = '1d', start_time }: Filters<typeof PNL>, sql: BucketDialect): string {
  const first = start_time === undefined ? 'first_day' : `(${start_time})`;
  switch (granularity) {
    case '1d':
      return 'day';
    case '3d':
      return `${first} + 3 * ${sql.quotient(`day - ${first}`, 3)}`;
    case '1w':
      return 'day - ((day + 3) % 7 + 7) % 7';
    case '1m':
      return sql.month;
    case 'all':
      return 'min(day)';
  }
}

/** Whether the buckets of a query count from the first day of each wallet. */
export function countsFromFirst({ granularity, start_time }: Filters<typeof PNL>): boolean {
  return granularity === '3d' && start_time === undefined;
}

/** The column of `market_sides` by which profit is told; undefined by market, and in all. */
export function sideColumn({ by }: Filters<typeof PNL>): 'event_slug' | 'category' | undefined {
  return by === 'event' ? 'event_slug' : by === 'category' ? 'category' : undefined;
}

const ORDERS = {
  pnl: 'pnl',
  roi: 'roi',
  win_rate: 'win_rate',
  volume: 'traded',
  trades: 'trades',
  sharpe: 'sharpe',
} as const;

const LEADERBOARD_WHERE: FilterMeanings<typeof LEADERBOARD, StandingConditions> = {
  wallet_address(wallets, where) {
    where.wallets = wallets;
  },
  leaderboard_period: (period, where) => where.all.push(`period = ${PERIOD_DAYS[period]}`),
  min_pnl: (micros, where) => where.all.push(`pnl >= ${micros}`),
  max_pnl: (micros, where) => where.all.push(`pnl <= ${micros}`),
  min_trades: (count, where) => where.all.push(`trades >= ${count}`),
  min_volume: (micros, where) => where.all.push(`traded >= ${micros}`),
  sort_by(order, where) {
    where.order = ORDERS[order];
  },
};

/** What a query of a leaderboard asks of the table, the wallets aside. */
export function leaderboardWhere(filters: Filters<typeof LEADERBOARD>, into: StandingConditions): StandingConditions {
  return narrowed(LEADERBOARD_WHERE, { leaderboard_period: 'all', ...filters }, into);
}

/** SQL for the window of a leaderboard, from the name of its table. */
export function windowOf(table: string, { leaderboard_period = 'all' }: Filters<typeof LEADERBOARD>): string {
  return `SELECT first_day, last_day, wallets, others FROM ${table} WHERE period = ${PERIOD_DAYS[leaderboard_period]}`;
}

/** SQL for the order of a leaderboard. */
export function orderOf({ order }: StandingConditions): string {
  return `${order} DESC NULLS LAST, pnl DESC, wallet`;
}
