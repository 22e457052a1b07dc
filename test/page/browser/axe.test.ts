import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAbsent } from '../../support/is-absent.js';
import { axeFindings } from './axe.js';

const CHROMIUM = '/usr/bin/chromium';

describe.skipIf(isAbsent(CHROMIUM, 'what axe finds'))('axeFindings', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
  });
  afterAll(() => browser.close());

  it('names what is wrong in the part that is asked for, and nothing of the rest', async () => {
    const page = await browser.newPage();
    await page.setContent(
      '<html lang="en"><title>t</title><main><div id="good"><button style="padding: 8px">Run</button></div><div id="bad"><button style="padding: 30px"></button></div></main>',
    );
    expect(await axeFindings(page, '#good')).toEqual([]);
    expect(await axeFindings(page, '#bad')).toEqual([
      'button-name (critical): <button style="padding: 30px"></button>',
    ]);
    await expect(axeFindings(page, '#none')).rejects.toThrow('no element matches #none');
  });
});
