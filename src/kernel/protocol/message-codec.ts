import { randomUUID } from 'node:crypto';
import { wellFormedJson } from '../well-formed-json.js';
import type { Frame } from '../zmtp/frame.js';
import type { Header, Incoming, Outgoing, Parent } from './message.js';
import { Signer } from './signer.js';

/** The version of Jupyter's messaging protocol that the kernel speaks. */
export const PROTOCOL_VERSION = '5.4';

const DELIMITER = '<IDS|MSG>';
const DELIMITER_BYTES = Buffer.from(DELIMITER);
const MOST_IDENTITIES = 16;

/** Converts messages to the frames that travel over ZeroMQ and back, signed with one key. */
export class MessageCodec {
  readonly #signer: Signer;
  readonly #session = randomUUID();
  readonly #username = process.env.USER ?? 'kernel';
  #sent = 0;

  /** @param key Empty if messages are not signed. */
  constructor(key: string) {
    this.#signer = new Signer(key);
  }

  /** Returns the id for the next message. */
  nextId(): string {
    this.#sent += 1;
    return `${this.#session}_${this.#sent}`;
  }

  /** The frames of a message, without the identities or the topic before them. */
  encode(id: string, message: Outgoing, parent?: Parent): Frame[] {
    const header: Header = {
      msg_id: id,
      msg_type: message.type,
      session: this.#session,
      username: this.#username,
      date: new Date().toISOString(),
      version: PROTOCOL_VERSION,
    };
    const metadata = wellFormedJson(message.metadata ?? {});
    const parts = [JSON.stringify(header), parent?.rawHeader ?? '{}', metadata, wellFormedJson(message.content)];
    return [DELIMITER, this.#signer.sign(parts), ...parts, ...(message.buffers ?? [])];
  }

  /**
   * Reads a message.
   *
   * @returns The message, or why it is refused, in words that repeat nothing of it.
   */
  decode(frames: readonly Buffer[]): Incoming | { refused: string } {
    const at = frames.slice(0, MOST_IDENTITIES).findIndex((frame) => frame.equals(DELIMITER_BYTES));
    const [signature, rawHeader, rawParent, rawMetadata, rawContent, ...buffers] = frames.slice(at + 1);
    if (at < 0 || !signature || !rawHeader || !rawParent || !rawMetadata || !rawContent) {
      return { refused: 'it lacks the parts that each message has' };
    }
    const refused = this.#signer.refuse(signature, [rawHeader, rawParent, rawMetadata, rawContent]);
    if (refused) return { refused };
    const header = objectOf(rawHeader);
    const parentHeader = objectOf(rawParent);
    const metadata = objectOf(rawMetadata);
    const content = objectOf(rawContent);
    if (!header || !parentHeader || !metadata || !content) return { refused: 'one of its parts is no JSON object' };
    if (!isHeader(header)) return { refused: 'its header names no message id, type or session' };
    const identities = frames.slice(0, at).map(ownCopy);
    return { identities, header, rawHeader: rawHeader.toString(), parentHeader, metadata, content, buffers };
  }
}

/** Copies what outlives its message, so that it does not keep the chunk alive in which it came. */
function ownCopy(frame: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(frame.length);
  frame.copy(copy);
  return copy;
}

function objectOf(json: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isHeader(header: object): header is Header {
  const { msg_id, msg_type, session } = header as Partial<Header>;
  return [msg_id, msg_type, session].every((field) => typeof field === 'string');
}
