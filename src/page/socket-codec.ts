import { isObject, jsonIn } from '../base/texts.js';
import { type Channel, type Incoming, type MessageParts, readMessage } from '../kernel/protocol/message.js';

// Two ways to carry Jupyter's messages over a WebSocket. The first names where each part of the message begins; the
// second, for front ends that do not ask for the first, is one JSON text, with binary attachments behind it.

/** The name by which front ends ask for the first way. */
export const PROTOCOL = 'v1.kernel.websocket.jupyter.org';

/** The channels on which messages leave. */
export type SentChannel = Channel | 'iopub';

/** A message on its way to front ends. */
export interface Packet {
  type: string;
  channel: SentChannel;
  parts: MessageParts;
  /** Binary attachments. */
  buffers: readonly Uint8Array[];
}

/** A message from a front end. */
export type FrontEndMessage = Omit<Incoming, 'identities'> & { channel: Channel };

/** Why what came is no message: `code` is that of the WebSocket's end, `refused` repeats nothing of what came. */
export interface Refused {
  code: 1003 | 1007;
  refused: string;
}

/**
 * Writes a message for a WebSocket.
 *
 * @param isPlain Whether the front end asked for no protocol.
 * @returns Text where the message is sent as text.
 */
export function encodePacket({ channel, parts, buffers }: Packet, isPlain: boolean): Buffer | string {
  if (!isPlain) return withOffsets([channel, ...parts, ...buffers]);
  const [header, parentHeader, metadata, content] = parts;
  const { msg_id, msg_type } = JSON.parse(header) as { msg_id: string; msg_type: string };
  const ids = `"msg_id":${JSON.stringify(msg_id)},"msg_type":${JSON.stringify(msg_type)}`;
  const texts = `"header":${header},${ids},"parent_header":${parentHeader},"metadata":${metadata},"content":${content}`;
  const json = `{${texts},"buffers":[],"channel":"${channel}"}`;
  return buffers.length === 0 ? json : withCounts([json, ...buffers]);
}

/** Reads what came by a WebSocket; never throws. */
export function decodePacket(data: Buffer, isBinary: boolean, isPlain: boolean): FrontEndMessage | Refused {
  try {
    return read(data, isBinary, isPlain);
  } catch (error) {
    if (error instanceof RangeError) return { code: 1007, refused: 'The message is nested too deeply' };
    throw error;
  }
}

function read(data: Buffer, isBinary: boolean, isPlain: boolean): FrontEndMessage | Refused {
  if (!isPlain) {
    if (!isBinary) return { code: 1003, refused: `Messages of ${PROTOCOL} are binary` };
    const [channel, header, parentHeader, metadata, content, ...buffers] = byOffsets(data) ?? [];
    if (!channel || !header || !parentHeader || !metadata || !content) return UNFRAMED;
    const parts = [header, parentHeader, metadata, content].map(String) as MessageParts;
    return checked(channel.toString(), parts, buffers);
  }
  const [json, ...buffers] = isBinary ? (byCounts(data) ?? []) : [data];
  if (!json) return UNFRAMED;
  const message = jsonIn(json.toString());
  if (!isObject(message)) return { code: 1007, refused: 'The message is no JSON object' };
  const { channel, header, parent_header, metadata, content } = message;
  const parts = [header, parent_header ?? {}, metadata ?? {}, content].map((part) => JSON.stringify(part) ?? '');
  return checked(channel, parts as MessageParts, buffers);
}

const UNFRAMED: Refused = { code: 1003, refused: 'The message has not the parts that it names' };
const CHANNELS: readonly unknown[] = ['shell', 'control', 'stdin'] satisfies Channel[];

function checked(channel: unknown, parts: MessageParts, buffers: Buffer[]): FrontEndMessage | Refused {
  if (!isChannel(channel)) return { code: 1003, refused: 'The message names no channel: shell, control or stdin' };
  const read = readMessage(parts);
  if ('refused' in read) return { code: 1007, refused: `The message is refused: ${read.refused}` };
  return { ...read, channel, buffers };
}

function isChannel(channel: unknown): channel is Channel {
  return CHANNELS.includes(channel);
}

/** Bytes of one offset of the first way: an integer, its least byte first. */
const OFFSET_BYTES = 8;

/** The parts behind their offsets: how many there are, where each part begins, and where the last one ends. */
function withOffsets(parts: readonly (string | Uint8Array)[]): Buffer {
  const bytes = parts.map(bytesOf);
  const head = Buffer.alloc(OFFSET_BYTES * (parts.length + 2));
  const offsets = [parts.length + 1, head.length];
  for (const { length } of bytes) offsets.push((offsets.at(-1) ?? 0) + length);
  offsets.forEach((offset, index) => {
    head.writeBigUInt64LE(BigInt(offset), OFFSET_BYTES * index);
  });
  return Buffer.concat([head, ...bytes]);
}

/** The parts that the offsets name; undefined unless these stand in order within the bytes. */
function byOffsets(data: Buffer): Buffer[] | undefined {
  const most = Math.floor(data.length / OFFSET_BYTES) - 1;
  const count = most < 1 ? 0 : Number(data.readBigUInt64LE(0));
  if (count < 1 || count > most) return undefined;
  const offsets = Array.from({ length: count }, (_, i) => Number(data.readBigUInt64LE(OFFSET_BYTES * (i + 1))));
  return sliced(data, OFFSET_BYTES * (count + 1), offsets);
}

/** Bytes of one number of the second way: an integer, its greatest byte first. */
const COUNT_BYTES = 4;

/** The parts behind how many there are and where each begins. */
function withCounts(parts: readonly (string | Uint8Array)[]): Buffer {
  const bytes = parts.map(bytesOf);
  const head = Buffer.alloc(COUNT_BYTES * (parts.length + 1));
  head.writeUInt32BE(parts.length);
  let at = head.length;
  bytes.forEach(({ length }, index) => {
    head.writeUInt32BE(at, COUNT_BYTES * (index + 1));
    at += length;
  });
  return Buffer.concat([head, ...bytes]);
}

function byCounts(data: Buffer): Buffer[] | undefined {
  const most = Math.floor(data.length / COUNT_BYTES) - 1;
  const count = most < 1 ? 0 : data.readUInt32BE(0);
  if (count < 1 || count > most) return undefined;
  const offsets = Array.from({ length: count }, (_, index) => data.readUInt32BE(COUNT_BYTES * (index + 1)));
  return sliced(data, COUNT_BYTES * (count + 1), [...offsets, data.length]);
}

function sliced(data: Buffer, headBytes: number, offsets: readonly number[]): Buffer[] | undefined {
  const isInOrder = offsets.every((at, index) => at <= data.length && at >= (offsets[index - 1] ?? headBytes));
  return isInOrder ? offsets.slice(0, -1).map((from, index) => data.subarray(from, offsets[index + 1])) : undefined;
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part) : part;
}
