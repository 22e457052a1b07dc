import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { Dealer, Request, Subscriber } from 'zeromq';
import { encodeCommand, encodeMessages } from '../../../src/kernel/zmtp/framing.js';
import { opening } from '../../../src/kernel/zmtp/peer.js';
import { Publisher, Router, type ServerSocket } from '../../../src/kernel/zmtp/sockets.js';
import { freePort } from '../../support/free-port.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-zmtp-'));
const open: { close(): unknown }[] = [];
const log: string[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  log.length = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

function kept<Closed extends { close(): unknown }>(socket: Closed): Closed {
  open.push(socket);
  return socket;
}

/** Has a socket listen at a free port of loopback, and returns its address for ZeroMQ's library. */
async function addressOf(socket: ServerSocket): Promise<{ port: number; address: string }> {
  const port = await freePort();
  await kept(socket).listen({ ip: '127.0.0.1', port });
  return { port, address: `tcp://127.0.0.1:${port}` };
}

/** A router that sends every message back. */
function echo(): Router {
  const router = new Router(
    (frames) => router.send(frames),
    (problem) => log.push(problem),
  );
  return router;
}

function dealer(address: string, options: ConstructorParameters<typeof Dealer>[0] = {}): Dealer {
  const socket = kept(new Dealer({ linger: 0, receiveTimeout: 20_000, sendHighWaterMark: 0, ...options }));
  socket.connect(address);
  return socket;
}

const textsOf = (frames: Buffer[]): string[] => frames.map(String);

it('talks to DEALER and REQ of the ZeroMQ library, with messages of any size and many parts', async () => {
  const { address } = await addressOf(echo());
  const [first, second] = [dealer(address), dealer(address, { routingId: 'named' })];
  await Promise.all([first.send(['a', '', 'c']), second.send('b')]);
  expect([textsOf(await first.receive()), textsOf(await second.receive())]).toEqual([['a', '', 'c'], ['b']]);
  const large = Buffer.alloc(100 * 1024 * 1024, 'large');
  await first.send([large, 'end']);
  const [back, end] = await first.receive();
  expect([back?.equals(large), String(end)]).toEqual([true, 'end']);
  const request = kept(new Request({ linger: 0, receiveTimeout: 20_000 }));
  request.connect(address);
  for (const beat of ['one', 'two']) {
    await request.send(beat);
    expect(textsOf(await request.receive())).toEqual([beat]);
  }
});

it('keeps thousands of messages in their order', async () => {
  const { address } = await addressOf(echo());
  const socket = dealer(address, { receiveHighWaterMark: 0 });
  for (let at = 0; at < 5000; at++) await socket.send(String(at));
  for (let at = 0; at < 5000; at++) expect(String(await socket.receive())).toBe(String(at));
});

it('answers whoever asked last of those that share an identity, else one that is left, and drops what is for nobody', async () => {
  const shared = echo();
  const { address } = await addressOf(shared);
  const first = dealer(address, { routingId: 'same', reconnectInterval: -1 });
  await first.send('from the first');
  expect(textsOf(await first.receive())).toEqual(['from the first']);
  const second = dealer(address, { routingId: 'same', reconnectInterval: -1 });
  await second.send('from the second');
  expect(textsOf(await second.receive())).toEqual(['from the second']);
  await first.send('once more');
  expect(textsOf(await first.receive())).toEqual(['once more']);
  await second.send('again');
  expect(textsOf(await second.receive())).toEqual(['again']);
  second.close();
  // Until the router has learned that the second is gone.
  const sending = setInterval(() => shared.send(['same', 'left']), 5);
  expect(textsOf(await first.receive())).toEqual(['left']);
  clearInterval(sending);
  const router = echo();
  const { address: other } = await addressOf(router);
  router.send(['nobody', 'lost']);
  const third = dealer(other);
  await third.send('heard');
  expect(textsOf(await third.receive())).toEqual(['heard']);
});

it('publishes to each SUB of the ZeroMQ library what it has subscribed to', async () => {
  const publisher = new Publisher((problem) => log.push(problem));
  const { address } = await addressOf(publisher);
  const heard: Record<string, string[]> = { all: [], some: [] };
  const subscribers = Object.entries({ all: [''], some: ['kernel.s', 'end'] }).map(([name, topics]) => {
    const socket = kept(new Subscriber({ linger: 0, receiveHighWaterMark: 0 }));
    socket.subscribe(...topics);
    socket.connect(address);
    const isEnded = (async () => {
      for await (const [topic, body] of socket) {
        if (String(topic) === 'end') return;
        if (String(topic) !== 'probe') heard[name]?.push(`${topic}=${body}`);
        else if (!probed.has(name)) probed.add(name);
      }
    })();
    return { socket, isEnded };
  });
  const probed = new Set<string>();
  // `end` reaches a subscriber only once its subscription has come; so does a probe, which one of them does not want.
  while (!probed.has('all')) {
    publisher.send([['probe', '']]);
    await new Promise((resume) => setTimeout(resume, 5));
  }
  const some = subscribers[1]?.socket;
  some?.unsubscribe('kernel.s');
  some?.subscribe('kernel.st');
  const until = performance.now() + 20_000;
  while (!heard.some?.length && performance.now() < until) {
    publisher.send([['kernel.status', 'there']]);
    await new Promise((resume) => setTimeout(resume, 5));
  }
  for (const list of Object.values(heard)) list.length = 0;
  publisher.send([
    ['kernel.status', '1'],
    ['kernel.stream', '2'],
    ['kernel.error', '3'],
  ]);
  publisher.send([['kernel.stream', 'é'.repeat(1000)]]);
  publisher.send([]);
  publisher.send([['end', '']]);
  await Promise.all(subscribers.map(({ isEnded }) => isEnded));
  const tail = ['kernel.status=1', 'kernel.stream=2', 'kernel.error=3', `kernel.stream=${'é'.repeat(1000)}`];
  const without = (list: string[] = []): string[] => list.filter((each) => each !== 'kernel.status=there');
  expect(without(heard.all)).toEqual(tail);
  expect(without(heard.some)).toEqual(tail.filter((each) => each !== 'kernel.error=3'));
});

it('gives what was published since its start to who subscribes within three seconds, once, and not to later ones', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const publisher = new Publisher((problem) => log.push(problem));
  const { address } = await addressOf(publisher);
  publisher.send([
    ['kernel.status', 'starting'],
    ['kernel.stream', 'early'],
  ]);
  const heardBy = async (...topics: string[]): Promise<string[]> => {
    const socket = kept(new Subscriber({ linger: 0, receiveTimeout: 20_000 }));
    socket.subscribe(...topics, 'end');
    socket.connect(address);
    const heard: string[] = [];
    // Until its subscription has come.
    const sending = setInterval(() => publisher.send([['end', '']]), 5);
    for await (const [topic, body] of socket) {
      if (String(topic) === 'end') break;
      heard.push(String(body));
    }
    clearInterval(sending);
    return heard;
  };
  expect(await heardBy('kernel')).toEqual(['starting', 'early']);
  expect(await heardBy('kernel.st', 'kernel.str', 'kernel.status')).toEqual(['starting', 'early']);
  expect(await heardBy('kernel.stream')).toEqual(['early']);
  vi.advanceTimersByTime(3000);
  expect(await heardBy('kernel')).toEqual([]);
});

it('keeps any number of messages at once', () => {
  const publisher = new Publisher((problem) => log.push(problem));
  expect(() => publisher.send(Array.from({ length: 200_000 }, () => ['kernel.stream', '']))).not.toThrow();
});

it('keeps nothing of a flood for who subscribes later', async () => {
  const publisher = new Publisher((problem) => log.push(problem));
  const { address } = await addressOf(publisher);
  publisher.send([['first', '']]);
  publisher.send([['flood', Buffer.alloc(16 * 1024 * 1024)]]);
  const socket = kept(new Subscriber({ linger: 0, receiveTimeout: 20_000 }));
  socket.subscribe('');
  socket.connect(address);
  const sending = setInterval(() => publisher.send([['end', '']]), 5);
  expect(String((await socket.receive())[0])).toBe('end');
  clearInterval(sending);
});

/** Connects without ZeroMQ's library. */
async function rawTo(
  port: number,
): Promise<{ socket: Socket; read: (bytes: number) => Promise<Buffer>; ended: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1');
  kept({ close: () => socket.destroy() });
  const ended = once(socket, 'close');
  const read = async (bytes: number): Promise<Buffer> => {
    for (;;) {
      const chunk: Buffer | null = socket.read(bytes);
      if (chunk) return chunk;
      await once(socket, 'readable');
    }
  };
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, read, ended };
}

const HELLO = opening('ROUTER');

it('understands a peer whose bytes come one by one, and answers its PING', async () => {
  const { port } = await addressOf(echo());
  const { socket, read } = await rawTo(port);
  const hello = encodeMessages([['hello', 'world']]);
  for (const byte of Buffer.concat([HELLO, hello, encodeCommand('PING', Buffer.from('\0\x05context'))])) {
    socket.write(Buffer.from([byte]));
    await new Promise(setImmediate);
  }
  expect(await read(HELLO.length)).toEqual(HELLO);
  expect(await read(hello.length)).toEqual(hello);
  expect(await read(14)).toEqual(encodeCommand('PONG', Buffer.from('context')));
});

it('gives another name to a peer that states one of those that the router gives', async () => {
  const senders: string[] = [];
  const router = new Router(
    ([from, ...frames]) => {
      senders.push(from?.toString('hex') ?? '');
      router.send([from ?? '', ...frames]);
    },
    (problem) => log.push(problem),
  );
  const { port } = await addressOf(router);
  const ready = encodeCommand('READY', Buffer.from('\x08Identity\0\0\0\x05\0\0\0\0\x01'));
  const hello = encodeMessages([['hello']]);
  for (const opened of [HELLO, Buffer.concat([HELLO.subarray(0, 64), ready])]) {
    const { socket, read } = await rawTo(port);
    socket.write(Buffer.concat([opened, hello]));
    await read(HELLO.length);
    expect(await read(hello.length)).toEqual(hello);
  }
  expect(senders).toEqual(['0000000001', '0000000002']);
});

const changed = (at: number, text: string): Buffer => {
  const greeting = Buffer.from(HELLO);
  greeting.write(text, at, 'latin1');
  return greeting;
};

it.each([
  ['a browser', Buffer.from('POST / HTTP/1.1\r\n\r\n'), 'it does not speak ZeroMQ'],
  ['an old library', changed(10, '\x01').subarray(0, 11), 'it speaks ZeroMQ of before version 4'],
  ['an encrypting peer', changed(12, 'CURVE').subarray(0, 32), 'it asks for encryption or a password'],
  ['a hasty peer', Buffer.concat([HELLO.subarray(0, 64), encodeMessages([['x']])]), 'it did not introduce itself'],
  [
    'a large one',
    Buffer.concat([HELLO, Buffer.from([2, 9, 9, 9, 9, 9, 9, 9, 9])]),
    'it announces more than a message can hold',
  ],
])('refuses %s, says so once and goes on', async (_, bytes, reason) => {
  let taken = 0;
  const router = new Router(
    () => (taken += 1),
    (problem) => log.push(problem),
  );
  const { port } = await addressOf(router);
  for (let tries = 0; tries < 3; tries++) {
    const { socket, ended } = await rawTo(port);
    socket.resume().write(Buffer.concat([bytes, Buffer.from('junk')]));
    await ended;
  }
  expect([log, taken]).toEqual([[`A connection was refused: ${reason}`], 0]);
  const { read } = await rawTo(port);
  expect(await read(HELLO.length)).toEqual(HELLO);
});

it('sends everything before it closes', async () => {
  let closed: Promise<void> | undefined;
  const router = new Router(
    (frames) => {
      router.send(frames);
      closed = router.close();
    },
    (problem) => log.push(problem),
  );
  const { port } = await addressOf(router);
  const { socket, ended } = await rawTo(port);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const message = encodeMessages([['last', Buffer.alloc(20 * 1024 * 1024, 'x')]]);
  socket.write(Buffer.concat([HELLO, message]));
  await ended;
  await closed;
  expect(Buffer.concat(chunks).equals(Buffer.concat([HELLO, message]))).toBe(true);
  expect(log).toEqual([]);
});

it.each([
  ['a message that it would answer', encodeMessages([['again']])],
  ['a PING', encodeCommand('PING', Buffer.from('\0\0context'))],
])('sends everything before it closes, also to a peer that sends %s meanwhile', async (_, late) => {
  let closed: Promise<void> | undefined;
  const router = new Router(
    (frames) => {
      router.send(frames);
      closed ??= router.close();
    },
    (problem) => log.push(problem),
  );
  const { port } = await addressOf(router);
  const { socket, ended } = await rawTo(port);
  const large = encodeMessages([[Buffer.alloc(20 * 1024 * 1024)]]);
  socket.write(Buffer.concat([HELLO, large]));
  while (!closed) await new Promise((resume) => setTimeout(resume, 5));
  socket.write(late);
  // Long enough for it to come, while most of what was sent before still waits.
  await new Promise((resume) => setTimeout(resume, 100));
  let got = 0;
  socket.on('data', (chunk: Buffer) => {
    got += chunk.length;
  });
  await ended;
  expect(got).toBe(HELLO.length + large.length);
});

it('is not harmed by a peer that goes without reading its answers', async () => {
  const { port, address } = await addressOf(echo());
  const { socket, read } = await rawTo(port);
  socket.write(HELLO);
  await read(HELLO.length);
  socket.write(encodeMessages([[Buffer.alloc(20 * 1024 * 1024)]]));
  await read(9);
  socket.resetAndDestroy();
  const other = dealer(address);
  await other.send('heard');
  expect([textsOf(await other.receive()), log]).toEqual([['heard'], []]);
});

const isWindows = process.platform === 'win32';

it.skipIf(isWindows)(
  'listens at a path, also where an ended process left its socket, and never on a file',
  async () => {
    const path = join(folder, 'socket');
    // A process that is killed leaves its socket behind; so does this rename.
    const before = createServer().listen(`${path}-before`);
    await once(before, 'listening');
    renameSync(`${path}-before`, path);
    before.close();
    expect(existsSync(path)).toBe(true);
    await kept(echo()).listen({ path });
    const socket = dealer(`ipc://${path}`);
    await socket.send('here');
    expect(textsOf(await socket.receive())).toEqual(['here']);
    const file = join(folder, 'file');
    writeFileSync(file, 'mine');
    await expect(echo().listen({ path: file })).rejects.toThrow('EADDRINUSE');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await expect(echo().listen({ path: join(folder, 'x'.repeat(200)) })).rejects.toThrow('its path has over 103 bytes');
  },
);

it('listens at every address and at an interface by its name, as ZeroMQ does', async () => {
  const [loopback] = Object.entries(networkInterfaces()).find(([, all]) =>
    all?.some(({ address }) => address === '127.0.0.1'),
  ) ?? ['127.0.0.1'];
  for (const ip of ['*', loopback]) {
    const port = await freePort();
    await kept(echo()).listen({ ip, port });
    const socket = dealer(`tcp://127.0.0.1:${port}`);
    await socket.send(ip);
    expect(textsOf(await socket.receive())).toEqual([ip]);
  }
  const { port } = await addressOf(echo());
  await expect(echo().listen({ ip: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
});
