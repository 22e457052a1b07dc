import { expect, it } from 'vitest';
import { encodeCommand, encodeMessages, MessageReader } from '../../../src/kernel/zmtp/framing.js';
import fc from '../../support/fast-check.js';

/** What a reader makes of bytes that come in these chunks. */
function readChunks(chunks: readonly Buffer[]): { read: (Buffer[] | Buffer)[]; faults: (string | undefined)[] } {
  const read: (Buffer[] | Buffer)[] = [];
  const reader = new MessageReader({
    takeMessage: (frames) => read.push(frames),
    takeCommand: (body) => read.push(body),
  });
  return { faults: chunks.map((chunk) => reader.push(chunk)).filter(Boolean), read };
}

/** Cuts bytes at some of their places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

it('writes frames as ZMTP has them', () => {
  expect(encodeMessages([['a', '']])).toEqual(Buffer.from([1, 1, 97, 0, 0]));
  expect(encodeMessages([['é'], [Uint8Array.of(7)]])).toEqual(Buffer.from([0, 2, 0xc3, 0xa9, 0, 1, 7]));
  expect(encodeMessages([[Buffer.alloc(255)]]).subarray(0, 2)).toEqual(Buffer.from([0, 255]));
  expect(encodeMessages([[Buffer.alloc(256)]]).subarray(0, 9)).toEqual(Buffer.from([2, 0, 0, 0, 0, 0, 0, 1, 0]));
  expect(encodeMessages([])).toEqual(Buffer.alloc(0));
  expect(encodeCommand('PONG', Buffer.from('x'))).toEqual(Buffer.from('\x04\x06\x04PONGx'));
});

it('reads what was written, wherever its bytes are cut', () => {
  const frame = fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.uint8Array({ minLength: 250, maxLength: 300 }));
  const messages = fc.array(fc.array(frame, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  fc.assert(
    fc.property(messages, fc.array(fc.nat(), { maxLength: 20 }), (sent, places) => {
      const { read, faults } = readChunks(cut(encodeMessages(sent), places));
      expect(read).toEqual(sent.map((frames) => frames.map((each) => Buffer.from(each))));
      expect(faults).toEqual([]);
    }),
  );
});

it('reads commands between messages, byte by byte', () => {
  const bytes = Buffer.concat([
    encodeMessages([['a', 'b']]),
    encodeCommand('PING', Buffer.from('12')),
    encodeMessages([['c']]),
  ]);
  const { read } = readChunks([...bytes].map((byte) => Buffer.from([byte])));
  expect(read).toEqual([[Buffer.from('a'), Buffer.from('b')], Buffer.from('\x04PING12'), [Buffer.from('c')]]);
});

it('joins a large frame once, not for each of its chunks', () => {
  const body = Buffer.alloc(64 * 1024 * 1024, 1);
  const bytes = encodeMessages([[body]]);
  const chunks = Array.from({ length: bytes.length / 1024 + 1 }, (_, at) => bytes.subarray(at * 1024, (at + 1) * 1024));
  const { read } = readChunks(chunks);
  expect((read as Buffer[][]).map((frames) => frames.map((each) => each.equals(body)))).toEqual([[true]]);
});

it('says that a frame is larger than any that it can hold', () => {
  const { read, faults } = readChunks([Buffer.from([2, 0, 0, 1, 0, 0, 0, 0, 0])]);
  expect([read, faults]).toEqual([[], ['it announces more than a message can hold']]);
});
