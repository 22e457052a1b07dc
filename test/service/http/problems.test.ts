import { appendFile, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DataError, UsageError } from '../../../src/base/errors.js';
import { QUERY_PATH } from '../../../src/contract/envelope.js';
import { createKey, revokeKey } from '../../../src/service/accounts/api-keys.js';
import { type Service, serve } from '../../../src/service/serve-folder.js';
import { walletOf } from '../../support/raw-records.js';
import { type Answered, answered, ask, serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** What every error looks like, whatever it says. */
function expectProblem({ status, headers, json, text }: Answered, expected: number): void {
  expect(status, text).toBe(expected);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(json).toEqual({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z][\w ]+$/),
    status: expected,
    detail: expect.stringMatching(/\.$|"$|\)$|JSON|position/),
    request_id: headers.get('x-request-id'),
    ...(json.errors
      ? { errors: expect.arrayContaining([{ pointer: expect.any(String), detail: expect.any(String) }]) }
      : {}),
  });
  expect(text).not.toMatch(/node_modules|\bat \w+ \(|\.ts:|\.js:|duckdb/i);
}

let folder: string;
let service: Service;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-problems-'));
  await ingestSmall(folder);
  service = await serve({ folder, port: 0, open: true });
  url = service.url;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const wallet = walletOf(1);

describe('a request that is not valid', () => {
  it.each<[unknown, string]>([
    [[], ''],
    ['"text"', ''],
    ['null', ''],
    ['574', ''],
    [{}, '/agent_id'],
    [{ agent_id: '574.0' }, '/agent_id'],
    [{ agent_id: 574.5 }, '/agent_id'],
    [{ agent_id: null }, '/agent_id'],
    [{ agent_id: [574] }, '/agent_id'],
    ['{"agent_id":1e400}', '/agent_id'],
    [{ agent: 574 }, '/agent_id'],
    [{ agent_id: 574, parms: {} }, '/parms'],
    [{ agent_id: 574, 'a/b~c': 1 }, '/a~1b~0c'],
    [{ agent_id: 574, params: [] }, '/params'],
    [{ agent_id: 574, params: 'null' }, '/params'],
    [{ agent_id: 574, params: 'closed' }, '/params'],
    [{ agent_id: 574, pagination: 'null' }, '/pagination'],
    [{ agent_id: 574, pagination: [] }, '/pagination'],
    [{ agent_id: 574, pagination: { limit: 0 } }, '/pagination/limit'],
    [{ agent_id: 574, pagination: { limit: -1 } }, '/pagination/limit'],
    [{ agent_id: 574, pagination: { limit: 1001 } }, '/pagination/limit'],
    [{ agent_id: 574, pagination: { limit: 1.5 } }, '/pagination/limit'],
    [{ agent_id: 574, pagination: { limit: '10' } }, '/pagination/limit'],
    [{ agent_id: 574, pagination: { limit: '10' } }, '/pagination/limit'],
    [{ agent_id: 574, pagination: { offset: -1 } }, '/pagination/offset'],
    [{ agent_id: 574, pagination: { offset: 1e300 } }, '/pagination/offset'],
    [{ agent_id: 574, pagination: { offset: '0' } }, '/pagination/offset'],
    [{ agent_id: 574, pagination: { ofset: 0 } }, '/pagination/ofset'],
    [{ agent_id: 574, formatter_config: 'raw' }, '/formatter_config'],
    [{ agent_id: 574, formatter_config: { format_type: 'csv' } }, '/formatter_config/format_type'],
    [{ agent_id: 574, formatter_config: { format_type: 'null' } }, '/formatter_config/format_type'],
    [{ agent_id: 574, formatter_config: { type: 'raw' } }, '/formatter_config/type'],
    [{ agent_id: 574, params: { closed: 'yes' } }, '/params/closed'],
    [{ agent_id: 574, params: { closed: 2 } }, '/params/closed'],
    [{ agent_id: 574, params: { closd: 'True' } }, '/params/closd'],
    [{ agent_id: 574, params: { min_volume: '-1' } }, '/params/min_volume'],
    [{ agent_id: 574, params: { min_volume: 'NaN' } }, '/params/min_volume'],
    [{ agent_id: 574, params: { min_volume: '1e5' } }, '/params/min_volume'],
    [{ agent_id: 574, params: { min_volume: {} } }, '/params/min_volume'],
    [{ agent_id: 574, params: { market_slug: ['a'] } }, '/params/market_slug'],
    [{ agent_id: 574, params: { market_slug: 'x'.repeat(501) } }, '/params/market_slug'],
    [{ agent_id: 574, params: { end_date_min: '2026-01-01' } }, '/params/end_date_min'],
    [{ agent_id: 574, params: { end_date_max: '99999999999999' } }, '/params/end_date_max'],
    [{ agent_id: 574, params: { end_date_min: '2', end_date_max: '1' } }, '/params/end_date_max'],
    [{ agent_id: 574, params: { condition_id: '0x12' } }, '/params/condition_id'],
    [{ agent_id: 574, params: { event_slug: true, wallet } }, '/params/wallet'],
    ['{"agent_id":574,"params":{"__proto__":"x"}}', '/params/__proto__'],
    [{ agent_id: 555, params: { min_volume: '1' } }, '/params/min_volume'],
    [{ agent_id: 569 }, '/params/wallet'],
    [{ agent_id: 569, params: { wallet: '' } }, '/params/wallet'],
    [{ agent_id: 569, params: { wallet: '0x12' } }, '/params/wallet'],
    [{ agent_id: 569, params: { wallet: `${wallet},` } }, '/params/wallet'],
    [{ agent_id: 569, params: { wallet: [wallet] } }, '/params/wallet'],
    [
      { agent_id: 569, params: { wallet: Array.from({ length: 101 }, (_, n) => walletOf(n)).join() } },
      '/params/wallet',
    ],
    [{ agent_id: 569, params: { wallet_address: wallet, wallet } }, '/params/wallet_address'],
    [{ agent_id: 569, params: { wallet, granularity: '2d' } }, '/params/granularity'],
    [{ agent_id: 569, params: { wallet, start_time: '2026-02-30' } }, '/params/start_time'],
    [{ agent_id: 569, params: { wallet, start_time: '1767225600' } }, '/params/start_time'],
    [{ agent_id: 569, params: { wallet, end_time: '2026-1-1' } }, '/params/end_time'],
    [{ agent_id: 569, params: { wallet, start_time: '2026-01-02', end_time: '2026-01-01' } }, '/params/end_time'],
    [{ agent_id: 569, params: { wallet, condition_id: wallet } }, '/params/condition_id'],
    [{ agent_id: 586 }, '/params/wallet_address'],
    [{ agent_id: 586, params: { wallet_address: 'me' } }, '/params/wallet_address'],
    [{ agent_id: 586, params: { wallet } }, '/params/wallet'],
  ])('%j is told by a pointer to %j', async (body, pointer) => {
    const answer = await ask(url, body);
    expectProblem(answer, 422);
    expect(answer.json.errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer);
  });
});

describe('a request that cannot be read', () => {
  it.each(['', '{', '{"agent_id":574', 'agent_id=574', '{"agent_id":574}}'])('as JSON, %j, is 400', async (body) =>
    expectProblem(await ask(url, body), 400),
  );

  it('as UTF-8 is 400', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(url + QUERY_PATH, { method: 'POST', headers, body: new Uint8Array([0x22, 0xff, 0x22]) });
    expectProblem(await answered(answer), 400);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'of type %j is 415',
    async (type) => expectProblem(await ask(url, { agent_id: 574 }, { headers: { 'Content-Type': type } }), 415),
  );

  it.each(['gzip', 'br', 'identity, gzip', 'none'])('that says it is sent as %s is 415', async (encoding) => {
    const answer = await ask(url, { agent_id: 574 }, { headers: { 'Content-Encoding': encoding } });
    expectProblem(answer, 415);
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(answer.json.detail).toBe(`The body must be sent as it is, without a Content-Encoding; got ${encoding}.`);
  });

  it('that says it is sent as it is is read', async () => {
    const answer = await ask(url, { agent_id: 574 }, { headers: { 'Content-Encoding': 'Identity' } });
    expect(answer.status).toBe(200);
  });

  it('of more than a megabyte is 413', async () => {
    expectProblem(await ask(url, { agent_id: 574, params: { market_slug: 'x'.repeat(1 << 20) } }), 413);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('by %s is 405 that allows POST', async (method) => {
    for (const path of [QUERY_PATH, '/query']) {
      const answer = await answered(await fetch(url + path, { method }));
      expectProblem(answer, 405);
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });

  it('for another path or dataset is 404', async () => {
    expectProblem(await ask(url, {}, { path: '/v1/query' }), 404);
    const unknown = await ask(url, { agent_id: 999 });
    expectProblem(unknown, 404);
    expect(unknown.json.detail).toBe('There is no dataset 999; there are 574, 569, 586, 555, 579, 9001, 556, 568.');
  });
});

describe('a key', () => {
  it('is needed, and refused soon after its revocation, and never repeated', async () => {
    const { key, stored } = await createKey(folder, 'test');
    const keyed = await serveFolder(folder, { open: false });
    const asked = (authorization?: string) =>
      ask(keyed, { agent_id: 574 }, { headers: authorization === undefined ? {} : { Authorization: authorization } });
    expect((await asked(`Bearer ${key}`)).status).toBe(200);
    expect((await asked(`bearer ${key}`)).status).toBe(200);
    for (const wrong of [undefined, '', 'Bearer', `Basic ${key}`, key, `Bearer ${key}x`, 'Bearer odl_wrong']) {
      const answer = await asked(wrong);
      expectProblem(answer, 401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.text).not.toContain('odl_');
    }
    await revokeKey(folder, stored.id);
    await expect.poll(async () => (await asked(`Bearer ${key}`)).status).toBe(401);
    expectProblem(await asked(`Bearer ${key}`), 401);
    const next = await createKey(folder, 'next');
    await expect.poll(async () => (await asked(`Bearer ${next.key}`)).status).toBe(200);
  });

  it('whose file is damaged is good within a second of its mending', async () => {
    const { key, stored } = await createKey(folder, 'cut');
    const path = join(folder, 'keys', `${stored.id}.json`);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.slice(0, 20));
    // Long enough ago that the time of the folder tells of every change since.
    await utimes(join(folder, 'keys'), 1, 1);
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const keyed = await serveFolder(folder, { open: false });
    const asked = () => ask(keyed, { agent_id: 574 }, { headers: { Authorization: `Bearer ${key}` } });
    expectProblem(await asked(), 401);
    await writeFile(path, text);
    await expect.poll(async () => (await asked()).status).toBe(200);
  });
});

describe('a service', () => {
  it('without data answers 503, and what is ingested soon', async () => {
    const empty = await temporaryFolder();
    const here = await serveFolder(empty);
    const answer = await ask(here, { agent_id: 574 });
    expectProblem(answer, 503);
    expect(answer.headers.get('retry-after')).toBe('5');
    await ingestSmall(empty);
    await expect.poll(async () => (await ask(here, { agent_id: 574 })).json.data?.results).toHaveLength(12);
  });

  it('whose data are damaged answers 503, and tells its operator', async () => {
    const damaged = await temporaryFolder();
    const told: unknown[] = [];
    const here = await serveFolder(damaged, { onData: ({ problem }) => told.push(problem) });
    await appendFile(join(damaged, 'current'), '000009\n');
    let answer = await ask(here, { agent_id: 574 });
    // Until the service has looked, there are no data.
    while (/No data/.test(answer.json.detail)) answer = await ask(here, { agent_id: 574 });
    expectProblem(answer, 503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(told.at(-1)).toMatch(/Version 000009/);
    await expect(serve({ folder: damaged, port: 0 })).rejects.toThrow(DataError);
    await expect(serve({ folder: damaged, port: 0 })).rejects.toThrow('Version 000009');
  });

  it('that fails says so without telling how, and tells its operator', async () => {
    const damaged = await temporaryFolder();
    await ingestSmall(damaged);
    // Keys are files of a folder by that name.
    await writeFile(join(damaged, 'keys'), 'no folder');
    const told: unknown[] = [];
    const onError = (error: unknown, requestId: string) => told.push([error, requestId]);
    const here = await serveFolder(damaged, { open: false, onError });
    const answer = await ask(here, { agent_id: 574 }, { headers: { Authorization: 'Bearer odl_x' } });
    expectProblem(answer, 500);
    expect(told).toEqual([[expect.any(Error), answer.json.request_id]]);
  });

  it('does not start without a folder, on a taken port, or open to others', async () => {
    const port = Number(new URL(url).port);
    await expect(serve({ folder: join(folder, 'none'), port: 0 })).rejects.toThrow(DataError);
    await expect(serve({ folder, port })).rejects.toThrow(`port ${port} is in use`);
    await expect(serve({ folder, port: 0, host: '0.0.0.0', open: true })).rejects.toThrow(UsageError);
  });
});
