import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATA_VERSION_HEADER, QUERY_PATH } from '../../../src/contract/envelope.js';
import { createKey } from '../../../src/service/accounts/api-keys.js';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { type Service, serve } from '../../../src/service/serve-folder.js';
import { gammaMarket, walletOf } from '../../support/raw-records.js';
import { ask, serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let service: Service;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-answers-'));
  await ingestSmall(folder);
  service = await serve({ folder, port: 0, open: true });
  url = service.url;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** An answer with the bytes that came, as `fetch` would decode them. */
function raw(target: string, headers: Readonly<Record<string, string>>, body?: object) {
  return new Promise<{ status: number | undefined; headers: Readonly<Record<string, unknown>>; bytes: Buffer }>(
    (resolve, reject) => {
      const method = body ? 'POST' : 'GET';
      const type = body ? { 'Content-Type': 'application/json' } : {};
      const sent = request(target, { method, headers: { ...type, ...headers } }, async (answer) => {
        const pieces: Buffer[] = [];
        for await (const piece of answer) pieces.push(piece);
        resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(pieces) });
      });
      sent.once('error', reject).end(body && JSON.stringify(body));
    },
  );
}

describe('an answer', () => {
  const markets = { agent_id: 574, params: { closed: 'False' } };

  it('has a name that another query, page or spelling does not have, and the same query has again', async () => {
    const etag = async (body: object) => (await ask(url, body)).headers.get('etag');
    const first = await etag(markets);
    expect(first).toMatch(/^W\/"[\w-]+"$/);
    expect(await etag({ params: { closed: 'False' }, agent_id: 574, pagination: { limit: 200 } })).toBe(first);
    const others = await Promise.all([
      etag({ ...markets, pagination: { limit: 199 } }),
      etag({ ...markets, pagination: { offset: 1 } }),
      etag({ agent_id: 574 }),
      etag({ agent_id: 555, params: { closed: 'False' } }),
      etag({ agent_id: 574, params: { min_volume: '5' } }),
      etag({ agent_id: 574, params: { min_volume: '5.0' } }),
    ]);
    expect(new Set([first, ...others]).size).toBe(7);
  });

  it('that the client has already is 304 without a body, until the data change', async () => {
    const at = await temporaryFolder();
    await ingestSmall(at);
    const here = await serveFolder(at);
    const first = await ask(here, markets);
    const [etag, version] = [first.headers.get('etag') ?? '', first.headers.get(DATA_VERSION_HEADER)];
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask(here, markets, { headers: { 'If-None-Match': known } });
      expect([again.status, again.text]).toEqual([304, '']);
      expect([again.headers.get('etag'), again.headers.get(DATA_VERSION_HEADER)]).toEqual([etag, version]);
    }
    for (const unknown of ['', '"other"', etag.replace('W/"', 'W/"x')]) {
      expect((await ask(here, markets, { headers: { 'If-None-Match': unknown } })).status).toBe(200);
    }
    await ingest({ folder: at, inputs: [await put(at, 'more.json', [gammaMarket(99)])] });
    const known = () => ask(here, markets, { headers: { 'If-None-Match': etag } });
    await expect.poll(async () => (await known()).status).toBe(200);
    const changed = await known();
    expect([changed.status, changed.json.data.results.length]).toEqual([200, 10]);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('comes as %s to a client that takes it, and says so', async (encoding, decode) => {
    const body = { agent_id: 574 };
    const [plain, first, second] = [
      await raw(url + QUERY_PATH, {}, body),
      await raw(url + QUERY_PATH, { 'Accept-Encoding': encoding }, body),
      await raw(url + QUERY_PATH, { 'Accept-Encoding': encoding }, body),
    ];
    expect(plain.headers).not.toHaveProperty('content-encoding');
    for (const answer of [first, second]) {
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
      expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(JSON.parse(decode(answer.bytes).toString()).data).toEqual(JSON.parse(plain.bytes.toString()).data);
    }
    expect(plain.headers.vary).toBe('Accept-Encoding');
    const small = await raw(
      url + QUERY_PATH,
      { 'Accept-Encoding': encoding },
      { agent_id: 574, pagination: { limit: 1 } },
    );
    expect(small.headers).not.toHaveProperty('content-encoding');
    const page = await raw(`${url}/openapi.json`, { 'Accept-Encoding': encoding });
    expect(page.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
    expect(JSON.parse(decode(page.bytes).toString()).openapi).toMatch(/^3\.1/);
  });

  it('is not compressed where that is turned off', async () => {
    const here = await serveFolder(folder, { compress: false });
    const answer = await raw(here + QUERY_PATH, { 'Accept-Encoding': 'gzip' }, { agent_id: 574 });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });
});

describe('a request', () => {
  it('keeps an id of a safe form, and gets another for any other', async () => {
    const idOf = async (id: string) =>
      (await ask(url, {}, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    for (const safe of ['a', 'trace-1:2.3_4', 'x'.repeat(64)]) expect(await idOf(safe)).toBe(safe);
    for (const other of ['', 'x'.repeat(65), 'a b', '<b>', '"a"', 'a;b', 'ä']) {
      expect(await idOf(other)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('is told of once it is answered, by id, route, dataset, status and key alone', async () => {
    const { key, stored } = await createKey(folder, 'told');
    const lines: RequestLine[] = [];
    const here = await serveFolder(folder, { open: false, onRequest: (line) => lines.push(line) });
    const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': 'one' };
    await ask(here, { agent_id: 569, params: { wallet: walletOf(1) } }, { headers });
    await ask(here, { agent_id: 574, params: { market_slug: 'secret' } }, { path: '/query' });
    await fetch(`${here}/dashboard/in?link=${key}`, { method: 'POST' });
    await ask(here, {}, { path: `/${key}` });
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const sent = { method: 'POST', ms: expect.any(Number), bytes: expect.any(Number), client: '127.0.0.1' };
    expect(lines).toEqual([
      { ...sent, id: 'one', route: QUERY_PATH, dataset: 569, status: 200, key: stored.id },
      { ...sent, id, route: '/query', status: 401 },
      { ...sent, id, route: '/dashboard/*', status: expect.any(Number) },
      { ...sent, id, route: 'none', status: 404 },
    ]);
    expect(lines[0]?.bytes).toBeGreaterThan(500);
    expect(JSON.stringify(lines)).not.toContain(key);
  });
});

describe('a key', () => {
  it('may make so many queries, and is then told when to come again', async () => {
    const { key } = await createKey(folder, 'limited');
    const other = await createKey(folder, 'other');
    const here = await serveFolder(folder, { open: false, ratePerMinute: 1, rateBurst: 2 });
    const asked = (by: string, body: object = { agent_id: 574 }) =>
      ask(here, body, { headers: { Authorization: `Bearer ${by}` } });
    const limitsOf = ({ headers }: { headers: Headers }) =>
      ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
    const aMinute = expect.stringMatching(/^([345]\d|60)$/);
    const first = await asked(key);
    expect([first.status, ...limitsOf(first)]).toEqual([200, '2', '1', aMinute]);
    const second = await asked(key, { agent_id: 1 });
    expect([second.status, ...limitsOf(second)]).toEqual([404, '2', '0', aMinute]);
    const third = await asked(key);
    const [, , resetIn] = limitsOf(third);
    expect([third.status, ...limitsOf(third)]).toEqual([429, '2', '0', aMinute]);
    expect(third.headers.get('retry-after')).toBe(resetIn);
    expect(third.json.detail).toBe(`This key may make 2 queries at once and 1 a minute: ask again in ${resetIn} s.`);
    expect(third.headers.get('content-type')).toBe('application/problem+json');
    expect((await asked(other.key)).status).toBe(200);
    expect(limitsOf(await ask(here, { agent_id: 574 }))).toEqual([null, null, null]);
  });

  it('that is wrong gets the same answer, whatever is wrong with it', async () => {
    const { key } = await createKey(folder, 'near');
    const here = await serveFolder(folder, { open: false });
    const wrong = [`${key.slice(0, -1)}~`, `x${key.slice(1)}`, 'odl_', 'x', 'y'.repeat(4000)];
    const answers = await Promise.all(
      wrong.map((each) => ask(here, {}, { headers: { Authorization: `Bearer ${each}`, 'X-Request-Id': 'same' } })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 401));
    const names = answers.map(({ headers }) => [...headers.keys()].sort().join());
    expect(new Set(names).size).toBe(1);
  });
});
