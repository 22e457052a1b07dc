import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Book } from '../../../src/service/ledger/book.js';
import {
  type DayRow,
  KIND,
  type LedgerEvent,
  type LedgerMarket,
  NO_TX,
  type Winner,
} from '../../../src/service/ledger/event.js';
import { type EventChunk, foldLedger } from '../../../src/service/ledger/fold.js';
import { share } from '../../../src/service/ledger/position.js';
import fc from '../../support/fast-check.js';
import { isAbsent } from '../../support/is-absent.js';
import { type NaivePosition, naiveBooks } from './naive-ledger.js';

const M = 1_000_000;
const DAY = 86_400;

function market(winner?: Winner, closeTime?: number, siblings: number[] = [0]): LedgerMarket {
  return { winner, closeTime, siblings };
}

function event(kind: keyof typeof KIND, time: number, shares: number, usd = 0, rest: Partial<LedgerEvent> = {}) {
  return { kind: KIND[kind], time, market: 0, side: 0, shares: shares * M, usd: usd * M, tx: NO_TX, ...rest };
}

function ledger(markets: LedgerMarket[], ...events: LedgerEvent[]): DayRow[] {
  const book = new Book(markets);
  for (const each of events) book.add(each);
  return book.finish();
}

/** The rows of one wallet's events, of which those of one second may come in any order. */
async function folded(markets: LedgerMarket[], events: LedgerEvent[]): Promise<DayRow[]> {
  const column = (value: (event: LedgerEvent) => number) => Float64Array.from(events, value);
  const what = column(({ market: which, side, kind }) => which * 32 + (side + 1) * 8 + kind);
  const zeros = new Float64Array(events.length);
  const amounts = [column(({ shares }) => shares), column(({ usd }) => usd), column(({ tx }) => tx)] as const;
  const chunk: EventChunk = [zeros, zeros, what, column(({ time }) => time), ...amounts];
  const rows: DayRow[] = [];
  await foldLedger(Readable.from([chunk]), markets, (_, day) => rows.push(...structuredClone(day)));
  return rows;
}

/** What a book holds or held of each outcome with an event, as the service tells it. */
function positionsOf(book: Book) {
  return book
    .holdings()
    .flatMap(({ market: which, sides, settled }) =>
      sides.flatMap((position, side) => {
        const { shares, cost, realized, invested, opened, last, lastShares, lastCost } = position;
        if (opened === Number.POSITIVE_INFINITY) return [];
        const isHeld = !settled && shares > 0;
        const [whole, paid] = isHeld ? [shares, cost] : [lastShares, lastCost];
        return {
          ...{ market: which, side, shares: BigInt(isHeld ? shares : 0), cost: BigInt(isHeld ? cost : 0) },
          ...{ realized: BigInt(realized), invested: BigInt(invested), opened, last },
          average: whole === 0 ? undefined : share(paid, M, whole),
        };
      }),
    )
    .sort((a, b) => a.market - b.market || a.side - b.side);
}

/** Rows in dollars and shares, only what is not 0. */
function told(rows: DayRow[]) {
  return rows.map(({ market, day, last: _, ...counts }) => ({
    at: `${market}/${day}`,
    ...Object.fromEntries(
      Object.entries(counts).flatMap(([name, n]) =>
        n === 0 ? [] : [[name, /trades|wins|losses/.test(name) ? n : n / M]],
      ),
    ),
  }));
}

describe('a position', () => {
  it('has an average cost; a sell realizes proceeds less that, and the average stays', () => {
    const rows = ledger(
      [market()],
      event('buy', 0, 10, 4),
      event('buy', 1, 10, 6),
      event('sell', DAY, 5, 4),
      event('sell', 2 * DAY, 15, 6),
    );
    expect(told(rows)).toEqual([
      { at: '0/0', invested: 10, traded: 10, trades: 2 },
      { at: '0/1', pnl: 1.5, traded: 4, trades: 1, wins: 1 },
      { at: '0/2', pnl: -1.5, traded: 6, trades: 1, losses: 1 },
    ]);
  });

  it('realizes nothing beyond what it holds', () => {
    expect(told(ledger([market()], event('sell', 0, 5, 4)))).toEqual([
      { at: '0/0', traded: 4, trades: 1, untracked: 5 },
    ]);
    expect(told(ledger([market()], event('buy', 0, 5, 1), event('sell', 0, 10, 4)))).toEqual([
      { at: '0/0', invested: 1, traded: 5, trades: 2, pnl: 1, wins: 1, untracked: 5 },
    ]);
  });

  it('counts neither a win nor a loss where nothing is won or lost', () => {
    expect(told(ledger([market()], event('buy', 0, 5, 1), event('sell', 0, 5, 1)))).toEqual([
      { at: '0/0', invested: 1, traded: 2, trades: 2 },
    ]);
  });

  it('is split at 0.50 a side and merged at 0.50 a side, as one closing event', () => {
    const rows = ledger([market()], event('split', 0, 10), event('sell', 1, 10, 7), event('merge', DAY, 10));
    expect(told(rows)).toEqual([
      { at: '0/0', invested: 10, traded: 7, trades: 1, pnl: 2, wins: 1 },
      { at: '0/1', untracked: 10 },
    ]);
    const bought = [event('buy', 0, 10, 2), event('buy', 0, 10, 5, { side: 1 }), event('merge', DAY, 10)];
    expect(told(ledger([market()], ...bought))[1]).toEqual({ at: '0/1', pnl: 3, wins: 1 });
  });
});

describe('settlement', () => {
  const holding = [event('buy', 0, 10, 4), event('buy', 0, 6, 3, { side: 1 })];

  it('pays winners 1 and losers 0 at the close, redeemed or not', () => {
    const settled = { at: '0/5', pnl: 3, wins: 1, losses: 1 };
    const rows = ledger([market(0, 5 * DAY)], ...holding);
    expect(told(rows)[1]).toEqual(settled);
    expect(told(ledger([market(0, 5 * DAY)], ...holding, event('redeem', 9 * DAY, 10, 10, { side: -1 })))).toEqual(
      told(rows),
    );
    expect(told(ledger([market(1, 5 * DAY)], ...holding))[1]).toEqual({ at: '0/5', pnl: -1, wins: 1, losses: 1 });
  });

  it('pays both sides 0.5 on a tie', () => {
    expect(told(ledger([market(2, 5 * DAY)], ...holding))[1]).toEqual({ at: '0/5', pnl: 1, wins: 1 });
  });

  it('does not come while the winner is unknown', () => {
    expect(told(ledger([market(undefined, 5 * DAY)], ...holding))).toHaveLength(1);
  });

  it.each([
    ['held before', holding],
    ['never held', []],
  ])('pays shares that arrive after the close as they arrive, in a market that was %s', (_, before) => {
    const rows = told(ledger([market(0, 5 * DAY)], ...before, event('buy', 9 * DAY, 10, 9)));
    expect(rows.at(-1)).toEqual({ at: '0/9', invested: 9, traded: 9, trades: 1, pnl: 1, wins: 1 });
    expect(rows.filter(({ at }) => at === '0/5')).toHaveLength(before.length === 0 ? 0 : 1);
  });

  it('comes at the redemption where no winner is known: the side whose shares are the payout won', () => {
    const rows = ledger([market()], ...holding, event('redeem', DAY, 6, 6, { side: -1 }));
    expect(told(rows)[1]).toEqual({ at: '0/1', pnl: -1, wins: 1, losses: 1 });
  });

  it.each([
    ['the first side if its shares are the payout', [6, 10], 6, { pnl: 3 - 5, wins: 1, losses: 1 }],
    ['the second side if its shares are the payout', [10, 6], 6, { pnl: 3 - 5, wins: 1, losses: 1 }],
    ['the only side held, whatever the payout', [10, 0], 6, { pnl: 1, wins: 1 }],
    ['both sides by their shares else', [6, 10], 12, { pnl: 1.5 + 2.5, wins: 2 }],
    ['no share more than one dollar', [6, 10], 20, { pnl: 3 + 5, wins: 2, untracked: 4, over_redeemed: 4 }],
  ])('where no winner is known pays %s', (_, [first = 0, second = 0], payout, expected) => {
    const bought = [event('buy', 0, first, first / 2), event('buy', 0, second, second / 2, { side: 1 })];
    const rows = ledger([market()], ...bought, event('redeem', DAY, payout, payout, { side: -1 }));
    expect(told(rows).at(-1)).toEqual({ at: '0/1', ...expected });
  });
});

describe('a conversion', () => {
  const event3 = [0, 1, 2].map(() => market(undefined, undefined, [0, 1, 2]));
  const no = (which: number, cost: number) => event('buy', 0, 10, cost, { market: which, side: 1 });
  const out = (which: number, tx = 1) => event('conversion', DAY, 10, 0, { market: which, side: 1, tx });

  it('moves the cost of NO shares to YES shares of the other questions and realizes nothing', () => {
    const sold = [1, 2].map((which) => event('sell', 2 * DAY, 10, 5, { market: which }));
    const rows = told(ledger(event3, no(0, 6), out(0), ...sold));
    expect(rows.slice(1)).toEqual(
      [
        { at: '1/2', traded: 5, trades: 1, pnl: 2, wins: 1 },
        { at: '2/2', traded: 5, trades: 1, pnl: 2, wins: 1 },
      ].flatMap((row, index) => (index === 0 ? [{ at: '0/1' }, row] : [row])),
    );
  });

  it('of several NO tokens pays out one dollar a share for each but one', () => {
    const sell = event('sell', 2 * DAY, 10, 5, { market: 2 });
    expect(told(ledger(event3, no(0, 8), no(1, 7), out(0), out(1), sell)).at(-1)).toEqual({
      at: '2/2',
      traded: 5,
      trades: 1,
    });
  });

  it('takes out all NO shares that it names, also beside ones that were not seen to arrive', () => {
    const decided = [0, 1, 2].map(() => market(0, 9 * DAY, [0, 1, 2]));
    // Half of the first question's are tracked beside half as many of the second: these five become YES shares.
    const half = event('buy', 0, 5, 3, { market: 1, side: 1 });
    expect(told(ledger(decided, no(0, 6), half, out(0), out(1))).filter(({ at }) => !at.endsWith('/0'))).toEqual([
      { at: '0/1' },
      { at: '1/1', untracked: 5 },
      { at: '2/9', pnl: 4, wins: 1 },
    ]);
    // None of the second question's: nothing arrives, and nothing of the first is left to be paid at the close.
    expect(told(ledger(decided, no(0, 6), out(0), out(1))).slice(1)).toEqual([
      { at: '0/1' },
      { at: '1/1', untracked: 10 },
    ]);
  });

  it('in an event of which no other question is known realizes nothing and is untracked', () => {
    const alone = [market(undefined, undefined, [0])];
    const [, day] = ledger(alone, no(0, 6), out(0));
    expect(day).toMatchObject({ pnl: 0, wins: 0, losses: 0, untracked: 10 * M });
    const sell = event('sell', 2 * DAY, 10, 5, { market: 0, side: 1 });
    expect(ledger(alone, no(0, 6), out(0), sell).at(-1)).toMatchObject({ pnl: 0, untracked: 10 * M });
  });

  it('of the NO tokens of all questions realizes what is paid out, one dollar a share for each but one', () => {
    const bought = [no(0, 6), no(1, 7), no(2, 6)];
    expect(told(ledger(event3, ...bought, out(0), out(1), out(2)))).toContainEqual({ at: '0/1', pnl: 1 });
  });

  it('may leave YES shares with a cost below 0, of which a part leaves with them', () => {
    const sell = event('sell', 2 * DAY, 4, 1, { market: 2 });
    expect(told(ledger(event3, no(0, 1), no(1, 2), out(0), out(1), sell)).at(-1)).toEqual({
      at: '2/2',
      traded: 1,
      trades: 1,
      pnl: 3.8,
      wins: 1,
    });
  });

  it('made twice in one transaction counts twice', () => {
    const half = { ...out(0), shares: 5 * M };
    const once = ledger(event3, no(0, 6), out(0), event('sell', 2 * DAY, 10, 5, { market: 1 }));
    expect(ledger(event3, no(0, 6), half, half, event('sell', 2 * DAY, 10, 5, { market: 1 }))).toEqual(once);
  });

  it('leaves the odd micro-dollar to the last question, also of a cost below 0', () => {
    const book = new Book([0, 1, 2, 3].map(() => market(undefined, undefined, [0, 1, 2, 3])));
    for (const each of [no(0, 0), no(1, 1 / M), out(0), out(1)]) book.add(each);
    book.finish();
    expect([2, 3].map((which) => book.holding(which).sides[0].cost)).toEqual([-4_999_999, -5_000_000]);
  });

  it('keeps its rows together though another of the same tokens is made in the same second', async () => {
    const bought = [0, 1].map((which) => event('buy', 0, 20, 14, { market: which, side: 1 }));
    const [one, other] = [1, 2].map((tx) => [out(0, tx), out(1, tx)]) as [LedgerEvent[], LedgerEvent[]];
    const sell = event('sell', 2 * DAY, 20, 10, { market: 2 });
    const inOrder = ledger(event3, ...bought, ...one, ...other, sell);
    expect(told(inOrder).at(-1)).toMatchObject({ pnl: 2, wins: 1 });
    const shuffled = [one[0], other[1], other[0], one[1]] as LedgerEvent[];
    expect(await folded(event3, [...bought, ...shuffled, sell])).toEqual(inOrder);
  });

  const vectors = fileURLToPath(new URL('../../../../shared/data/negrisk_vectors.json', import.meta.url));
  it.skipIf(isAbsent(vectors, 'published conversion prices'))('has the prices of the published vectors', () => {
    const { computeNegRiskYesPrice } = JSON.parse(readFileSync(vectors, 'utf8'));
    expect(computeNegRiskYesPrice.length).toBeGreaterThan(0);
    for (const { noPrice, noCount, questionCount, yesPrice } of computeNegRiskYesPrice) {
      const all = Array.from({ length: questionCount }, (_, index) => index);
      const book = new Book(all.map(() => market(undefined, undefined, all)));
      const leaving = all.slice(0, noCount);
      for (const which of leaving) book.add(event('buy', 0, 1, noPrice / M, { market: which, side: 1 }));
      for (const which of leaving) book.add(event('conversion', 1, 1, 0, { market: which, side: 1, tx: 1 }));
      book.finish();
      const yes = all.slice(noCount).map((which) => book.holding(which).sides[0]);
      expect(yes).toMatchObject(yes.map(() => ({ shares: M, cost: yesPrice })));
    }
  });
});

describe('any history', () => {
  const winner = fc.constantFrom<Winner>(0, 1, 2, undefined);
  const markets = fc
    .array(fc.record({ winner, closeTime: fc.option(fc.nat(20), { nil: undefined }), next: fc.nat(4) }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((list) =>
      list.map((each) => ({
        successor: each.next < list.length ? each.next : undefined,
        winner: each.winner,
        closeTime: each.closeTime === undefined || each.winner === undefined ? undefined : each.closeTime * 40_000,
        siblings: list.map((_, index) => index),
      })),
    );
  const amount = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1_000_000_000_000 }));
  const step = fc.record({
    kind: fc.constantFrom('split', 'buy', 'buy', 'conversion', 'sell', 'merge', 'migration', 'redeem'),
    time: fc.nat(24).map((n) => n * 40_000),
    market: fc.nat(3),
    side: fc.constantFrom(0, 1),
    isNamed: fc.boolean(),
    shares: amount,
    usd: amount,
  }) as fc.Arbitrary<Omit<LedgerEvent, 'kind' | 'tx'> & { kind: keyof typeof KIND; isNamed: boolean }>;

  it('is folded as the plain rules say', () => {
    fc.assert(
      fc.property(markets, fc.array(step, { maxLength: 25 }), (known, steps) => {
        const events = steps
          .filter(({ kind, market: which }) => kind !== 'redeem' || known[which % known.length]?.winner !== undefined)
          .map(({ isNamed, ...each }, index) => ({
            ...each,
            side: each.kind === 'migration' && !isNamed ? -1 : each.side,
            kind: KIND[each.kind],
            market: each.market % known.length,
            tx: index,
          }))
          .sort((a, b) => a.time - b.time || a.kind - b.kind);
        const book = new Book(known);
        for (const each of events) book.add(each);
        const plain = naiveBooks(known, events);
        expect(book.finish()).toEqual(plain.rows);
        // An average may be beyond the integers that doubles hold exactly.
        const inDoubles = ({ average, ...rest }: NaivePosition) => ({
          ...rest,
          average: average === undefined ? undefined : Number(average),
        });
        expect(positionsOf(book)).toEqual(plain.positions.map(inDoubles));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an amount that doubles do not keep exactly', () => {
  const LARGE = 9e9;
  const days = [0, DAY];
  it.each<[string, LedgerMarket[], LedgerEvent[]]>([
    ['bought', [market()], [...days.map((time) => event('buy', time, LARGE, 9)), event('sell', 2 * DAY, 1, 1)]],
    ['paid', [market()], [...days.map((time) => event('buy', time, LARGE, LARGE)), event('sell', 2 * DAY, 1, 1)]],
    ['split', [market()], [...days.map((time) => event('split', time, LARGE)), event('merge', 2 * DAY, 1)]],
    [
      'held on both sides',
      [market()],
      [event('split', 0, LARGE), event('sell', DAY, 1, 1), event('redeem', 2 * DAY, 0, 7)],
    ],
    ['settled', [market(1, 3 * DAY)], days.map((time) => event('buy', time, LARGE, LARGE))],
  ])('is told as NaN by what was %s', (_, markets, events) => {
    const { pnl } = ledger(markets, ...events).at(-1) as DayRow;
    expect(pnl).toBeNaN();
  });

  it('stays NaN when it becomes small again', () => {
    const buys = days.map((time) => event('buy', time, LARGE, LARGE));
    const sells = [2, 3].map((day) => event('sell', day * DAY, LARGE, LARGE));
    const rows = ledger([market()], ...buys, ...sells, event('buy', 4 * DAY, 1, 1), event('sell', 5 * DAY, 1, 1));
    expect(rows.slice(2).map(({ pnl }) => pnl)).toEqual([NaN, NaN, 0, NaN]);
  });
});
