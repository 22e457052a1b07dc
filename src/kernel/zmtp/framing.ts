/** The largest buffer that Node 20 makes. */
const MOST_BYTES = 2 ** 32;

/** Gets what a {@link MessageReader} has read. */
export interface MessageTaker {
  /** A whole message; its frames are views of what was pushed. */
  takeMessage(frames: Buffer[]): void;
  /** The body of a command. */
  takeCommand(body: Buffer): void;
}

/** Reassembles the messages of a connection, however its bytes were cut. */
export class MessageReader {
  readonly #taker: MessageTaker;
  #chunks: Buffer[] = [];
  #size = 0;
  /** With fewer bytes than these, nothing more can be read. */
  #needed = 0;
  /** The frames of the message that has begun. */
  #frames: Buffer[] = [];

  constructor(taker: MessageTaker) {
    this.#taker = taker;
  }

  /** Takes the next bytes; returns why no more can be read, undefined if more can. */
  push(chunk: Buffer): string | undefined {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // A frame of many chunks is joined once, when it is there.
    if (this.#size < this.#needed) return undefined;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    let at = 0;
    let { start, end } = placeOfBody(bytes, at);
    while (end <= bytes.length && start <= bytes.length) {
      const flags = bytes.readUInt8(at);
      at = end;
      this.#take(flags, bytes.subarray(start, end));
      ({ start, end } = placeOfBody(bytes, at));
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#size = bytes.length - at;
    this.#needed = end - at;
    return this.#needed > MOST_BYTES ? 'it announces more than a message can hold' : undefined;
  }

  #take(flags: number, body: Buffer): void {
    if (flags & FLAGS.command) {
      this.#taker.takeCommand(body);
      return;
    }
    this.#frames.push(body);
    if (flags & FLAGS.more) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#taker.takeMessage(frames);
  }
}

/** Where the body of the frame at `at` lies; while its length is incomplete, where the length ends. */
function placeOfBody(bytes: Buffer, at: number): { start: number; end: number } {
  if (at === bytes.length) return { start: at + 2, end: at + 2 };
  const start = at + (bytes.readUInt8(at) & FLAGS.long ? 9 : 2);
  if (start > bytes.length) return { start, end: start };
  const length = start === at + 2 ? bytes.readUInt8(at + 1) : Number(bytes.readBigUInt64BE(at + 1));
  return { start, end: start + length };
}

/** The bytes of messages. @example encodeMessages([['a', '']]); // <Buffer 01 01 61 00 00> */
export function encodeMessages(messages: readonly (readonly Frame[])[]): Buffer {
  const parts = messages.flatMap((frames) =>
    frames.flatMap((frame, index) => framed(index < frames.length - 1 ? FLAGS.more : 0, frame)),
  );
  return Buffer.concat(parts);
}

/** The bytes of a command, such as READY. */
export function encodeCommand(name: string, data: Uint8Array): Buffer {
  return Buffer.concat(framed(FLAGS.command, Buffer.concat([Buffer.of(name.length), Buffer.from(name), data])));
}

/** A frame's flags and length, then its body. */
function framed(flags: number, frame: Frame): Uint8Array[] {
  const body = typeof frame === 'string' ? Buffer.from(frame) : frame;
  if (body.length <= SHORT_BYTES) return [Buffer.of(flags, body.length), body];
  const head = Buffer.alloc(9, flags | FLAGS.long);
  head.writeBigUInt64BE(BigInt(body.length), 1);
  return [head, body];
}

/** One of the parts of which a ZeroMQ message consists. Strings travel as UTF-8. */
export type Frame = string | Uint8Array;

/** The bits of a frame's first byte. */
const FLAGS = { more: 1, long: 2, command: 4 } as const;

/** Longest body whose length fits into one byte; longer ones take eight. */
const SHORT_BYTES = 255;
