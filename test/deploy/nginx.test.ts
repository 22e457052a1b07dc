import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Service, serve } from '../../src/service/serve-folder.js';
import { isAbsent } from '../support/is-absent.js';
import { ingestSmall } from '../support/small-market.js';
import { spoilDatabase } from '../support/spoil-database.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { CLIENT_HEADER, hasIPv6, NGINX, type ProxyAnswer, startNginx } from './nginx-server.js';

/** Requests that come at once; each by another key, so that they meet both services. */
const CLIENTS = 16;

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'oddslab-nginx-'));
  await ingestSmall(data);
});
afterAll(() => rm(data, { recursive: true, force: true }));

/** nginx, and what sends it one query by a key, or asks for a page, or sends as many at once as there are clients. */
async function startAsked(rate?: number) {
  const { ask: askOnce, ports } = await startNginx(rate);
  const one = (path: string, key: number, { body = '{"agent_id":574}', ...by }: Partial<AskedBy> = {}) =>
    askOnce(path, { Authorization: `Bearer ${key}` }, path === '/query' ? body : undefined, by);
  const ask = async (path: string) =>
    (await Promise.all(Array.from({ length: CLIENTS }, (_, key) => one(path, key)))).map(({ status }) => status);
  return { one, ask, ports };
}

/** By which address nginx is asked, and what is sent to it. */
interface AskedBy {
  readonly host: string;
  /** The body of a query. Default: one for markets. */
  readonly body: string;
  /** Whether to ask without TLS. */
  readonly isPlain: boolean;
}

async function start(folder: string, port: number): Promise<Service> {
  const service = await serve({ folder, port, open: true, baseUrl: 'https://odds.example', ratePerMinute: 0 });
  onTestFinished(() => service.close());
  return service;
}

const isLeftOut = isAbsent(NGINX, 'nginx as the page on deploying has it');
describe.skipIf(isLeftOut)('nginx as the page on deploying has it', () => {
  it('loses no request while services are restarted in turn, or while one is gone', async () => {
    const { ask, ports } = await startAsked();
    const services = await Promise.all(ports.map((port) => start(data, port)));
    const answers: number[] = [];
    let isOver = false;
    const load = (async () => {
      while (!isOver) answers.push(...(await ask('/query')), ...(await ask('/healthz')));
    })();
    for (const [place, port] of ports.entries()) {
      await sleep(200);
      await services[place]?.close();
      await sleep(100);
      services[place] = await start(data, port);
    }
    await services[0]?.close();
    const before = answers.length;
    while (answers.length < before + CLIENTS * 4) await sleep(20);
    isOver = true;
    await load;
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('asks the next service where one refuses a query, and leaves neither out where both do', async () => {
    const { ask, ports } = await startAsked();
    const empty = await temporaryFolder();
    await start(empty, ports[0]);
    const other = await start(empty, ports[1]);
    for (let n = 0; n < 3; n++) {
      expect(new Set(await ask('/query'))).toEqual(new Set([503]));
      expect(new Set(await ask('/healthz'))).toEqual(new Set([200]));
    }
    await other.close();
    await start(data, ports[1]);
    expect(new Set(await ask('/query'))).toEqual(new Set([200]));
  });

  it('asks the next service where a damaged database keeps one from answering, and only then', async () => {
    const { one, ports } = await startAsked();
    const damaged = join(await temporaryFolder(), 'data');
    await cp(data, damaged, { recursive: true });
    await spoilDatabase(damaged, '000001');
    await start(damaged, ports[0]);
    await start(data, ports[1]);
    const readiness = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status),
    );
    expect(readiness).toEqual([503, 200]);
    // A leaderboard comes from the database, markets from the files beside it.
    for (const body of ['{"agent_id":579}', '{"agent_id":574}']) {
      const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, key) => one('/query', key, { body })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ text }) => JSON.parse(text).data.results.length)).size).toBe(1);
    }
  });

  it('is asked by https alone, also by IPv6, and says so; it takes no large body', async () => {
    const { one, ports } = await startAsked();
    await start(data, ports[0]);
    if (!hasIPv6) console.log('skipped: nginx by IPv6, as this machine has no such loopback');
    for (const host of hasIPv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']) {
      const secure = await one('/query', 1, { host });
      expect([secure.status, secure.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
      const large = await one('/query', 1, { host, body: 'x'.repeat((1 << 20) + 1) });
      expect(large.status).toBe(413);
      const { status, headers } = await one('/docs', 1, { host, isPlain: true });
      expect([status, headers.location]).toEqual([301, 'https://odds.example/docs']);
    }
  });

  it('limits what comes from one /64 of IPv6 together, and each address of IPv4 by itself', async () => {
    const { ask, ports } = await startNginx(1);
    await start(data, ports[0]);
    const from = async (addressOf: (n: number) => string) => {
      const statuses = new Set<number>();
      for (let turn = 0; turn < 20; turn++) {
        const asked = Array.from({ length: 16 }, (_, n) =>
          ask('/healthz', { [CLIENT_HEADER]: addressOf(16 * turn + n) }).then(({ status }) => status),
        );
        for (const status of await Promise.all(asked)) statuses.add(status);
      }
      return statuses;
    };
    expect(await from((n) => `2001:db8:0:a::${n.toString(16)}:1`)).toEqual(new Set([200, 429]));
    expect(await from((n) => `2001:db8:1:${n.toString(16)}::1`)).toEqual(new Set([200]));
    expect(await from((n) => `10.1.${n >> 8}.${n & 255}`)).toEqual(new Set([200]));
    expect(await from((n) => `::ffff:10.2.${n >> 8}.${n & 255}`)).toEqual(new Set([200]));
  });

  it('limits what one address sends, and tells it by a problem when to go on', async () => {
    const { one, ports } = await startAsked(1);
    await start(data, ports[0]);
    const answers: ProxyAnswer[] = [];
    for (let turn = 0; turn < 20; turn++) {
      answers.push(...(await Promise.all(Array.from({ length: 16 }, (_, key) => one('/healthz', key)))));
    }
    const refused = answers.filter(({ status }) => status !== 200);
    // Some of its burst may have gone while it started.
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(150);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, text } of refused) {
      expect([status, headers['retry-after'], headers['content-type']]).toEqual([429, '1', 'application/problem+json']);
      expect(JSON.parse(text)).toMatchObject({ status: 429, title: 'Too many requests' });
    }
  });
});
