const HEADER_BYTES = 4;

/** Encodes one message for a pipe: the length of its JSON in 4 bytes, little-endian, then the JSON. */
export function encodeFrame(message: unknown): Buffer {
  return frameOf(JSON.stringify(message));
}

/** Encodes a message that is JSON already. */
export function frameOf(body: string): Buffer {
  const length = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame.write(body, HEADER_BYTES);
  return frame;
}

/** Reassembles the messages of a pipe, however its bytes were cut. */
export class FrameDecoder<Message> {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Takes the next bytes; returns the messages that they complete. */
  push(chunk: Buffer): Message[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Message[] = [];
    for (let needed = this.#needed(); this.#size >= needed; needed = this.#needed()) {
      const all = this.#joined();
      messages.push(JSON.parse(all.toString('utf8', HEADER_BYTES, needed)) as Message);
      this.#chunks = [all.subarray(needed)];
      this.#size -= needed;
    }
    return messages;
  }

  #needed(): number {
    if (this.#size < HEADER_BYTES) return Number.POSITIVE_INFINITY;
    const [first] = this.#chunks;
    const header = first && first.length >= HEADER_BYTES ? first : this.#joined();
    return HEADER_BYTES + header.readUInt32LE(0);
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const joined = all ?? Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}
