import { type DayRow, KIND, type LedgerEvent, type LedgerMarket } from '../../../src/service/ledger/event.js';

/** `amount · part / whole` of integers, rounded half away from zero. */
function part(amount: bigint, taken: bigint, whole: bigint): bigint {
  const product = amount * taken;
  const size = product < 0n ? -product : product;
  const rounded = size / whole + (2n * (size % whole) >= whole ? 1n : 0n);
  return product < 0n ? -rounded : rounded;
}

interface Held {
  shares: bigint;
  cost: bigint;
}

/** A position as the service tells it, in bigints; `average` in micro-USD a share, undefined if it never held any. */
export interface NaivePosition extends Held {
  market: number;
  side: number;
  realized: bigint;
  invested: bigint;
  average: bigint | undefined;
  opened: number;
  last: number;
}

/** A market as its record tells it. */
export interface ToldMarket extends LedgerMarket {
  /** Whether `closeTime` is only the end date. */
  isEnd?: boolean;
  /** When the record was made, if it tells. */
  made?: number | undefined;
}

/**
 * The markets with their closes. A market with a winner but no stated close closes at its end date if its record was
 * made then, and if nobody redeemed before; but not before its last event, of any wallet, that is no redemption. YES
 * shares that arrive by a conversion count as an event, and so do NO shares that leave.
 */
export function closedAtLast(markets: readonly ToldMarket[], events: readonly LedgerEvent[]): LedgerMarket[] {
  return markets.map(({ isEnd, made, ...known }, market) => {
    if (known.winner === undefined) return { ...known, closeTime: undefined };
    if (known.closeTime !== undefined && !isEnd) return known;
    const concerned = events.filter(
      (event) => event.market === market || (event.kind === KIND.conversion && known.siblings.includes(event.market)),
    );
    const timesOf = (redeems: boolean) =>
      concerned.filter(({ kind }) => (kind === KIND.redeem) === redeems).map(({ time }) => time);
    const [others, redeemed] = [timesOf(false), timesOf(true)];
    const guesses = [...others];
    if (known.closeTime !== undefined) guesses.push(Math.min(known.closeTime, made ?? known.closeTime, ...redeemed));
    if (guesses.length > 0) return { ...known, closeTime: Math.max(...guesses) };
    return { ...known, closeTime: redeemed.length > 0 ? Math.min(...redeemed) : undefined };
  });
}

/** The sides of which a migration that does not name its side can be. */
function sidesThatFit(yes: bigint, no: bigint, size: bigint): number[] {
  if (yes === 0n || no === 0n) return [no === 0n ? 0 : 1];
  return [yes, no].flatMap((shares, which) => (shares === size ? [which] : []));
}

/**
 * The ledger's rules again, simple and slow: for one wallet, with a list of all its events, big integers, and no state
 * except what each position holds. A transaction converts the NO token of a single market.
 */
export function naiveLedger(markets: readonly LedgerMarket[], events: readonly LedgerEvent[]): DayRow[] {
  return naiveBooks(markets, events).rows;
}

/** The rows of {@link naiveLedger}, and what the wallet holds or held of each outcome with an event. */
export function naiveBooks(markets: readonly LedgerMarket[], events: readonly LedgerEvent[]) {
  const held = markets.map(() => [
    { shares: 0n, cost: 0n },
    { shares: 0n, cost: 0n },
  ]);
  const positions = new Map<string, NaivePosition>();
  /** What is known of an outcome; `time` makes it known. */
  const told = (market: number, which: number, time?: number): NaivePosition => {
    const key = `${market} ${which}`;
    const fresh = { market, side: which, shares: 0n, cost: 0n, realized: 0n, invested: 0n, average: undefined };
    const position = positions.get(key) ?? { ...fresh, opened: Number.NaN, last: Number.NaN };
    positions.set(key, position);
    if (time === undefined) return position;
    if (Number.isNaN(position.opened)) position.opened = time;
    position.last = time;
    return position;
  };
  /** Notes the average cost of shares that are about to be all gone or paid. */
  const leaving = (market: number, which: number) => {
    const { shares, cost } = side(market, which);
    if (shares > 0n) told(market, which).average = part(cost, 1_000_000n, shares);
  };
  const paid = markets.map(() => false);
  const rows = new Map<string, DayRow>();
  const rowOf = (market: number, time: number): DayRow => {
    const day = Math.floor(time / 86_400);
    const key = `${market} ${day}`;
    const fresh = {
      market,
      day,
      invested: 0,
      pnl: 0,
      traded: 0,
      trades: 0,
      wins: 0,
      losses: 0,
      untracked: 0,
      over_redeemed: 0,
      short_paid: 0,
      last: time,
    };
    const row = rows.get(key) ?? fresh;
    rows.set(key, row);
    row.last = Math.max(row.last, time);
    return row;
  };
  const close = (market: number, time: number, profit: bigint) => {
    const row = rowOf(market, time);
    row.pnl += Number(profit);
    if (profit > 0n) row.wins++;
    if (profit < 0n) row.losses++;
  };
  const side = (market: number, which: number): Held => held[market]?.[which] ?? { shares: 0n, cost: 0n };
  /** What shares were paid, or will be paid, once the market is over. */
  const paidFor = (market: number, which: number, shares: bigint): bigint => {
    const winner = markets[market]?.winner;
    return winner === 2 ? part(shares, 1n, 2n) : winner === which ? shares : 0n;
  };
  const leave = (market: number, which: number, wanted: bigint): Held => {
    const from = side(market, which);
    const shares = wanted < from.shares ? wanted : from.shares;
    const rest = from.shares - shares;
    if (rest === 0n && !paid[market]) leaving(market, which);
    const left = paid[market]
      ? paidFor(market, which, rest)
      : from.cost - (rest === 0n ? from.cost : part(from.cost, shares, from.shares));
    const cost = from.cost - left;
    Object.assign(from, { shares: rest, cost: left });
    return { shares, cost };
  };
  /** A sale: of shares that were paid before it only mends the profit. */
  const sold = (market: number, time: number, profit: bigint) => {
    if (paid[market]) rowOf(market, time).pnl += Number(profit);
    else close(market, time, profit);
  };
  /** Pays shares that are there and not paid yet; those that were are worth what their cost says. */
  const pay = (market: number, time: number, first: boolean) => {
    if (markets[market]?.winner === undefined) return;
    paid[market] = true;
    for (const which of [0, 1]) {
      const { shares, cost } = { ...side(market, which) };
      const value = paidFor(market, which, shares);
      if (shares > 0n && (first || told(market, which).average === undefined)) leaving(market, which);
      if (shares === 0n || (!first && value === cost)) continue;
      told(market, which).realized += value - cost;
      side(market, which).cost = value;
      close(market, time, value - cost);
    }
  };
  /** Shares that arrive in a market that is over are an event of it. */
  const payArrival = (market: number, time: number) => {
    if (!paid[market]) return;
    rowOf(market, time);
    pay(market, time, false);
  };
  const settleUntil = (time: number) => {
    markets.forEach(({ closeTime, winner }, market) => {
      if (paid[market] || closeTime === undefined || winner === undefined || closeTime >= time) return;
      pay(market, closeTime, true);
    });
  };
  /** What each market's last redemption lacked, with the row that tells it. */
  const shorts = new Map<number, DayRow>();
  const redeem = (market: number, time: number, money: bigint) => {
    const winners = markets[market]?.winner === 2 ? [0, 1] : [markets[market]?.winner ?? 0];
    const held = winners.reduce((sum, which) => sum + side(market, which).shares, 0n);
    const due = money * BigInt(winners.length);
    let left = due;
    for (const which of winners) left -= leave(market, which, left).shares;
    const short = held > due ? (held - due) / BigInt(winners.length) : 0n;
    const before = shorts.get(market);
    if (before) before.short_paid = 0;
    shorts.delete(market);
    const isAlone = ![...rows.values()].some((row) => row.market === market);
    if (left === 0n && short === 0n && !isAlone) return;
    const row = rowOf(market, time);
    row.untracked += Number(left);
    row.over_redeemed += Number(left);
    row.short_paid = Number(short);
    if (short > 0n) shorts.set(market, row);
  };
  const apply = ({ kind, market, side: which, time, shares, usd }: LedgerEvent) => {
    const [size, money] = [BigInt(shares), BigInt(usd)];
    const [yes, no] = [side(market, 0), side(market, 1)];
    if (kind === KIND.split) {
      rowOf(market, time).invested += shares;
      yes.cost += size / 2n;
      no.cost += size - size / 2n;
      told(market, 0, time).invested += size / 2n;
      told(market, 1, time).invested += size - size / 2n;
      for (const position of [yes, no]) position.shares += size;
    } else if (kind === KIND.merge) {
      const gone = [leave(market, 0, size), leave(market, 1, size)];
      const pairs = gone.reduce((sum, each) => sum + each.shares, 0n);
      rowOf(market, time).untracked += Number(2n * size - pairs);
      const profit = gone.reduce((sum, each) => sum - each.cost, pairs / 2n);
      const ofFirst = (gone[0]?.shares ?? 0n) / 2n - (gone[0]?.cost ?? 0n);
      told(market, 0, time).realized += ofFirst;
      told(market, 1, time).realized += profit - ofFirst;
      if (pairs > 0n) sold(market, time, profit);
    } else if (kind === KIND.buy || kind === KIND.sell) {
      const row = rowOf(market, time);
      row.trades++;
      row.traded += usd;
      const position = side(market, which);
      told(market, which, time);
      if (kind === KIND.buy) {
        row.invested += usd;
        told(market, which).invested += money;
        position.shares += size;
        position.cost += money;
      } else {
        const gone = leave(market, which, size);
        row.untracked += Number(size - gone.shares);
        if (gone.shares === 0n) return afterwards(market, time);
        const profit = part(money, gone.shares, size) - gone.cost;
        told(market, which).realized += profit;
        sold(market, time, profit);
      }
    } else if (kind === KIND.conversion) {
      const gone = leave(market, 1, size);
      told(market, 1, time);
      const others = markets[market]?.siblings.filter((other) => other !== market) ?? [];
      // With only one known question of the event, nothing can be realized.
      rowOf(market, time).untracked += Number(others.length === 0 ? size : size - gone.shares);
      let rest = gone.cost;
      others.forEach((other, index) => {
        const cost = rest / BigInt(others.length - index);
        rest -= cost;
        side(other, 0).shares += gone.shares;
        side(other, 0).cost += cost;
        if (gone.shares > 0n) told(other, 0, time);
        if (gone.shares > 0n) payArrival(other, time);
      });
    } else if (kind === KIND.migration) {
      const { successor } = markets[market] ?? {};
      if (successor === market) return;
      const row = rowOf(market, time);
      const sides = which === -1 ? sidesThatFit(yes.shares, no.shares, size) : [which];
      const [from] = sides;
      if (sides.length !== 1 || from === undefined) {
        row.untracked += shares;
        return;
      }
      const gone = leave(market, from, size);
      told(market, from, time);
      row.untracked += successor === undefined ? shares : Number(size - gone.shares);
      if (successor !== undefined) {
        side(successor, from).shares += gone.shares;
        side(successor, from).cost += gone.cost;
        if (gone.shares > 0n) told(successor, from, time);
        if (gone.shares > 0n) payArrival(successor, time);
      }
    } else if (kind === KIND.redeem && markets[market]?.winner !== undefined) {
      for (const each of [0, 1]) if (!Number.isNaN(told(market, each).opened)) told(market, each, time);
      if (!paid[market]) pay(market, time, true);
      redeem(market, time, money);
    }
    afterwards(market, time);
  };
  const afterwards = (market: number, time: number) => {
    if (paid[market]) pay(market, time, false);
  };
  for (const event of events) {
    settleUntil(event.time);
    apply(event);
  }
  settleUntil(Number.POSITIVE_INFINITY);
  const open = [...positions.values()].filter(({ opened }) => !Number.isNaN(opened));
  for (const position of open) {
    const { market, side: which } = position;
    const { shares, cost } = side(market, which);
    if (paid[market] || shares === 0n) continue;
    Object.assign(position, { shares, cost, average: part(cost, 1_000_000n, shares) });
  }
  return {
    rows: [...rows.values()].sort((a, b) => a.market - b.market || a.day - b.day),
    positions: open.sort((a, b) => a.market - b.market || a.side - b.side),
  };
}
