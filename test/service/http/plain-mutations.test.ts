import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestLine } from '../../../src/service/http/request-record.js';
import { walletOf } from '../../support/raw-records.js';
import { type SmallService, serveSmall } from '../openapi/serve-small.js';
import { rawQuery, rawSocket } from './raw-socket.js';

/** A service and what it has logged. */
interface Reader {
  readonly service: SmallService;
  readonly lines: RequestLine[];
}

let readers: readonly Reader[] = [];
const reader = async (plainRequests: boolean): Promise<Reader> => {
  const lines: RequestLine[] = [];
  const limits = { maxBodyBytes: 2048, maxHeaderBytes: 2048, compress: false, corsOrigins: PAGE };
  const service = await serveSmall({ ...limits, plainRequests, onRequest: (line) => lines.push(line) });
  return { service, lines };
};
beforeAll(async () => {
  readers = await Promise.all([reader(true), reader(false)]);
});
afterAll(() => Promise.all(readers.map(({ service }) => service.close())));

/** The origin of a web page that may send queries. */
const PAGE = 'https://page.example';

const MUTATIONS = 1200;
const AT_A_TIME = 300;

/** A batch is quiet once nothing has come on any of its connections for this long. */
const QUIET_MS = 300;
const QUIET_TURNS = 10;

/** Random whole numbers below a bound, the same in each run (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const random = randomOf(25);
const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const BODIES: readonly object[] = [
  { agent_id: 574, params: { closed: 'False' } },
  { agent_id: 569, params: { wallet: walletOf(1), granularity: '1w' }, pagination: { limit: 3, offset: 0 } },
  { agent_id: 586, params: { wallet_address: walletOf(2) } },
  { agent_id: 1 },
  { agent_id: '574', params: null, pagination: null },
  { agent_id: 574, params: { closed: 'TRUE' }, pagination: { limit: null }, formatter_config: null },
  { agent_id: 555, params: { closed: 1 } },
];

const ODD_TEXTS = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  '"',
  '{',
  '}',
  '\\',
  '\x7f',
  '\xe4',
  '\xff',
  '0',
  '-',
];

const ODD_LINES = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'transfer-encoding: identity',
  'Content-Length: 0',
  'Content-Length: 5',
  'content-length: +16',
  'Content-Length: 16, 16',
  'Content-Length: 0x10',
  'Content_Length: 3',
  'Host: elsewhere.example',
  'Host: [::1]',
  'Connection: close',
  'Connection: upgrade',
  'Expect: 100-continue',
  'Expect: the-best',
  'Upgrade: h2c',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
  `Origin: ${PAGE}`,
  'Origin: https://elsewhere.example',
  'Origin: null',
  `Origin: ${PAGE}, ${PAGE}`,
  'Access-Control-Request-Method: POST',
  'TE: trailers',
  'Trailer: X',
  ' folded',
  'X-Long: '.padEnd(2100, 'x'),
  'If-None-Match: *',
  'Content-Type: text/plain',
  'Content-Encoding: gzip',
];

/** Changes in a request, each of which may make it another one, or none. */
const CHANGES: readonly ((text: string) => string)[] = [
  (text) => at(text, (place) => text.slice(0, place) + oneOf(ODD_TEXTS) + text.slice(place)),
  (text) => at(text, (place) => text.slice(0, place) + oneOf(ODD_TEXTS) + text.slice(place + 1)),
  (text) => at(text, (place) => text.slice(0, place) + String.fromCharCode(random(256)) + text.slice(place + 1)),
  (text) => at(text, (place) => text.slice(0, place) + text.slice(place + 1 + random(3))),
  (text) => at(text, (place) => text.slice(0, place)),
  (text) => inLines(text, (lines, line) => lines.toSpliced(line, 0, oneOf(ODD_LINES))),
  (text) => inLines(text, (lines, line) => lines.toSpliced(line, 0, lines[line] as string)),
  (text) => inLines(text, (lines, line) => lines.toSpliced(line, 1)),
  (text) => inLines(text, (lines, line) => lines.toSpliced(line, 1, (lines[line] as string).toUpperCase())),
  (text) => text.replace(/Content-Length: (\d+)/, (_, length) => `Content-Length: ${Number(length) + random(7) - 3}`),
  (text) => text.replace('\r\n\r\n', oneOf(['\n\n', '\r\n\n', '\r\n \r\n\r\n', '\r\n\r\n\r\n'])),
  (text) =>
    text.replace(
      'POST /',
      oneOf(['GET /', 'OPTIONS /', 'post /', 'POST  /', 'POST http://localhost/', 'POST /./', 'POST /%71']),
    ),
  (text) => text.replace('HTTP/1.1', oneOf(['HTTP/1.0', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 ', 'HTTP/1.10'])),
  (text) => text + text,
];

function at(text: string, change: (place: number) => string): string {
  return change(random(text.length));
}

function inLines(text: string, change: (lines: string[], line: number) => string[]): string {
  const lines = text.split('\r\n');
  return lines.length < 2 ? text : change(lines, 1 + random(lines.length - 1)).join('\r\n');
}

function mutation(number: number): string {
  let text = rawQuery(oneOf(BODIES), { 'X-Request-Id': `m-${number}`, Accept: '*/*' });
  for (let left = 1 + random(3); left > 0; left--) text = oneOf(CHANGES)(text);
  return text;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Sends each text on a connection of its own; the connections end their halves once no more answers come. */
async function answersTo(texts: readonly (readonly [url: string, text: string])[]): Promise<string[]> {
  let quiet = 0;
  const note = () => {
    quiet = 0;
  };
  const sent = await Promise.all(
    texts.map(async ([url, text]) => {
      const connection = await rawSocket(url, { allowHalfOpen: true });
      connection.socket.on('data', note).write(text, 'latin1', note);
      return connection;
    }),
  );
  // By turns, not by the clock: on a busy machine time passes while this process, which answers too, does nothing.
  for (; quiet < QUIET_TURNS; quiet++) await sleep(QUIET_MS / QUIET_TURNS);
  for (const { socket } of sent) socket.end();
  return Promise.all(sent.map(async ({ closed }) => answersIn(await closed)));
}

/** All that has come back, without what differs from one answer to the next: moments and ids. */
function answersIn(heard: string): string {
  const statuses = heard.match(/HTTP\/1\.1 \d{3} .*/g) ?? [];
  const bodies = heard
    .split(/HTTP\/1\.1 \d{3} [\s\S]*?\r\n\r\n/)
    .map((body) => body.replace(/"timestamp":"[^"]*"/, '').replace(UUID, 'id'));
  return [...statuses, ...bodies].join('\n');
}

/** The lines of a log, without what differs: times, and the ids that the service has given. */
const linesOf = (lines: readonly RequestLine[]) =>
  lines.map((line) => JSON.stringify({ ...line, ms: 0, id: line.id.replace(UUID, 'id') })).sort();

it('a plain query is read by node:http where the setting says so, and past it otherwise', async () => {
  let requests = 0;
  const note = () => {
    requests++;
  };
  subscribe('http.server.request.start', note);
  const asked = [];
  for (const { service } of readers) {
    const { socket, until } = await rawSocket(service.url);
    socket.write(rawQuery({ agent_id: 574 }));
    await until(/\}\}$/);
    asked.push(requests);
  }
  unsubscribe('http.server.request.start', note);
  expect(asked).toEqual([0, 1]);
  for (const { lines } of readers) lines.length = 0;
});

describe('changed heads and bodies', () => {
  it(`are answered and logged alike by both readers, ${MUTATIONS} of them`, async () => {
    let answered = 0;
    for (let from = 0; from < MUTATIONS; from += AT_A_TIME) {
      const texts = Array.from({ length: AT_A_TIME }, (_, n) => mutation(from + n));
      const heard = await answersTo(
        readers.flatMap(({ service }) => texts.map((text) => [service.url, text] as const)),
      );
      const [plain, node] = [heard.slice(0, AT_A_TIME), heard.slice(AT_A_TIME)];
      for (const [n, text] of texts.entries()) expect([text, plain[n]]).toEqual([text, node[n]]);
      await expect.poll(() => linesOf(readers[0]?.lines ?? [])).toEqual(linesOf(readers[1]?.lines ?? []));
      answered += plain.filter((each) => each.startsWith('HTTP/1.1 200')).length;
      for (const { lines } of readers) lines.length = 0;
    }
    // Some changes change nothing that counts.
    expect(answered).toBeGreaterThan(MUTATIONS / 20);
  });
});
