import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSheetMaker } from '../../src/cli/sheet-maker.js';
import { type Service, serve } from '../../src/service/serve-folder.js';
import { axeFindings } from '../page/browser/axe.js';
import { type MailServer, startMailServer } from '../service/web/mail-server.js';
import { isAbsent } from '../support/is-absent.js';
import { walletOf } from '../support/raw-records.js';
import { ask } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';

const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Tests each go on from where the one before ended, as a person would. */
describe.skipIf(isAbsent(CHROMIUM, 'the dashboard in a browser'))('the dashboard in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-dashboard-'));
  const sheets = openSheetMaker();
  const faults: string[] = [];
  const errors: unknown[] = [];
  let mailServer: MailServer;
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let link = '';
  const keys: string[] = [];

  beforeAll(async () => {
    await ingestSmall(folder);
    mailServer = await startMailServer();
    service = await serve({
      folder,
      port: 0,
      smtpUrl: `smtp://127.0.0.1:${mailServer.port}`,
      mailFrom: 'odds@example.org',
      sheets,
      onError: (error) => errors.push(error),
    });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    context = await browser.newContext();
    page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    sheets.close();
    await mailServer?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Status of a query with a key. */
  const statusWith = async (key: string) =>
    (await ask(service.url, { agent_id: 574 }, { headers: { Authorization: `Bearer ${key}` } })).status;

  it('mails a link to the address that is typed', async () => {
    await page.goto(service.url);
    expect(await page.title()).toBe('Sign in · Oddslab');
    // By keyboard alone: the field has the focus.
    await page.keyboard.type('Ann@Example.org');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/link');
    expect(await page.textContent('h1')).toBe('Look into your mail');
    await expect.poll(() => mailServer.mails).toHaveLength(1);
    expect(mailServer.mails[0]?.to).toEqual(['ann@example.org']);
    link = /http:\S+link=[\w-]{43}/.exec(mailServer.mails[0]?.raw ?? '')?.[0] ?? '';
    expect(new URL(link).origin).toBe(service.url);
  });

  it('signs in by the button that the link opens, and shows a first key once', async () => {
    // A scanner was there before.
    expect((await fetch(link)).status).toBe(200);
    await page.goto(link);
    expect(await page.textContent('strong')).toBe('ann@example.org');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/keys');
    keys.push((await page.textContent('code.secret')) ?? '');
    expect(await page.locator('tbody th').allTextContents()).toEqual(['first key']);
    await page.reload();
    expect(await page.locator('code.secret').count()).toBe(0);
    expect((await page.content()).includes(keys[0] ?? '')).toBe(false);
    expect((await fetch(link)).status).toBe(410);
  });

  it('gives a key that queries are answered with, and notes its use', async () => {
    expect(await statusWith('odl_wrong')).toBe(401);
    expect(await statusWith(keys[0] ?? '')).toBe(200);
    await expect.poll(() => readdirSync(join(folder, 'key-uses'))).toHaveLength(1);
    await page.reload();
    expect(await page.locator('tbody td:nth-child(4) time').count()).toBe(1);
  });

  it('makes a second key with a name, and revokes it at once', async () => {
    await page.fill('#name', 'nightly <report>');
    await page.click('text="Create key"');
    await page.waitForSelector('code.secret');
    keys.push((await page.textContent('code.secret')) ?? '');
    expect(await page.locator('tbody th').allTextContents()).toEqual(['first key', 'nightly <report>']);
    expect(await statusWith(keys[1] ?? '')).toBe(200);
    const row = page.locator('tbody tr', { hasText: 'nightly' });
    await row.locator('summary').focus();
    await page.keyboard.press('Enter');
    await row.locator('text="Revoke for good"').click();
    await page.waitForURL('**/dashboard/keys?after=revoked');
    expect(await statusWith(keys[1] ?? '')).toBe(401);
    expect(await statusWith(keys[0] ?? '')).toBe(200);
    expect(await page.locator('tbody th').allTextContents()).toEqual(['first key']);
  });

  it('tries a query and shows its table', async () => {
    await page.click('text="Try a query"');
    await page.click('.tabs >> text="pnl"');
    await page.fill('#wallet', walletOf(1));
    await page.selectOption('#granularity', 'all');
    await page.click('text="Run the query"');
    await page.waitForSelector('table.records');
    const asked = { agent_id: 569, params: { wallet: walletOf(1), granularity: 'all' }, pagination: { limit: 25 } };
    const { json } = await ask(service.url, asked, { headers: { Authorization: `Bearer ${keys[0]}` } });
    const [record] = json.data.results as Record<string, unknown>[];
    expect(json.data.results).toHaveLength(1);
    // Ids come last, where they hide nothing.
    const cells = await page.locator('table.records tbody tr > *').allTextContents();
    const { proxy_wallet, date, ...others } = record ?? {};
    // A midnight is shown as its day.
    expect(cells).toEqual([String(date).slice(0, 10), ...Object.values(others), proxy_wallet].map(String));
    expect(await page.textContent('pre >> nth=0')).toContain('"granularity":"all"');
    expect(await page.textContent('pre >> nth=1')).toContain("granularity: 'all'");
    expect(faults).toEqual([]);
  });

  it('says beside the field what the service refuses', async () => {
    await page.fill('#wallet', '0x12');
    await page.click('text="Run the query"');
    await page.waitForSelector('#wallet-error');
    expect(await page.textContent('#wallet-error')).toContain('40 hexadecimal digits');
    expect(await page.getAttribute('#wallet', 'aria-invalid')).toBe('true');
    // The browser itself tells the console of the status.
    faults.length = 0;
  });

  it('fits a narrow screen, dark or light', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 340, height: 700 });
      for (const path of ['/dashboard/keys', `/dashboard/try/pnl?wallet=${walletOf(1)}&run=1`]) {
        await page.goto(service.url + path);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(340);
      }
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(colorScheme === 'dark' ? 'rgb(19, 23, 21)' : 'rgb(246, 247, 245)');
    }
  });

  it('has no finding of axe where one tries a query or looks at a wallet, whose chart answers to the pointer', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of [
          `try/pnl?wallet=${walletOf(1)}&run=1`,
          'try/leaderboard?run=1',
          `try/positions?wallet=${walletOf(1)}&run=1`,
          `try/pnl?wallet=0x12&run=1`,
          `wallets?wallet=${walletOf(1)}`,
          `wallets?wallet=${walletOf(1)},${walletOf(2)}`,
        ]) {
          await page.goto(`${service.url}/dashboard/${path}`);
          expect([path, await axeFindings(page, 'html')]).toEqual([path, []]);
          expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
        }
        const picture = page.locator('.chart-view > svg').first();
        await picture.scrollIntoViewIfNeeded();
        // At a scroll, of which the page tells its scripts later, tips go.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        const box = await picture.boundingBox();
        if (box === null) throw new Error('no chart');
        await page.mouse.move(box.x + box.width / 2, box.y + 60);
        expect(await page.evaluate("document.querySelector('.chart-tip').innerText")).toMatch(
          /^Wallet: 0x0000…000[12]\nDay: 2026-0\d-\d\d\n/,
        );
      }
    }
    const id = page.locator('.ts-id').first();
    await id.click();
    expect(await page.evaluate('String(getSelection())')).toBe(walletOf(1));
    // The browser itself tells the console of the refused query.
    expect(faults.filter((fault) => !/\b422\b/.test(fault))).toEqual([]);
    faults.length = 0;
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('prints whole tables and lines, and no form', async () => {
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 });
    for (const dataset of [`pnl?wallet=${walletOf(1)}&run=1`, 'markets?run=1']) {
      await page.goto(`${service.url}/dashboard/try/${dataset}`);
      expect(await page.isVisible('form.query')).toBe(false);
      const hidden =
        "[...document.querySelectorAll('.scroll, pre')].map((each) => each.scrollWidth - each.clientWidth)";
      expect(await page.evaluate(hidden)).toEqual([0, 0, 0]);
    }
    // Paper of half the size is a narrow screen, too.
    await page.setViewportSize({ width: 480, height: 700 });
    await page.goto(`${service.url}/dashboard/keys`);
    expect([await page.isVisible('table.keys'), await page.isVisible('.act')]).toEqual([true, false]);
    await page.emulateMedia({ media: null });
  });

  it('signs out, for every copy of the cookie', async () => {
    const cookies = await context.cookies();
    expect(cookies.filter(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toHaveLength(cookies.length);
    await page.click('text="Sign out"');
    await page.waitForURL('**/?after=out');
    expect(await page.textContent('[role=status]')).toBe('You are signed out.');
    await page.goto(`${service.url}/dashboard/keys`);
    expect(new URL(page.url()).pathname).toBe('/');
    await context.addCookies(cookies);
    await page.goto(`${service.url}/dashboard/keys`);
    expect(new URL(page.url()).pathname).toBe('/');
    expect([faults, errors]).toEqual([[], []]);
  });
});
