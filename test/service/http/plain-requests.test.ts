import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUERY_PATH } from '../../../src/contract/envelope.js';
import { createKey, revokeKey } from '../../../src/service/accounts/api-keys.js';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import fc from '../../support/fast-check.js';
import { walletOf } from '../../support/raw-records.js';
import { type SmallService, serveSmall } from '../openapi/serve-small.js';
import { rawQuery, rawSocket } from './raw-socket.js';

let small: SmallService;
let auth: string;
const lines: RequestLine[] = [];
beforeAll(async () => {
  const limits = { ratePerMinute: 60_000, rateBurst: 10_000, maxBodyBytes: 4096 };
  const options = { open: false, ...limits, corsOrigins: 'https://page.example' };
  small = await serveSmall({ ...options, onRequest: (line) => lines.push(line) });
  auth = `Bearer ${(await createKey(small.folder, 'test')).key}`;
});
afterAll(() => small.close());

/** Answers of a connection, one after another, without what tells when they were made and how many were asked before. */
function answersIn(heard: string) {
  const answers: { status: string; headers: Record<string, string>; body: string }[] = [];
  for (let rest = heard; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [status = '', ...fields] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const sent = rest.slice(end + 4, end + 4 + length);
    const isPacked = headers['content-encoding'] === 'gzip';
    const body = isPacked ? gunzipSync(Buffer.from(sent, 'latin1')).toString() : sent;
    for (const name of ['date', 'ratelimit-remaining', 'ratelimit-reset', ...(isPacked ? ['content-length'] : [])]) {
      if (headers[name] !== undefined) headers[name] = 'some';
    }
    answers.push({ status, headers, body: body.replace(/"timestamp":"[^"]*"/, '') });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** Whether the last answer of a connection has come to its end. */
function endsWhole(heard: string): boolean {
  const last = heard.slice(heard.lastIndexOf('HTTP/1.1 '));
  const end = last.indexOf('\r\n\r\n');
  return end >= 0 && last.length - end - 4 === Number(/^content-length: (\d+)/im.exec(last)?.[1] ?? 0);
}

/** A header that changes nothing but who reads the request. */
const ODD = { TE: 'trailers' };

/** Sends bytes in pieces. @returns What was answered, once that many answers have come or the connection is over. */
async function answersTo(pieces: readonly (string | Buffer)[], count: number, pauseMs = 2) {
  const { socket, heard } = await rawSocket(small.url);
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((done) => setTimeout(done, pauseMs));
  }
  const isDone = () =>
    socket.destroyed || ((heard().match(/HTTP\/1.1 \d/g)?.length ?? 0) >= count && endsWhole(heard()));
  while (!isDone()) await new Promise((done) => setTimeout(done, 2));
  // For what should not follow it.
  await new Promise((done) => setTimeout(done, 10));
  socket.destroy();
  return answersIn(heard());
}

const WALLET = walletOf(1);
const QUERIES: readonly [string, object | string, Record<string, string>?][] = [
  ['markets', { agent_id: 574, params: { closed: 'False' } }],
  ['markets by their state', { agent_id: 555, params: { closed: 'True' } }],
  ["a wallet's results", { agent_id: 569, params: { wallet: WALLET } }],
  ['lifetime statistics', { agent_id: 586, params: { wallet_address: WALLET } }],
  ['an answer that the client has', { agent_id: 574 }, { 'If-None-Match': '*' }],
  ['forms of the original clients', { agent_id: '574', params: null, pagination: null, formatter_config: null }],
  ['a truth in capitals', { agent_id: '555', params: { closed: 'TRUE' }, pagination: { limit: null } }],
  ['a truth as a number', { agent_id: 574, params: { closed: 1 } }],
  ['a web page that may', { agent_id: 574 }, { Origin: 'https://page.example' }],
  ['a web page that may not', { agent_id: 574, params: { closed: 'no' } }, { Origin: 'https://page.example:81' }],
  ['compressed', { agent_id: 574 }, { 'Accept-Encoding': 'gzip' }],
  ['a refused filter', { agent_id: 586, params: { wallet_address: 'nobody' } }],
  ['no dataset', { agent_id: 1 }],
  ['no JSON', '{"agent_id":574'],
  ['an empty body', ''],
  ['a wrong key', { agent_id: 574 }, { Authorization: 'Bearer odl_x' }],
  ['another type', { agent_id: 574 }, { 'Content-Type': 'text/plain' }],
  ['an encoded body', { agent_id: 574 }, { 'Content-Encoding': 'gzip' }],
  ['a host that no URL names', { agent_id: 1 }, { Host: 'localhost:99999' }],
  ['an address in another form', { agent_id: 574 }, { Host: '127.1:80', Authorization: 'Bearer odl_x' }],
  ['no type', { agent_id: 574 }, { 'Content-Type': '' }],
];

function bytesOf([, body, headers]: (typeof QUERIES)[number], more: Record<string, string> = {}): string {
  const all = { Authorization: auth, 'X-Request-Id': 'same', ...headers, ...more };
  if (typeof body !== 'string') return rawQuery(body, all);
  return rawQuery({}, { ...all, 'Content-Length': String(body.length) }).replace(/\{\}$/, body);
}

describe('a plain query', () => {
  it.each(QUERIES)('of %s is answered as node:http answers it', async (...query) => {
    const [plain, odd] = [await answersTo([bytesOf(query)], 1), await answersTo([bytesOf(query, ODD)], 1)];
    expect(plain).toHaveLength(1);
    expect(plain).toEqual(odd);
  });

  it('is answered where its head and its body come apart, at once and after a while', async () => {
    const text = bytesOf(['', { agent_id: 574 }]);
    const at = text.indexOf('\r\n\r\n') + 4;
    for (const pauseMs of [5, 80]) {
      const [answer, next] = await answersTo([text.slice(0, at), text.slice(at), text], 2, pauseMs);
      expect(answer).toMatchObject({ status: 'HTTP/1.1 200 OK' });
      expect(next).toEqual(answer);
    }
  });

  it('comes after queries and before others that are none, in any pieces, and each is answered in its turn', async () => {
    const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: same\r\n\r\n';
    const chunked = `POST /query HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${auth}\r\nX-Request-Id: same\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"agent_id":574}\r\n0\r\n\r\n`;
    const one = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...QUERIES.map((query) => bytesOf(query))) },
      fc.constantFrom(health, chunked, bytesOf(['', { agent_id: 574 }], ODD)),
    );
    const streams = fc.record({
      requests: fc.array(one, { minLength: 1, maxLength: 8 }),
      cuts: fc.array(fc.nat(1999), { maxLength: 6 }),
    });
    const known = new Map<string, ReturnType<typeof answersTo>>();
    const alone = (request: string) => {
      const answers = known.get(request) ?? answersTo([request], 1);
      known.set(request, answers);
      return answers;
    };
    await fc.assert(
      fc.asyncProperty(streams, async ({ requests, cuts }) => {
        const text = requests.join('');
        const places = [...new Set(cuts.map((cut) => cut % text.length))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((from, n) => text.slice(from, places[n] ?? text.length));
        const apart = await Promise.all(requests.map(alone));
        expect(await answersTo(pieces, requests.length)).toEqual(apart.flat());
      }),
      { numRuns: 100 },
    );
  });

  it('of a client that ends its half is answered, and then the connection ends', async () => {
    const text = bytesOf(['', { agent_id: 586, params: { wallet_address: WALLET } }]);
    const { socket, closed } = await rawSocket(small.url, { allowHalfOpen: true });
    socket.end(text + text + text);
    expect(answersIn(await closed).map(({ status }) => status)).toEqual(Array(3).fill('HTTP/1.1 200 OK'));
  });

  it('of such a client is answered, too, where its key has to be looked up on the disk', async () => {
    const text = bytesOf(['', { agent_id: 586, params: { wallet_address: WALLET } }]);
    const { socket, closed } = await rawSocket(small.url, { allowHalfOpen: true });
    // What is known of the keys is too old by then.
    await new Promise((done) => setTimeout(done, 700));
    socket.end(text + text);
    expect(answersIn(await closed).map(({ status }) => status)).toEqual(Array(2).fill('HTTP/1.1 200 OK'));
  });

  it('that ends within its body is refused', async () => {
    const { socket, closed } = await rawSocket(small.url, { allowHalfOpen: true });
    socket.end(bytesOf(['', { agent_id: 574 }]).slice(0, -3));
    expect(await closed).toMatch(/^HTTP\/1.1 400 /);
  });

  it('whose body is too large is refused, and its connection goes on', async () => {
    const large = rawQuery({ agent_id: 574, params: { market_slug: 'x'.repeat(5000) } }, { Authorization: auth });
    const answers = await answersTo([bytesOf(['', { agent_id: 574 }]), large], 2);
    expect(answers.map(({ status }) => status)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 413 Payload Too Large']);
  });

  it('is refused once its key is revoked, though the same bytes were answered on its connection before', async () => {
    const { key, stored } = await createKey(small.folder, 'short-lived');
    const text = bytesOf(['', { agent_id: 574 }], { Authorization: `Bearer ${key}` });
    const { socket, heard, until } = await rawSocket(small.url);
    // The key is known within a second.
    await new Promise((done) => setTimeout(done, 1000));
    socket.write(text + text + text.replace(key, `${key.slice(0, -1)}-`) + text);
    await until(/(HTTP[\s\S]*){4}\}/);
    const statuses = () => answersIn(heard()).map(({ status }) => status.slice(9, 12));
    expect(statuses()).toEqual(['200', '200', '401', '200']);
    await revokeKey(small.folder, stored.id);
    await new Promise((done) => setTimeout(done, 1000));
    socket.write(text + bytesOf(['', { agent_id: 574 }]));
    await until(/(HTTP[\s\S]*){6}\}\}$/);
    expect(statuses().slice(4)).toEqual(['401', '200']);
  });

  it('is told of once, with its bytes and its key', async () => {
    const { socket, until } = await rawSocket(small.url);
    socket.write(bytesOf(['', { agent_id: 586, params: { wallet_address: WALLET } }], { 'X-Request-Id': 'told' }));
    const heard = await until(/\}\}$/);
    socket.destroy();
    await expect
      .poll(() => lines.filter(({ id }) => id === 'told'))
      .toEqual([
        {
          id: 'told',
          method: 'POST',
          route: QUERY_PATH,
          dataset: 586,
          status: 200,
          ms: expect.any(Number),
          bytes: heard.length,
          key: expect.any(String),
          client: '127.0.0.1',
        },
      ]);
  });
});
