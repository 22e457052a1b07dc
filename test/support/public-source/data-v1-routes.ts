import { isoOfSeconds } from '../../../src/contract/time.js';
import { type Answer, type Asked, flag, listOf, ok, refused, wholeNumber } from './answers.js';
import { conditionsOf, filteredRows, privateWords, v1Row } from './data-rows.js';
import { pairAt } from './source-records.js';
import { figuresOf, type SourcePosition } from './wallet-figures.js';

const DAY = 86_400;

/** Answers as the Data API does on the paths of its first version: bare lists, camelCase, offsets with a cap. */
export function dataV1Answer(asked: Asked): Answer {
  const { path } = asked;
  if (path === '/activity') return activity(asked);
  if (path === '/trades') return trades(asked);
  if (path === '/v1/leaderboard') return leaderboard(asked);
  const user = asked.query.get('user')?.toLowerCase();
  if (user === undefined || !/^0x[0-9a-f]{40}$/.test(user))
    return refused(400, 'required query param user not provided');
  const figures = figuresOf(asked.records, user, asked.now);
  if (path === '/traded') return ok({ user, traded: figures.markets });
  if (path === '/value') {
    const held = figures.positions.filter(({ market }) => market.closedAt === 0 || market.closedAt > asked.now);
    return ok([{ user, value: held.reduce((sum, each) => sum + each.size * priceOf(each), 0) }]);
  }
  if (path === '/positions') return positions(asked, figures.positions);
  if (path === '/closed-positions') return closedPositions(asked, figures.positions);
  return refused(404, 'not found', 'not found error');
}

function activity(asked: Asked): Answer {
  const { query, now, quirks } = asked;
  const user = query.get('user')?.toLowerCase();
  if (user === undefined || !/^0x[0-9a-f]{40}$/.test(user))
    return refused(400, 'required query param user not provided');
  const offset = wholeNumber(query, 'offset', 0);
  if (offset > quirks.activityOffset)
    return refused(400, `max historical activity offset of ${quirks.activityOffset} exceeded`);
  const limit = Math.min(500, quirks.mostRecords, wholeNumber(query, 'limit', 100));
  const rows = filteredRows(asked, {
    user,
    conditions: conditionsOf(query, 'market'),
    events: listOf(query, 'eventId'),
    types: listOf(query, 'type'),
    side: query.get('side') ?? undefined,
    start: wholeNumber(query, 'start', now - quirks.unstartedDays * DAY),
    end: wholeNumber(query, 'end', Number.MAX_SAFE_INTEGER),
    transfers: flag(query, 'excludeDepositsWithdrawals') === false,
    takerOnly: false,
  });
  if (query.get('sortDirection') !== 'ASC') rows.reverse();
  return ok(rows.slice(offset, offset + limit).map((row) => v1Row(row)));
}

/** Fills, newest first: those of takers alone, unless `takerOnly=false`. */
function trades(asked: Asked): Answer {
  const { query, quirks } = asked;
  let offset = wholeNumber(query, 'offset', 0);
  if (offset > quirks.tradesOffset)
    return refused(400, `max historical trades offset of ${quirks.tradesOffset} exceeded`);
  offset = Math.min(offset, quirks.tradesRepeatPast);
  const limit = Math.min(10_000, quirks.mostRecords, wholeNumber(query, 'limit', 100));
  const rows = filteredRows(asked, {
    user: query.get('user')?.toLowerCase(),
    conditions: conditionsOf(query, 'market'),
    events: listOf(query, 'eventId'),
    types: ['TRADE'],
    side: query.get('side') ?? undefined,
    start: wholeNumber(query, 'start', 0),
    end: wholeNumber(query, 'end', Number.MAX_SAFE_INTEGER),
    transfers: false,
    takerOnly: flag(query, 'takerOnly') ?? true,
  }).reverse();
  return ok(rows.slice(offset, offset + limit).map((row) => v1Row(row, true)));
}

/** Every wallet's profit, the highest first: rank, profit and volume, with names. */
export function ranked({ records, now }: Asked): { wallet: string; pnl: number; volume: number }[] {
  const all = [...records.byWallet.keys()].map((wallet) => {
    const { days } = figuresOf(records, wallet, now);
    const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
    return { wallet, pnl: sum(({ realized }) => realized), volume: sum(({ dollars }) => dollars) };
  });
  return all.sort((a, b) => b.pnl - a.pnl);
}

function leaderboard(asked: Asked): Answer {
  const limit = Math.min(50, wholeNumber(asked.query, 'limit', 25));
  const offset = wholeNumber(asked.query, 'offset', 0);
  const user = asked.query.get('user')?.toLowerCase();
  const all = ranked(asked).map(({ wallet, pnl, volume }, at) => ({
    rank: String(at + 1),
    proxyWallet: wallet,
    userName: privateWords(wallet).name,
    xUsername: `PRIVATE-X-${wallet.slice(2, 10)}`,
    verifiedBadge: false,
    vol: volume,
    pnl,
    profileImage: privateWords(wallet).image,
  }));
  return ok(all.filter(({ proxyWallet }) => user === undefined || proxyWallet === user).slice(offset, offset + limit));
}

/** The price at which a position counts: the payout of a settled market, else the last price. */
export function priceOf({ market, outcome }: SourcePosition): number {
  return market.payouts ? market.payouts[outcome] / 1e6 : Number(market.lastPrices[outcome]);
}

/** What both versions say of a position's market and outcome. */
export function outcomeFields({ market, outcome }: SourcePosition, now: number) {
  const pair = pairAt(market, now);
  const other = outcome === 0 ? 1 : 0;
  return {
    token: pair.tokens[outcome],
    condition: pair.condition,
    opposite: pair.tokens[other],
    outcomeName: market.outcomes[outcome],
    oppositeName: market.outcomes[other],
  };
}

function positions(asked: Asked, all: readonly SourcePosition[]): Answer {
  const { query, now } = asked;
  const least = Number(query.get('sizeThreshold') ?? 1);
  const [limit, offset] = [Math.min(500, wholeNumber(query, 'limit', 100)), wholeNumber(query, 'offset', 0)];
  const held = all.filter(
    ({ size, market }) => size >= least && size > 0 && !(market.closedAt > 0 && market.closedAt <= now),
  );
  return ok(held.slice(offset, offset + limit).map((each) => v1Position(each, query.get('user') ?? '', now)));
}

function v1Position(position: SourcePosition, user: string, now: number): object {
  const { market, size, cost, realized, bought } = position;
  const { token, condition, opposite, outcomeName, oppositeName } = outcomeFields(position, now);
  const value = size * priceOf(position);
  return {
    proxyWallet: user.toLowerCase(),
    asset: token,
    conditionId: condition,
    size,
    avgPrice: size === 0 ? 0 : cost / size,
    initialValue: cost,
    currentValue: value,
    cashPnl: value - cost,
    percentPnl: cost === 0 ? 0 : (100 * (value - cost)) / cost,
    totalBought: bought,
    realizedPnl: realized,
    percentRealizedPnl: 0,
    curPrice: priceOf(position),
    redeemable: false,
    mergeable: false,
    title: market.question,
    slug: market.slug,
    icon: '',
    eventId: market.event.id,
    eventSlug: market.event.slug,
    outcome: outcomeName,
    outcomeIndex: position.outcome,
    oppositeOutcome: oppositeName,
    oppositeAsset: opposite,
    endDate: isoOfSeconds(market.end).slice(0, 10),
    negativeRisk: market.event.negRiskId !== '',
  };
}

function closedPositions(asked: Asked, all: readonly SourcePosition[]): Answer {
  const { query, now } = asked;
  const [limit, offset] = [Math.min(50, wholeNumber(query, 'limit', 10)), wholeNumber(query, 'offset', 0)];
  const closed = all.filter(({ size }) => size === 0).slice(offset, offset + limit);
  return ok(
    closed.map((each) => {
      const { token, condition, opposite, outcomeName, oppositeName } = outcomeFields(each, now);
      return {
        proxyWallet: query.get('user')?.toLowerCase(),
        asset: token,
        conditionId: condition,
        avgPrice: each.bought === 0 ? 0 : each.cost / each.bought,
        totalBought: each.bought,
        realizedPnl: each.realized,
        curPrice: priceOf(each),
        timestamp: each.lastAt,
        title: each.market.question,
        slug: each.market.slug,
        icon: '',
        eventSlug: each.market.event.slug,
        outcome: outcomeName,
        outcomeIndex: each.outcome,
        oppositeOutcome: oppositeName,
        oppositeAsset: opposite,
        endDate: isoOfSeconds(each.market.end),
      };
    }),
  );
}
