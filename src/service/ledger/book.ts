import { DAY_SECONDS } from '../../contract/time.js';
import { type DayRow, KIND, type LedgerEvent, type LedgerMarket, type Winner } from './event.js';

/** A wallet's state in one market: two positions, whether it is settled, and the row of its last day. */
interface Holding {
  market: number;
  known: LedgerMarket | undefined;
  readonly sides: readonly [Position, Position];
  /** Whether its shares were paid. Those that are still held are worth what they were paid, and that is their cost. */
  settled: boolean;
  row: DayRow | undefined;
  /** The row of the last redemption if it paid less than the winning shares that were held. */
  short: DayRow | undefined;
}

/**
 * One wallet's ledger over markets that exclude each other (or over a single one): average cost, integer money.
 * Events must come in order of time and kind. Settlements happen between them automatically.
 *
 * Its objects are used again after {@link Book.clear}, since making new ones costs more than counting an event.
 */
export class Book {
  readonly markets: readonly LedgerMarket[];
  /** A list, not a map: there are few holdings, mostly one. */
  readonly #holdings: Holding[] = [];
  #held = 0;
  readonly #rows: DayRow[] = [];
  #used = 0;
  #conversion: LedgerEvent[] = [];
  /** A time before which no unsettled holding closes. */
  #nextClose = Number.POSITIVE_INFINITY;

  constructor(markets: readonly LedgerMarket[]) {
    this.markets = markets;
  }

  /** Counts one event. The caller may reuse the object. */
  add(event: LedgerEvent): void {
    const pending = this.#conversion[0];
    if (pending && (event.kind !== KIND.conversion || event.tx !== pending.tx || event.time !== pending.time)) {
      this.#convert();
    }
    if (this.#nextClose < event.time) this.#settleBefore(event.time);
    if (event.kind === KIND.conversion) this.#conversion.push({ ...event });
    else this.#apply(event);
  }

  /**
   * Settles what is left and gives the rows, by market and day. They are valid until {@link Book.clear}. All amounts
   * are exact, except NaN and those beyond the integers that doubles hold exactly.
   */
  finish(): DayRow[] {
    if (this.#conversion.length > 0) this.#convert();
    this.#settleBefore(Number.POSITIVE_INFINITY);
    const rows = this.#rows.slice(0, this.#used);
    // Rows of a single market are in order already.
    return this.#held === 1 ? rows : rows.sort((a, b) => a.market - b.market || a.day - b.day);
  }

  /** Forgets all that was counted, so that events of another wallet or of other markets can follow. */
  clear(): void {
    this.#held = this.#used = 0;
    this.#nextClose = Number.POSITIVE_INFINITY;
  }

  holding(market: number): Holding {
    for (let i = 0; i < this.#held; i++) {
      const holding = this.#holdings[i];
      if (holding?.market === market) return holding;
    }
    const holding = this.#freshHolding(market, this.markets[market]);
    const closeTime = holding.known?.closeTime;
    if (closeTime !== undefined && closeTime < this.#nextClose) this.#nextClose = closeTime;
    return holding;
  }

  /** The row to count into for a market's day. Days of a market come in order. */
  row(holding: Holding, time: number): DayRow {
    const day = Math.floor(time / DAY_SECONDS);
    let { row } = holding;
    if (row?.day !== day) row = holding.row = this.#freshRow(holding.market, day, time);
    if (time > row.last) row.last = time;
    return row;
  }

  #freshHolding(market: number, known: LedgerMarket | undefined): Holding {
    const holding = this.#holdings[this.#held++];
    if (!holding) {
      const sides = [emptyPosition(), emptyPosition()] as const;
      const made: Holding = { market, known, sides, settled: false, row: undefined, short: undefined };
      this.#holdings.push(made);
      return made;
    }
    const [a, b] = holding.sides;
    a.shares = a.cost = b.shares = b.cost = 0;
    holding.market = market;
    holding.known = known;
    holding.settled = false;
    holding.row = holding.short = undefined;
    return holding;
  }

  #freshRow(market: number, day: number, last: number): DayRow {
    const row = this.#rows[this.#used++];
    if (!row) {
      const counts = { invested: 0, pnl: 0, traded: 0, trades: 0, wins: 0, losses: 0 };
      const made = { market, day, ...counts, untracked: 0, over_redeemed: 0, short_paid: 0, last };
      this.#rows.push(made);
      return made;
    }
    row.market = market;
    row.day = day;
    row.invested = row.pnl = row.traded = row.untracked = row.over_redeemed = row.short_paid = 0;
    row.trades = row.wins = row.losses = 0;
    row.last = last;
    return row;
  }

  /**
   * Counts the realized profit of one closing event. Of shares that were settled before, it is only the difference to
   * what they were worth then, and neither a win nor a loss.
   */
  realize(holding: Holding, time: number, profit: number, closes = !holding.settled): void {
    const row = this.row(holding, time);
    row.pnl = exact(row.pnl + exact(profit));
    if (!closes) return;
    if (profit > 0) row.wins++;
    else if (profit < 0) row.losses++;
  }

  /** Takes shares out at average cost or, of a settled market, at what they were worth. */
  take(holding: Holding, side: 0 | 1, shares: number): Taken {
    const position = holding.sides[side];
    if (!holding.settled) return take(position, shares);
    const taken = Math.min(shares, position.shares);
    const { cost } = position;
    position.shares -= taken;
    position.cost = worth(holding.known?.winner, side, position.shares);
    return { shares: taken, cost: cost - position.cost };
  }

  /** Settles shares that arrive after a market's close, at the time they arrive. */
  settleArrival(holding: Holding, time: number): void {
    const closeTime = holding.known?.closeTime;
    if (!holding.settled && !(closeTime !== undefined && closeTime < time)) return;
    this.row(holding, time);
    this.settle(holding, time, true);
  }

  /**
   * Realizes what each share is worth: 1 or 0, or 0.5 on a tie. The shares stay: they may be redeemed, or sold to
   * somebody who redeems them, and that must not look like shares that were never seen.
   *
   * @param arrives Whether it is past the close, so that only what has arrived since can be worth another amount.
   */
  settle(holding: Holding, time: number, arrives = false): void {
    const winner = holding.known?.winner;
    if (winner === undefined) return;
    holding.settled = true;
    for (const side of [0, 1] as const) {
      const position = holding.sides[side];
      if (position.shares === 0) continue;
      const value = worth(winner, side, position.shares);
      const profit = value - position.cost;
      if (arrives && profit === 0) continue;
      position.cost = value;
      this.realize(holding, time, profit, true);
    }
  }

  #apply(event: LedgerEvent): void {
    const holding = this.holding(event.market);
    if (event.kind === KIND.redeem) redeem(this, holding, event);
    else if (event.kind === KIND.split) this.#split(holding, event);
    else if (event.kind === KIND.merge) this.#merge(holding, event);
    else if (event.kind === KIND.migration) migrate(this, holding, event);
    else this.#fill(holding, event);
    if (event.kind < KIND.migration) this.settleArrival(holding, event.time);
  }

  #fill(holding: Holding, event: LedgerEvent): void {
    const row = this.row(holding, event.time);
    row.trades++;
    row.traded += event.usd;
    const side = event.side === 0 ? 0 : 1;
    if (event.kind === KIND.buy) {
      put(holding.sides[side], event.shares, event.usd);
      row.invested += event.usd;
      return;
    }
    const taken = this.take(holding, side, event.shares);
    row.untracked += event.shares - taken.shares;
    if (taken.shares === 0) return;
    this.realize(holding, event.time, share(event.usd, taken.shares, event.shares) - taken.cost);
  }

  /** Buys both sides at 0.50 each; an odd micro-dollar goes to the second side. */
  #split(holding: Holding, event: LedgerEvent): void {
    const half = Math.floor(event.shares / 2);
    holding.sides.forEach((position, side) => {
      put(position, event.shares, side === 0 ? half : event.shares - half);
    });
    this.row(holding, event.time).invested += event.shares;
  }

  /** Sells both sides at 0.50 each, as one closing event. */
  #merge(holding: Holding, event: LedgerEvent): void {
    const [a, b] = [this.take(holding, 0, event.shares), this.take(holding, 1, event.shares)];
    this.row(holding, event.time).untracked += event.shares - a.shares + (event.shares - b.shares);
    const shares = exact(a.shares + b.shares);
    if (shares === 0) return;
    this.realize(holding, event.time, Math.floor(shares / 2) - exact(a.cost + b.cost));
  }

  #convert(): void {
    const batch = this.#conversion;
    this.#conversion = [];
    if (batch.length > 0) convert(this, batch);
  }

  #settleBefore(time: number): void {
    this.#nextClose = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#held; i++) {
      const holding = this.#holdings[i];
      const closeTime = holding?.known?.closeTime;
      if (!holding || holding.settled || closeTime === undefined || holding.known?.winner === undefined) continue;
      if (closeTime < time) this.settle(holding, closeTime);
      else if (closeTime < this.#nextClose) this.#nextClose = closeTime;
    }
  }
}

function emptyPosition(): Position {
  return { shares: 0, cost: 0 };
}

/** What shares of a side are worth, in micro-USD, once the winner is known. */
function worth(winner: Winner, side: 0 | 1, shares: number): number {
  return winner === 2 ? share(shares, 1, 2) : winner === side ? shares : 0;
}

/**
 * Counts a redemption. If the result is not known, all shares of the market leave. The payout goes to the side whose
 * shares equal it, or to the only side held; else it is split in proportion to the shares.
 */
function redeem(book: Book, holding: Holding, event: LedgerEvent): void {
  if (holding.known?.winner !== undefined) {
    if (!holding.settled) book.settle(holding, event.time);
    redeemSettled(book, holding, event);
    return;
  }
  const [a, b] = [holding.sides[0].shares, holding.sides[1].shares];
  const payoutA =
    b === 0 || a === event.usd ? event.usd : a === 0 || b === event.usd ? 0 : share(event.usd, a, exact(a + b));
  let paid = 0;
  [payoutA, event.usd - payoutA].forEach((payout, side) => {
    const position = holding.sides[side === 0 ? 0 : 1];
    if (position.shares === 0) return;
    const taken = take(position, position.shares);
    const proceeds = Math.min(payout, taken.shares);
    paid += proceeds;
    book.realize(holding, event.time, proceeds - taken.cost);
  });
  const row = book.row(holding, event.time);
  row.untracked += event.usd - paid;
  row.over_redeemed += event.usd - paid;
}

/**
 * Compares a payout with the winning shares that were settled, and takes these out; on a tie, those of the first side
 * first. The profit stays as it is. More than those is paid for shares that were never seen to arrive. Less is told,
 * unless a later redemption pays the rest.
 */
function redeemSettled(book: Book, holding: Holding, { usd, time }: LedgerEvent): void {
  const winner = holding.known?.winner;
  const [a, b] = holding.sides;
  let unseen = winner === 2 ? exact(2 * usd) : usd;
  if (winner !== 1) unseen -= book.take(holding, 0, unseen).shares;
  if (winner !== 0) unseen -= book.take(holding, 1, unseen).shares;
  const owed = winner === 2 ? Math.floor((a.shares + b.shares) / 2) : winner === 0 ? a.shares : b.shares;
  if (holding.short) holding.short.short_paid = 0;
  holding.short = undefined;
  // Of a market that nothing else is known of, the row says that there was a redemption.
  if (unseen === 0 && owed === 0 && holding.row) return;
  const row = book.row(holding, time);
  row.untracked += unseen;
  row.over_redeemed += unseen;
  if (owed === 0) return;
  row.short_paid = owed;
  holding.short = row;
}

/**
 * Carries shares with their cost over to the market that follows this one, which has other token ids for the same
 * outcomes. Nothing is realized. If that market is not known, the shares leave untracked. If the event does not tell
 * their side, and neither do the shares that are held, none leave, and all are untracked.
 */
function migrate(book: Book, holding: Holding, event: LedgerEvent): void {
  const successor = holding.known?.successor;
  if (successor === event.market) return;
  const row = book.row(holding, event.time);
  const side = event.side === 0 || event.side === 1 ? event.side : heldSide(holding, event.shares);
  if (side === undefined) {
    row.untracked += event.shares;
    return;
  }
  const taken = book.take(holding, side, event.shares);
  row.untracked += successor === undefined ? event.shares : event.shares - taken.shares;
  if (successor === undefined || taken.shares === 0) return;
  const next = book.holding(successor);
  put(next.sides[side], taken.shares, taken.cost);
  book.settleArrival(next, event.time);
}

/** The only side held, or the only one of so many shares; undefined if that does not tell it. */
function heldSide({ sides: [a, b] }: Holding, shares: number): 0 | 1 | undefined {
  if (b.shares === 0) return 0;
  if (a.shares === 0) return 1;
  if ((a.shares === shares) === (b.shares === shares)) return undefined;
  return a.shares === shares ? 0 : 1;
}

/**
 * Counts one negative-risk conversion. NO shares of n questions leave at their average cost, and YES shares of the
 * event's other questions arrive, each at (Σ no prices − (n − 1)) / (questions − n). Nothing is realized, unless there
 * is no other question: then the dollars paid out are. If the ledger does not know where some NO shares came from, only
 * as many YES shares arrive as it knows of every question; the other NO shares leave without a profit or a loss.
 *
 * @see Polymarket's published subgraph rules for negative-risk conversions.
 * @param batch The conversion's rows, all of one transaction. Each is one NO token that left.
 */
function convert(book: Book, batch: readonly LedgerEvent[]): void {
  const rows = oneEach(batch);
  const [first] = rows;
  if (!first) return;
  const left = new Set(rows.map((row) => row.market));
  const arriving = (book.markets[first.market]?.siblings ?? []).filter((market) => !left.has(market));
  if (arriving.length === 0 && rows.length === 1) {
    // A conversion has several questions. The others are not known here, nor is what arrived for these shares.
    const holding = book.holding(first.market);
    book.take(holding, 1, first.shares);
    book.row(holding, first.time).untracked += first.shares;
    return;
  }
  const leaving = rows.map((row) => {
    const holding = book.holding(row.market);
    const taken = book.take(holding, 1, row.shares);
    book.row(holding, row.time).untracked += row.shares - taken.shares;
    return taken;
  });
  // All shares have left, but only as many as are tracked of every question have a known cost.
  const shares = Math.min(...leaving.map((taken) => taken.shares));
  const cost = leaving.reduce(
    (sum, taken) => exact(sum + (shares > 0 ? share(taken.cost, shares, taken.shares) : 0)),
    0,
  );
  const yesCost = exact(cost - exact((rows.length - 1) * shares));
  if (arriving.length === 0) {
    const row = book.row(book.holding(first.market), first.time);
    if (shares > 0) row.pnl = exact(row.pnl - yesCost);
    return;
  }
  let remaining = yesCost;
  arriving.forEach((market, index) => {
    const holding = book.holding(market);
    const part = Math.trunc(remaining / (arriving.length - index));
    remaining -= part;
    put(holding.sides[0], shares, part);
    if (shares !== 0) book.settleArrival(holding, first.time);
  });
}

/** One row a market, with the shares added up if a transaction converts the same NO token twice. */
function oneEach(batch: readonly LedgerEvent[]): LedgerEvent[] {
  const rows = new Map<number, LedgerEvent>();
  for (const row of batch) {
    rows.set(row.market, { ...row, shares: exact(row.shares + (rows.get(row.market)?.shares ?? 0)) });
  }
  return [...rows.values()];
}

/** The shares of one outcome that a wallet holds, in integer millionths, and their cost in integer micro-USD. */
interface Position {
  shares: number;
  cost: number;
}

/** What left a position: at most what it held, at its average cost. */
interface Taken {
  shares: number;
  cost: number;
}

/**
 * The amount itself, or NaN if it is beyond the integers that doubles hold exactly. Everything computed from NaN is
 * NaN, so an inexact result shows, however small it becomes.
 */
function exact(amount: number): number {
  return Number.isSafeInteger(amount) ? amount : Number.NaN;
}

/** Adds shares with their cost. */
function put(position: Position, shares: number, cost: number): void {
  position.shares = exact(position.shares + shares);
  position.cost = exact(position.cost + cost);
}

/** Takes shares out at average cost. The average of the rest stays as it is; emptying takes the whole cost. */
function take(position: Position, shares: number): Taken {
  const taken = Math.min(shares, position.shares);
  const cost = taken === position.shares ? position.cost : share(position.cost, taken, position.shares);
  position.shares -= taken;
  position.cost -= cost;
  return { shares: taken, cost };
}

/**
 * `amount · part / whole` in integers, rounded half away from zero. It is exact even if the product is beyond the
 * integers that doubles hold exactly. NaN if an argument is NaN.
 */
function share(amount: number, part: number, whole: number): number {
  const product = amount * part;
  if (Number.isSafeInteger(2 * product + whole)) {
    const magnitude = Math.floor((2 * Math.abs(product) + whole) / (2 * whole));
    return product < 0 ? -magnitude : magnitude;
  }
  if (Number.isNaN(amount + part + whole)) return Number.NaN;
  const wide = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole);
  const magnitude = (2n * (wide < 0n ? -wide : wide) + divisor) / (2n * divisor);
  return Number(wide < 0n ? -magnitude : magnitude);
}
