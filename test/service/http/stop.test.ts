import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import { type ServeOptions, type Service, serve } from '../../../src/service/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { Browser } from '../web/browser.js';
import { startMailServer } from '../web/mail-server.js';
import { keepAsking } from './keep-asking.js';
import { rawQuery, rawSocket, requestsInFlight } from './raw-socket.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-stop-'));
  await ingestSmall(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function started(options: Partial<ServeOptions> = {}): Promise<Service> {
  const service = await serve({ folder, port: 0, open: true, ...options });
  onTestFinished(() => service.close());
  return service;
}

describe('a service that is told to stop', () => {
  it.each([
    ['read past node:http', true],
    ['read by node:http', false],
  ])('under load, %s, fails no request and resets no connection', async (_, plainRequests) => {
    for (let turn = 0; turn < 5; turn++) {
      const lines: RequestLine[] = [];
      // For a while each client opens a connection for each query.
      const drainDelaySeconds = turn % 2 === 0 ? 0.1 : 0;
      const service = await started({ plainRequests, drainDelaySeconds, onRequest: (line) => lines.push(line) });
      const clients = Array.from({ length: 16 }, () => keepAsking(service.url));
      await new Promise((done) => setTimeout(done, 200));
      await service.close();
      const statuses = (await Promise.all(clients)).flat();
      expect(new Set(statuses)).toEqual(new Set([200]));
      // What the service has answered has come, so none that it had taken was cut off.
      expect(lines.map(({ status }) => status)).toEqual(statuses);
    }
  });

  it('under load resets no connection of a browser that asks whether a page may send queries', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const service = await started({ corsOrigins: 'https://a.example', drainDelaySeconds: turn % 2 === 0 ? 0.1 : 0 });
      const clients = Array.from({ length: 16 }, () => keepAsking(service.url, 'OPTIONS'));
      await new Promise((done) => setTimeout(done, 200));
      await service.close();
      expect(new Set((await Promise.all(clients)).flat())).toEqual(new Set([204]));
    }
  });

  it('says so at once by /readyz, and answers on for the delay, each answer the last of its connection', async () => {
    const service = await started({ drainDelaySeconds: 0.3 });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const stopped = service.close();
    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    expect(await ready.json()).toMatchObject({ detail: 'The service is stopping.' });
    const { socket, closed } = await rawSocket(service.url);
    socket.write(rawQuery());
    expect(await closed).toMatch(/^HTTP\/1.1 200 [\s\S]*Connection: close/);
    await stopped;
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
  });

  it('lets a request end that has begun, and one that comes on an open connection', async () => {
    const service = await started();
    const begun = await rawSocket(service.url);
    const text = rawQuery();
    begun.socket.write(text.slice(0, -5));
    await expect.poll(() => requestsInFlight(service.url)).toBe(1);
    const idle = await rawSocket(service.url);
    const stopped = service.close();
    idle.socket.write(text);
    await new Promise((done) => setTimeout(done, 100));
    begun.socket.write(text.slice(-5));
    for (const each of [begun, idle]) expect(await each.closed).toMatch(/^HTTP\/1.1 200 [\s\S]*Connection: close/);
    await stopped;
  });

  it('answers a request that came while it was held up', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const service = await started();
    const { socket, until, closed } = await rawSocket(service.url);
    socket.write(rawQuery());
    await until(/\}$/);
    // No answer has been sent for a while, so nothing has to be waited for before it stops to listen.
    vi.advanceTimersByTime(200);
    const timers = vi.getTimerCount();
    const stopped = service.close();
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(timers);
    socket.write(rawQuery());
    // Nothing is read meanwhile.
    vi.advanceTimersByTime(1000);
    expect((await closed).match(/HTTP\/1.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    await stopped;
  });

  it.each([
    ['a query whose body does not come', rawQuery().slice(0, -5)],
    ['answers that nobody takes', 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(400)],
    ['answers to queries that nobody takes', rawQuery().repeat(40_000)],
  ])('cuts off after its time %s, and has told of each by then', async (_, text) => {
    const lines: RequestLine[] = [];
    const service = await started({ drainSeconds: 0.1, onRequest: (line) => lines.push(line) });
    const { socket, closed } = await rawSocket(service.url);
    socket.pause().write(text);
    await expect.poll(() => requestsInFlight(service.url)).toBeGreaterThan(0);
    await new Promise((done) => setTimeout(done, 300));
    await service.close();
    expect(lines.at(-1)?.status).toBe(499);
    socket.destroy();
    await closed;
  });

  it('gives up after its time a sign-in mail whose server says nothing, and tells of it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    const connected = once(server, 'connection');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const errors: unknown[] = [];
    const mail = { smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'odds@example.org' };
    const service = await started({ ...mail, drainSeconds: 0.5, onError: (error) => errors.push(String(error)) });
    await new Browser(service.url).post('/dashboard/link', { email: 'ann@example.org' });
    const [socket] = await connected;
    const cut = once(socket.resume(), 'close');
    await service.close();
    await cut;
    const reason = 'the service stopped before the server had taken it';
    expect(errors).toEqual([`OddslabError: A sign-in mail could not be sent by 127.0.0.1:${port}: ${reason}.`]);
  });

  it('waits for a sign-in mail that is taken within its time', async () => {
    const server = await startMailServer({ onConnect: (_session, done) => void setTimeout(done, 500) });
    onTestFinished(() => server.close());
    const mail = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'odds@example.org' };
    const service = await started(mail);
    await new Browser(service.url).post('/dashboard/link', { email: 'ann@example.org' });
    await service.close();
    expect(server.mails.map(({ to }) => to)).toEqual([['ann@example.org']]);
  });

  it('twice stops once', async () => {
    const service = await started();
    await Promise.all([service.close(), service.close()]);
    await service.close();
  });
});
