import { describe, expect, it, test } from 'vitest';
import { decodePacket, encodePacket, type Packet } from '../../src/page/socket-codec.js';
import fc, { cases } from '../support/fast-check.js';
import { serveKernels } from './kernel-server.js';
import { connectTo, readPlain, readV1, writePlain, writeV1 } from './kernel-socket.js';

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const text = fc.string({ unit: 'grapheme' });
const object = fc.dictionary(text, fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)) as object);
const header = fc.record({ msg_id: text, msg_type: text, session: text, username: text, date: text, version: text });
const channel = fc.constantFrom('shell', 'control', 'stdin');
const message = fc.record({
  channel,
  parts: fc.tuple(header, fc.oneof(header, fc.constant({})), object, object),
  buffers: fc.array(bytes, { maxLength: 3 }),
});
const isPlain = fc.boolean();

describe('a message on its way to a front end', () => {
  it('is read by one that follows the description of its protocol', () => {
    fc.assert(
      fc.property(message, isPlain, ({ channel, parts, buffers }, isPlain) => {
        const json = parts.map((part) => JSON.stringify(part)) as Packet['parts'];
        const packet: Packet = { type: parts[0].msg_type, channel: channel as Packet['channel'], parts: json, buffers };
        const sent = encodePacket(packet, isPlain);
        const isBinary = typeof sent !== 'string';
        const read = isPlain ? readPlain(Buffer.from(sent), isBinary) : readV1(Buffer.from(sent));
        const [header, parent_header, metadata, content] = parts;
        expect(read).toMatchObject({ channel, header, parent_header, metadata, content });
        expect(read.buffers.map(String)).toEqual(buffers.map(String));
        if (isPlain) expect(read).toMatchObject({ msg_id: header.msg_id, msg_type: header.msg_type });
      }),
      { numRuns: cases(500) },
    );
  });
});

describe('a message from a front end', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(message, isPlain, ({ channel, parts, buffers }, isPlain) => {
        const sent = (isPlain ? writePlain : writeV1)(channel, parts, buffers);
        const isBinary = typeof sent !== 'string';
        const [header, parentHeader, metadata, content] = parts;
        const rawHeader = JSON.stringify(header);
        const read = decodePacket(Buffer.from(sent), isBinary, isPlain);
        expect(read).toEqual({
          channel,
          header,
          rawHeader,
          parentHeader,
          metadata,
          content,
          buffers: expect.anything(),
        });
        expect('buffers' in read && read.buffers.map(String)).toEqual(buffers.map(String));
      }),
      { numRuns: cases(500) },
    );
  });

  it('is refused with a reason if it is none, whatever its bytes are', () => {
    const damaged = fc
      .tuple(message, isPlain, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }), fc.nat(), bytes)
      .map(([{ channel, parts, buffers }, isPlain, changes, cut, more]) => {
        const whole = Buffer.from((isPlain ? writePlain : writeV1)(channel, parts, buffers));
        for (const [at, value] of changes) whole[at % whole.length] = value;
        return Buffer.concat([whole.subarray(0, whole.length - (cut % whole.length)), more]);
      });
    fc.assert(
      fc.property(fc.oneof(bytes, damaged), fc.boolean(), isPlain, (data, isBinary, isPlain) => {
        const read = decodePacket(data, isBinary, isPlain);
        if ('refused' in read) {
          expect([1003, 1007]).toContain(read.code);
          expect(Buffer.byteLength(read.refused)).toBeLessThan(124);
        } else expect(read).toMatchObject({ header: { msg_id: expect.any(String), session: expect.any(String) } });
      }),
      { numRuns: cases(3000) },
    );
  });

  const head = (...numbers: number[]) => {
    const data = Buffer.alloc(8 * numbers.length);
    numbers.forEach((number, index) => {
      data.writeBigInt64LE(BigInt(number), 8 * index);
    });
    return data;
  };
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a number of parts beyond all bytes', head(2 ** 52, 0)],
    ['a negative number of parts', head(-1, 0, 0)],
    ['offsets beyond the end', head(6, 56, 57, 58, 59, 60, 9e9)],
    ['offsets that go back', Buffer.concat([head(6, 56, 58, 57, 59, 60, 60), Buffer.alloc(8)])],
  ])('is refused if it has %s', (_, data) => {
    expect(decodePacket(data, true, false)).toMatchObject({ refused: expect.any(String) });
    expect(decodePacket(data, true, true)).toMatchObject({ refused: expect.any(String) });
  });

  // Node.js 20 reads it and cannot write it again, 26 does both.
  it('is refused or read, but throws nothing, if a part is nested deeply', () => {
    const read = decodePacket(writeDeep(200_000), true, true);
    expect('refused' in read ? '1' : read.header.msg_id).toBe('1');
    expect('refused' in decodePacket(writeDeep(200_000), true, false)).toBe(true);
  });
});

function writeDeep(depth: number): Buffer {
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const json = `{"channel":"shell","header":{"msg_id":"1","msg_type":"a","session":"s","x":${deep}},"content":{}}`;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(1);
  head.writeUInt32BE(8, 4);
  return Buffer.concat([head, Buffer.from(json)]);
}

test.each([
  { protocols: ['v1.kernel.websocket.jupyter.org'], sent: Buffer.from('nonsense'), code: 1003 },
  { protocols: ['v1.kernel.websocket.jupyter.org'], sent: 'text', code: 1003 },
  { protocols: ['v1.kernel.websocket.jupyter.org'], sent: writeV1('iopub', [{}, {}, {}, {}]), code: 1003 },
  { protocols: ['v1.kernel.websocket.jupyter.org'], sent: writeV1('shell', [{}, {}, {}, {}]), code: 1007 },
  { protocols: [], sent: '{', code: 1007 },
  { protocols: [], sent: '{"channel":"shell","header":7}', code: 1007 },
  { protocols: [], sent: Buffer.alloc(4), code: 1003 },
])('a front end that sends no message is closed with $code, and the kernel lives on', async (each) => {
  const { ask, url } = await serveKernels();
  const { json: kernel } = await ask('POST', '/api/kernels');
  const hostile = await connectTo(url, kernel.id, { protocols: each.protocols });
  hostile.socket.send(each.sent);
  await expect.poll(() => hostile.code).toBe(each.code);
  const other = await connectTo(url, kernel.id, { protocols: each.protocols });
  const id = other.run('console.log("alive")');
  await other.over(id);
  expect(other.text(id)).toBe('alive\n');
});

test('a front end that asks for no protocol or for others speaks JSON, with binary attachments', async () => {
  const { ask, url } = await serveKernels();
  const { json: kernel } = await ask('POST', '/api/kernels');
  for (const protocols of [[], ['something.else', 'v1.kernel.websocket.jupyter.org']]) {
    const socket = await connectTo(url, kernel.id, { protocols });
    expect(socket.socket.protocol).toBe(protocols.at(-1) ?? '');
    const cell = `comms.on('t', (comm) => comm.send({ a: 1 }, {}, [new Uint8Array([1, 2, 255])]))`;
    expect((await socket.over(socket.run(cell))).content.status).toBe('ok');
    socket.send('comm_open', { comm_id: `c${protocols.length}`, target_name: 't', data: {} });
    const answer = await socket.until(({ header }) => header.msg_type === 'comm_msg');
    expect(answer.content).toEqual({ comm_id: `c${protocols.length}`, data: { a: 1 } });
    expect(answer.buffers.map((buffer) => [...buffer])).toEqual([[1, 2, 255]]);
  }
});
