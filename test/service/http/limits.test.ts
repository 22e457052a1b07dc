import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUERY_PATH } from '../../../src/contract/envelope.js';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import { type Service, serve } from '../../../src/service/serve-folder.js';
import { serveFolder } from '../../support/serve-folder.js';
import { problemIn, rawQuery, rawSocket, requestsInFlight } from './raw-socket.js';

let folder: string;
let service: Service;
let url: string;
const lines: RequestLine[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-limits-'));
  service = await serve({
    folder,
    port: 0,
    open: true,
    headerSeconds: 0.3,
    bodySeconds: 0.3,
    idleSeconds: 0.5,
    maxBodyBytes: 4096,
    maxHeaderBytes: 2048,
    onRequest: (line) => lines.push(line),
  });
  url = service.url;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** What came is one problem of this status, and its request was told of. */
function expectProblem(heard: string, status: number): void {
  expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(heard.match(/HTTP\/1.1 \d/g)).toHaveLength(1);
  expect(heard).toContain('Content-Type: application/problem+json');
  const problem = problemIn(heard);
  expect(problem).toMatchObject({
    status,
    title: expect.stringMatching(/^[A-Z]/),
    detail: expect.stringMatching(/\.$/),
  });
  expect(heard).toContain(`X-Request-Id: ${problem.request_id}`);
  expect(lines.find(({ id }) => id === problem.request_id)).toMatchObject({ status });
}

describe('a client that is too slow', () => {
  it.each([
    ['says nothing', ''],
    ['stops within the headers', `POST ${QUERY_PATH} HTTP/1.1\r\nHost: localhost\r\n`],
    ['stops within a header', `POST ${QUERY_PATH} HT`],
  ])('and %s is cut off with 408', async (_, text) => {
    const { socket, closed } = await rawSocket(url);
    socket.write(text);
    expectProblem(await closed, 408);
  });

  it('and sends a header a letter at a time is cut off with 408', async () => {
    const { socket, closed } = await rawSocket(url);
    socket.write(`POST ${QUERY_PATH} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `);
    const drip = setInterval(() => socket.write('x'), 20);
    expectProblem(await closed.finally(() => clearInterval(drip)), 408);
  });

  it.each([
    ['stops within the body', { 'Content-Length': '100' }, '{"agent_id"'],
    ['sends no body', { 'Content-Length': '100' }, ''],
    ['stops within a chunk', { 'Transfer-Encoding': 'chunked' }, '20\r\n{"agent'],
    ['stops between chunks', { 'Transfer-Encoding': 'chunked' }, '5\r\n{"age\r\n'],
  ])('and %s is told 408, and the connection ends', async (_, headers, body) => {
    const { socket, closed } = await rawSocket(url);
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head.join('')}\r\n${body}`,
    );
    const heard = await closed;
    expectProblem(heard, 408);
    expect(heard).toContain('Connection: close');
  });

  it('and sends its body a letter at a time is told 408', async () => {
    const { socket, until } = await rawSocket(url);
    socket.write(
      'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    );
    const drip = setInterval(() => socket.write('x'), 20);
    expectProblem(await until(/\}$/).finally(() => clearInterval(drip)), 408);
  });

  it('between two requests loses its connection', async () => {
    const { socket, until, closed } = await rawSocket(url);
    socket.write(rawQuery());
    await until(/\}$/);
    expect((await closed).match(/HTTP\/1.1 \d/g)).toHaveLength(1);
  });
});

describe('a client that sends too much', () => {
  it.each([
    ['one header', `X: ${'x'.repeat(3000)}\r\n`],
    ['many headers', 'X-Header: yyyyyyyy\r\n'.repeat(200)],
    ['a path', ''],
  ])('in %s is told 431', async (what, headers) => {
    const { socket, closed } = await rawSocket(url);
    const path = what === 'a path' ? `/${'x'.repeat(3000)}` : '/query';
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    expectProblem(await closed, 431);
  });

  it('of a body that it announces is told 413 before it has sent it', async () => {
    const { socket, until } = await rawSocket(url);
    socket.write(
      'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4097\r\n\r\n',
    );
    expectProblem(await until(/\}$/), 413);
  });

  it('of a body that it does not announce is told 413, and one of just the limit is read', async () => {
    const chunked = (bytes: number) =>
      `POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `${bytes.toString(16)}\r\n${' '.repeat(bytes - 2)}{}\r\n0\r\n\r\n`;
    const over = await rawSocket(url);
    over.socket.write(chunked(4097));
    expectProblem(await over.until(/\}$/), 413);
    const at = await rawSocket(url);
    at.socket.write(chunked(4096));
    expectProblem(await at.until(/\}$/), 422);
  });

  it('without end is cut off', async () => {
    const { socket, closed } = await rawSocket(url);
    socket.write(
      'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const flood = setInterval(() => socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`), 5);
    expect(await closed.finally(() => clearInterval(flood))).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('a client that takes nothing of its answers', () => {
  it('is cut off, and noted to have left', async () => {
    const told: RequestLine[] = [];
    const options = { querySeconds: 60, stallSeconds: 0.3, onRequest: (line: RequestLine) => told.push(line) };
    const here = await serve({ folder, port: 0, open: true, ...options });
    const socket = connect(Number(new URL(here.url).port), '127.0.0.1');
    socket.on('error', () => {});
    // Far more than what the system keeps for both ends.
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1000));
    await expect.poll(() => told.some(({ status }) => status === 499)).toBe(true);
    expect(told.filter(({ status }) => status === 200).length).toBeLessThan(1000);
    socket.destroy();
    await here.close();
  });

  it('is another one than that whose answer is not there yet', async () => {
    const here = await serve({ folder, port: 0, open: true, stallSeconds: 0.2 });
    const { socket, until } = await rawSocket(here.url);
    const text = rawQuery({}, { TE: 'trailers' });
    socket.write(text.slice(0, -1));
    await new Promise((done) => setTimeout(done, 800));
    socket.write(text.slice(-1));
    expect(await until(/\}$/)).toMatch(/^HTTP\/1.1 422 /);
    socket.destroy();
    await here.close();
  });
});

describe('what is no request', () => {
  it.each([
    'hello\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
    'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /query HTTP/1.1\r\nHost: localhost\r\nBad Header: 1\r\n\r\n',
    'POST /query HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ])('%j is told 400, and the connection ends', async (text) => {
    const { socket, closed } = await rawSocket(url);
    socket.write(text, 'latin1');
    const heard = await closed;
    expect(heard).toMatch(/^HTTP\/1.1 400 /);
    expect(problemIn(heard.slice(heard.lastIndexOf('HTTP/1.1 4')))).toMatchObject({
      status: 400,
      title: 'Malformed request',
    });
  });

  it.each(['GET //[ HTTP/1.1\r\nHost: localhost\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'])(
    'in its address, %j, is told 400',
    async (text) => {
      const { socket, until } = await rawSocket(url);
      socket.write(text);
      expect(await until(/\}$/)).toMatch(/^HTTP\/1.1 (400|404) /);
    },
  );
});

describe('a request that Node itself would refuse without a word', () => {
  const body = '{"agent_id":574}';
  it.each([
    ['without a Host', 'POST /query HTTP/1.1\r\n', 400],
    ['without a Host, for a page', 'GET /healthz HTTP/1.1\r\n', 400],
    ['with an expectation', 'POST /query HTTP/1.1\r\nHost: localhost\r\nExpect: foo\r\n', 417],
    ['in another version', 'POST /query HTTP/2.0\r\nHost: localhost\r\n', 505],
    ['with an expectation, for a page', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\n', 417],
  ])('%s, is a problem, and in the log', async (_, head, status) => {
    const { socket, until } = await rawSocket(url);
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const heard = await until(/\}$/);
    expectProblem(heard.replaceAll(/content-type/gi, 'Content-Type'), status);
  });

  it('whose body is coded and then sent in chunks, is a problem, and the last', async () => {
    const { socket, closed } = await rawSocket(url);
    const head =
      'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n';
    socket.write(`${head}\r\n10\r\n${body}\r\n0\r\n\r\n`);
    expectProblem((await closed).replaceAll(/content-type/gi, 'Content-Type'), 501);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['is reset', '', (socket) => socket.resetAndDestroy()],
    ['is closed behind a query', rawQuery(), (socket) => socket.destroy()],
  ])('for a tunnel whose connection %s harms nobody', async (_, before, leave) => {
    for (let n = 0; n < 200; n++) {
      const { socket } = await rawSocket(url);
      socket.write(`${before}CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n`);
      await new Promise((done) => setImmediate(done));
      leave(socket);
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('for a tunnel is a problem, and in the log, and the connection ends', async () => {
    const { socket, closed } = await rawSocket(url);
    socket.write('CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n');
    expectProblem(await closed, 501);
  });

  it.each([
    ['is of another type', { 'Content-Type': 'text/plain' }, 415],
    ['is too large', { 'Content-Length': '99999999' }, 413],
    ['is for nobody', { Host: 'a/b' }, 400],
  ])('and %s is told so in place of being told to go on, and it is the last', async (_, headers, status) => {
    const { socket, closed } = await rawSocket(url);
    socket.write(rawQuery({}, { Expect: '100-continue', ...headers }).slice(0, -2));
    const heard = await closed;
    expect([statusesOf(heard), /^Connection: (.*)\r$/im.exec(heard)?.[1]]).toEqual([[status], 'close']);
  });

  it('and has no body keeps its connection', async () => {
    const { socket, until } = await rawSocket(url);
    const head = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n';
    socket.write(`${head}\r\n${head}Content-Length: 0\r\n\r\n`);
    expect(statusesOf(await until(/\}[\s\S]*\}$/))).toEqual([100, 200, 100, 200]);
  });

  it('and comes behind other requests is never told to go on within its answer', async () => {
    const { socket, until } = await rawSocket(url);
    const head = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n';
    const query = rawQuery({}, { Expect: '100-continue' });
    socket.write([`${head}\r\n`.repeat(3), query, `${head}Expect: 100-continue\r\n\r\n`, query].join(''));
    const heard = await until(/"status":422[\s\S]*"status":422[\s\S]*\}$/);
    expect(statusesOf(heard).filter((status) => status !== 100)).toEqual([200, 200, 200, 422, 200, 422]);
    expect(heard).not.toMatch(/\r\n\r\nHTTP\/1.1 100 |100 Continue\r\n\r\n(?!HTTP)/);
  });

  it('in HTTP/1.0 needs no Host, and may expect to go on', async () => {
    const old = await rawSocket(url);
    old.socket.write('GET /healthz HTTP/1.0\r\n\r\n');
    expect(await old.closed).toMatch(/^HTTP\/1.1 200 /);
    const { socket, until } = await rawSocket(url);
    socket.write(rawQuery({}, { Expect: '100-continue' }));
    expect(await until(/\}$/)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 422 /);
  });
});

describe('what is no request, behind one', () => {
  const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';
  it.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(3000)}\r\n\r\n`, 431],
    ['a request for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 501],
    ['the half of one', 'GET / HTTP/1.1\r\nHo', 408],
    [
      'a body that is none',
      'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
  ])('such as %s, is refused once the request is answered', async (_, text, status) => {
    const { socket, closed } = await rawSocket(url);
    socket.write(`${health}\r\n${health}\r\n${text}`);
    const heard = await closed;
    expect(statusesOf(heard)).toEqual([200, 200, status]);
    expectProblem(heard.slice(heard.lastIndexOf('HTTP/1.1 ')), status);
  });

  it.each([
    ['of another type', 'Host: localhost\r\nContent-Type: text/plain\r\n', 415],
    ['without a Host', '', 400],
  ])('nor answered within the body of one %s, which is refused before it has come', async (_, headers, status) => {
    const { socket, until, closed } = await rawSocket(url);
    socket.write(`${health}\r\nPOST /query HTTP/1.1\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`);
    await until(/"request_id":"[^"]*"\}$/);
    socket.write('zz\r\n');
    expect(statusesOf(await closed)).toEqual([200, status]);
  });

  it('is not read where that request was the last', async () => {
    const { socket, closed } = await rawSocket(url);
    socket.write(`${health}Connection: close\r\n\r\ngarbage\r\n\r\n`);
    expect(statusesOf(await closed)).toEqual([200]);
  });
});

describe('a connection', () => {
  it('serves on after every error that leaves it whole', async () => {
    const { socket, until, heard } = await rawSocket(url);
    const requests: [string, number][] = [
      [rawQuery({}), 422],
      [rawQuery({ agent_id: 999 }), 404],
      [rawQuery({}, { 'Content-Type': 'text/plain' }), 415],
      [rawQuery({ agent_id: 574, params: { market_slug: 'x'.repeat(5000) } }), 413],
      ['GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
      ['DELETE /query HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
      [rawQuery(), 503],
      ['GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', 200],
    ];
    for (const [n, [text]] of requests.entries()) {
      socket.write(text);
      await until(new RegExp(`(HTTP/1.1 [\\s\\S]*){${n + 1}}\\}$`));
    }
    expect(statusesOf(heard())).toEqual(requests.map(([, status]) => status));
  });

  it('answers requests that came at once, in their order', async () => {
    const { socket, until } = await rawSocket(url);
    socket.write(rawQuery({}) + rawQuery({ agent_id: 999 }) + rawQuery());
    const heard = await until(/(HTTP\/1.1 [\s\S]*){3}\}$/);
    expect(statusesOf(heard)).toEqual([422, 404, 503]);
  });

  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
  it.each<[string, string, number[]]>([
    ['a query', rawQuery(), [503]],
    ['a query, the last', rawQuery({}, { Connection: 'close' }), [422]],
    ['a page that has to be made', get('/docs', 'Accept-Encoding: gzip\r\nConnection: close\r\n'), [200]],
    ['a page that has to be made, kept', get('/openapi.json', 'Accept-Encoding: gzip\r\n'), [200]],
    ['what is counted', get('/metrics'), [200]],
    ['a request in HTTP/1.0', 'GET /metrics HTTP/1.0\r\n\r\n', [200]],
    ['several', rawQuery() + get('/metrics') + get('/healthz') + rawQuery({}), [503, 200, 200, 422]],
    ['one, and half of another', get('/metrics') + get('/').slice(0, -4), [200, 400]],
    ['nothing', '', []],
  ])('that its client has half closed still gets its answer to %s, and is closed', async (_, text, statuses) => {
    const { socket, closed } = await rawSocket(url, { allowHalfOpen: true });
    socket.end(text);
    expect(statusesOf(await closed)).toEqual(statuses);
  });

  it('that its client has half closed between two requests is closed at once', async () => {
    const here = await serveFolder(folder, { idleSeconds: 600, stallSeconds: 600, headerSeconds: 600 });
    for (const text of [rawQuery(), get('/healthz')]) {
      const { socket, until, closed } = await rawSocket(here, { allowHalfOpen: true });
      socket.write(text);
      await until(/\}$|ok/);
      socket.end();
      await closed;
    }
  });

  it('that breaks within a body is noted, and nothing fails', async () => {
    // That of a test before may still be under way.
    await expect.poll(() => requestsInFlight(url)).toBe(0);
    lines.length = 0;
    const { socket } = await rawSocket(url);
    socket.write(
      'POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    // A reset takes with it what has not been read yet.
    await expect.poll(() => requestsInFlight(url)).toBe(1);
    socket.resetAndDestroy();
    const told = () => lines.filter(({ route }) => route !== '/metrics').map(({ route, status }) => [route, status]);
    await expect.poll(told).toEqual([['/query', 499]]);
  });
});

describe('idle connections', () => {
  it('by the thousands leave room for a query', async () => {
    const limit = await openFiles();
    // Both ends of each are in this process.
    const count = Math.min(10_000, Math.floor((limit - 500) / 2));
    if (count < 2000) return console.log(`skipped: this process may only open ${limit} files`);
    const here = await serve({ folder, port: 0, open: true, headerSeconds: 60 });
    const port = Number(new URL(here.url).port);
    const sockets: Socket[] = [];
    for (let n = 0; n < count; n += 200) {
      const some = Array.from({ length: Math.min(200, count - n) }, () => connect(port, '127.0.0.1'));
      sockets.push(...some);
      await Promise.all(some.map((each) => new Promise<void>((done) => each.once('connect', () => done()))));
    }
    const metrics = await (await fetch(`${here.url}/metrics`)).text();
    expect(Number(/^oddslab_connections (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(count);
    expect((await fetch(`${here.url}/healthz`)).status).toBe(200);
    const closed = sockets.map((each) => new Promise<void>((done) => each.once('close', () => done())));
    await here.close();
    for (const each of sockets) each.destroy();
    await Promise.all(closed);
  });

  it('beyond the limit are closed at once, and others served on', async () => {
    const here = await serve({ folder, port: 0, open: true, maxConnections: 2 });
    const [first] = [await rawSocket(here.url), await rawSocket(here.url)];
    const third = await rawSocket(here.url);
    expect(await third.closed).toBe('');
    first.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await first.closed).toMatch(/^HTTP\/1.1 200 /);
    await here.close();
  });
});

/** The statuses of the answers that came, in order. */
function statusesOf(heard: string): number[] {
  return [...heard.matchAll(/HTTP\/1.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** How many files this process may have open. */
async function openFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 256);
}
