import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { toHtml } from '../../../src/frame/display/frame-html.js';
import { isAbsent } from '../../support/is-absent.js';

const CHROMIUM = '/usr/bin/chromium';
const WALLET = `0x${'0123456789abcdef'.repeat(2)}01234567`;
const TOKEN = '7'.repeat(77);

/** What the test looks at in the page: the types of the browser are not at hand here. */
const LOOK = `(() => {
  const frame = document.querySelector('.oddslab-frame');
  const selection = getSelection();
  const copied = (node) => {
    selection.selectAllChildren(node);
    return selection.toString();
  };
  const box = frame.querySelector('.box');
  const rows = [...frame.querySelectorAll('tbody tr')];
  const [, shortId] = rows[0].children;
  const looks = {
    row: copied(rows[1]),
    id: copied(shortId),
    idWidth: shortId.querySelector('.id').getBoundingClientRect().width,
    scripts: frame.querySelectorAll('script').length,
  };
  box.style.maxHeight = '8em';
  box.scrollTop = 60;
  looks.headerStays = frame.querySelector('thead th').getBoundingClientRect().top - box.getBoundingClientRect().top;
  return looks;
})()`;

describe('an HTML table in a browser', () => {
  it.skipIf(isAbsent(CHROMIUM, 'a table in a browser'))(
    'gives whole ids to whoever copies short ones, and keeps its header in sight (needs chromium)',
    async () => {
      const frame = new DataFrame({
        wallet: Array<string>(12).fill(WALLET),
        token: Array<string>(12).fill(TOKEN),
        pnl: Array.from({ length: 12 }, (_, row) => 1234.5 * row),
      });
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
      try {
        const page = await browser.newPage();
        await page.setContent(`<body style="font:14px sans-serif">${toHtml(frame)}`);
        const { idWidth, ...looks } = (await page.evaluate(LOOK)) as { idWidth: number };
        expect(looks).toEqual({ row: `${WALLET}\t${TOKEN}\t1,234.50`, id: WALLET, scripts: 0, headerStays: 0 });
        expect(idWidth).toBeLessThan(120);
        await page.evaluate('getSelection().removeAllRanges()');
        await page.locator('.id').nth(3).click();
        expect(await page.evaluate('getSelection().toString()')).toBe(TOKEN);
        // As of a notebook that is not trusted, and on a page that hides what is hidden with all its might.
        await page.setContent(toHtml(frame).replace(/<style>.*<\/style>/, ''));
        expect(await page.evaluate(`document.querySelector('tbody tr').innerText`)).toBe(
          '0\t0x0123…4567\t7777…7777\t0.00',
        );
        await page.setContent(`<style>[hidden]{display:none!important}</style>${toHtml(frame)}`);
        const copied = `getSelection().selectAllChildren(document.querySelector('td[title]')), String(getSelection())`;
        expect(await page.evaluate(copied)).toBe(WALLET);
      } finally {
        await browser.close();
      }
    },
  );
});
