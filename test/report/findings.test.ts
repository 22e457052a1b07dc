import { describe, expect, it } from 'vitest';
import { judgementOf } from '../../src/report/findings.js';
import { marketsFigures } from '../../src/report/market-figures.js';
import { tearSheet } from '../../src/report/tear-sheet.js';
import { walletFigures } from '../../src/report/wallet-figures.js';
import fc, { cases } from '../support/fast-check.js';
import { type Day, daysOf, marketsFrame, OTHER, pnlFrame, textOf, WALLET } from './sheet-frames.js';

describe('the words', () => {
  it('claim no more than the intervals allow, whatever the record', () => {
    const seen = new Set<string>();
    const record = fc.record({
      count: fc.integer({ min: 1, max: 260 }),
      seed: fc.integer({ min: 1, max: 1e6 }),
      edge: fc.double({ min: -0.4, max: 0.4, noNaN: true }),
      isFaulty: fc.boolean(),
      made: fc.option(fc.array(fc.integer({ min: -60, max: 90 }), { minLength: 1, maxLength: 40 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(record, ({ count, seed, edge, isFaulty, made }) => {
        const told = { [WALLET]: { seen: true, ...(isFaulty ? { unknown_markets: 2 } : {}) } };
        const figures = walletFigures(pnlFrame(daysOf(count, { seed, edge }), told), WALLET, 0.95);
        const markets = made && marketsFigures(marketsFrame(made), WALLET, 0.95);
        const { verdict, findings } = judgementOf({ figures, markets });
        const all = findings.map(({ text }) => text).join(' ');
        const { roiInterval, claim, winRate: rate, winRateInterval, halves } = figures;
        const [answer = verdict] = findings;
        const isYes = claim.is === 'gain' && !isFaulty && (!markets || (markets.rest?.low ?? 0) > 0);
        expect(/^Yes, so far/.test(verdict.text)).toBe(isYes);
        expect(verdict.bearing === 'against').toBe(claim.is === 'loss' && !isFaulty);
        // No finding claims what the verdict does not.
        expect(/more than the chance/.test(answer.text)).toBe(isYes);
        expect(/lost money, beyond chance/.test(answer.text)).toBe(verdict.bearing === 'against');
        if (!isYes) expect(all).not.toMatch(/more than (the )?chance/);
        if (markets && !((markets.rest?.low ?? 0) > 0))
          expect(all).not.toMatch(/does not hang on (one bet|a few bets)/);
        if (isFaulty) expect(findings.filter(({ bearing }) => bearing === 'for')).toEqual([]);
        if (claim.is === 'gain') expect(roiInterval.low).toBeGreaterThan(0);
        if (claim.is === 'loss') expect(roiInterval.high).toBeLessThan(0);
        if (isFaulty && figures.winRate.decided > 0) expect(answer.text).toContain('The record is incomplete');
        if (all.includes('win rate is above one half')) {
          expect(Math.min(rate.low, winRateInterval.low || rate.low)).toBeGreaterThan(0.5);
        }
        if (all.includes('It got worse')) expect(halves?.change.high).toBeLessThan(0);
        if (all.includes('It got better')) expect(halves?.change.low).toBeGreaterThan(0);
        if (all.includes('half alone earned more than chance')) expect(halves?.second.interval.low).toBeGreaterThan(0);
        seen.add(`${verdict.bearing} ${answer.bearing} ${answer.text.slice(0, 12)}`);
      }),
      { numRuns: cases(240) },
    );
    expect(seen.size).toBeGreaterThan(3);
  });

  it('say how much of a profit hangs on its best markets, or on its best day', () => {
    const figures = walletFigures(pnlFrame(daysOf(100, { edge: 0.3 })), WALLET, 0.95);
    const said = (best: readonly number[], pnl: number, low = 0.1) => {
      const markets = {
        count: 9,
        pnl,
        best: best.map((made) => ({ name: 'M', pnl: made, invested: 1 })),
        top: best.slice(0, 3).map((made) => ({ name: 'M', pnl: made, invested: 1 })),
        worst: [],
        gains: 5,
        losses: 4,
        rest: { estimate: low + 0.1, low, high: low + 0.2, samples: 1000, confidence: 0.95 },
      };
      return judgementOf({ figures, markets }).findings[1];
    };
    expect(said([60, 30, 20, 1], 100)).toEqual({
      bearing: 'against',
      text: 'It hangs on a few bets: without its 3 best markets of 9, it would be -$10.00.',
    });
    expect(said([40, 20, 10], 100)?.text).toBe(
      'Most of it came from a few bets: without its 3 best markets of 9, $30.00 of $100.00 are left.',
    );
    expect(said([20, 10, 5], 100)?.text).toBe(
      'It does not hang on a few bets: without its 3 best markets of 9, $65.00 of $100.00 are left.',
    );
    expect(said([20, 10, 5], 100, -0.01)).toEqual({
      bearing: 'open',
      text: 'Without its 3 best markets of 9, $65.00 of $100.00 are left; that can be chance, drawing its markets.',
    });
    const [first, ...rest] = daysOf(30, { edge: 0.6 });
    const lucky = pnlFrame([{ ...(first as Day), pnl: 1e6 }, ...rest]);
    expect(judgementOf({ figures: walletFigures(lucky, WALLET, 0.95) }).findings[1]?.text).toMatch(
      /^Most of it came from one day: without its best day \(2025-01-01, \$1,000,000\)/,
    );
  });

  it('tell no ROI where more was lost than was invested, and say of a loss that it is one', async () => {
    const loss = (day: Day): Day => ({ ...day, invested: 1, pnl: -40, wins: 0, losses: 1 });
    const sheet = await tearSheet(pnlFrame(daysOf(200).map(loss)));
    expect(sheet.verdict).toBe('Not shown: it lost $8,000, more than it invested in this time.');
    expect(sheet.findings[0]).toBe(
      'It cannot be told yet: -$8,000 with $200.00 invested, but some stakes were paid before this time, so that there is no ROI to judge.',
    );
    const page = textOf(sheet.toHtml());
    expect(page).toContain('ROI – none: some stakes were paid before this time');
    expect(page).toMatch(/2025-02 -\$1,120 \$28\.00 – /);
    expect(`${page}${String(sheet)}`).not.toMatch(/-\d{4,}\.\d%|-4,?000|no profit that could be judged/);
    // As much as was invested can be lost.
    const all = await tearSheet(pnlFrame(daysOf(200).map((day) => ({ ...loss(day), invested: 40 }))));
    expect(textOf(all.toHtml())).toContain('ROI -100.0%');
    const mild = daysOf(40, { edge: -0.2 });
    expect((await tearSheet(pnlFrame(mild))).verdict).toMatch(/^Not shown: it lost \$[\d,.]+, which can be chance\.$/);
    const pair = await tearSheet(pnlFrame([...daysOf(200).map(loss), ...daysOf(200, { edge: 0.3, wallet: OTHER })]));
    expect(pair.verdict).toContain('Of 1 wallet no interval is known');
    expect(textOf(pair.toHtml())).toContain('– some stakes were paid before this time');
  });

  it('lose no more than all stakes, in whatever weeks these were paid, and name no market best that lost', async () => {
    // Stakes of a week are lost three weeks later.
    const days = Array.from(
      { length: 30 },
      (_, week): Day => ({
        ...{
          date: new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString(),
          proxy_wallet: WALLET,
          trades: 1,
          win_rate: 0,
        },
        ...{ invested: week < 27 ? 100 * (1 + (week % 5)) : 0, wins: 0, losses: week < 3 ? 0 : 1 },
        pnl: week < 3 ? 0 : -100 * (1 + ((week - 3) % 5)),
      }),
    );
    const lost = Array.from({ length: 27 }, () => -100);
    const sheet = await tearSheet({ pnl: pnlFrame(days), markets: marketsFrame(lost) }, WALLET);
    const said = [sheet.verdict, ...sheet.findings].join(' ');
    expect(sheet.verdict).toBe('Not shown: it lost $7,800, which can be chance.');
    expect(said).toContain('no closing won, and how much a win brings, these weeks do not show');
    expect(said).toMatch(/an ROI of -\d+\.\d%; the 95% interval -100\.0% to -[1-9]/);
    expect(textOf(sheet.toHtml())).not.toMatch(/-(?!100\.0%)\d{3,}\.\d%|0\.0000%| 0 closings/);
    const markets = marketsFigures(marketsFrame([60, -1, 5, -30, -40]), WALLET, 0.95);
    expect(markets.top.map(({ pnl }) => pnl)).toEqual([60, 5]);
    expect(markets.rest?.estimate).toBeCloseTo(-71 / (101 + 103 + 104), 12);
  });

  it('rank wallets only where their intervals are apart', async () => {
    const good = daysOf(200, { edge: 0.3 });
    const poor = daysOf(200, { seed: 5, edge: -0.3, wallet: OTHER });
    const apart = await tearSheet(pnlFrame([...good, ...poor]), [OTHER, WALLET]);
    expect(apart.verdict).toContain('Of 1 pair of wallets, 1 differs in ROI beyond chance (95%, corrected for 1 pair)');
    expect(apart.findings[0]).toMatch(/^0xaaaa…aaaa returned more than 0xbbbb…bbbb: /);
    const alike = daysOf(200, { seed: 3, edge: 0.3, wallet: OTHER });
    const same = await tearSheet(pnlFrame([...good, ...alike]));
    expect(same.wallets).toEqual([WALLET, OTHER]);
    expect(same.verdict).toContain('do not settle which wallet is better');
    expect(same.findings).toEqual([]);
  });
});
