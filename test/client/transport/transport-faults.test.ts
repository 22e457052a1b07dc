import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/base/errors.js';
import { openTransport } from '../../../src/client/transport/transport.js';
import type { TransportOptions } from '../../../src/client/transport/transport-options.js';
import { faultServer, type Listening, rawServer, send, sendWith } from '../fault-server.js';

const apiKey = 'odl_SECRETSECRETSECRET';
const OK = '{"data":[]}';

/** One request's error, in which the key stands nowhere, with the address written as URL. */
async function failureOf(
  server: Pick<Listening, 'url'>,
  options: TransportOptions = {},
): Promise<{ message: string; attempts: number; status: number | undefined }> {
  const transport = openTransport(server.url, { apiKey, retries: 0, backOffMs: 10, ...options });
  const error: unknown = await transport.post({}).catch((failure: unknown) => failure);
  await transport.close();
  if (!(error instanceof ServiceError)) throw new Error(`no ServiceError, but ${inspect(error)}`);
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const shown = [each.message, each.stack, JSON.stringify(each), inspect(each, { depth: 20, showHidden: true })];
    expect(shown.join('\n')).not.toContain(apiKey);
  }
  const { attempts, status } = error.details;
  return { message: error.message.replaceAll(`${server.url}/`, 'URL'), attempts, status };
}

/** Every connection is gone: the client left none behind. */
async function expectNoSocket({ sockets }: Listening): Promise<void> {
  await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length).toBe(0);
}

const ADVICE = 'Check the address (ODDSLAB_URL), or start a service with "oddslab serve".';
const unreached = (reason: string) => `The query service could not be reached (POST URL): ${reason}. ${ADVICE}`;
const broken = (reason: string) => `The query service broke off its answer (POST URL): ${reason}.`;
const head = (headers: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`;

describe('a fault on the wire', () => {
  it.each<[string, TransportOptions, (server: Parameters<Parameters<typeof rawServer>[0]>[0]) => void, string]>([
    [
      'slow headers',
      { headersTimeoutMs: 100 },
      (socket) => void socket.write('HTTP/1.1 200 OK\r\n'),
      unreached('no answer began in time (headersTimeoutMs)'),
    ],
    [
      'a stalled body',
      { bodyTimeoutMs: 100 },
      (socket) => void socket.write(`${head('content-length: 100')}{"data"`),
      broken('its answer stood still for too long (bodyTimeoutMs)'),
    ],
    [
      'a body that drips for ever',
      { attemptTimeoutMs: 200 },
      (socket) => {
        socket.write(head('transfer-encoding: chunked'));
        const timer = setInterval(() => socket.write('1\r\n{\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
      broken('no whole answer within 200 ms (attemptTimeoutMs)'),
    ],
    [
      'a body cut before its length',
      {},
      (socket) => void socket.end(`${head('content-length: 100')}{"data"`),
      broken('other side closed'),
    ],
    [
      'a body cut between chunks',
      {},
      (socket) => void socket.end(`${head('transfer-encoding: chunked')}3\r\n{"d\r\n`),
      broken('other side closed'),
    ],
    [
      'a body cut where nothing tells its length',
      {},
      (socket) => void socket.end(`${head('connection: close')}{"data":{"results":[{"a":"}"}`),
      broken('it ends within its JSON, after 29 bytes'),
    ],
    [
      'a body longer than its length',
      {},
      (socket) => void socket.end(`${head('content-length: 11\r\nconnection: close')}{"data":["a"]}`),
      broken('it ends within its JSON, after 11 bytes'),
    ],
    ['an end before the answer', {}, (socket) => void socket.end(), unreached('other side closed')],
    ['a reset', {}, (socket) => void socket.resetAndDestroy(), unreached('read ECONNRESET')],
    [
      'a reset within the body',
      {},
      (socket) => {
        socket.write(`${head('content-length: 100')}{"data"`);
        setTimeout(() => socket.resetAndDestroy(), 50);
      },
      broken('read ECONNRESET'),
    ],
  ])('is one clear error, or passes when the next try goes well: %s', async (_, options, fault, message) => {
    const server = await rawServer((socket) => fault(socket));
    expect(await failureOf(server, options)).toEqual({
      message,
      attempts: 1,
      status: message.includes('broke off') ? 200 : undefined,
    });
    await expectNoSocket(server);

    let faults = 2;
    const healing = await rawServer((socket) => {
      if (faults-- > 0) fault(socket);
      else socket.write(`${head(`content-length: ${OK.length}`)}${OK}`);
    });
    const transport = openTransport(healing.url, { backOffMs: 10, ...options });
    const { body, attempts, waitedMs } = await transport.post({});
    expect([Buffer.from(body).toString(), attempts, waitedMs > 0]).toEqual([OK, 3, true]);
    await transport.close();
    await expectNoSocket(healing);
  });

  it('is not tried again where what answers is no HTTP, and tells no key that it echoes', async () => {
    const server = await rawServer((socket, request) => void socket.end(`SSH-2.0 ${request}`));
    const error = await failureOf(server, { retries: 4 });
    expect(error.attempts).toBe(1);
    expect(error.message).toContain('could not be reached (POST URL): Response does not match the HTTP/1.1 protocol');
  });

  it('that nobody listens is tried again, and then told', async () => {
    expect(await failureOf({ url: 'http://127.0.0.1:9' }, { retries: 2 })).toEqual({
      message: `${unreached('connect ECONNREFUSED 127.0.0.1:9')} Tried 3 times.`,
      attempts: 3,
      status: undefined,
    });
  });

  it('that no connection comes to stand ends in time', async () => {
    // A handshake that nobody answers.
    const server = await rawServer(() => {});
    const secure = { url: server.url.replace('http', 'https') };
    expect((await failureOf(secure, { connectTimeoutMs: 100, timeoutMs: 9000 })).message).toBe(
      unreached('no connection in time (connectTimeoutMs)'),
    );
    await expectNoSocket(server);
  });

  it('does not go on beyond the time of the whole request', async () => {
    const server = await faultServer((_, response) => void response.write(' '));
    expect(await failureOf(server, { timeoutMs: 2000, attemptTimeoutMs: 400, retries: 1000 })).toMatchObject({
      message: expect.stringMatching(/^The query service (gave no whole answer within 2 s|broke off its answer)/),
    });
    expect(await failureOf(server, { timeoutMs: 2000 })).toEqual({
      message: 'The query service gave no whole answer within 2 s (timeoutMs) (POST URL).',
      attempts: 1,
      status: 200,
    });
    await expectNoSocket(server);
  });
});

describe('a refusal', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('with %i is tried again until it heals', async (status) => {
    const server = await faultServer((_, response) => {
      if (server.asked.length < 3) send(response, status, '{"error":"busy"}');
      else send(response, 200, OK);
    });
    const transport = openTransport(server.url, { backOffMs: 10 });
    const { body, attempts } = await transport.post({});
    expect([Buffer.from(body).toString(), attempts]).toEqual([OK, 3]);
    await transport.close();
    expect(
      await failureOf(await faultServer((_, response) => send(response, status, '{"error":"busy"}')), { retries: 1 }),
    ).toEqual({
      message: `The query service refused the request (POST URL): ${status} busy. Tried 2 times.`,
      attempts: 2,
      status,
    });
  });

  it.each([400, 401, 403, 404, 405, 413, 415, 422, 501])('with %i is not tried again', async (status) => {
    const server = await faultServer((_, response) => send(response, status, '{"detail":"no"}'));
    const error = await failureOf(server, { retries: 4 });
    expect(error).toMatchObject({ attempts: 1, status });
    expect(error.message).toContain(`refused the request (POST URL): ${status} no.`);
    expect(server.asked.length).toBe(1);
  });

  it.each<[string, string, string]>([
    ['elsewhere', 'https://other.example:444/query?key=odl_SECRETSECRETSECRET', 'https://other.example:444.'],
    ['with a user', 'http://me:pw@other.example/', 'http://other.example.'],
    ['to another path', '/v3/query?a=1', 'SAME/v3/query.'],
    ['to nowhere', 'http://', 'nowhere.'],
  ])('to answer here is no redirect to follow: %s', async (_, location, place) => {
    const server = await faultServer((_body, response) => sendWith(response, 307, { location }));
    const { message, attempts } = await failureOf(server, { retries: 4 });
    expect(message).toBe(
      `The query service refused the request (POST URL): 307 redirects to ${place.replace('SAME/', 'URL')} ` +
        'Redirects are not followed, since they would carry the API key along: name the right address yourself.',
    );
    expect([attempts, server.asked.length]).toEqual([1, 1]);
  });

  it.each<[string, Record<string, string>, string | Uint8Array, string]>([
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync('{"message":"of gzip"}'), '400 of gzip.'],
    ['damaged', { 'content-encoding': 'gzip' }, 'no gzip', '400 (without a reason).'],
    ['endless', {}, `{"a":"${'x'.repeat(2e5)}`, `400 {"a":"${'x'.repeat(293)}…`],
    ['in Latin-1', { 'content-type': 'text/plain; charset=latin1' }, Buffer.from('schön', 'latin1'), '400 schön.'],
    ['with what a terminal obeys', {}, 'a\u001b[31m\u202eb\r\nc', '400 a [31m b c.'],
    ['a page', {}, '<html><head><title>400 Bad Request</title></head><h1>x</h1></html>', '400 Bad Request.'],
    ['a list', {}, '{"errors":[{"message":"one"},"two"]}', '400 one; two.'],
    ['places', {}, '{"detail":[{"loc":["body","a"],"msg":"is missing"}]}', '400 body/a is missing.'],
    ['only text in quotes', {}, '"no"', '400 no.'],
  ])('is told from a text that is %s', async (_, headers, body, told) => {
    const server = await faultServer((_body, response) => sendWith(response, 400, headers, body));
    expect((await failureOf(server)).message).toBe(`The query service refused the request (POST URL): ${told}`);
  });

  it('counts by its status where its text breaks off', async () => {
    const server = await rawServer(
      (socket) => void socket.end('HTTP/1.1 404 No\r\ncontent-length: 50\r\n\r\nwrong path'),
    );
    expect(await failureOf(server)).toMatchObject({ status: 404, message: expect.stringContaining('404 wrong path.') });
  });
});
