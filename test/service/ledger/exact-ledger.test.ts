import { expect, it } from 'vitest';
import { Book } from '../../../src/service/ledger/book.js';
import { KIND, type LedgerEvent, type LedgerMarket, type Winner } from '../../../src/service/ledger/event.js';
import fc from '../../support/fast-check.js';
import { type ExactDay, type ExactPosition, exactBooks, type Fraction } from './exact-ledger.js';

const HOUR = 3600;

const markets: fc.Arbitrary<LedgerMarket[]> = fc
  .array(
    fc.record({
      winner: fc.constantFrom<Winner>(0, 1, 2, undefined),
      closeTime: fc.option(fc.nat(40), { nil: undefined }),
      next: fc.nat(4),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) =>
    list.map(({ winner, closeTime, next }) => ({
      winner,
      successor: next < list.length ? next : undefined,
      closeTime: closeTime === undefined || winner === undefined ? undefined : closeTime * 20 * HOUR,
      siblings: list.map((_, index) => index),
    })),
  );

const step = fc.record({
  kind: fc.constantFrom<keyof typeof KIND>(
    'split',
    'buy',
    'buy',
    'buy',
    'conversion',
    'sell',
    'merge',
    'migration',
    'redeem',
  ),
  time: fc.nat(48).map((n) => n * 20 * HOUR),
  market: fc.nat(3),
  others: fc.subarray([1, 2, 3]),
  side: fc.constantFrom(0, 1),
  isNamed: fc.boolean(),
  shares: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1_000_000_000_000 })),
  usd: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1_000_000_000_000 })),
});

/** The rows of one step: of a conversion one for each market whose NO shares leave. */
function rowsOf(
  { kind, others, isNamed, ...rest }: typeof step extends fc.Arbitrary<infer S> ? S : never,
  count: number,
  tx: number,
) {
  const first = rest.market % count;
  const more = kind === 'conversion' ? others.map((by) => (first + by) % count) : [];
  const left = [...new Set([first, ...more])].sort();
  const side = kind === 'migration' && !isNamed ? -1 : rest.side;
  return left.map((market): LedgerEvent => ({ ...rest, kind: KIND[kind], market, side, tx }));
}

/** Micro-dollars by which a sum of whole ones is off. */
function distance({ above, below }: Fraction, amount: number): number {
  return Math.abs(Number(above - BigInt(amount) * below)) / Number(below);
}

it('is the exact result of any history, but for the rounding of whole micro-dollars', () => {
  fc.assert(
    fc.property(markets, fc.array(step, { maxLength: 20 }), (known, steps) => {
      const events = steps
        .flatMap((each, index) => rowsOf(each, known.length, index))
        .sort((a, b) => a.time - b.time || a.kind - b.kind || a.tx - b.tx);
      const book = new Book(known);
      for (const event of events) book.add(event);
      const { days, positions } = exactBooks(known, events);
      const rows = book.finish();
      expect(rows.map(({ market, day }) => `${market}/${day}`).sort()).toEqual([...days.keys()].sort());
      for (const { market, day, pnl, invested, trades, untracked, over_redeemed, short_paid } of rows) {
        const exact = days.get(`${market}/${day}`) as ExactDay;
        expect([invested, trades]).toEqual([Number(exact.invested), exact.trades]);
        expect(Math.abs(untracked - Number(exact.untracked))).toBeLessThanOrEqual(1);
        expect(Math.abs(over_redeemed - Number(exact.over_redeemed))).toBeLessThanOrEqual(1);
        expect(short_paid).toBe(Number(exact.short_paid));
        expect(distance(exact.pnl, pnl)).toBeLessThanOrEqual(2 * (events.length + known.length));
      }
      for (const { market, sides, settled } of book.holdings()) {
        for (const [side, held] of sides.entries()) {
          const exact = positions.get(`${market}/${side}`) as ExactPosition;
          const near = 2 * (events.length + known.length);
          expect(distance(exact.realized, held.realized)).toBeLessThanOrEqual(near);
          if (settled) continue;
          expect(held.shares).toBe(Number(exact.shares));
          expect(distance(exact.cost, held.cost)).toBeLessThanOrEqual(near);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
