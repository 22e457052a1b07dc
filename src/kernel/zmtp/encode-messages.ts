import { FLAGS, type Frame, SHORT_BYTES } from './frame.js';

/**
 * The bytes of messages, one after another.
 *
 * @example encodeMessages([['a', '']]); // <Buffer 01 01 61 00 00>
 */
export function encodeMessages(messages: readonly (readonly Frame[])[]): Buffer {
  const lengths = messages.map((frames) => frames.map((frame) => Buffer.byteLength(frame)));
  const bytes = Buffer.allocUnsafe(lengths.flat().reduce((sum, length) => sum + sizeOf(length), 0));
  let at = 0;
  messages.forEach((frames, message) => {
    frames.forEach((frame, index) => {
      const length = lengths[message]?.[index] ?? 0;
      at = writeHead(bytes, at, index < frames.length - 1 ? FLAGS.more : 0, length);
      if (typeof frame === 'string') bytes.write(frame, at);
      else bytes.set(frame, at);
      at += length;
    });
  });
  return bytes;
}

/** The bytes of a command, such as READY. */
export function encodeCommand(name: string, data: Uint8Array): Buffer {
  const length = 1 + name.length + data.length;
  const bytes = Buffer.allocUnsafe(sizeOf(length));
  const at = writeHead(bytes, 0, FLAGS.command, length);
  bytes[at] = name.length;
  bytes.write(name, at + 1, 'latin1');
  bytes.set(data, at + 1 + name.length);
  return bytes;
}

/** Writes what precedes a frame's body; returns where the body begins. */
function writeHead(bytes: Buffer, at: number, flags: number, length: number): number {
  if (length <= SHORT_BYTES) {
    bytes[at] = flags;
    bytes[at + 1] = length;
    return at + 2;
  }
  bytes[at] = flags | FLAGS.long;
  bytes.writeBigUInt64BE(BigInt(length), at + 1);
  return at + 9;
}

function sizeOf(length: number): number {
  return length + (length <= SHORT_BYTES ? 2 : 9);
}
