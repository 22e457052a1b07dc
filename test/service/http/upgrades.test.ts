import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import { type SmallService, serveSmall } from '../openapi/serve-small.js';
import { rawQuery, rawSocket } from './raw-socket.js';

const H2C = {
  Connection: 'Upgrade, HTTP2-Settings',
  Upgrade: 'h2c',
  'HTTP2-Settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
};
const WEBSOCKET = { Connection: 'keep-alive, Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };

const QUERY = { agent_id: 574, pagination: { limit: 2 } };
const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
const get = (path: string, headers: Record<string, string> = {}) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${linesOf(headers)}\r\n`;
const chunked = (headers: Record<string, string>) => {
  const body = JSON.stringify(QUERY);
  const pieces = [body.slice(0, 5), body.slice(5)].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
  return `POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${linesOf(headers)}\r\n${pieces.join('')}0\r\n\r\n`;
};

/** Requests by their headers, each of which is answered by one answer. */
const REQUESTS: readonly [string, (headers: Record<string, string>) => string][] = [
  ['a page', (headers) => get('/healthz', headers)],
  ['a query', (headers) => rawQuery(QUERY, headers)],
  ['a query in chunks', chunked],
  ['a query that is refused', (headers) => rawQuery({ agent_id: 574, params: { closed: 'maybe' } }, headers)],
  ['an empty query', (headers) => rawQuery({}, { ...headers, 'Content-Length': '0' }).slice(0, -2)],
];

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** What came back, without what differs from one answer to the next: moments, ids, and the order of headers. */
function withoutMoments(heard: string): string {
  const lines = heard
    .replace(/"timestamp":"[^"]*"/g, '')
    .replace(/^date: .*$/gim, '')
    .replace(UUID, 'id')
    .split('\r\n');
  const isHeader = (line: string) => /^[\w-]+: /.test(line);
  return [...lines.filter((line) => !isHeader(line)), ...lines.filter(isHeader).sort()].join('\n');
}

describe.each([
  ['the reader of plain requests', true],
  ['node:http', false],
])('by %s a request that asks for another protocol', (_, plainRequests) => {
  let small: SmallService;
  const lines: RequestLine[] = [];
  beforeAll(async () => {
    small = await serveSmall({
      plainRequests,
      maxBodyBytes: 4096,
      compress: false,
      onRequest: (line) => lines.push(line),
    });
  });
  afterAll(() => small.close());

  /** What is answered to pieces that are sent one after another, once that many answers have come. */
  async function answersTo(pieces: readonly string[], count: number): Promise<string> {
    const { socket, until } = await rawSocket(small.url);
    for (const piece of pieces) {
      socket.write(piece, 'latin1');
      if (pieces.length > 1) await new Promise((done) => setTimeout(done, 3));
    }
    const heard = await until(new RegExp(`^(?:HTTP/1\\.1 [\\s\\S]*?){${count}}\\}$`));
    socket.destroy();
    return withoutMoments(heard);
  }

  for (const [name, asking] of [
    ['h2c', H2C],
    ['websocket', WEBSOCKET],
  ] as const) {
    it.each(REQUESTS)(
      `(${name}) for %s is answered as if it did not, and so is all that follows it`,
      async (__, make) => {
        const following = rawQuery(QUERY) + get('/readyz') + make(asking) + rawQuery(QUERY, H2C);
        const [asked, plain] = await Promise.all([
          answersTo([rawQuery(QUERY) + make(asking) + following], 6),
          answersTo([rawQuery(QUERY) + make({}) + rawQuery(QUERY) + get('/readyz') + make({}) + rawQuery(QUERY)], 6),
        ]);
        expect(asked).toBe(plain);
        expect(asked).not.toMatch(/^connection: close/im);
      },
    );
  }

  it('is answered in its turn, wherever the stream is cut', async () => {
    const text =
      chunked(WEBSOCKET) + rawQuery(QUERY, H2C) + get('/healthz', WEBSOCKET) + rawQuery(QUERY) + get('/readyz');
    const whole = await answersTo([text], 5);
    const places = [1, 40, 130, text.indexOf('\r\n\r\n') + 2, text.indexOf('0\r\n\r\n') + 3, text.length - 30];
    for (const at of places) expect(await answersTo([text.slice(0, at), text.slice(at)], 5)).toBe(whole);
    const pieces = Array.from({ length: Math.ceil(text.length / 61) }, (__, n) => text.slice(61 * n, 61 * n + 61));
    expect(await answersTo(pieces, 5)).toBe(whole);
  });

  it('is logged once', async () => {
    await answersTo([rawQuery(QUERY, { ...H2C, 'X-Request-Id': `h2c-${plainRequests}` }) + get('/healthz')], 2);
    const told = () => lines.filter(({ id }) => id === `h2c-${plainRequests}`);
    await expect.poll(told).toMatchObject([{ method: 'POST', dataset: 574, status: 200 }]);
  });

  it('is refused like others, where its body is too large, or its headers are too many', async () => {
    const large = rawQuery({ agent_id: 574, params: { market_slug: 'x'.repeat(5000) } }, H2C);
    expect(await answersTo([large], 1)).toMatch(/^HTTP\/1\.1 413 /);
    const many = Array.from({ length: 1100 }, (__, n) => `a${n}: \r\n`).join('');
    const crowded = rawQuery(QUERY, H2C).replace('\r\n', `\r\n${many}`);
    expect(await answersTo([crowded], 1)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('holds no connection whose client has gone, and none is counted afterwards', async () => {
    for (const text of [rawQuery(QUERY, H2C).slice(0, -4), chunked(H2C).slice(0, -6), get('/healthz', WEBSOCKET)]) {
      const { socket } = await rawSocket(small.url);
      socket.write(text);
      await new Promise((done) => setTimeout(done, 30));
      socket.destroy();
    }
    const open = async () => {
      const text = await (await fetch(`${small.url}/metrics`, { headers: { Connection: 'close' } })).text();
      return ['connections', 'requests_in_flight'].map((name) =>
        Number(new RegExp(`^oddslab_${name} (\\d+)$`, 'm').exec(text)?.[1]),
      );
    };
    await expect.poll(open).toEqual([1, 1]);
  });

  it('may end its half of the connection, and is answered', async () => {
    const { socket, closed } = await rawSocket(small.url, { allowHalfOpen: true });
    socket.end(rawQuery(QUERY, H2C) + rawQuery(QUERY));
    expect((await closed).match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });
});
