import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { QUERY_PATH } from '../../../src/contract/envelope.js';
import { isAbsent } from '../../support/is-absent.js';
import { ask } from '../../support/serve-folder.js';
import { type SmallService, serveSmall } from '../openapi/serve-small.js';
import { rawSocket } from './raw-socket.js';

const PAGE = 'https://odds.example';
const CHROMIUM = '/usr/bin/chromium';

let small: SmallService;
beforeAll(async () => {
  const origins = `${PAGE}, http://localhost:3000`;
  small = await serveSmall({ open: false, corsOrigins: origins, ratePerMinute: 60, rateBurst: 50 });
});
afterAll(() => small.close());

/** What a browser asks before a page sends a query. */
function preflight(url: string, origin: string, path = QUERY_PATH): Promise<Response> {
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  };
  return fetch(url + path, { method: 'OPTIONS', headers });
}

/** The headers of an answer that are about other origins. */
const crossing = (headers: Headers) => [...headers].filter(([name]) => name.startsWith('access-control-'));

describe('a page of an origin that is named', () => {
  it.each([PAGE, 'http://localhost:3000'])('%s may send a query, as a browser learns before', async (origin) => {
    for (const path of [QUERY_PATH, '/query']) {
      const { status, headers } = await preflight(small.url, origin, path);
      expect([status, headers.get('vary'), ...crossing(headers)]).toEqual([
        204,
        'Origin',
        ['access-control-allow-headers', 'Authorization, Content-Type, If-None-Match, X-Request-Id'],
        ['access-control-allow-methods', 'POST'],
        ['access-control-allow-origin', origin],
        [
          'access-control-expose-headers',
          'ETag, oddslab-data-version, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
        ],
        ['access-control-max-age', '7200'],
      ]);
    }
  });

  it('reads answers and refusals, of both readers, and no credentials are allowed', async () => {
    const key = { Authorization: `Bearer ${small.key}` };
    const sent: [object, Record<string, string>, number][] = [
      [{ agent_id: 574 }, key, 200],
      [{ agent_id: 574 }, { ...key, 'If-None-Match': '*' }, 304],
      [{ agent_id: 574, params: { closed: 'maybe' } }, key, 422],
      [{ agent_id: 574 }, {}, 401],
      [{ agent_id: 574 }, { ...key, 'Content-Type': 'text/plain' }, 415],
    ];
    for (const [body, given, expected] of sent) {
      for (const path of [QUERY_PATH, '/./query']) {
        const { status, headers } = await ask(small.url, body, { path, headers: { Origin: PAGE, ...given } });
        expect([status, headers.get('access-control-allow-origin')]).toEqual([expected, PAGE]);
        expect(headers.get('vary')).toBe(expected < 400 ? 'Accept-Encoding, Origin' : 'Origin');
        expect(headers.has('access-control-allow-credentials')).toBe(false);
      }
    }
  });
});

it.each([
  ['400', 'Host: a b\r\n'],
  ['400', ''],
  ['417', 'Host: localhost\r\nExpect: more\r\n'],
  ['501', 'Host: localhost\r\nTransfer-Encoding: gzip, chunked\r\n'],
])('a page of an origin that is named reads a refusal by the head alone: %s for "%s"', async (status, lines) => {
  const { socket, closed } = await rawSocket(small.url);
  socket.end(`POST /query HTTP/1.1\r\n${lines}Origin: ${PAGE}\r\nConnection: close\r\n\r\n`);
  const answer = await closed;
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(new RegExp(`^access-control-allow-origin: ${PAGE}\r$`, 'im'));
  expect(answer).toMatch(/^vary: Origin\r$/im);
});

describe('a page of another origin', () => {
  it.each([
    'https://odds.example.evil.example',
    'https://odds.example:8443',
    'http://odds.example',
    'https://sub.odds.example',
    'null',
    `${PAGE}/`,
    '*',
  ])('%s may not, and reads nothing', async (origin) => {
    const asked = await preflight(small.url, origin);
    expect([asked.status, asked.headers.get('vary'), crossing(asked.headers)]).toEqual([403, 'Origin', []]);
    const sent = { headers: { Origin: origin, Authorization: `Bearer ${small.key}` } };
    const answer = await ask(small.url, { agent_id: 574 }, sent);
    expect([answer.status, answer.headers.get('vary'), crossing(answer.headers)]).toEqual([
      200,
      'Accept-Encoding, Origin',
      [],
    ]);
  });

  it('is any, where no origin is named', async () => {
    const other = await serveSmall();
    onTestFinished(() => other.close());
    const asked = await preflight(other.url, PAGE);
    expect([asked.status, asked.headers.get('allow'), crossing(asked.headers)]).toEqual([405, 'POST', []]);
    const { headers } = await ask(other.url, { agent_id: 574 }, { headers: { Origin: PAGE } });
    expect([headers.get('vary'), crossing(headers)]).toEqual(['Accept-Encoding', []]);
  });
});

it('nothing but queries takes part', async () => {
  // The description of the interface is for everybody anyway.
  const paths = ['/', '/docs', '/healthz', '/readyz', '/dashboard', '/dashboard/keys', '/dashboard/link'];
  for (const path of paths) {
    const asked = await preflight(small.url, PAGE, path);
    expect([path, crossing(asked.headers)]).toEqual([path, []]);
    const { headers } = await fetch(small.url + path, { headers: { Origin: PAGE }, redirect: 'manual' });
    expect([path, crossing(headers)]).toEqual([path, []]);
  }
});

describe.skipIf(isAbsent(CHROMIUM, 'queries of a page in a browser'))('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
  });
  afterAll(() => browser.close());

  /** A web server with one page. @returns Its origin. */
  async function servePage(): Promise<string> {
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Asks from a page for the markets: what the page can read of it. */
  async function askFrom(origin: string, url: string, key: string) {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(origin);
    const body = JSON.stringify({ agent_id: 574, pagination: { limit: 3 } });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const names = ['x-request-id', 'ratelimit-remaining', 'oddslab-data-version', 'etag', 'server', 'date'];
    return page.evaluate(
      async ([address, init, read]) => {
        try {
          const answer = await fetch(address, init);
          const { data, detail } = await answer.json();
          const shown = read.filter((name) => answer.headers.has(name));
          return { status: answer.status, records: data?.results.length, detail, shown };
        } catch (error) {
          return { error: String(error) };
        }
      },
      [url, { method: 'POST', headers, body }, names] as const,
    );
  }

  it('a page of a named origin gets records by a key, and the reason of a refusal', async () => {
    const origin = await servePage();
    const service = await serveSmall({ open: false, corsOrigins: origin, ratePerMinute: 60, rateBurst: 50 });
    onTestFinished(() => service.close());
    for (const path of [QUERY_PATH, '/query']) {
      expect(await askFrom(origin, service.url + path, service.key)).toEqual({
        status: 200,
        records: 3,
        detail: undefined,
        shown: ['x-request-id', 'ratelimit-remaining', 'oddslab-data-version', 'etag'],
      });
    }
    expect(await askFrom(origin, `${service.url}/query`, 'odl_x')).toMatchObject({
      status: 401,
      detail: 'This API key is not valid.',
    });
    expect(await askFrom(origin, `${service.url}/docs`, service.key)).toEqual({
      error: expect.stringContaining('Failed to fetch'),
    });
  });

  it('a page of another origin gets nothing', async () => {
    const origin = await servePage();
    expect(await askFrom(origin, `${small.url}/query`, small.key)).toEqual({
      error: expect.stringContaining('Failed to fetch'),
    });
  });
});
