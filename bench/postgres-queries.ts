/** A query as posted to the service. */
export interface AskedQuery {
  agent_id: number;
  params: Readonly<Record<string, string>>;
  pagination?: { limit: number };
}

/** A statement to be prepared once, and the values of one query. */
export interface Statement {
  name: string;
  text: string;
  values: (string | number)[];
}

const RECORDS: Readonly<Record<number, string>> = {
  569: 'date, proxy_wallet, invested, pnl, trades, wins, losses, win_rate',
  586: 'proxy_wallet, total_trades, avg_trade_size, avg_pnl_per_trade, total_invested, total_pnl, roi_pct, last_updated',
  574: `condition_id, question, slug, event_slug, closed, volume_total, start_date, end_date, close_date, side_a_token_id,
    side_b_token_id, side_a_outcome, side_b_outcome, winning_outcome`,
};

const DAY_SECONDS = 86_400;

/** The statement for a benchmark's query over the tables of `postgres.ts`, whose columns are those of the records. */
export function statementFor({ agent_id, params, pagination }: AskedQuery, asJson: boolean): Statement {
  const { where, order, values, table } = parts(agent_id, params);
  const limit = (pagination?.limit ?? 200) + 1;
  const rows = `SELECT ${RECORDS[agent_id]} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
  const text = asJson ? `SELECT coalesce(json_agg(r)::text, '[]') AS results, count(*) AS n FROM (${rows}) r` : rows;
  return { name: `${agent_id} ${Object.keys(params).join(' ')} ${limit}`, text, values };
}

function parts(agent_id: number, params: Readonly<Record<string, string>>) {
  if (agent_id === 586) {
    return {
      table: 'lifetimes',
      where: 'proxy_wallet = $1',
      order: 'proxy_wallet',
      values: [params.wallet_address ?? ''],
    };
  }
  if (agent_id === 569) {
    const day = (date: string | undefined) => Date.parse(`${date}T00:00:00Z`) / 1000 / DAY_SECONDS;
    return {
      table: 'wallet_days',
      where: 'proxy_wallet = $1 AND day >= $2 AND day <= $3',
      order: 'day',
      values: [params.wallet ?? '', day(params.start_time), day(params.end_time)],
    };
  }
  const values: (string | number)[] = [];
  const conditions = Object.entries(params).map(([name, value]) => {
    values.push(name === 'market_slug' ? `%${value.replace(/[\\%_]/g, '\\$&')}%` : value);
    return CONDITIONS[name]?.replace('?', `$${values.length}`) ?? '';
  });
  return { table: 'markets', where: conditions.join(' AND '), order: 'volume DESC, condition_id', values };
}

const CONDITIONS: Readonly<Record<string, string>> = {
  market_slug: 'searched ILIKE ?',
  closed: 'closed = (?)::boolean',
  min_volume: 'volume >= (?)::numeric * 1000000',
  end_date_min: 'end_ms >= (?)::bigint * 1000',
  end_date_max: 'end_ms <= (?)::bigint * 1000',
};
