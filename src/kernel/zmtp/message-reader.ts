import { FLAGS } from './frame.js';

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

  /**
   * Takes the next bytes.
   *
   * @returns Why no more can be read; undefined if more can.
   */
  push(chunk: Buffer): string | undefined {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // A frame of many chunks is joined once, when it is there.
    if (this.#size < this.#needed) return undefined;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    let at = 0;
    let { start, end } = placeOfBody(bytes, at);
    while (end <= bytes.length && start <= bytes.length) {
      const flags = bytes[at] ?? 0;
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
  const start = at + ((bytes[at] ?? 0) & FLAGS.long ? 9 : 2);
  if (start > bytes.length) return { start, end: start };
  const length = start === at + 2 ? (bytes[at + 1] ?? 0) : Number(bytes.readBigUInt64BE(at + 1));
  return { start, end: start + length };
}
