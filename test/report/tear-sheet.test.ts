import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from '../../src/analysis/bootstrap-interval.js';
import { roi } from '../../src/analysis/roi.js';
import { formatPercent, formatUsd } from '../../src/analysis/shown-result.js';
import { winRate } from '../../src/analysis/win-rate.js';
import { DataError, UsageError } from '../../src/base/errors.js';
import { CHART_SCRIPT, CHART_SCRIPT_SOURCE } from '../../src/charts/drawing/figure-script.js';
import { frameFromRecords } from '../../src/frame/decode/frame-from-records.js';
import { type TearSheetOptions, tearSheet } from '../../src/report/tear-sheet.js';
import { walletFigures } from '../../src/report/wallet-figures.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { daysOf, marketsFrame, OTHER, pnlFrame, textOf, WALLET } from './sheet-frames.js';

/** Wilson's interval, written anew. */
function wilson(wins: number, n: number): [number, number] {
  const z = 1.959963984540054;
  const middle = (wins + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((wins * (n - wins)) / n + (z * z) / 4);
  return [middle - half, middle + half];
}

describe('the figures', () => {
  it('are those of plain loops over the same rows, and stand on the page', async () => {
    const days = daysOf(400, { edge: 0.1 });
    const mixed = [...days, ...daysOf(50, { seed: 9, wallet: OTHER })].reverse();
    const page = textOf((await tearSheet(pnlFrame(mixed), WALLET)).toHtml());
    const sum = (name: 'pnl' | 'invested' | 'wins' | 'losses') => days.reduce((total, day) => total + day[name], 0);
    const [pnl, invested, wins, decided] = [sum('pnl'), sum('invested'), sum('wins'), sum('wins') + sum('losses')];
    let [total, peak, depth] = [0, 0, 0];
    for (const day of days) {
      total += day.pnl;
      peak = Math.max(peak, total);
      depth = Math.max(depth, peak - total);
    }
    const months = new Map<string, number>();
    for (const { date, pnl: made } of days) months.set(date.slice(0, 7), (months.get(date.slice(0, 7)) ?? 0) + made);
    const [low, high] = wilson(wins, decided);
    expect(page).toContain(`Realized PnL ${formatUsd(pnl)} on ${formatUsd(invested)} invested`);
    expect(page).toContain(`ROI ${formatPercent(pnl / invested)}`);
    expect(page).toContain(
      `${formatPercent(wins / decided)} 95% interval ${formatPercent(low)} to ${formatPercent(high)}`,
    );
    expect(page).toContain(`Deepest fall ${formatUsd(-depth)}`);
    expect(page).not.toContain('\u2212');
    for (const [month, made] of months) expect(page).toContain(`${month} ${formatUsd(made)}`);
    const gains = [...months.values()].filter((made) => made > 0).length;
    expect(page).toContain(`${gains} of ${months.size} months with an event made a gain`);
  });

  it('have the intervals that bootstrapInterval gives by week', () => {
    const frame = pnlFrame(daysOf(150, { edge: 0.2 }));
    const { roiInterval, winRateInterval, weeks } = walletFigures(frame, WALLET, 0.9);
    const options = { by: 'week', confidence: 0.9 };
    const ofRoi = bootstrapInterval(frame, (rows) => roi(rows).roi, options);
    const ofRate = bootstrapInterval(frame, (rows) => winRate(rows).rate, options);
    expect(weeks).toBe(22);
    for (const [ours, theirs] of [
      [roiInterval, ofRoi],
      [winRateInterval, ofRate],
    ] as const) {
      for (const end of ['estimate', 'low', 'high'] as const) expect(ours[end]).toBeCloseTo(theirs[end], 12);
      expect([ours.samples, ours.confidence]).toEqual([1000, 0.9]);
    }
  });

  it('splits a record into halves of as many weeks, none of which is in both', () => {
    const days = daysOf(210, { edge: 0.1 });
    const { halves } = walletFigures(pnlFrame(days), WALLET, 0.95);
    const mondayOf = (date: string) => {
      const time = Date.parse(date);
      return new Date(time - ((new Date(time).getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
    };
    const mondays = [...new Set(days.map(({ date }) => mondayOf(date)))].sort();
    const middle = mondays[Math.floor(mondays.length / 2)] ?? '';
    for (const [half, isIn] of [
      [halves?.first, (monday: string) => monday < middle],
      [halves?.second, (monday: string) => monday >= middle],
    ] as const) {
      const own = days.filter(({ date }) => isIn(mondayOf(date)));
      const made = own.reduce((total, { pnl }) => total + pnl, 0);
      expect(half?.roi.pnl).toBeCloseTo(made, 8);
      expect(half?.roi.roi).toBeCloseTo(made / own.reduce((total, { invested }) => total + invested, 0), 10);
      expect(half?.weeks).toBe(mondays.filter(isIn).length);
      // From the first of its days to the last: the record has an event on each.
      expect([half?.from, half?.to].map((date) => date?.slice(0, 10))).toEqual(
        [own[0], own.at(-1)].map((one) => one?.date.slice(0, 10)),
      );
    }
    expect(halves?.change.estimate).toBeCloseTo((halves?.second.roi.roi ?? 0) - (halves?.first.roi.roi ?? 0), 12);
    expect(walletFigures(pnlFrame(daysOf(120)), WALLET, 0.95).halves).toBeUndefined();
  });
});

describe('records at the edge', () => {
  const blank = { invested: 0, pnl: 0, trades: 0, wins: 0, losses: 0, win_rate: 0 };
  const day = { ...blank, date: '2026-01-05T00:00:00Z', proxy_wallet: WALLET };
  it.each([
    ['an unknown wallet', [], { seen: false }, 'No record mentions this wallet'],
    ['income alone', [], { seen: true, income_only: true, income: 12.5 }, 'only $12.50 of rewards are known'],
    ['no day in the period', [], { seen: true }, 'There is no day with an event'],
    ['nothing closed', [{ ...day, invested: 50 }], { seen: true }, 'Nothing is decided yet: $50.00 were invested'],
    ['a single day', [{ ...day, invested: 50, pnl: 5, wins: 1 }], { seen: true }, 'events in 1 week are too few'],
    ['a profit on nothing', [{ ...day, pnl: 5, wins: 1 }], { seen: true }, '$5.00 with nothing invested'],
    ['a loss alone', [{ ...day, invested: 50, pnl: -5, losses: 1 }], { seen: true }, 'It cannot be told yet: -$5.00'],
  ] as const)('%s', async (_name, rows, record, words) => {
    const sheet = await tearSheet(pnlFrame(rows, { [WALLET]: record }), WALLET.toUpperCase().replace('0X', '0x'));
    expect([sheet.verdict, ...sheet.findings].join(' ')).toContain(words);
    const page = textOf(sheet.toHtml());
    expect(page).toContain('How complete the record is');
    expect(page).not.toMatch(/NaN|undefined|Infinity|null/);
    expect(sheet.toHtml()).not.toMatch(/="[^"]*(NaN|undefined|Infinity)/);
    expect(String(sheet)).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('says of a frame of one’s own that nothing tells how complete it is', async () => {
    expect(textOf((await tearSheet(pnlFrame(daysOf(3)))).toHtml())).toContain(
      'does not say how complete the record is',
    );
  });

  it('names what is missing, and the command that fetches it', async () => {
    const missing = [{ what: 'activity', from: null, until: '2025-03-01T00:00:00Z', why: 'The source ends there.' }];
    const sheet = await tearSheet(pnlFrame(daysOf(300, { edge: 0.4 }), { [WALLET]: { seen: true, missing } }));
    const page = textOf(sheet.toHtml());
    expect(page).toContain('fetch not complete: activity to 2025-03-01 00:00');
    expect(page).toContain(`oddslab fetch wallet ${WALLET}`);
    expect(sheet.toHtml()).toContain('<p class="ts-verdict ts-open">Not shown: the record is incomplete');
  });

  it('marks the figures of an incomplete record where they stand, and no other', async () => {
    const days = [...daysOf(300, { edge: 0.4 }), ...daysOf(300, { edge: -0.3, seed: 5, wallet: OTHER })];
    const faults = { seen: true, fills: 42, feeless_fills: 3 };
    const leaderboard = frameFromRecords(
      [],
      [WALLET, OTHER].map((address) => ({
        ...{ address, total_pnl: 1, roi: 0.1, win_rate: 0.5, total_volume: 9, total_trades: 20 },
      })),
    );
    const one = async (records: object) =>
      tearSheet({ pnl: pnlFrame(days, { [WALLET]: { seen: true, ...records } }), leaderboard }, WALLET);
    const whole = await one({});
    expect(`${whole.toHtml()}${String(whole)}`).not.toContain('incomplete record');
    const part = await one(faults);
    const headings = part.toHtml().match(/<h2>.*?<\/h2>/g) ?? [];
    const of = (name: string) => headings.find((heading) => heading.includes(name));
    for (const name of ['In figures', 'How the profit', 'Profit by', 'Day by day', 'Skill or luck', 'the field']) {
      expect(of(name)).toContain('<span class="ts-incomplete">incomplete record</span>');
    }
    expect(of('Findings')).not.toContain('ts-incomplete');
    expect(part.toHtml().match(/<dd><strong>[^<]*<\/strong> <span>[^<]*; incomplete record<\/span>/g)).toHaveLength(4);
    expect(part.toHtml()).toContain(`${WALLET}, an incomplete record, ends at`);
    const [first = '', ...others] = part.findings;
    expect(first).toContain('The record is incomplete');
    expect(others.filter((finding) => !finding.endsWith(' (incomplete record).'))).toEqual([]);
    expect(String(part).match(/^ {2}(Realized PnL|ROI|Win rate|Deepest fall) .*; incomplete record$/gm)).toHaveLength(
      4,
    );

    const pair = await tearSheet(pnlFrame(days, { [WALLET]: faults, [OTHER]: { seen: true } }));
    expect(pair.verdict).toContain('What is said of 0xaaaa…aaaa depends on an incomplete record.');
    expect(pair.findings[0]).toMatch(/^0xaaaa…aaaa \(incomplete record\) returned more than 0xbbbb…bbbb: /);
    expect(textOf(pair.toHtml())).toMatch(/Incomplete: 3 of 42 fills without fees .* complete as far as known/);
    expect(pair.toHtml()).toMatch(/<code>0xaaaa…aaaa<\/code> [^<]*, incomplete record<\/li>/);
    expect(pair.toHtml()).toMatch(/<code>0xbbbb…bbbb<\/code> -\$[\d,]+<\/li>/);
  });

  it('says before all else that records are simulated, and of whom', async () => {
    const days = [...daysOf(30), ...daysOf(30, { seed: 5, wallet: OTHER })];
    const sheetOf = (made: object, wallets: string | string[]) =>
      tearSheet(
        pnlFrame(days, { [WALLET]: { seen: true, simulated: true }, [OTHER]: { seen: true, ...made } }),
        wallets,
      );
    const one = await sheetOf({}, WALLET);
    const words = 'Simulated: the records of this wallet are of a sample market, made by oddslab simulate.';
    expect(textOf(one.toHtml())).toMatch(/Wallet 0xa+ Simulated: the records of this wallet .* Findings/);
    expect(String(one).split('\n')[1]).toContain(words);
    expect(`${(await sheetOf({}, OTHER)).toHtml()}`).not.toContain('imulated');
    expect(String(await sheetOf({}, [WALLET, OTHER]))).toContain('Simulated: the records of 0xaaaa…aaaa are of a');
    expect(String(await sheetOf({ simulated: true }, [WALLET, OTHER]))).toContain(
      'the records of these wallets are of',
    );
  });

  it('shows what is held in place of results that there are not', async () => {
    const open = pnlFrame([{ ...day, invested: 50 }], { [WALLET]: { seen: true } });
    const held = { proxy_wallet: WALLET, status: 'open', outcome: 'Yes', question: 'Held?', shares: 100, cost: 50 };
    const positions = frameFromRecords([], [{ ...held, avg_price: 0.5, last_price: 0.6, unrealized: 10 }]);
    const sheet = await tearSheet({ pnl: open, positions }, WALLET);
    const page = textOf(sheet.toHtml());
    expect(page).toMatch(
      /In figures Invested \$50\.00 nothing realized yet Active 1 day in 1 week, 2026-01-05 Open pos/,
    );
    expect(page).toContain('1 position that cost $50.00: $10.00 on paper');
    expect(sheet.toHtml()).not.toMatch(/<figure|ROI<|Win rate/);
    expect(String(sheet)).not.toContain('ROI');
    const other = { ...day, proxy_wallet: OTHER, invested: 50, pnl: 5, wins: 1 };
    const pair = textOf((await tearSheet(pnlFrame([{ ...day, invested: 50 }, other]))).toHtml());
    expect(pair).toMatch(/not told – nothing closed yet /);
  });

  it('stays small for 20,000 days and 100,000 markets', async () => {
    const pnl = pnlFrame(daysOf(20_000, { from: '1970-01-01' }));
    const markets = marketsFrame(Array.from({ length: 100_000 }, (_, at) => (at % 7) - 3));
    const sheet = await tearSheet({ pnl, markets }, WALLET);
    expect(sheet.toHtml().length).toBeLessThan(220_000);
    expect(textOf(sheet.toHtml())).toContain('Shown: the last 2 of 55 years');
    expect(textOf(sheet.toHtml())).toContain('Profit by year');
  }, 60_000);
});

describe('the page', () => {
  it('is one file with one script that asks for nothing, and escapes what it is told', async () => {
    const pnl = pnlFrame(daysOf(30));
    const markets = marketsFrame(
      [3, 2, 1, -5],
      ['<script>alert(1)</script>', '"><img src=x>', '\u202eevil', 'a\u0000b'],
    );
    const sheet = await tearSheet({ pnl, markets }, WALLET, { title: '<i>Mine</i>' });
    const whole = sheet.toHtml();
    expect(whole.split(`<script>${CHART_SCRIPT}</script>`)).toHaveLength(2);
    expect(whole).toContain(`script-src ${CHART_SCRIPT_SOURCE}">`);
    const page = whole.replace(`<script>${CHART_SCRIPT}</script>`, '');
    // Of the markup alone: as text, anything may stand there.
    const markup = page.replaceAll(/>[^<>]*</g, '><');
    expect(/<script|<img|<link|<iframe|\ssrc=|\shref=|style="/.test(markup)).toBe(false);
    expect(/url\(|@import|\u202e/.test(page)).toBe(false);
    expect(page.includes('\u0000')).toBe(false);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain(`<title>&lt;i&gt;Mine&lt;/i&gt; ${WALLET}</title>`);
    expect(page).toContain("default-src 'none'");
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect((await tearSheet({ pnl, markets }, WALLET, { title: '<i>Mine</i>' })).toHtml()).toBe(whole);
  });

  it('shows itself in a notebook, as a part of a page and as text, and is saved as a file', async () => {
    const sheet = await tearSheet(pnlFrame(daysOf(300, { edge: 0.4 })));
    const show = Reflect.get(sheet, Symbol.for('Jupyter.display')) as () => Record<string, string>;
    const { 'text/html': html, 'text/plain': text } = show.call(sheet);
    expect(html).toMatch(
      /^<style>[\s\S]*<\/style>\n<div class="mathjax_ignore tex2jax_ignore"><article class="ts-sheet">/,
    );
    expect(html?.endsWith(`</article>\n</div><script>${CHART_SCRIPT}</script>`)).toBe(true);
    expect(text).toBe(String(sheet));
    expect(text).toMatch(
      /^Does this record hold water\?\n\nWallet 0xa+\nYes, so far: it made money, and more than chance/,
    );
    const path = join(await temporaryFolder(), 'w.html');
    await sheet.save(path);
    expect(await readFile(path, 'utf8')).toBe(sheet.toHtml());
    await expect(sheet.save('w.pdf')).rejects.toThrow('A tear sheet is saved as .html; got "w.pdf"');
    await expect(sheet.save(join(path, 'no', 'w.html'))).rejects.toThrow(DataError);
  });

  it.each([
    [undefined, WALLET, {}, 'This needs a frame, but got'],
    [{ pnl: 5 }, WALLET, {}, 'pnl of the frames of tearSheet must be a frame; got 5'],
    [{ pnl: pnlFrame([]), market: 1 }, WALLET, {}, 'Did you mean "markets"?'],
    [{ pnl: pnlFrame([]), markets: pnlFrame([]) }, WALLET, {}, 'The frame markets of tearSheet lacks condition_id'],
    [frameFromRecords([], [{ date: '2026-01-01' }]), WALLET, {}, 'lacks proxy_wallet, pnl'],
    [pnlFrame([]), undefined, {}, 'The frame of tearSheet has no records, so it names no wallet: for a sheet'],
    [pnlFrame([]), [], {}, 'needs the address of a wallet'],
    [pnlFrame([]), { title: 'x' }, undefined, 'tearSheet(frame, undefined, { title }) for the wallets of a frame.'],
    [pnlFrame([]), '0x12', {}, 'A wallet is 0x and 40 hexadecimal digits; got "0x12"'],
    [pnlFrame([]), 5, {}, 'got 5'],
    [pnlFrame([]), Array.from({ length: 7 }, (_, at) => `0x${String(at).repeat(40)}`), {}, 'up to 6 wallets; got 7'],
    [pnlFrame([]), WALLET, { titel: 'x' }, 'Did you mean "title"?'],
    [pnlFrame([]), WALLET, { title: 5 }, 'title of tearSheet must be text'],
    [pnlFrame([]), WALLET, { confidence: 95 }, 'between 0 and 1'],
    [pnlFrame([]), WALLET, { startTime: '2026-01-01' }, 'startTime and endTime are for a lab'],
    [pnlFrame([]), WALLET, null, 'must be an object'],
  ])('refuses what it cannot use: %#', async (source, wallets, options, words) => {
    const made = tearSheet(source as never, wallets as never, options as TearSheetOptions);
    await expect(made).rejects.toThrow(UsageError);
    await expect(made).rejects.toThrow(words);
  });
});
