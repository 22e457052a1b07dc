import { describe, expect, it } from 'vitest';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { tearSheet } from '../../src/report/tear-sheet.js';
import { daysOf, pnlFrame, textOf, WALLET } from './sheet-frames.js';

describe('the sheet of a record of one day, of a wallet that nobody can be compared with', () => {
  const day = daysOf(1).map((one) => ({ ...one, pnl: 1_276_134, invested: 1_338_773, wins: 2, losses: 0 }));
  const place = {
    rank: 1,
    address: WALLET,
    total_pnl: 1_276_134,
    roi: 0.9,
    win_rate: 1,
    total_volume: 4,
    total_trades: 40,
  };
  const held = {
    ...{ proxy_wallet: WALLET, status: 'closed', outcome: 'Yes', shares: 0, cost: 0, avg_price: 0.4 },
    ...{ last_price: 1, unrealized: 0 },
  };
  const sheetOf = (faults: object) =>
    tearSheet(
      {
        pnl: pnlFrame(day, { [WALLET]: { seen: true, ...faults } }),
        positions: frameFromRecords([], [held]),
        leaderboard: frameFromRecords([], [place, { ...place, address: `0x${'c'.repeat(40)}`, total_trades: 3 }]),
      },
      WALLET,
    );

  it('says that there is nothing to compare with, in place of a rank and a table', async () => {
    const sheet = await sheetOf({});
    const page = textOf(sheet.toHtml());
    expect(page).toContain('No other wallet has at least 20 trades: there is nothing to compare it with.');
    expect(page).not.toMatch(/of the others|rank 1 of/);
    expect(sheet.findings.join()).not.toContain('rank');
  });

  it('claims no more than the record can tell', async () => {
    const whole = await sheetOf({});
    expect(textOf(whole.toHtml())).toContain('Deepest fall none one day tells of none');
    expect(textOf(whole.toHtml())).toContain('It holds no open position.');
    expect(textOf(whole.toHtml())).toContain('All events are of one month.');
    const part = await sheetOf({ fills: 42, feeless_fills: 3 });
    const page = textOf(part.toHtml());
    expect(page).toContain('Deepest fall none in what is known of it; the record is incomplete');
    expect(page).toContain('No open position of it is known.');
    expect(String(part)).toContain('Deepest fall  none known');
    expect(page).not.toMatch(/it never fell|It holds no open position/);
  });

  it('draws its bar beside the amounts of the axis, and its curve as a level line', async () => {
    const html = (await sheetOf({})).toHtml();
    const [, x = ''] = /<rect class="ts-gain" x="([\d.]+)%"/.exec(html) ?? [];
    // The amounts begin at the left edge; the longest here, $1.5M, takes a tenth of the width of a phone.
    expect(Number(x)).toBeGreaterThan(10);
    expect(html).toMatch(/<path class="ts-line ts-line-0" d="M0 [\d.]+H1000"\/>/);
  });
});
