import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATASETS } from '../../../src/contract/dataset.js';
import { REFUSALS } from '../../../src/contract/envelope.js';
import { isAbsent } from '../../support/is-absent.js';
import { type SmallService, serveSmall } from '../openapi/serve-small.js';

let small: SmallService;
beforeAll(async () => {
  small = await serveSmall({ open: false, maxBodyBytes: 3 << 10 });
});
afterAll(() => small.close());

describe.each([
  ['/openapi.json', 'application/json'],
  ['/docs', 'text/html; charset=utf-8'],
])('%s', (path, type) => {
  const read = (init?: RequestInit) => fetch(small.url + path, init);

  it('is read without a key', async () => {
    const answer = await read();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect((await answer.text()).length).toBeGreaterThan(10_000);
  });

  it('is not sent again to who holds it', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^(W\/)?"[\w-]{22}.*"$/);
    for (const held of [etag, `W/${etag.replace('W/', '')}`, `"other", ${etag}`, '*']) {
      const answer = await read({ headers: { 'If-None-Match': held } });
      expect([answer.status, await answer.text()]).toEqual([304, '']);
    }
    expect((await read({ headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('has the same weak ETag and Vary however it is read, or not sent', async () => {
    const plain = await read({ headers: { 'Accept-Encoding': 'identity' } });
    const etag = plain.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const others = [
      await read({ headers: { 'Accept-Encoding': 'gzip' } }),
      await read({ method: 'HEAD' }),
      await read({ headers: { 'If-None-Match': etag } }),
    ];
    for (const { headers } of [plain, ...others]) {
      expect([headers.get('etag'), headers.get('vary')]).toEqual([etag, 'Accept-Encoding']);
    }
  });

  it('is read by GET and HEAD alone', async () => {
    const head = await read({ method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await read({ method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });
});

it('the documentation tells the largest body that this service takes', async () => {
  expect(await (await fetch(`${small.url}/docs`)).text()).toContain('3 KiB, nested up to 16 levels');
});

const program = '/usr/bin/chromium';
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

describe.skipIf(isAbsent(program, 'the documentation in a browser'))('the page in a browser', () => {
  it('says everything without a script, fits a phone, and can be walked by keyboard', async () => {
    const browser = await chromium.launch({ executablePath: program, args: [...FLAGS, ...QUIET] });
    try {
      const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${small.url}/docs`);
      expect({ complaints, requests }).toEqual({ complaints: [], requests: [`${small.url}/docs`] });
      const text = await page.locator('body').textContent();
      for (const { parameters, columns } of DATASETS) {
        for (const { name } of [...parameters, ...columns]) expect(text).toContain(name);
      }
      for (const { status, when } of REFUSALS) expect(text).toContain(`${status}${when.slice(0, 20)}`);
      expect(await page.locator('script, img, link, iframe').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('content');
      const dangling = `[...document.querySelectorAll('a[href^="#"]')].filter((a) => !document.querySelector(a.hash)).length`;
      expect(await page.evaluate(dangling)).toBe(0);
      expect(await page.getByRole('table', { name: 'Filters of dataset 569' }).getByRole('row').count()).toBe(9);
    } finally {
      await browser.close();
    }
  });
});
