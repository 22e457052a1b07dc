import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { proxiesOf } from '../../../src/base/http-pool.js';
import { openTransport } from '../../../src/client/transport/transport.js';
import { faultServer, proxyServer, rawServer, sendWith } from '../fault-server.js';

const NAMES = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, '');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A service and a proxy before it, with one request sent to an address that only the proxy can reach. */
async function throughProxy(variable: string, user = '') {
  const service = await faultServer((_, response, { headers }) =>
    sendWith(response, 200, {}, JSON.stringify([headers.host, headers.authorization])),
  );
  const proxy = await proxyServer(service.url);
  vi.stubEnv(variable, proxy.url.replace('//', `//${user}`));
  const transport = openTransport('http://service.test/query?a=1', { apiKey: 'odl_1', retries: 0 });
  const { body } = await transport.post({});
  await transport.post({});
  await transport.close();
  await expect.poll(() => proxy.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  return { said: JSON.parse(Buffer.from(body).toString()), proxy };
}

describe('a proxy', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('that %s names forwards, over kept connections', async (variable) => {
    const { said, proxy } = await throughProxy(variable);
    expect(said).toEqual(['service.test', 'Bearer odl_1']);
    expect(proxy.asked).toEqual(Array(2).fill('POST http://service.test/query?a=1'));
    expect(proxy.sockets.length).toBe(1);
  });

  it('is given its user and password', async () => {
    const { proxy } = await throughProxy('HTTP_PROXY', 'me:p%20w@');
    expect(proxy.credentials).toEqual(Array(2).fill(`Basic ${Buffer.from('me:p w').toString('base64')}`));
  });

  it('is passed by where NO_PROXY says so, and for a service on this machine', async () => {
    const { url } = await faultServer((_, response) => sendWith(response, 200, {}, '{}'));
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    const here = openTransport(url, { retries: 0 });
    expect(await here.post({})).toMatchObject({ attempts: 1 });
    await here.close();
    vi.stubEnv('NO_PROXY', '.test');
    const there = openTransport('http://service.test/', { retries: 0 });
    await expect(there.post({})).rejects.toThrow('service.test');
    await there.close();
  });

  it('opens a tunnel to a service with TLS', async () => {
    const service = await faultServer(() => {});
    const proxy = await proxyServer(service.url);
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const transport = openTransport('https://service.test/query', { retries: 0, timeoutMs: 5000 });
    // The server behind it speaks no TLS: what counts is how far it came.
    await expect(transport.post({})).rejects.toThrow('could not be reached');
    expect(proxy.asked).toEqual(['CONNECT service.test:443']);
    await transport.close();
    await expect.poll(() => proxy.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('that is not there, or no address, is named', async () => {
    vi.stubEnv('HTTP_PROXY', '127.0.0.1:9');
    const transport = openTransport('http://service.test/', { retries: 0 });
    await expect(transport.post({})).rejects.toThrow(
      'The query service could not be reached (POST http://service.test/): connect ECONNREFUSED 127.0.0.1:9. ' +
        'Check the address (ODDSLAB_URL) and the proxy (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).',
    );
    await transport.close();
    vi.stubEnv('HTTP_PROXY', 'http://me:secret@:x');
    const wrong = openTransport('http://service.test/', { retries: 0 });
    await expect(wrong.post({})).rejects.toThrow(/^HTTP_PROXY or HTTPS_PROXY in the environment holds no address/);
    await wrong.close();
  });
});

describe('the proxies of an environment', () => {
  it.each<[string, Record<string, string>, object | undefined]>([
    ['http://a', {}, undefined],
    ['http://a', { NO_PROXY: 'b' }, undefined],
    ['http://a', { HTTP_PROXY: 'p:1' }, { httpProxy: 'http://p:1', httpsProxy: '', noProxy: '' }],
    [
      'http://a',
      { HTTP_PROXY: 'http://p', http_proxy: 'http://q' },
      { httpProxy: 'http://q', httpsProxy: '', noProxy: '' },
    ],
    ['http://a', { https_proxy: 'https://p', no_proxy: 'b' }, { httpProxy: '', httpsProxy: 'https://p', noProxy: 'b' }],
    ['http://localhost:1', { HTTP_PROXY: 'http://p' }, undefined],
    ['http://x.localhost', { HTTP_PROXY: 'http://p' }, undefined],
    ['http://127.1.2.3', { HTTP_PROXY: 'http://p' }, undefined],
    ['http://[::1]:1', { HTTP_PROXY: 'http://p' }, undefined],
  ])('of %s with %j', (url, environment, proxies) => {
    expect(proxiesOf(new URL(url), environment)).toEqual(proxies);
  });
});

it('gives up the connection to a proxy that does not come to stand', async () => {
  // A handshake that nobody answers.
  const proxy = await rawServer(() => {});
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, proxy.url.replace('http', 'https'));
  for (const url of ['http://service.test/', 'https://service.test/']) {
    const transport = openTransport(url, { connectTimeoutMs: 1e6, timeoutMs: 1e6 });
    await expect(transport.post({}, AbortSignal.timeout(200))).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect.poll(() => proxy.sockets.every(({ destroyed }) => destroyed)).toBe(true);
    await transport.close();
  }
  expect(proxy.sockets.length).toBe(2);
});
