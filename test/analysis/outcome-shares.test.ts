import { expect, it } from 'vitest';
import { outcomeShares } from '../../src/analysis/outcome-shares.js';
import { wilsonInterval } from '../../src/analysis/statistics/wilson-interval.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { groupBy } from '../../src/frame/verbs/group-by.js';
import { sum } from '../../src/frame/verbs/sum-and-mean.js';
import fc from '../support/fast-check.js';

type Market = readonly [closed: boolean, a: string | null, b: string | null, winner: string | null];
const frameOf = (...markets: Market[]) =>
  new DataFrame(
    {
      closed: markets.map(([closed]) => closed),
      side_a_outcome: markets.map(([, a]) => a),
      side_b_outcome: markets.map(([, , b]) => b),
      winning_outcome: markets.map(([, , , winner]) => winner),
    },
    { dtypes: ['boolean', 'string', 'string', 'string'] },
  );

const markets = frameOf(
  [true, 'Yes', 'No', 'Yes'],
  [true, 'Yes', 'No', 'No'],
  [true, 'Yes', 'No', 'No'],
  [true, 'Yes', 'No', null],
  [false, 'Yes', 'No', null],
  [true, 'Falcons', 'Yes', 'Yes'],
);

it('counts how often each label won of the markets that offer it, ties and open ones apart', () => {
  const row = (outcome: string, side: 'a' | 'b', [open, tied, decided, wins]: [number, number, number, number]) => ({
    outcome,
    side,
    markets: open + tied + decided,
    open,
    tied_or_unresolved: tied,
    decided,
    wins,
    rate: wins / decided,
    ...wilsonInterval(wins, decided, 0.95),
  });
  expect(recordsOf(outcomeShares(markets))).toEqual([
    row('No', 'b', [1, 1, 3, 2]),
    row('Yes', 'a', [1, 1, 3, 1]),
    row('Falcons', 'a', [0, 0, 1, 0]),
    row('Yes', 'b', [0, 0, 1, 1]),
  ]);
});

it('sums to sides, in which every market counts once', () => {
  const label = fc.constantFrom('Yes', 'No', 'Up', '__proto__', 'constructor');
  const market = fc
    .tuple(fc.boolean(), label, label, fc.constantFrom('a', 'b', null))
    .map(
      ([closed, a, b, winner]): Market => [
        closed,
        a,
        `not ${b}`,
        winner === 'a' ? a : winner === 'b' ? `not ${b}` : null,
      ],
    );
  fc.assert(
    fc.property(fc.array(market, { minLength: 1, maxLength: 30 }), (rows) => {
      const sides = recordsOf(
        groupBy(outcomeShares(frameOf(...rows)), 'side').rollup({ markets: sum('markets'), wins: sum('wins') }),
      );
      const decided = rows.filter(([closed, , , winner]) => closed && winner !== null);
      expect(sides.map((side) => side.markets)).toEqual([rows.length, rows.length]);
      expect(sides.reduce((wins, side) => wins + side.wins, 0)).toBe(decided.length);
      expect(sides.find(({ side }) => side === 'a')?.wins).toBe(decided.filter(([, a, , w]) => a === w).length);
    }),
  );
});

it('keeps labels that are missing, and has no rows without a market', () => {
  const [row] = recordsOf(outcomeShares(frameOf([true, null, 'No', 'No'])));
  expect(row).toMatchObject({ outcome: 'No', side: 'b', wins: 1, rate: 1 });
  expect(recordsOf(outcomeShares(frameOf([false, null, 'No', null])))[1]).toMatchObject({ outcome: null, open: 1 });
  expect(outcomeShares(frameOf()).shape).toEqual([0, 10]);
});

it('names what is wrong', () => {
  expect(() => outcomeShares(new DataFrame({ closed: [true], winning_outcome: ['Yes'] }))).toThrow(
    /no column "side_a_outcome"/,
  );
  const numeric = new DataFrame({
    closed: [1],
    side_a_outcome: ['Yes'],
    side_b_outcome: ['No'],
    winning_outcome: ['No'],
  });
  expect(() => outcomeShares(numeric)).toThrow(/"closed" holds numbers/);
  const labels = new DataFrame({
    closed: [true],
    side_a_outcome: [1],
    side_b_outcome: ['No'],
    winning_outcome: ['No'],
  });
  expect(() => outcomeShares(labels)).toThrow(/"side_a_outcome" holds numbers; it needs labels/);
});
