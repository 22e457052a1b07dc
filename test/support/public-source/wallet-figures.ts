import { pairAt, type SourceMarket, type SourceRecords, type SourceRow } from './source-records.js';

/** What a wallet has or had of one outcome: shares and dollars as decimals. */
export interface SourcePosition {
  market: SourceMarket;
  outcome: 0 | 1;
  size: number;
  cost: number;
  bought: number;
  realized: number;
  lastAt: number;
}

/** A wallet's own figures as the source tells them, computed plainly from its rows. */
export interface WalletFigures {
  positions: SourcePosition[];
  /** Realized profit of markets by the end of each UTC day on which something happened, from the beginning. */
  days: { day: number; realized: number; income: number; shares: number; dollars: number; trades: number }[];
  /** Distinct markets traded. */
  markets: number;
}

/** Computes a wallet's figures up to a time: at average cost, settled at each market's close. */
export function figuresOf(records: SourceRecords, wallet: string, now: number): WalletFigures {
  const rows = (records.byWallet.get(wallet) ?? []).filter(({ time }) => time <= now);
  const book = new FigureBook();
  const markets = new Set(rows.flatMap(({ market }) => (market ? [market] : [])));
  for (const row of rows)
    if (row.type === 'CONVERSION' && row.market) for (const each of row.market.event.markets) markets.add(each);
  const closes = [...markets].filter(({ closedAt, payouts }) => payouts && closedAt > 0 && closedAt <= now);
  const steps = [
    ...rows.map((row) => ({ time: row.time, act: () => book.take(row, rows) })),
    ...closes.map((market) => ({ time: market.closedAt, act: () => book.settle(market) })),
  ].sort((a, b) => a.time - b.time);
  for (const { act } of steps) act();
  const traded = new Set(
    rows.filter(({ type }) => type === 'TRADE').map((row) => row.market && pairAt(row.market, row.time).condition),
  );
  return {
    positions: [...book.positions.values()],
    days: [...book.days.values()].sort((a, b) => a.day - b.day),
    markets: traded.size,
  };
}

class FigureBook {
  readonly positions = new Map<string, SourcePosition>();
  readonly days = new Map<number, WalletFigures['days'][number]>();
  readonly #converted = new Set<string>();

  take(row: SourceRow, all: readonly SourceRow[]): void {
    const { market, outcome, type, time } = row;
    const [size, usd] = [row.shares / 1e6, row.microUsd / 1e6];
    const day = this.#day(time);
    if (market === undefined) {
      if (!['DEPOSIT', 'WITHDRAWAL', 'TIP'].includes(type)) day.income += usd;
      return;
    }
    if (type === 'TRADE') {
      day.shares += size;
      day.dollars += usd;
      day.trades += 1;
    }
    if (type === 'TRADE' && outcome !== -1) {
      if (row.side === 'BUY') this.#arrive(market, outcome, size, usd, time);
      else this.#leave(market, outcome, size, usd, time);
    } else if (type === 'SPLIT') for (const each of [0, 1] as const) this.#arrive(market, each, size, usd / 2, time);
    else if (type === 'MERGE') for (const each of [0, 1] as const) this.#leave(market, each, size, usd / 2, time);
    else if (type === 'CONVERSION' && !this.#converted.has(row.tx)) {
      this.#converted.add(row.tx);
      this.#convert(all.filter(({ tx }) => tx === row.tx));
    }
  }

  settle(market: SourceMarket): void {
    for (const outcome of [0, 1] as const) {
      const held = this.positions.get(`${market.id}/${outcome}`);
      if (!held || held.size === 0) continue;
      this.#leave(market, outcome, held.size, (held.size * (market.payouts?.[outcome] ?? 0)) / 1e6, market.closedAt);
    }
  }

  #convert(batch: readonly SourceRow[]): void {
    const first = batch[0];
    if (!first?.market) return;
    const [size, time] = [first.shares / 1e6, first.time];
    const markets = first.market.event.markets;
    const others = markets.filter((each) => !batch.some(({ market }) => market === each));
    let cost = -(batch.length - 1) * size;
    for (const { market } of batch) if (market) cost += this.#leave(market, 1, size, undefined, time);
    for (const each of others) this.#arrive(each, 0, size, cost / others.length, time);
  }

  #arrive(market: SourceMarket, outcome: 0 | 1, size: number, cost: number, time: number): void {
    const held = this.#held(market, outcome);
    held.size += size;
    held.cost += cost;
    held.bought += size;
    held.lastAt = time;
  }

  #leave(market: SourceMarket, outcome: 0 | 1, wanted: number, proceeds: number | undefined, time: number): number {
    const held = this.#held(market, outcome);
    const size = Math.min(wanted, held.size);
    const cost = held.size === 0 ? 0 : (held.cost * size) / held.size;
    held.size -= size;
    held.cost -= cost;
    held.lastAt = time;
    if (proceeds !== undefined) {
      const gain = (wanted === 0 ? 0 : (proceeds * size) / wanted) - cost;
      held.realized += gain;
      this.#day(time).realized += gain;
    }
    return cost;
  }

  #held(market: SourceMarket, outcome: 0 | 1): SourcePosition {
    const key = `${market.id}/${outcome}`;
    const held = this.positions.get(key) ?? { market, outcome, size: 0, cost: 0, bought: 0, realized: 0, lastAt: 0 };
    this.positions.set(key, held);
    return held;
  }

  #day(time: number): WalletFigures['days'][number] {
    const day = Math.floor(time / 86_400);
    const found = this.days.get(day) ?? { day, realized: 0, income: 0, shares: 0, dollars: 0, trades: 0 };
    this.days.set(day, found);
    return found;
  }
}
