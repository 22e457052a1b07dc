import { createHash } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Sheet, SheetMaker } from '../../../src/service/web/sheets.js';
import { SheetShelf } from '../../../src/service/web/sheets.js';
import { Browser } from './browser.js';
import { signedIn } from './signed-in.js';
import { type Dashboard, startDashboard } from './start-dashboard.js';

const WALLET = `0x${'5'.repeat(40)}`;
const sheet: Sheet = {
  title: 'Does it? <b>',
  style: '.ts-sheet { color: red }\n',
  script: "document.title += ' ran';",
  body: '<article>It does</article>',
  unseen: [],
};

const made: (readonly string[])[] = [];
let version: string | undefined = '1';
let make: SheetMaker['make'];
const opened: Dashboard[] = [];
beforeEach(() => {
  made.length = 0;
  version = '1';
  make = async ({ wallets }) => {
    made.push(wallets);
    return sheet;
  };
});
afterAll(() => Promise.all(opened.map((each) => each.close())));

async function start(options: object = {}) {
  const dashboard = await startDashboard({
    sheets: {
      maker: { make: (job) => make(job), close() {} },
      ask: async () => ({ body: '{}' }),
      version: async () => version,
    },
    example: async () => ({ wallet: WALLET }),
    ...options,
  });
  opened.push(dashboard);
  return { dashboard, browser: await signedIn(dashboard, 'ann@example.org') };
}

it('shows a sheet to who is signed in, made once for each version of the data', async () => {
  const { dashboard, browser } = await start();
  const path = `/dashboard/wallets?wallet=${WALLET.toUpperCase().replace('0X', '0x')}`;
  expect((await new Browser(dashboard.url).get(path)).location).toBe('/');
  expect(made).toEqual([]);
  const { status, text, headers } = await browser.get(path);
  expect([status, made]).toEqual([200, [[WALLET]]]);
  expect(text).toContain('<article>It does</article>');
  expect(text).toContain('<title>Does it? &lt;b&gt; · Oddslab</title>');
  expect(text).toContain(`<style>${sheet.style}</style>`);
  expect(text).toContain(`<script>${sheet.script}</script>`);
  const [style, script] = [sheet.style, sheet.script].map((part) => createHash('sha256').update(part).digest('base64'));
  expect(headers.get('Content-Security-Policy')).toContain(
    `style-src 'self' 'sha256-${style}'; script-src 'sha256-${script}';`,
  );
  await browser.get(path);
  expect(made).toHaveLength(1);
  version = '2';
  await browser.get(path);
  await browser.get(`/dashboard/wallets?wallet=${WALLET},${'0x'.padEnd(42, '6')}`);
  expect(made).toEqual([[WALLET], [WALLET], [WALLET, '0x'.padEnd(42, '6')]]);
});

it('asks for an address, offers one, and says what is wrong with another', async () => {
  const { browser } = await start();
  const blank = await browser.get('/dashboard/wallets');
  expect([blank.status, blank.text.includes(`href="/dashboard/wallets?wallet=${WALLET}"`)]).toEqual([200, true]);
  const wrong = await browser.get('/dashboard/wallets?wallet=0x12%22%3E');
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('“0x12&quot;&gt;” is no address');
  const seven = Array.from({ length: 7 }, (_, at) => `0x${String(at).repeat(40)}`).join('+');
  expect((await browser.get(`/dashboard/wallets?wallet=${seven}`)).text).toContain('At most 6 wallets are compared.');
  expect(made).toEqual([]);
});

it('says why there is no sheet', async () => {
  const { dashboard, browser } = await start();
  const path = `/dashboard/wallets?wallet=${WALLET}`;
  make = async () => ({ ...sheet, unseen: [WALLET] });
  expect((await browser.get(path)).status).toBe(404);
  version = undefined;
  expect((await browser.get(path)).status).toBe(503);
  version = '3';
  for (const [status, shown] of [
    [429, 429],
    [503, 503],
    [500, 500],
  ] as const) {
    make = async () => {
      throw Object.assign(new Error('secret'), { details: { status } });
    };
    const answer = await browser.get(path);
    expect([answer.status, answer.text.includes('secret')]).toEqual([shown, false]);
  }
  expect(dashboard.errors).toHaveLength(1);
  const { browser: other } = await start({ sheets: undefined });
  expect((await other.get(path)).status).toBe(404);
});

it('lets an account have so many sheets made, those that are kept not counted', async () => {
  const { browser } = await start();
  const answers: number[] = [];
  for (let at = 0; at < 22; at += 1) {
    const wallet = `0x${at.toString(16).padStart(40, '0')}`;
    answers.push((await browser.get(`/dashboard/wallets?wallet=${wallet}`)).status);
  }
  expect(answers.filter((status) => status === 200)).toHaveLength(20);
  expect(answers.at(-1)).toBe(429);
  expect((await browser.get(`/dashboard/wallets?wallet=0x${'0'.repeat(40)}`)).status).toBe(200);
});

it('makes one sheet at a time, lets few wait, and gives up one that takes too long', async () => {
  const shelf = new SheetShelf(50);
  let [running, most] = [0, 0];
  const slow = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setTimeout(done, 1));
    running -= 1;
    return sheet;
  };
  const all = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => shelf.take('1', `w${at}`, slow, `${at}`)));
  expect(most).toBe(1);
  expect(all.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), 'rejected']);
  const own = await Promise.allSettled(Array.from({ length: 3 }, (_, at) => shelf.take('1', `own${at}`, slow, 'ann')));
  expect(own.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  const never = (signal: AbortSignal) =>
    new Promise<Sheet>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
  await expect(shelf.take('1', 'never', never, 'a')).rejects.toMatchObject({
    status: 503,
    heading: 'This sheet takes too long',
  });
  expect(await shelf.take('1', 'never', slow, 'a')).toBe(sheet);
  expect([shelf.has('1', 'w0'), shelf.has('2', 'w0')]).toEqual([true, false]);
});
