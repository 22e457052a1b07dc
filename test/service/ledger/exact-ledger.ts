import { KIND, type LedgerEvent, type LedgerMarket } from '../../../src/service/ledger/event.js';

/** A fraction of integers, `above / below` with `below` above 0: nothing is ever rounded. */
export interface Fraction {
  above: bigint;
  below: bigint;
}

const whole = (above: bigint): Fraction => ({ above, below: 1n });
const plus = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.below + b.above * a.below,
  below: a.below * b.below,
});
const times = (a: Fraction, above: bigint, below: bigint): Fraction => ({
  above: a.above * above,
  below: a.below * below,
});
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, times(b, -1n, 1n));
const least = (...all: bigint[]): bigint => all.sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n;

/** The sums of one market's day: money in micro-USD, shares in millionths. */
export interface ExactDay {
  pnl: Fraction;
  invested: bigint;
  trades: number;
  untracked: bigint;
  over_redeemed: bigint;
  short_paid: bigint;
}

/** What is held of an outcome, and what it realized: in fractions, as the days. */
export interface ExactPosition {
  shares: bigint;
  cost: Fraction;
  realized: Fraction;
}

/**
 * Days by `market/day`, as exact fractions, and the positions by `market/side`: of every outcome, also of those without an event.
 * Shares of a market that is settled are paid, and not held any more.
 */
export function exactBooks(markets: readonly LedgerMarket[], events: readonly LedgerEvent[]) {
  const held = markets.map(() => [0, 1].map(() => ({ shares: 0n, cost: whole(0n) })));
  const realized = markets.map(() => [whole(0n), whole(0n)]);
  const over = markets.map(() => false);
  const days = new Map<string, ExactDay>();
  const dayOf = (market: number, time: number): ExactDay => {
    const key = `${market}/${Math.floor(time / 86_400)}`;
    const day = days.get(key) ?? {
      pnl: whole(0n),
      invested: 0n,
      trades: 0,
      untracked: 0n,
      over_redeemed: 0n,
      short_paid: 0n,
    };
    days.set(key, day);
    return day;
  };
  const position = (market: number, side: number) => held[market]?.[side] ?? { shares: 0n, cost: whole(0n) };
  const gain = (market: number, side: number, time: number, profit: Fraction) => {
    const own = realized[market];
    if (own) own[side] = plus(own[side] ?? whole(0n), profit);
    const day = dayOf(market, time);
    day.pnl = plus(day.pnl, profit);
  };
  const leave = (market: number, side: number, most: bigint) => {
    const from = position(market, side);
    const shares = least(most, from.shares);
    const cost = shares === 0n ? whole(0n) : times(from.cost, shares, from.shares);
    Object.assign(from, { shares: from.shares - shares, cost: minus(from.cost, cost) });
    return { shares, cost };
  };
  const arrive = (market: number, side: number, shares: bigint, cost: Fraction) => {
    const to = position(market, side);
    Object.assign(to, { shares: to.shares + shares, cost: plus(to.cost, cost) });
  };
  const settle = (market: number, time: number) => {
    const winner = markets[market]?.winner;
    if (winner === undefined) return;
    const isFirst = !over[market];
    over[market] = true;
    for (const side of [0, 1]) {
      const held = position(market, side);
      if (held.shares === 0n) continue;
      const payout = winner === 2 ? { above: held.shares, below: 2n } : whole(winner === side ? held.shares : 0n);
      const profit = minus(payout, held.cost);
      // Settled shares are kept at what they were paid, until somebody redeems or sells them.
      if (isFirst || profit.above !== 0n) gain(market, side, time, profit);
      held.cost = payout;
    }
  };
  const settleUntil = (time: number) => {
    for (const [market, { closeTime }] of markets.entries()) {
      if (!over[market] && closeTime !== undefined && closeTime < time) settle(market, closeTime);
    }
  };
  const settleIfOver = (market: number, time: number) => {
    const closeTime = markets[market]?.closeTime;
    if (!over[market] && !(closeTime !== undefined && closeTime < time)) return;
    dayOf(market, time);
    settle(market, time);
  };
  const convert = (rows: readonly LedgerEvent[], { market: first, time }: LedgerEvent) => {
    const left = rows.map(({ market }) => market);
    const arriving = (markets[first]?.siblings ?? []).filter((market) => !left.includes(market));
    if (arriving.length === 0 && rows.length === 1) {
      dayOf(first, time).untracked += BigInt(rows[0]?.shares ?? 0);
      leave(first, 1, BigInt(rows[0]?.shares ?? 0));
      return;
    }
    const gone = rows.map((row) => {
      const taken = leave(row.market, 1, BigInt(row.shares));
      dayOf(row.market, time).untracked += BigInt(row.shares) - taken.shares;
      return taken;
    });
    const shares = least(...gone.map((taken) => taken.shares));
    let cost = whole(-BigInt(rows.length - 1) * shares);
    for (const taken of shares === 0n ? [] : gone) cost = plus(cost, times(taken.cost, shares, taken.shares));
    if (arriving.length === 0) gain(first, 1, time, times(cost, -1n, 1n));
    for (const market of arriving) {
      arrive(market, 0, shares, times(cost, 1n, BigInt(arriving.length)));
      if (shares > 0n) settleIfOver(market, time);
    }
  };
  const redeemed = new Map<number, ExactDay>();
  const redeemPaid = (market: number, winner: number, { time, usd }: LedgerEvent) => {
    const winning = winner === 2 ? [0, 1] : [winner];
    const worth = BigInt(winning.length);
    let unseen = worth * BigInt(usd);
    for (const side of winning) unseen -= leave(market, side, unseen).shares;
    const owed = winning.reduce((sum, side) => sum + position(market, side).shares, 0n) / worth;
    const last = redeemed.get(market);
    if (last) last.short_paid = 0n;
    redeemed.delete(market);
    const isKnown = [...days.keys()].some((key) => key.startsWith(`${market}/`));
    if (isKnown && unseen === 0n && owed === 0n) return;
    const day = dayOf(market, time);
    day.untracked += unseen;
    day.over_redeemed += unseen;
    day.short_paid = owed;
    if (owed > 0n) redeemed.set(market, day);
  };
  const migrate = ({ market, side, time, shares }: LedgerEvent) => {
    const successor = markets[market]?.successor;
    if (successor === market) return;
    const day = dayOf(market, time);
    const size = BigInt(shares);
    const [a, b] = [position(market, 0).shares, position(market, 1).shares];
    const from =
      side >= 0 ? side : b === 0n ? 0 : a === 0n ? 1 : (a === size) === (b === size) ? -1 : a === size ? 0 : 1;
    const gone = from < 0 ? undefined : leave(market, from, size);
    day.untracked += gone && successor !== undefined ? size - gone.shares : size;
    if (!gone || successor === undefined || gone.shares === 0n) return;
    arrive(successor, from, gone.shares, gone.cost);
    settleIfOver(successor, time);
  };
  const redeem = (event: LedgerEvent) => {
    const { market, time, usd } = event;
    const winner = markets[market]?.winner;
    if (winner !== undefined) {
      if (!over[market]) settle(market, time);
      return redeemPaid(market, winner, event);
    }
    const [a, b, paid] = [position(market, 0).shares, position(market, 1).shares, BigInt(usd)];
    const ofA =
      b === 0n || a === paid ? whole(paid) : a === 0n || b === paid ? whole(0n) : times(whole(paid), a, a + b);
    let left = whole(paid);
    for (const [side, due] of [ofA, minus(whole(paid), ofA)].entries()) {
      const { shares } = position(market, side);
      if (shares === 0n) continue;
      const isMore = due.above > shares * due.below;
      const got = isMore ? whole(shares) : due;
      left = minus(left, got);
      gain(market, side, time, minus(got, leave(market, side, shares).cost));
    }
    // The untracked part of a whole payout is whole, too.
    const unseen = left.above / left.below;
    dayOf(market, time).untracked += unseen;
    dayOf(market, time).over_redeemed += unseen;
  };
  const trade = ({ kind, market, side, time, shares, usd }: LedgerEvent) => {
    const [size, money, day] = [BigInt(shares), BigInt(usd), dayOf(market, time)];
    if (kind === KIND.buy || kind === KIND.sell) day.trades++;
    if (kind === KIND.buy) {
      day.invested += money;
      arrive(market, side, size, whole(money));
    } else if (kind === KIND.sell) {
      const gone = leave(market, side, size);
      day.untracked += size - gone.shares;
      if (gone.shares > 0n) gain(market, side, time, minus(times(whole(money), gone.shares, size), gone.cost));
    } else if (kind === KIND.split) {
      day.invested += size;
      for (const each of [0, 1]) arrive(market, each, size, { above: size, below: 2n });
    } else {
      const gone = [0, 1].map((each) => leave(market, each, size));
      for (const [which, each] of gone.entries()) {
        day.untracked += size - each.shares;
        gain(market, which, time, minus({ above: each.shares, below: 2n }, each.cost));
      }
    }
  };
  for (let at = 0; at < events.length; at++) {
    const event = events[at];
    if (!event) continue;
    settleUntil(event.time);
    if (event.kind === KIND.conversion) {
      const rows = [event];
      for (let next = events[at + 1]; next?.kind === event.kind && next.tx === event.tx; next = events[at + 1]) {
        rows.push(next);
        at++;
      }
      convert(rows, event);
      continue;
    }
    if (event.kind === KIND.redeem) redeem(event);
    else if (event.kind === KIND.migration) migrate(event);
    else {
      trade(event);
      settleIfOver(event.market, event.time);
    }
  }
  settleUntil(Number.POSITIVE_INFINITY);
  const positions = new Map<string, ExactPosition>();
  for (const [market, sides] of held.entries()) {
    for (const [side, { shares, cost }] of sides.entries()) {
      const now = over[market] ? { shares: 0n, cost: whole(0n) } : { shares, cost };
      positions.set(`${market}/${side}`, { ...now, realized: realized[market]?.[side] ?? whole(0n) });
    }
  }
  return { days, positions };
}
