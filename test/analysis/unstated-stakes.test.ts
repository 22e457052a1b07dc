import { expect, it } from 'vitest';
import { bootstrapInterval } from '../../src/analysis/bootstrap-interval.js';
import { cumulativePnl } from '../../src/analysis/cumulative-pnl.js';
import { drawdown } from '../../src/analysis/drawdowns.js';
import { halves } from '../../src/analysis/halves.js';
import { leaderboard } from '../../src/analysis/leaderboard.js';
import { roi } from '../../src/analysis/roi.js';
import { trackRecord } from '../../src/analysis/track-record.js';
import { DataFrame } from '../../src/frame/danfo/danfo.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { dropColumns } from '../../src/frame/verbs/select-columns.js';
import { categoryFigures, marketsFigures } from '../../src/report/market-figures.js';
import { tearSheet } from '../../src/report/tear-sheet.js';
import { walletFigures } from '../../src/report/wallet-figures.js';

const WALLET = `0x${'a'.repeat(40)}`;

/** Days of a wallet, the first of which does not say what was invested. */
const ROWS = [
  { date: '2025-04-30', pnl: 100, invested: Number.NaN },
  { date: '2025-05-02', pnl: -10, invested: 80 },
  { date: '2025-05-03', pnl: 5, invested: 20 },
].map((row) => ({ ...row, date: `${row.date}T00:00:00Z`, proxy_wallet: WALLET, wins: 1, losses: 1 }));
const frame = new DataFrame<(typeof ROWS)[number]>(ROWS);

const ALL = ROWS.reduce((total, { pnl }) => total + pnl, 0);
const STATED = ROWS.filter(({ invested }) => !Number.isNaN(invested));
const RETURN =
  STATED.reduce((total, { pnl }) => total + pnl, 0) / STATED.reduce((total, { invested }) => total + invested, 0);

it('profit is that of every row that has one; a return is of the rows that say what was invested', () => {
  expect([ALL, RETURN]).toEqual([95, -0.05]);
  expect(bootstrapInterval(frame, 'pnl').estimate).toBe(ALL);
  expect(bootstrapInterval(frame, 'roi').estimate).toBe(RETURN);
  expect(roi(frame)).toEqual({ roi: RETURN, pnl: -5, invested: 100 });
  expect(recordsOf(trackRecord(frame))[0]).toMatchObject({
    pnl: ALL,
    invested: 100,
    roi: RETURN,
    decided: 6,
    max_drawdown: drawdown(frame).depth,
  });
  expect(recordsOf(leaderboard(frame))[0]).toMatchObject({ pnl: ALL, roi: RETURN, decided: 6 });
  expect(recordsOf(cumulativePnl(frame)).at(-1)?.cumulative_pnl).toBe(ALL);
});

it('the two halves of a record are of the same rows as its total', () => {
  const { pairs } = halves(frame, { measure: 'pnl', minDecided: 0, at: '2025-05-03' });
  expect(recordsOf(pairs)).toMatchObject([{ first: 90, second: 5 }]);
  const ofReturn = halves(frame, { minDecided: 0, at: '2025-05-03' });
  expect(recordsOf(ofReturn.pairs)).toMatchObject([{ first: -10 / 80, second: 5 / 20 }]);
});

it('profit needs no column of what was invested', () => {
  const bare = dropColumns(frame, 'invested');
  const { estimate, low, high } = bootstrapInterval(bare, 'pnl');
  expect([estimate, low <= estimate, estimate <= high]).toEqual([ALL, true, true]);
  expect(recordsOf(halves(bare, { measure: 'pnl', minDecided: 0, at: '2025-05-03' }).pairs)).toHaveLength(1);
  const lifetimes = new DataFrame({ total_pnl: [3, Number.NaN, 4], total_invested: [Number.NaN, 5, 8] });
  expect(bootstrapInterval(lifetimes, 'pnl').estimate).toBe(7);
});

it('a row that lacks its wins does not lose its profit on a leaderboard, nor its profit its wins', () => {
  const rows = new DataFrame({
    proxy_wallet: ['a', 'a', 'b', 'c', 'd'],
    pnl: [1, 2, Number.NaN, 4, Number.NaN],
    invested: [10, 10, 10, 10, 10],
    wins: [1, Number.NaN, 3, Number.NaN, Number.NaN],
    losses: [1, 1, 1, 1, 1],
  });
  const found = recordsOf(leaderboard(rows)).map(({ proxy_wallet, decided, pnl, roi: rate }) => [
    proxy_wallet,
    decided,
    pnl,
    rate,
  ]);
  expect(found.toSorted()).toEqual([
    ['a', 2, 3, 3 / 20],
    ['b', 4, 0, Number.NaN],
    ['c', 0, 4, 4 / 10],
  ]);
});

/** Twenty-four weeks of a day each, every third of which does not say what was invested. */
const WEEKS = Array.from({ length: 24 }, (_, week) => ({
  date: new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString().replace('.000', ''),
  proxy_wallet: WALLET,
  category: 'Sports',
  condition_id: `0x${week}`,
  question: `Question ${week}?`,
  pnl: week % 3 === 0 ? 40 : (week % 5) - 1,
  invested: week % 3 === 0 ? Number.NaN : 10,
  wins: 1,
  losses: 1,
}));

it('a sheet has one total: in its figures, its curve, its months and its halves', async () => {
  const total = WEEKS.reduce((sum, { pnl }) => sum + pnl, 0);
  const stated = WEEKS.filter(({ invested }) => !Number.isNaN(invested));
  const rate = stated.reduce((sum, { pnl }) => sum + pnl, 0) / (10 * stated.length);
  const figures = walletFigures(new DataFrame(WEEKS), WALLET, 0.95);
  expect(figures.roi).toEqual({ pnl: total, invested: 10 * stated.length, roi: rate });
  expect(figures.roiInterval.estimate).toBeCloseTo(rate, 12);
  expect(figures.curve.at(-1)?.cumulative_pnl).toBe(total);
  expect(figures.periods.reduce((sum, { pnl }) => sum + pnl, 0)).toBe(total);
  const january = WEEKS.filter(({ date }) => date.startsWith('2025-01'));
  expect(figures.periods[0]).toMatchObject({
    period: '2025-01',
    pnl: january.reduce((sum, { pnl }) => sum + pnl, 0),
    invested: january.reduce((sum, { invested }) => sum + (invested || 0), 0),
  });
  expect(figures.weeks).toBe(WEEKS.length);
  expect(figures.unstated).toBe(WEEKS.length - stated.length);
  expect(String(await tearSheet({ pnl: new DataFrame(WEEKS) }))).toContain(
    `ROI           ${(100 * rate).toFixed(1)}% (without 8 records that do not say what was invested)`,
  );
  const { first, second } = figures.halves ?? {};
  expect((first?.roi.pnl ?? 0) + (second?.roi.pnl ?? 0)).toBe(total);
  expect((first?.roi.invested ?? 0) + (second?.roi.invested ?? 0)).toBe(10 * stated.length);
});

it('categories and markets of a sheet count every row that has a profit', () => {
  const total = WEEKS.reduce((sum, { pnl }) => sum + pnl, 0);
  const [sports] = categoryFigures(new DataFrame(WEEKS), WALLET, 0.95);
  expect(sports?.roi.pnl).toBe(total);
  expect(sports?.interval.low).toBeLessThanOrEqual(sports?.interval.estimate ?? Number.NaN);
  const markets = marketsFigures(new DataFrame([...WEEKS, { ...WEEKS[0], pnl: Number.NaN }]), WALLET, 0.95);
  expect([markets.count, markets.pnl]).toEqual([WEEKS.length, total]);
  expect(markets.rest?.low).not.toBeNaN();
});
