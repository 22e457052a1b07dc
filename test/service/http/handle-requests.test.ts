import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Connections } from '../../../src/service/http/connections.js';
import { clientReader } from '../../../src/service/http/hosts.js';
import { createServer, handleRequests } from '../../../src/service/http/node-server.js';
import { ProblemError, refusalOf } from '../../../src/service/http/problems.js';
import type { Handling } from '../../../src/service/http/query-endpoint.js';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import { DEFAULT_SETTINGS } from '../../../src/service/settings/settings.js';
import { endOf, firstLineOf, startCommand } from '../../support/run-command.js';
import { serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { rawQuery, rawSocket } from './raw-socket.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-requests-'));
  await ingestSmall(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the built command, silent but for what is no line of its log. */
async function start(host: string) {
  const words = ['serve', '--data', folder, '--open', '--port', '0', '--host', host, '--log-level', 'silent'];
  const child = startCommand(words);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = endOf(child);
  const url = new URL(await firstLineOf(child));
  const stop = async () => {
    child.kill('SIGTERM');
    const { code, err } = await ended;
    return { code, err };
  };
  return { url, stop };
}

/** How a query may be addressed besides the plain way. */
interface Address {
  path?: string;
  host?: string;
}

/** Sends a query on a kept connection. @returns Its status, and whether the connection was one that served before. */
function query({ hostname, port, host: own }: URL, agent: Agent, { path = '/query', host = own }: Address) {
  return new Promise<[number | undefined, boolean]>((resolve, reject) => {
    const headers = { Host: host, 'Content-Type': 'application/json' };
    const address = { host: hostname.replace(/^\[|\]$/g, ''), port, path, method: 'POST', agent, headers };
    const sent = request(address, (answer) => {
      answer.resume().once('end', () => resolve([answer.statusCode, sent.reusedSocket]));
    });
    sent.once('error', reject).end('{"agent_id":574}');
  });
}

/** Sends many, one after another, on one connection. */
async function queries(url: URL, address: Address, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const answers: [number | undefined, boolean][] = [];
  for (let n = 0; n < count; n++) answers.push(await query(url, agent, address));
  return answers;
}

/** All answered, all but the first on the connection of the first. */
const allKept = (count: number) => Array.from({ length: count }, (_, n) => [200, n > 0]);

describe('queries on a kept connection', () => {
  it.each<[string, Address]>([
    ['an IPv6 Host', { host: '[::1]:9102' }],
    ['an empty Host', { host: '' }],
    ['a Host with an escape', { host: 'local%68ost:80' }],
    ['a path with a dot', { path: '/./query' }],
    ['a path that goes up', { path: '/docs/../v2/semantic/retrieve/parameterized' }],
    ['an escaped path', { path: '/%71uery?x=1' }],
    ['a whole address', { path: 'http://odds.example/query' }],
  ])('by %s are all answered, and nothing else is told', async (_, address) => {
    const { url, stop } = await start('127.0.0.1');
    expect(await queries(url, address, 50)).toEqual(allKept(50));
    expect(await stop()).toEqual({ code: 0, err: '' });
  });

  it('of IPv6 are all answered, whoever else asks', async (context) => {
    const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));
    if (!hasIPv6) {
      console.log('skipped: this machine has no IPv6 loopback');
      return context.skip();
    }
    const { url, stop } = await start('::1');
    expect(url.hostname).toBe('[::1]');
    const all = await Promise.all(Array.from({ length: 8 }, () => queries(url, {}, 100)));
    expect(all).toEqual(all.map(() => allKept(100)));
    expect(await stop()).toEqual({ code: 0, err: '' });
  });

  it('that are refused keep it, too', async () => {
    const { url, stop } = await start('127.0.0.1');
    const { socket, until } = await rawSocket(url.href);
    for (let n = 1; n <= 20; n++) {
      socket.write(`POST /%71uery HTTP/1.1\r\nHost: [::1]\r\nX-Request-Id: ${n}\r\nContent-Length: 2\r\n\r\n{}`);
      expect(await until(new RegExp(`"request_id":"${n}"\\}$`))).not.toMatch(/HTTP\/1.1 (?!415)/);
    }
    expect(await stop()).toEqual({ code: 0, err: '' });
  });
});

describe('a request to a service without keys', () => {
  const asks = async (url: string, host: string, line: string) => {
    const { socket, until } = await rawSocket(url);
    const body = 'Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{"agent_id":574}';
    socket.write(`${line} HTTP/1.1\r\nHost: ${host}\r\n${body}`);
    return until(/\}$/);
  };

  it.each(['evil.example', 'evil.example:80', '10.0.0.1', 'localhost.evil.example', '1.2.3.4.5', 'xn--a'])(
    'by the name %s is 400: a web page may have it lead here',
    async (host) => {
      const url = await serveFolder(folder);
      for (const line of ['POST /query', 'GET /healthz']) {
        expect(await asks(url, host, line)).toMatch(/^HTTP\/1.1 400 [\s\S]*ask it by localhost or 127.0.0.1/);
      }
    },
  );

  it.each(['localhost', 'LOCALHOST:1', 'odds.localhost', '127.0.0.2:8787', '[::1]:1', 'odds.example'])(
    'by the name %s is answered, the last as that of the base URL',
    async (host) => {
      const url = await serveFolder(folder, { baseUrl: 'https://odds.example' });
      for (const line of ['POST /query', 'GET /healthz'])
        expect(await asks(url, host, line)).toMatch(/^HTTP\/1.1 200 /);
    },
  );
});

describe('a request whose Host cannot be believed', () => {
  it.each([
    ['two', 'Host: a\r\nHost: b'],
    ['the same twice', 'Host: a\r\nhost: a'],
    ['a path', 'Host: a/b'],
    ['a blank', 'Host: a b'],
    ['no IPv6 address', 'Host: [::1::]'],
    ['no port', 'Host: a:b'],
  ])('%s, is 400', async (_, host) => {
    const url = await serveFolder(folder);
    for (const line of ['POST /query', 'GET /healthz']) {
      const { socket, until } = await rawSocket(url);
      const body = 'Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{"agent_id":574}';
      socket.write(`${line} HTTP/1.1\r\n${host}\r\n${body}`);
      expect(await until(/\}$/)).toMatch(/^HTTP\/1.1 400 [\s\S]*"detail":"The path or the Host header is malformed/);
    }
  });
});

it('a header by a name that objects have is one like others', async () => {
  const url = await serveFolder(folder);
  for (const line of ['POST /query', 'GET /healthz']) {
    const { socket, until } = await rawSocket(url);
    const body = 'Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{"agent_id":574}';
    socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n__proto__: x\r\nconstructor: y\r\n${body}`);
    expect(await until(/\}$/)).toMatch(/^HTTP\/1.1 200 /);
  }
});

it('a refusal that fails costs its connection alone', async () => {
  const server = createServer(DEFAULT_SETTINGS);
  const connections = new Connections(server);
  const failed = () => {
    throw new Error('failed');
  };
  const lines: RequestLine[] = [];
  const app = { fetch: failed, query: { admit: failed, answer: failed }, refusal: failed };
  const [settings, clients] = [DEFAULT_SETTINGS, clientReader(undefined)];
  handleRequests(server, { app, settings, clients, connections, onEnd: (line) => lines.push(line) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => connections.drain(0));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const text of [rawQuery({}, { TE: 'trailers' }), 'POST /query HTTP/2.0\r\n\r\n']) {
    const { socket, closed } = await rawSocket(url);
    socket.write(text);
    expect(await closed).toBe('');
  }
  expect(lines.map(({ status }) => status)).toEqual([499, 499]);
});

it('an answer that fails late is refused as its own request', async () => {
  const server = createServer(DEFAULT_SETTINGS);
  const connections = new Connections(server);
  const fails: (() => void)[] = [];
  const app: Handling['app'] = {
    fetch: () => new Promise((_, reject) => fails.push(() => reject(new ProblemError(500, 'It failed.')))),
    query: { admit: () => expect.unreachable(), answer: () => expect.unreachable() },
    refusal: (error, { id }) => refusalOf(error as ProblemError, id),
  };
  const [settings, clients] = [DEFAULT_SETTINGS, clientReader(undefined)];
  handleRequests(server, { app, settings, clients, connections, onEnd: () => {} });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => connections.drain(0));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [failing, other] = [await rawSocket(url), await rawSocket(url)];
  failing.socket.write('GET /a HTTP/1.1\r\nHost: a\r\nX-Request-Id: late\r\n\r\n');
  await expect.poll(() => fails).toHaveLength(1);
  other.socket.write('POST /query HTTP/2.0\r\nHost: a\r\n\r\n');
  expect(await other.until(/\}$/)).toContain('HTTP/1.1 505');
  fails[0]?.();
  expect(await failing.until(/\}$/)).toMatch(/^HTTP\/1.1 500 [\s\S]*"It failed\."[\s\S]*"request_id":"late"/);
});
