import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Connections } from '../../../src/service/http/connections.js';
import { clientReader } from '../../../src/service/http/hosts.js';
import { createServer } from '../../../src/service/http/node-server.js';
import { takePlainRequests } from '../../../src/service/http/plain-requests.js';
import type { Refusal } from '../../../src/service/http/problems.js';
import type { QueryAnswer, QueryRoute } from '../../../src/service/http/query-endpoint.js';
import { notesOf, onceAnswered, type RequestLine } from '../../../src/service/http/request-record.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/service/settings/settings.js';
import { rawQuery, rawSocket } from './raw-socket.js';

/** A server whose queries are answered by a test, and all else by node:http with `http`. */
async function started({
  query,
  refusal = () => ({ status: 500, headers: {}, body: 'refused' }),
  http = (incoming, outgoing) => void incoming.resume().once('end', () => outgoing.end('http')),
  settings = {},
}: {
  query: Partial<QueryRoute>;
  refusal?: () => Refusal;
  http?: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  settings?: Partial<Settings>;
}) {
  const all = { ...DEFAULT_SETTINGS, ...settings };
  const server: Server = createServer(all);
  const connections = new Connections(server);
  const lines: RequestLine[] = [];
  const sockets: Socket[] = [];
  takePlainRequests(server, {
    query: { admit: () => undefined, answer: () => answerOf('plain'), ...query },
    refusal,
    settings: all,
    clients: clientReader(undefined),
    connections,
    onEnd: (line) => lines.push(line),
    refuse: (code, socket) => void socket.end(code),
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.on('request', (incoming, outgoing) => {
    connections.onRequest(incoming, outgoing);
    onceAnswered({ seen: notesOf(incoming, undefined), socket: incoming.socket, outgoing }, (line) => lines.push(line));
    http(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => connections.drain(0));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections, lines, sockets };
}

function answerOf(text: string | Buffer, sent?: () => void): QueryAnswer {
  const bytes = Buffer.from(text);
  return { status: 200, headers: { 'Content-Length': bytes.length }, bytes, sent };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** What a test ends, when it likes. */
function later<T>() {
  let settle: { resolve: (value: T) => void; reject: (error: unknown) => void } | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value: T) => settle?.resolve(value), reject: (error: unknown) => settle?.reject(error) };
}

const ODD = rawQuery({}, { TE: 'trailers' });

describe('connections', () => {
  it('are read past node:http until there is anything but a plain query', async () => {
    const { url } = await started({ query: {} });
    const { socket, until } = await rawSocket(url);
    for (const [text, answers] of [
      [rawQuery(), /^(?:[\s\S]*plain){1}$/],
      [rawQuery() + rawQuery(), /^(?:[\s\S]*plain){3}$/],
      [rawQuery() + ODD + rawQuery(), /^(?:[\s\S]*plain){4}(?:[\s\S]*http[\s\S]*){2}$/],
    ] as const) {
      socket.write(text);
      await until(answers);
    }
  });

  it('of slow readers get each byte of theirs, though its memory is used again once it is sent', async () => {
    let number = 0;
    const answer = () => {
      const bytes = Buffer.alloc(3_000_000, ++number);
      const made = { ...answerOf('', () => bytes.fill(255)), bytes };
      return { ...made, headers: { 'Content-Length': bytes.length } };
    };
    const { url } = await started({ query: { answer } });
    const readers = Array.from({ length: 6 }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const pieces: Buffer[] = [];
      let length = 0;
      socket.write(rawQuery());
      while (length < 3_000_000) {
        const piece = socket.read() as Buffer | null;
        if (piece) pieces.push(piece);
        length += piece?.length ?? 0;
        await pause(1);
      }
      const body = Buffer.concat(pieces);
      return new Set(body.subarray(body.indexOf('\r\n\r\n') + 4));
    });
    const found = await Promise.all(readers);
    expect(found.map((bytes) => bytes.size)).toEqual(Array(6).fill(1));
    expect(new Set(found.flatMap((bytes) => [...bytes])).size).toBe(6);
  });

  it('of a client that has ended its half are answered to the last query, also to one that is not plain', async () => {
    const { url } = await started({ query: { answer: () => answerOf('x'.repeat(400_000)) } });
    const { socket, closed } = await rawSocket(url, { allowHalfOpen: true });
    socket.pause();
    socket.end(rawQuery().repeat(40) + ODD);
    await pause(100);
    socket.resume();
    const heard = await closed;
    expect([heard.length > 16_000_000, heard.endsWith('http\r\n0\r\n\r\n') || heard.endsWith('http')]).toEqual([
      true,
      true,
    ]);
  });

  it('stop once the query under way is answered, and one whose body is on its way', async () => {
    const answer = later<QueryAnswer>();
    const { url, connections } = await started({
      query: { answer: (body) => (body.length > 2 ? answer.promise : answerOf('plain')) },
    });
    const [running, coming, idle] = [await rawSocket(url), await rawSocket(url), await rawSocket(url)];
    for (const each of [running, coming, idle]) {
      each.socket.write(rawQuery({}));
      await each.until(/plain$/);
    }
    // So long that they would be closed at the stop.
    await pause(300);
    running.socket.write(rawQuery());
    coming.socket.write(rawQuery({}).slice(0, -1));
    await expect.poll(() => connections.inFlight).toBe(2);
    const stopped = connections.drain(5000);
    await pause(20);
    coming.socket.write('}');
    expect(await coming.closed).toMatch(/HTTP\/1.1 200 [\s\S]*http/);
    await pause(300);
    answer.resolve(answerOf('at last'));
    expect(await running.closed).toMatch(/Connection: close\r\n\r\nat last$/);
    expect(await idle.closed).toMatch(/plain$/);
    await stopped;
  });

  it('stop with the whole of a large answer, however much is asked behind it', async () => {
    const answer = later<QueryAnswer>();
    const { url, connections } = await started({ query: { answer: () => answer.promise } });
    const { socket, closed } = await rawSocket(url);
    socket.write(rawQuery().repeat(20_000));
    await expect.poll(() => connections.inFlight).toBe(1);
    socket.pause();
    const stopped = connections.drain(5000);
    answer.resolve(answerOf('x'.repeat(8_000_000)));
    await pause(200);
    socket.resume();
    expect((await closed).match(/x+$/)?.[0]).toHaveLength(8_000_000);
    await stopped;
  });

  it('are kept a second longer than they say', async () => {
    const { url } = await started({ query: {}, settings: { idleSeconds: 1 } });
    const { socket, until, closed } = await rawSocket(url);
    socket.write(rawQuery());
    expect(await until(/plain$/)).toContain('Keep-Alive: timeout=1\r\n');
    const start = performance.now();
    await closed;
    expect(performance.now() - start).toBeGreaterThan(1500);
  });

  it('are not read without end while a query runs', async () => {
    const answer = later<QueryAnswer>();
    const { url, sockets } = await started({ query: { answer: () => answer.promise } });
    const { socket } = await rawSocket(url);
    socket.write(rawQuery().repeat(200_000));
    await pause(200);
    expect(sockets[0]?.bytesRead).toBeLessThan(1_000_000);
  });
});

describe('a client that leaves', () => {
  it.each<[string, number, (socket: Socket) => void]>([
    ['by its end', 1, (socket) => socket.end()],
    ['by its end, with more asked', 3, (socket) => socket.end()],
    ['by a reset', 1, (socket) => socket.resetAndDestroy()],
  ])('%s ends its query, which is told of once', async (_, pieces, leave) => {
    let gone = 0;
    const answer = later<QueryAnswer>();
    const { url, lines, connections } = await started({
      query: {
        answer: (_body, _headers, _seen, { onGone }) => {
          onGone(() => gone++);
          return answer.promise;
        },
      },
    });
    const { socket } = await rawSocket(url);
    for (let n = 0; n < pieces; n++) {
      socket.write(rawQuery());
      await pause(10);
    }
    await expect.poll(() => connections.inFlight).toBe(1);
    leave(socket);
    while (connections.count > 0) await pause(5);
    let sent = 0;
    answer.resolve(answerOf('late', () => sent++));
    await pause(10);
    expect({ gone, sent, inFlight: connections.inFlight, statuses: lines.map(({ status }) => status) }).toEqual({
      gone: 1,
      sent: 1,
      inFlight: 0,
      statuses: [499],
    });
  });

  it('and takes nothing of its answer is cut off, however long a query may take', async () => {
    const answer = () => answerOf('x'.repeat(30_000_000));
    const { url, lines } = await started({ query: { answer }, settings: { querySeconds: 60, stallSeconds: 0.3 } });
    const { socket } = await rawSocket(url);
    socket.pause();
    socket.write(rawQuery());
    const start = performance.now();
    await expect.poll(() => lines.map(({ status }) => status)).toEqual([499]);
    expect(performance.now() - start).toBeGreaterThan(300);
  });

  it('by its end ends what node:http has read, behind the answers that had begun before', async () => {
    let asked = 0;
    const http = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      asked++;
      if (asked === 1) incoming.resume().once('end', () => setTimeout(() => outgoing.end('first'), 100));
    };
    const { url, lines, connections } = await started({ query: {}, http });
    const { socket, closed } = await rawSocket(url, { allowHalfOpen: true });
    socket.end(ODD + ODD + ODD);
    expect(await closed).toMatch(/^HTTP\/1.1 200 [\s\S]*first/);
    await expect.poll(() => connections.count).toBe(0);
    expect([connections.inFlight, lines.map(({ status }) => status)]).toEqual([0, [200, 499, 499]]);
  });

  it('before it was admitted asks nothing', async () => {
    const admitted = later<void>();
    let [toAdmit, asked] = [0, 0];
    const admit = () => {
      toAdmit++;
      return admitted.promise;
    };
    const answer = () => {
      asked++;
      return answerOf('plain');
    };
    const { url, lines, connections } = await started({ query: { admit, answer } });
    const { socket } = await rawSocket(url);
    socket.write(rawQuery());
    await expect.poll(() => toAdmit).toBe(1);
    socket.resetAndDestroy();
    while (connections.count > 0) await pause(5);
    admitted.resolve();
    await pause(10);
    expect([asked, lines.map(({ status }) => status)]).toEqual([0, [499]]);
  });
});

describe('a failure', () => {
  it.each<[string, QueryRoute['answer']]>([
    [
      'at once',
      () => {
        throw new Error('failed');
      },
    ],
    ['later', () => Promise.reject(new Error('failed'))],
  ])('%s is refused, and the connection goes on', async (_, answer) => {
    const { url, lines } = await started({ query: { answer } });
    const { socket, until } = await rawSocket(url);
    socket.write(rawQuery() + rawQuery());
    expect(await until(/^(?:[\s\S]*refused){2}$/)).toMatch(/^HTTP\/1.1 500 /);
    await pause(10);
    expect(lines.map(({ status }) => status)).toEqual([500, 500]);
  });

  it('of the refusal itself costs the connection alone', async () => {
    const refusal = () => {
      throw new Error('failed, too');
    };
    const { url, lines, connections } = await started({
      query: { answer: () => Promise.reject(new Error('failed')) },
      refusal,
    });
    const { socket, closed } = await rawSocket(url);
    socket.write(rawQuery());
    expect(await closed).toBe('');
    expect([lines.map(({ status }) => status), connections.inFlight]).toEqual([[499], 0]);
  });
});
