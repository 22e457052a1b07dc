import { describe, expect, it, onTestFinished } from 'vitest';
import { ServiceError } from '../../../src/base/errors.js';
import { openTransport } from '../../../src/client/transport/transport.js';
import type { TransportOptions, Wait } from '../../../src/client/transport/transport-options.js';
import { faultServer, rawServer, sendWith } from '../fault-server.js';

/** A moment on the server's clock, which is an hour behind. */
function behind(milliseconds: number): Date {
  return new Date(Math.ceil((Date.now() + milliseconds) / 1000) * 1000 - 3_600_000);
}

/** Refuses the first requests with such headers, then answers; gives how the one request went. */
async function goesLike(refused: number, status: number, headers: () => Record<string, string>) {
  const waits: Wait[] = [];
  const warnings: string[] = [];
  const server = await faultServer((_, response) => {
    if (server.asked.length > refused) sendWith(response, 200, {}, '{}');
    else sendWith(response, status, headers(), '{"error":"slow down"}');
  });
  const onWait = (wait: Wait) => waits.push(wait);
  const transport = openTransport(server.url, { onWait, onWarning: (text) => warnings.push(text), backOffMs: 1 });
  const { attempts, waitedMs } = await transport.post({});
  await transport.close();
  return { waits, warnings, attempts, waitedMs };
}

describe('a service that asks to wait', () => {
  it.each<[string, number, () => Record<string, string>]>([
    ['by seconds', 429, () => ({ 'retry-after': '1' })],
    [
      'by a date on its own clock',
      503,
      () => ({ 'retry-after': behind(1000).toUTCString(), date: behind(0).toUTCString() }),
    ],
    ['by the reset of its limit', 429, () => ({ 'ratelimit-remaining': '0', 'ratelimit-reset': '1' })],
    ['by the reset as a moment', 429, () => ({ 'x-ratelimit-reset': String(Date.now() / 1000 + 2) })],
    ['by the reset in milliseconds', 429, () => ({ 'x-ratelimit-reset': String(Date.now() + 2000) })],
  ])('is waited for, and it is told once: %s', async (_, status, headers) => {
    const { waits, warnings, attempts, waitedMs } = await goesLike(1, status, headers);
    expect(attempts).toBe(2);
    expect(waits).toEqual([{ waitMs: expect.any(Number), reason: `${status} slow down.`, isAsked: true }]);
    const [wait = { waitMs: 0 }] = waits;
    expect(wait.waitMs).toBeGreaterThan(500);
    expect(wait.waitMs).toBeLessThanOrEqual(3000);
    expect(waitedMs).toBeGreaterThanOrEqual(wait.waitMs - 5);
    expect(warnings).toEqual([
      expect.stringMatching(/^The query service asks to wait [\d.]+ m?s: \d+ slow down\. Later waits are/),
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['no time at all', { 'retry-after': '0' }],
    ['what is no time', { 'retry-after': 'soon', 'x-ratelimit-reset': '-5' }],
    ['a moment that is over', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
  ])('by %s is asked again after a short pause', async (_, headers) => {
    const { attempts, waits, warnings } = await goesLike(3, 429, () => headers);
    expect([attempts, waits.length, warnings]).toEqual([4, 3, []]);
    for (const { waitMs, isAsked } of waits) {
      expect(waitMs).toBeLessThanOrEqual(4);
      expect(isAsked).toBe(false);
    }
  });

  it('longer than a request may take is an error at once', async () => {
    const { url, asked } = await faultServer((_, response) =>
      sendWith(response, 429, { 'retry-after': '3600' }, 'Enough'),
    );
    const transport = openTransport(url);
    const beyond = 'To wait another 3600 s would go beyond the 300 s that a request may take (timeoutMs).';
    await expect(transport.post({})).rejects.toThrow(
      new ServiceError(
        `The query service refused the request (POST ${url}/): 429 Enough. ${beyond}`,
        expect.anything(),
      ),
    );
    // The next request knows it already.
    await expect(transport.post({})).rejects.toThrow(
      `The query service was not asked (POST ${url}/): the rate limit of the service is used up. To wait another 3600 s`,
    );
    expect(asked.length).toBe(1);
    await transport.close();
  });

  it('by a refusal that would come again stops nobody else', async () => {
    const { url } = await faultServer(({ agent_id }, response) =>
      sendWith(response, agent_id === 1 ? 404 : 200, { 'retry-after': '3600', 'x-ratelimit-reset': '3600' }, '{}'),
    );
    const transport = openTransport(url);
    await expect(transport.post({ agent_id: 1 })).rejects.toThrow('404');
    expect(await transport.post({ agent_id: 2 })).toMatchObject({ attempts: 1, waitedMs: 0 });
    await transport.close();
  });
});

describe('a rate limit', () => {
  it.each([
    [
      { 'ratelimit-remaining': '0', 'ratelimit-reset': '1' },
      { 'ratelimit-remaining': '5', 'ratelimit-reset': '9' },
    ],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }, { 'x-ratelimit-remaining': '1' }],
    [{ ratelimit: '"hour";r=0;t=1' }, { ratelimit: '"hour";r=10;t=99' }],
    [{ ratelimit: 'limit=9, remaining=0, reset=1' }, {}],
  ])('that is used up is kept by all requests: %o', async (usedUp, open) => {
    const sentAt: number[] = [];
    const { url } = await faultServer((_, response) => {
      sentAt.push(performance.now());
      sendWith(response, 200, { ...(sentAt.length === 1 ? usedUp : open) }, '{}');
    });
    const transport = openTransport(url);
    expect(await transport.post({})).toMatchObject({ attempts: 1, waitedMs: 0 });
    const answers = await Promise.all([1, 2, 3].map((agent_id) => transport.post({ agent_id })));
    expect(answers.map(({ attempts, waitedMs }) => [attempts, waitedMs > 0])).toEqual(Array(3).fill([1, true]));
    for (const at of sentAt.slice(1)) expect(at - (sentAt[0] ?? 0)).toBeGreaterThan(900);
    await transport.close();
  });

  it('of one request at a time lets every one of many through, whatever their number of tries', async () => {
    let open = true;
    const { url } = await faultServer((_, response) => {
      if (!open) return sendWith(response, 429, { 'retry-after': '0.02' }, '{"error":"one at a time"}');
      open = false;
      setTimeout(() => {
        open = true;
      }, 20);
      sendWith(response, 200, {}, '{}');
    });
    const transport = openTransport(url, { retries: 2 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => transport.post({})));
    expect(Math.max(...answers.map(({ attempts }) => attempts))).toBeGreaterThan(3);
    await transport.close();
  });
});

describe('a request that is aborted', () => {
  const never: [string, TransportOptions, Parameters<typeof rawServer>[0]][] = [
    ['before the answer', {}, () => {}],
    ['within the answer', {}, (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
    [
      'in a pause',
      { backOffMs: 2 ** 31 - 1, timeoutMs: 2 ** 31 - 1 },
      (socket) => void socket.end('HTTP/1.1 500 No\r\n\r\n'),
    ],
    [
      'waiting for the service',
      {},
      (socket) => void socket.end('HTTP/1.1 503 No\r\nretry-after: 200\r\ncontent-length: 0\r\n\r\n'),
    ],
  ];

  it.each(never)('ends at once with the reason, and leaves nothing behind: %s', async (_, options, answer) => {
    const server = await rawServer(answer);
    const reason = new Error('changed my mind');
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const transport = openTransport(server.url, options);
    const stop = new AbortController();
    const posted = transport.post({}, stop.signal);
    const waitsBefore = timers();
    setTimeout(() => stop.abort(reason), 200);
    await expect(posted).rejects.toBe(reason);
    expect(timers()).toBeLessThanOrEqual(waitsBefore);
    await expect(transport.post({}, stop.signal)).rejects.toBe(reason);
    await transport.close();
    await expect.poll(() => server.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('ends at once while it connects, and gives the connection up', async () => {
    const server = await rawServer(() => {});
    const transport = openTransport(server.url.replace('http', 'https'), { connectTimeoutMs: 1e6, timeoutMs: 1e6 });
    const stop = new AbortController();
    const reason = new Error('changed my mind');
    const ended = expect(transport.post({}, stop.signal)).rejects.toBe(reason);
    await expect.poll(() => server.sockets.length).toBe(1);
    stop.abort(reason);
    await ended;
    await expect.poll(() => server.sockets.every(({ destroyed }) => destroyed)).toBe(true);
    await transport.close();
  });

  it('is so with many others at once, without a warning of too many listeners', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const server = await faultServer(({ agent_id }, response) => {
      if (agent_id < 20) sendWith(response, 200, {}, '{}');
    });
    const transport = openTransport(server.url);
    const stop = new AbortController();
    const all = Array.from({ length: 40 }, (_, agent_id) => transport.post({ agent_id }, stop.signal));
    await Promise.all(all.slice(0, 20));
    stop.abort();
    const ends = await Promise.allSettled(all);
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBe(20);
    await transport.close();
    expect(warnings).toEqual([]);
  });

  it('does not end the others', async () => {
    const { url } = await faultServer((_, response) => void setTimeout(() => sendWith(response, 200, {}, '{}'), 100));
    const transport = openTransport(url);
    const stop = new AbortController();
    const [stopped, kept] = [transport.post({}, stop.signal), transport.post({})];
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(await kept).toMatchObject({ attempts: 1 });
    await transport.close();
  });
});
