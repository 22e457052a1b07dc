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

/**
 * The markets with their closes. A market with a winner but no stated close closes at its last event, of any wallet.
 * YES shares that arrive by a conversion count as an event, and so do NO shares that leave.
 */
export function closedAtLast(markets: readonly LedgerMarket[], events: readonly LedgerEvent[]): LedgerMarket[] {
  return markets.map((known, market) => {
    const times = events
      .filter(
        (event) => event.market === market || (event.kind === KIND.conversion && known.siblings.includes(event.market)),
      )
      .map(({ time }) => time);
    const last = times.length > 0 ? Math.max(...times) : undefined;
    return { ...known, closeTime: known.winner === undefined ? undefined : (known.closeTime ?? last) };
  });
}

/**
 * The ledger's rules again, simple and slow: for one wallet, with a list of all its events, big integers, and no state
 * except what each position holds. A transaction converts the NO token of a single market.
 */
export function naiveLedger(markets: readonly LedgerMarket[], events: readonly LedgerEvent[]): DayRow[] {
  const held = markets.map(() => [
    { shares: 0n, cost: 0n },
    { shares: 0n, cost: 0n },
  ]);
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
  const leave = (from: Held, wanted: bigint): Held => {
    const shares = wanted < from.shares ? wanted : from.shares;
    const cost = shares === from.shares ? from.cost : part(from.cost, shares, from.shares);
    from.shares -= shares;
    from.cost -= cost;
    return { shares, cost };
  };
  const pay = (market: number, time: number) => {
    const winner = markets[market]?.winner;
    if (winner === undefined) return;
    for (const which of [0, 1]) {
      const { shares, cost } = { ...side(market, which) };
      if (shares === 0n) continue;
      Object.assign(side(market, which), { shares: 0n, cost: 0n });
      close(market, time, (winner === 2 ? part(shares, 1n, 2n) : winner === which ? shares : 0n) - cost);
    }
  };
  const settleUntil = (time: number) => {
    markets.forEach(({ closeTime, winner }, market) => {
      if (paid[market] || closeTime === undefined || winner === undefined || closeTime >= time) return;
      paid[market] = true;
      pay(market, closeTime);
    });
  };
  const apply = ({ kind, market, side: which, time, shares, usd }: LedgerEvent) => {
    const [size, money] = [BigInt(shares), BigInt(usd)];
    const [yes, no] = [side(market, 0), side(market, 1)];
    if (kind === KIND.split) {
      rowOf(market, time).invested += shares;
      yes.cost += size / 2n;
      no.cost += size - size / 2n;
      for (const position of [yes, no]) position.shares += size;
    } else if (kind === KIND.merge) {
      const gone = [leave(yes, size), leave(no, size)];
      const sold = gone.reduce((sum, each) => sum + each.shares, 0n);
      rowOf(market, time).untracked += Number(2n * size - sold);
      if (sold > 0n)
        close(
          market,
          time,
          gone.reduce((sum, each) => sum - each.cost, sold / 2n),
        );
    } else if (kind === KIND.buy || kind === KIND.sell) {
      const row = rowOf(market, time);
      row.trades++;
      row.traded += usd;
      const position = side(market, which);
      if (kind === KIND.buy) {
        row.invested += usd;
        position.shares += size;
        position.cost += money;
      } else {
        const gone = leave(position, size);
        row.untracked += Number(size - gone.shares);
        if (gone.shares > 0n) close(market, time, part(money, gone.shares, size) - gone.cost);
      }
    } else if (kind === KIND.conversion) {
      const gone = leave(no, size);
      const others = markets[market]?.siblings.filter((other) => other !== market) ?? [];
      // With only one known question of the event, nothing can be realized.
      rowOf(market, time).untracked += Number(others.length === 0 ? size : size - gone.shares);
      let rest = gone.cost;
      others.forEach((other, index) => {
        const cost = rest / BigInt(others.length - index);
        rest -= cost;
        side(other, 0).shares += gone.shares;
        side(other, 0).cost += cost;
        if (paid[other]) pay(other, time);
      });
    } else if (kind === KIND.redeem && markets[market]?.winner !== undefined) {
      paid[market] = true;
      pay(market, time);
    }
    if (paid[market]) pay(market, time);
  };
  for (const event of events) {
    settleUntil(event.time);
    apply(event);
  }
  settleUntil(Number.POSITIVE_INFINITY);
  return [...rows.values()].sort((a, b) => a.market - b.market || a.day - b.day);
}
