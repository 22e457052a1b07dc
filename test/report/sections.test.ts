import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closingLines } from '../../src/analysis/closing-line-value.js';
import { connect } from '../../src/client/connect.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { shortId } from '../../src/frame/display/cell-formatter.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { tearSheet } from '../../src/report/tear-sheet.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { conditionOf, ended, gammaMarket, trade, walletOf } from '../support/raw-records.js';
import { serveFolder } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';
import { categoriesFrame, daysOf, marketsFrame, OTHER, pnlFrame, textOf, WALLET } from './sheet-frames.js';

describe('the sections', () => {
  it('tell markets, categories, positions and the field as plain loops do', async () => {
    const pnl = [5, -7, 300, 0, 12, -90, 8, 1, -2, 44];
    const weeks = Array.from({ length: 30 }, (_, week) => [
      { category: 'Sport', week, pnl: week % 3 ? 10 : -5, invested: 40 },
      ...(week < 4 ? [{ category: null, week, pnl: -1, invested: 2 }] : []),
    ]).flat();
    const position = { proxy_wallet: WALLET, question: 'Held?', outcome: 'Yes', shares: 10, avg_price: 0.4 };
    const closed = { status: 'open', result: 'unknown', close_date: '2025-06-01T10:00:00Z' };
    const positions = [
      { ...position, status: 'open', cost: 4, last_price: 0.25, unrealized: -1.5 },
      { ...position, status: 'open', cost: 6, last_price: null, unrealized: null, question: 'Unpriced?' },
      { ...position, status: 'closed', cost: 0, last_price: 1, unrealized: 0, question: 'Closed?' },
      { ...position, status: 'open', cost: 99, last_price: 1, unrealized: 9, proxy_wallet: OTHER },
      { ...position, ...closed, cost: 20, last_price: 0.9, unrealized: -7 },
      { ...position, ...closed, cost: 30, last_price: null, unrealized: null, question: 'Disputed?' },
    ];
    const leaderboard = Array.from({ length: 40 }, (_, at) => ({
      address: at === 4 ? WALLET.toUpperCase().replace('0X', '0x') : `0x${String(at).padStart(40, '0')}`,
      total_pnl: 1000 - 10 * at,
      roi: at / 100,
      win_rate: 0.5,
      total_volume: at === 7 ? null : at,
      total_trades: at < 30 ? 20 + at : 19,
    }));
    const frames = {
      pnl: pnlFrame(daysOf(250, { edge: 0.2 })),
      markets: marketsFrame(pnl, [null, 'Will <b>it</b> rain?']),
      categories: categoriesFrame(weeks),
      positions: frameFromRecords([], positions),
      leaderboard: frameFromRecords([], leaderboard),
    };
    const sheet = await tearSheet(frames, WALLET);
    const page = textOf(sheet.toHtml());
    expect(page).toContain('Of 10 markets, 6 made a profit and 3 a loss.');
    expect(page).toMatch(/The best Market PnL Invested Question 2\? \$300\.00 \$102\.00 Question 9\? \$44\.00/);
    expect(page).toMatch(/The worst .* Question 5\? -\$90\.00 \$105\.00 Will &lt;b&gt;it&lt;\/b&gt; rain\? -\$7\.00/);
    expect(sheet.findings.join()).toContain('without its 3 best markets of 10, it would be -$85.00');
    // 20 weeks of 10 and 10 of −5 on 40 each; one more loss of 40 and it can be chance.
    expect(page).toMatch(/Sport \$150\.00 \$1,200 12\.5% -?[\d.]+% to [\d.]+%, not relied on 66\.7% \(/);
    expect(page).toMatch(/without a category -\$4\.00 \$8\.00 -50\.0% 4 weeks: too few 0\.0% \(/);
    expect(page).toContain('2 positions that cost $10.00: -$1.50 on paper by the last prices; of 1 no price is known');
    expect(page).toMatch(/Unpriced\? Yes 10 \$6\.00 40\.0¢ – – Held\? Yes 10 \$4\.00 40\.0¢ 25\.0¢ -\$1\.50/);
    expect(page).not.toContain('Closed?');
    expect(page).toContain(
      '2 further positions of markets that closed without a known result cost $50.00. By prices as old as their close ' +
        'they would be -$7.00 on paper; of 1 no price is known; whether they will ever pay, the record does not tell',
    );
    expect(page).toMatch(
      /All of them, closed without a known result Market .* Closed Disputed\? Yes 10 \$30\.00 .* 2025-06-01/,
    );
    expect(page).toContain('rank 5 of the 30 wallets with at least 20 trades');
    expect(page).toMatch(/Realized PnL \$960\.00 86\.2% of the others/); // 25 of 29
    expect(page).toMatch(/ROI 4\.0% 13\.8% of the others/); // 4 of 29
    expect(page).toMatch(/Win rate 50\.0% 50\.0% of the others/); // all tie
    expect(page).toMatch(/Volume \$4\.00 14\.3% of the others/); // 4 of the 28 whose volume is known
  });

  it('tells markets apart that ask the same and have the same outcomes', async () => {
    const folder = await temporaryFolder();
    const day = (date: number) => Date.parse(`2026-01-${String(date).padStart(2, '0')}`) / 1000;
    const same = { question: 'Up or down?', outcomes: '["Up", "Down"]' };
    // The first two have ended, the third closed without a result, the fourth is open.
    const [first, second, third] = [ended(0), ended(1), { ...ended('tie'), outcomePrices: '["0.3", "0.7"]' }];
    const markets = [first, second, third, {}].map((more, at) => gammaMarket(at + 1, { ...same, ...more }));
    const trades = [1, 2, 3, 4].flatMap((market) => [
      trade({ wallet: 1, market, side: 0, does: 'BUY', size: 100, price: 0.4, time: day(2) + market }),
      trade({ wallet: 1, market, side: 1, does: 'BUY', size: 10, price: 0.5, time: day(3) + market }),
      trade({ wallet: 2, market, side: 0, does: 'BUY', size: 5, price: market / 10, time: day(10) + market }),
      trade({ wallet: 2, market, side: 1, does: 'BUY', size: 5, price: 1 - market / 10, time: day(10) + market }),
    ]);
    const inputs = [await put(folder, 'm.json', markets), await put(folder, 't.json', trades)];
    await ingest({ folder, inputs });
    const lab = connect({ baseUrl: await serveFolder(folder), progress: false });
    const page = textOf((await tearSheet(lab, walletOf(1))).toHtml());
    const [one, two, three, four] = [1, 2, 3, 4].map((market) => `Up or down? (${shortId(conditionOf(market))})`);
    expect(page).toContain(`The best Market PnL Invested ${one} $55.00 $45.00`); // 100 − 40 − 5
    expect(page).toContain(`The worst Market PnL Invested ${two} -$35.00 $45.00`); // 10 − 40 − 5
    // 100 · (0.4 − 0.4) and 10 · (0.6 − 0.5) of the open one; 100 · (0.3 − 0.4) and 10 · (0.7 − 0.5) of the third.
    expect(page).toContain('2 positions that cost $45.00: $1.00 on paper by the last prices.');
    expect(page).toContain(`${four} Up 100 $40.00 40.0¢ 40.0¢ $0.00`);
    expect(page).toContain(`${four} Down 10 $5.00 50.0¢ 60.0¢ $1.00`);
    expect(page).toContain('2 further positions of markets that closed without a known result cost $45.00.');
    expect(page).toContain('they would be -$8.00 on paper; whether');
    expect(page).toContain(`${three} Up 100 $40.00 40.0¢ 30.0¢ -$10.00 2026-01-20`);
    const period = { startTime: '2026-01-01', endTime: '2026-01-25' };
    const asked = { ...period, wallet: walletOf(1), granularity: '1d' } as const;
    const own = { pnl: await lab.pnl(asked).frame(), positions: await lab.positions({ wallet: walletOf(1) }).frame() };
    for (const sheet of [await tearSheet(lab, walletOf(1), period), await tearSheet(own)]) {
      const part = textOf(sheet.toHtml());
      expect(part).toContain('Only from 2026-01-01 to 2026-01-25.');
      expect(part).toContain('Positions are those of today, and this sheet covers a part of the time.');
      expect(part).not.toContain('Open positions');
    }
    const ownTrades = await lab.trades({ wallet: walletOf(1) }).frame();
    const prices = await lab.trades({ wallet: walletOf(2) }).frame();
    const rows = recordsOf(closingLines(ownTrades, { markets: await lab.markets().frame(), prices }));
    const lines = rows.map(({ condition_id, outcome, closing_price }) => [condition_id, outcome, closing_price]);
    const expected = [1, 2, 3].flatMap((market) => [
      [conditionOf(market), 'Up', market / 10],
      [conditionOf(market), 'Down', 1 - market / 10],
    ]);
    expect(lines).toHaveLength(8);
    expect(lines).toEqual(expect.arrayContaining([...expected, [conditionOf(4), 'Up', Number.NaN]]));
    await lab.close();
  });

  it('leaves out what does not apply to the period or is not in the data, and says so', async () => {
    const folder = await temporaryFolder();
    await ingestSmall(folder);
    const lab = connect({ baseUrl: await serveFolder(folder), progress: false });
    const [wallet = ''] = JSON.parse(await readFile(join(folder, 't.json'), 'utf8')).map(
      ({ proxyWallet }: { proxyWallet: string }) => proxyWallet,
    );
    const sheet = await tearSheet(lab, wallet, { startTime: '2026-01-05', endTime: new Date('2026-01-20') });
    const page = textOf(sheet.toHtml());
    expect(page).toContain('Only from 2026-01-05 to 2026-01-20.');
    expect(page).toContain('2026-01-05 to 2026-01-20 ');
    const [, leftOut] = /Left out (.*?) How to read it/.exec(page) ?? [];
    expect(leftOut).toBe(
      'The data name no category of these markets. Positions are those of today, and this sheet covers a part of the time. ' +
        'The leaderboard counts the whole time, and this sheet covers a part of it.',
    );
    expect(page).toContain('Best and worst markets');
    expect(page).toContain('a service on this machine');
    expect(textOf((await tearSheet(lab, wallet)).toHtml())).not.toContain('The leaderboard counts');
    const both = await tearSheet(lab, [wallet, OTHER]);
    expect(both.unseen).toEqual([OTHER]);
    expect(textOf(both.toHtml())).toContain(`oddslab fetch wallet ${OTHER}`);
    await lab.close();
  });
});
