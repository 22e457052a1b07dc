import { createHmac, randomUUID } from 'node:crypto';

/** The sockets that carry messages. */
export type Channel = 'shell' | 'control' | 'iopub' | 'stdin';

/** A message's header: its sender, time and session. */
export interface MessageHeader {
  msg_id: string;
  msg_type: string;
  username: string;
  session: string;
  date: string;
  version: string;
}

/** A message received or sent. */
export interface JupyterMessage {
  channel: Channel;
  /** When it was read or written, in `performance.now()`. */
  at: number;
  /** The frames before the delimiter: the sender's routing id, or the topic on iopub. */
  identities: Buffer[];
  header: MessageHeader;
  /** Empty if the message answers none. */
  parent_header: Partial<MessageHeader>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
  buffers: Buffer[];
}

const DELIMITER = '<IDS|MSG>';

/**
 * Encodes messages as wire frames and decodes them, with signatures.
 *
 * @example
 * const frames = new MessageCodec('key').encode('shell', 'kernel_info_request', {});
 */
export class MessageCodec {
  readonly session = randomUUID();
  readonly #key: string;

  /** @param key The HMAC key; empty if messages are not signed. */
  constructor(key: string) {
    this.#key = key;
  }

  /** A message of this session, and its frames. */
  encode(
    channel: Channel,
    type: string,
    content: Record<string, unknown>,
    parent: Partial<MessageHeader> = {},
    buffers: Buffer[] = [],
  ): { message: JupyterMessage; frames: (string | Buffer)[] } {
    const header: MessageHeader = {
      msg_id: randomUUID(),
      msg_type: type,
      username: 'test',
      session: this.session,
      date: new Date().toISOString(),
      version: '5.4',
    };
    const parts = [header, parent, {}, content].map((part) => JSON.stringify(part));
    const message = { channel, header, parent_header: parent, metadata: {}, content, identities: [], buffers };
    const frames = [DELIMITER, this.#sign(parts), ...parts, ...buffers];
    return { message: { ...message, at: performance.now() }, frames };
  }

  /**
   * Reads a message.
   *
   * @throws If it has no delimiter, too few parts, or a signature that is not this key's.
   */
  decode(channel: Channel, frames: readonly Buffer[]): JupyterMessage {
    const at = performance.now();
    const start = frames.findIndex((frame) => frame.toString('latin1') === DELIMITER);
    const [signature, ...parts] = frames.slice(start + 1, start + 6);
    if (start < 0 || signature === undefined || parts.length < 4) {
      throw new Error(`A message on ${channel} has ${frames.length} frames, delimiter at ${start}`);
    }
    if (signature.toString('latin1') !== this.#sign(parts)) {
      throw new Error(`A message on ${channel} has a wrong signature: ${signature}`);
    }
    const [header, parent_header, metadata, content] = parts.map((part) => JSON.parse(part.toString()));
    const [identities, buffers] = [frames.slice(0, start), frames.slice(start + 6)];
    return { channel, at, identities, header, parent_header: parent_header ?? {}, metadata, content, buffers };
  }

  #sign(parts: readonly (string | Buffer)[]): string {
    if (this.#key === '') return '';
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(part);
    return hmac.digest('hex');
  }
}
