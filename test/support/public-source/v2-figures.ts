import { type Answer, type Asked, ok, refused } from './answers.js';
import { conditionsOf, privateWords } from './data-rows.js';
import { outcomeFields, priceOf, ranked } from './data-v1-routes.js';
import { pairsOf } from './source-records.js';
import { CONDITIONS, indexed, userOf } from './v2-pages.js';
import { figuresOf, type SourcePosition, type WalletFigures } from './wallet-figures.js';

const DAY = 86_400;

function walletFigures({ query, records, now }: Asked): WalletFigures | undefined {
  const user = userOf(query);
  return user !== undefined && records.byWallet.has(user) ? figuresOf(records, user, now) : undefined;
}

/** A wallet's positions, open and closed. */
export function positions(asked: Asked): Answer {
  const { query, now } = asked;
  const user = userOf(query);
  if (user === undefined) return refused(400, 'user is required');
  const conditions = conditionsOf(query, ...CONDITIONS);
  const wanted = query.get('status');
  const all = (walletFigures(asked)?.positions ?? []).filter((each) => {
    const pairs = pairsOf(each.market).map(({ condition }) => condition);
    const fits = conditions.length === 0 || pairs.some((condition) => conditions.includes(condition));
    return fits && (wanted === null || wanted === statusOf(each));
  });
  return indexed(asked, all, 1_000, (each) => v2Position(each, user, now));
}

function statusOf({ size }: SourcePosition): string {
  return size > 0 ? 'OPEN' : 'CLOSED';
}

function v2Position(position: SourcePosition, user: string, now: number): object {
  const { market, size, cost, realized, bought } = position;
  const { token, condition, opposite, outcomeName, oppositeName } = outcomeFields(position, now);
  const value = size * priceOf(position);
  const { name, image } = privateWords(user);
  return {
    proxy_wallet: user,
    token_id: token,
    condition_id: condition,
    status: statusOf(position),
    current_size: size,
    avg_price: size === 0 ? 0 : cost / size,
    entry_cost_usdc: String(cost),
    entry_fees_usdc: 0,
    total_cost_usdc: cost,
    current_price: priceOf(position),
    current_value: value,
    total_size: bought,
    realized_pnl: realized,
    unrealized_pnl: value - cost,
    total_pnl: realized + value - cost,
    percent_pnl: 0,
    percent_realized_pnl: 0,
    redeemable: false,
    mergeable: false,
    negative_risk: market.event.negRiskId !== '',
    archived: false,
    title: market.question,
    slug: market.slug,
    icon: '',
    event_id: market.event.id,
    event_slug: market.event.slug,
    outcome: outcomeName,
    outcome_index: position.outcome,
    opposite_outcome: oppositeName,
    opposite_token_id: opposite,
    end_date: new Date(market.end * 1000).toISOString().slice(0, 10),
    last_event_at: position.lastAt,
    name,
    profile_image: image,
    verified: false,
  };
}

/** A point of the curve, for all days up to one. */
function pnlPoints({ days }: WalletFigures): object[] {
  let [realized, income, shares, dollars, trades] = [0, 0, 0, 0, 0];
  return days.map((each) => {
    realized += each.realized;
    income += each.income;
    shares += each.shares;
    dollars += each.dollars;
    trades += each.trades;
    return {
      timestamp: each.day * DAY,
      source_block: 80_000_000 + each.day,
      realized_market_pnl: realized,
      realized_lp_pnl: 0,
      realized_combo_pnl: 0,
      unrealized_pnl: 0,
      fees_refunded: 0,
      maker_rebate: 0,
      taker_rebate: 0,
      reward_income: income,
      yield_income: 0,
      referral_income: 0,
      deposits: 1_000,
      withdrawals: 750,
      realized_pnl: String(realized),
      wallet_income: income,
      position_pnl: realized,
      settled_pnl: realized + income,
      economic_pnl: realized + income,
      trade_pnl: null,
      sponsored_income: income,
      fees: 0,
      fees_paid: 0,
      cashflow_net: 250,
      volume: shares,
      volume_usdc: dollars,
      trade_count: trades,
    };
  });
}

/** The curve of a wallet's profit. */
export function userPnl(asked: Asked): Answer {
  const { query } = asked;
  if (userOf(query) === undefined) return refused(400, 'user is required');
  const figures = walletFigures(asked);
  const points = figures ? pnlPoints(figures) : [];
  const interval = query.get('interval') ?? '1m';
  const fidelity = query.get('fidelity') ?? '1d';
  const shown = interval === 'max' || interval === 'all' ? points : points.slice(-30);
  return ok({ data: { proxy_wallet: userOf(query), interval, fidelity, source_fidelity: '1d', points: shown } });
}

/** A wallet's totals. */
export function userStats(asked: Asked): Answer {
  const user = userOf(asked.query);
  if (user === undefined) return refused(400, 'user is required');
  const figures = walletFigures(asked);
  if (figures === undefined) return ok({ data: null });
  const best = Math.max(0, ...figures.positions.map(({ realized }) => realized));
  const join_date = (figures.days[0]?.day ?? 0) * DAY;
  const all_time_pnl = pnlPoints(figures).at(-1) ?? null;
  return ok({
    data: { proxy_wallet: user, trades: figures.markets, biggest_win: best, views: 0, join_date, all_time_pnl },
  });
}

/** All wallets by profit. */
export function leaderboard(asked: Asked): Answer {
  const user = userOf(asked.query);
  const all = ranked(asked)
    .map((each, at) => ({ ...each, rank: at + 1 }))
    .filter(({ wallet }) => user === undefined || wallet === user);
  return indexed(asked, all, 50, ({ wallet, pnl, volume, rank }) => ({
    rank,
    proxy_wallet: wallet,
    user_name: privateWords(wallet).name,
    x_username: `PRIVATE-X-${wallet.slice(2, 10)}`,
    verified_badge: false,
    profile_image: privateWords(wallet).image,
    volume,
    pnl,
  }));
}

/** What a wallet's shares are worth. */
export function value(asked: Asked): Answer {
  const worth = walletFigures(asked)?.positions.reduce((sum, each) => sum + each.size * priceOf(each), 0) ?? 0;
  return ok({ data: { proxy_wallet: userOf(asked.query), value: worth.toFixed(4) } });
}
