import { Book, type Holding } from './book.js';
import { type DayRow, type LedgerEvent, type LedgerMarket, NO_TX } from './event.js';

/** A column of numbers from the engine. */
export type Numbers = Int32Array | Float64Array;

/**
 * A chunk of events, sorted by wallet, group and time. Its columns are wallet, group, what (see {@link whatOf}), time,
 * shares, usd and tx: the number of a conversion's transaction, in order, or {@link NO_TX}.
 */
export type EventChunk = readonly [Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers];

/** SQL that packs an event's market, side and kind into one number. */
export function whatOf(market: string, side: string, kind: string): string {
  return `(${market} * 32 + (${side} + 1) * 8 + ${kind})::INTEGER`;
}

/**
 * Called when one of a wallet's groups ends, with its rows by market and day and with what it holds or held in each
 * market. Both are reused afterwards.
 */
export type Emit = (wallet: number, rows: readonly DayRow[], holdings: readonly Holding[]) => void;

/**
 * Folds sorted events into rows by wallet, market and day. A group is a set of markets that affect each other. Only one
 * group's state is held at a time, so memory does not grow with the input. Events of one second count in order of kind
 * and then content, so that neither the order nor the batching of the input changes the result.
 *
 * @returns The number of events.
 */
export async function foldLedger(
  chunks: AsyncIterable<EventChunk>,
  markets: readonly LedgerMarket[],
  emit: Emit,
): Promise<number> {
  const fold = new Fold(markets, emit);
  let folded = 0;
  for await (const chunk of chunks) {
    fold.add(chunk);
    folded += chunk[0].length;
  }
  fold.finish();
  return folded;
}

class Fold {
  readonly #book: Book;
  readonly #emit: Emit;
  /** Events of one second. The objects are reused for the next, since making one costs as much as counting it. */
  readonly #second: LedgerEvent[] = [];
  #inSecond = 0;
  #wallet = -1;
  #group = -1;
  #time = 0;

  constructor(markets: readonly LedgerMarket[], emit: Emit) {
    this.#book = new Book(markets);
    this.#emit = emit;
  }

  add([wallets, groups, whats, times, shares, usds, txs]: EventChunk): void {
    for (let i = 0; i < wallets.length; i++) {
      const [wallet, group, time] = [wallets[i] ?? 0, groups[i] ?? 0, times[i] ?? 0];
      const isNext = wallet !== this.#wallet || group !== this.#group;
      if (isNext || time !== this.#time) this.#endSecond();
      if (isNext) this.#next(wallet, group);
      this.#time = time;
      const event = this.#nextEvent();
      const what = whats[i] ?? 0;
      event.kind = what & 7;
      event.side = ((what >> 3) & 3) - 1;
      event.market = what >> 5;
      event.time = time;
      event.shares = shares[i] ?? 0;
      event.usd = usds[i] ?? 0;
      event.tx = txs[i] ?? NO_TX;
    }
  }

  finish(): void {
    this.#endSecond();
    this.#next(-1, -1);
  }

  #nextEvent(): LedgerEvent {
    const at = this.#inSecond++;
    const event = this.#second[at];
    if (event) return event;
    const made = { kind: 0, time: 0, market: 0, side: 0, shares: 0, usd: 0, tx: NO_TX };
    this.#second.push(made);
    return made;
  }

  #endSecond(): void {
    const count = this.#inSecond;
    this.#inSecond = 0;
    const [first] = this.#second;
    if (count === 1 && first) this.#book.add(first);
    else if (count > 1) for (const event of this.#second.slice(0, count).sort(byContent)) this.#book.add(event);
  }

  #next(wallet: number, group: number): void {
    if (this.#wallet !== -1) this.#emit(this.#wallet, this.#book.finish(), this.#book.holdings());
    this.#book.clear();
    this.#wallet = wallet;
    this.#group = group;
  }
}

function byContent(a: LedgerEvent, b: LedgerEvent): number {
  return (
    a.kind - b.kind || a.tx - b.tx || a.market - b.market || a.side - b.side || a.shares - b.shares || a.usd - b.usd
  );
}
