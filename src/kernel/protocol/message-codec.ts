import { randomUUID } from 'node:crypto';
import type { Header, Incoming, Outgoing, Parent } from './message.js';
import { Signer } from './signer.js';

/** The version of Jupyter's messaging protocol that the kernel speaks. */
export const PROTOCOL_VERSION = '5.4';

const DELIMITER = Buffer.from('<IDS|MSG>');
const MOST_IDENTITIES = 16;

/** Turns messages into the frames that travel over ZeroMQ, and back, signed with one key. */
export class MessageCodec {
  readonly #signer: Signer;
  readonly #session = randomUUID();
  readonly #username = process.env.USER ?? 'kernel';
  #sent = 0;

  /** @param key Empty where messages are not signed. */
  constructor(key: string) {
    this.#signer = new Signer(key);
  }

  /** The frames of a message behind its identities, or behind its topic, and its id. */
  encode(
    message: Outgoing,
    parent: Parent | undefined,
    identities: Uint8Array[],
  ): { id: string; frames: Uint8Array[] } {
    this.#sent += 1;
    const header: Header = {
      msg_id: `${this.#session}_${this.#sent}`,
      msg_type: message.type,
      session: this.#session,
      username: this.#username,
      date: new Date().toISOString(),
      version: PROTOCOL_VERSION,
    };
    const parentHeader = Buffer.from(parent?.rawHeader ?? '{}');
    const parts = [jsonOf(header), parentHeader, jsonOf(message.metadata ?? {}), jsonOf(message.content)];
    const signature = Buffer.from(this.#signer.sign(parts));
    const frames = [...identities, DELIMITER, signature, ...parts, ...(message.buffers ?? [])];
    return { id: header.msg_id, frames };
  }

  /**
   * Reads a message.
   *
   * @returns The message, or why it is refused: in words that repeat nothing of it.
   */
  decode(frames: readonly Buffer[]): Incoming | { refused: string } {
    const at = frames.slice(0, MOST_IDENTITIES).findIndex((frame) => frame.equals(DELIMITER));
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

/** What outlives its message must not hold on to the large buffer that ZeroMQ received it into. */
function ownCopy(frame: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(frame.length);
  frame.copy(copy);
  return copy;
}

function jsonOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
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
