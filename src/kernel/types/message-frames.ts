const HEADER_END = '\r\n\r\n';

/** Cuts the byte stream of a language server into its messages. */
export class MessageFrames {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #needed = 0;

  /**
   * Takes the next bytes of the stream.
   *
   * @returns The messages that these bytes complete, parsed; empty if more bytes are needed.
   */
  add(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return [];
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const messages: unknown[] = [];
    this.#needed = 0;
    for (let head = bytes.indexOf(HEADER_END); head !== -1; head = bytes.indexOf(HEADER_END)) {
      const start = head + HEADER_END.length;
      const length = Number(/content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1] ?? 0);
      if (bytes.length < start + length) {
        this.#needed = start + length;
        break;
      }
      messages.push(JSON.parse(bytes.toString('utf8', start, start + length)));
      bytes = bytes.subarray(start + length);
    }
    this.#chunks = bytes.length > 0 ? [bytes] : [];
    this.#bytes = bytes.length;
    return messages;
  }
}

/** A message as the language server reads it. */
export function frameMessage(message: object): string {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(text)}${HEADER_END}${text}`;
}
