import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { InputError } from '../../base/errors.js';
import { isObject, jsonIn } from '../../base/texts.js';
import { wellFormedJson } from '../wire/event-frames.js';
import type { Frame } from '../zmtp/framing.js';

/** The header of a Jupyter message. */
export interface Header {
  msg_id: string;
  msg_type: string;
  /** Id of the sender, the same in all messages of one client or kernel. */
  session: string;
  username: string;
  /** When it was made, by its sender's clock: ISO 8601. */
  date: string;
  version: string;
}

/** The request to which replies and outputs refer. */
export interface Parent {
  /** The requester's address, by which a reply finds its way back. */
  identities: Buffer[];
  header: Header;
  /** The header's JSON as it came, repeated in every answer. */
  rawHeader: string;
}

/** A checked message from a front end. */
export interface Incoming extends Parent {
  /** Empty if it answers nothing. */
  parentHeader: Partial<Header>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
  /** Binary attachments. */
  buffers: Buffer[];
}

/** The channels on which a front end speaks to the kernel. */
export type Channel = 'shell' | 'control' | 'stdin';

/** A message for front ends. */
export interface Outgoing {
  type: string;
  content: object;
  /** Default empty. */
  metadata?: Record<string, unknown>;
  /** Binary attachments. Default none. */
  buffers?: Uint8Array[];
}

/** The receiver of the kernel's messages. Its methods neither block nor throw. */
export interface Outlet {
  /** Sends to all front ends; without a parent, no request caused it. */
  publish(message: Outgoing, parent?: Parent): void;
  /** Sends to the one front end that sent `parent`; returns the message's id. */
  send(channel: Channel, message: Outgoing, parent: Parent): string;
}

/** The fields of a request's content, each checked as it is read. */
export class ContentFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  /**
   * Reads a text field; without a fallback, it is required.
   *
   * @throws {InputError} If it is not a text.
   */
  text(name: string, fallback?: string): string {
    const value = this.#fields[name] ?? fallback;
    if (typeof value === 'string') return value;
    throw new InputError(`The field "${name}" of the request must be a text.`);
  }

  /** Reads a boolean field; `fallback` if it is not a boolean. */
  flag(name: string, fallback: boolean): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : fallback;
  }

  /** Reads a number field without its fraction; undefined if it is not a finite number. */
  integer(name: string): number | undefined {
    const value = this.#fields[name];
    return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined;
  }

  /** Reads an object field; empty if it is not an object. */
  object(name: string): Record<string, unknown> {
    const value = this.#fields[name];
    return isObject(value) ? value : {};
  }

  /** Reads a field unchecked. */
  value(name: string): unknown {
    return this.#fields[name];
  }
}

/** The version of Jupyter's messaging protocol that the kernel speaks. */
export const PROTOCOL_VERSION = '5.4';

const DELIMITER = '<IDS|MSG>';
const DELIMITER_BYTES = Buffer.from(DELIMITER);
const MOST_IDENTITIES = 16;

/** The JSON of a message: its header, its parent's header, its metadata and its content. */
export type MessageParts = [header: string, parentHeader: string, metadata: string, content: string];

/** Writes the messages of one kernel from its start to its end. */
export class MessageWriter {
  readonly #session = randomUUID();
  readonly #username = process.env.USER ?? 'kernel';
  #sent = 0;

  /** Returns the id for the next message. */
  nextId(): string {
    this.#sent += 1;
    return `${this.#session}_${this.#sent}`;
  }

  /** The JSON of a message. Text that is not well-formed is mended. */
  write(id: string, message: Outgoing, parent?: Parent): MessageParts {
    const header: Header = {
      msg_id: id,
      msg_type: message.type,
      session: this.#session,
      username: this.#username,
      date: new Date().toISOString(),
      version: PROTOCOL_VERSION,
    };
    const metadata = wellFormedJson(message.metadata ?? {});
    return [JSON.stringify(header), parent?.rawHeader ?? '{}', metadata, wellFormedJson(message.content)];
  }
}

/** What a message says, however it came. */
type ReadMessage = Pick<Incoming, 'header' | 'rawHeader' | 'parentHeader' | 'metadata' | 'content'>;

/** Reads the JSON of a message, or says why it is refused, in words that repeat nothing of it. */
export function readMessage([rawHeader, ...rest]: MessageParts): ReadMessage | { refused: string } {
  const [header, parentHeader, metadata, content] = [rawHeader, ...rest].map(objectOf);
  if (!header || !parentHeader || !metadata || !content) return { refused: 'one of its parts is no JSON object' };
  if (!isHeader(header)) return { refused: 'its header names no message id, type or session' };
  return { header, rawHeader, parentHeader, metadata, content };
}

/** Converts messages to the frames that travel over ZeroMQ and back, signed with one key. */
export class MessageCodec {
  readonly #signer: Signer;
  readonly #writer = new MessageWriter();

  /** @param key Empty if messages are not signed. */
  constructor(key: string) {
    this.#signer = new Signer(key);
  }

  /** Returns the id for the next message. */
  nextId(): string {
    return this.#writer.nextId();
  }

  /** The frames of a message, without the identities or the topic before them. */
  encode(id: string, message: Outgoing, parent?: Parent): Frame[] {
    const parts = this.#writer.write(id, message, parent);
    return [DELIMITER, this.#signer.sign(parts), ...parts, ...(message.buffers ?? [])];
  }

  /** Reads a message, or says why it is refused, in words that repeat nothing of it. */
  decode(frames: readonly Buffer[]): Incoming | { refused: string } {
    const at = frames.slice(0, MOST_IDENTITIES).findIndex((frame) => frame.equals(DELIMITER_BYTES));
    const [signature, rawHeader, rawParent, rawMetadata, rawContent, ...buffers] = frames.slice(at + 1);
    if (at < 0 || !signature || !rawHeader || !rawParent || !rawMetadata || !rawContent) {
      return { refused: 'it lacks the parts that each message has' };
    }
    const refused = this.#signer.refuse(signature, [rawHeader, rawParent, rawMetadata, rawContent]);
    if (refused) return { refused };
    const read = readMessage([
      rawHeader.toString(),
      rawParent.toString(),
      rawMetadata.toString(),
      rawContent.toString(),
    ]);
    if ('refused' in read) return read;
    // Copies, which do not keep the chunk alive in which the message came.
    const identities = frames.slice(0, at).map((frame) => Buffer.from(frame));
    return { ...read, identities, buffers };
  }
}

function objectOf(json: string): Record<string, unknown> | undefined {
  const value = jsonIn(json);
  return isObject(value) ? value : undefined;
}

function isHeader(header: object): header is Header {
  const { msg_id, msg_type, session } = header as Partial<Header>;
  return [msg_id, msg_type, session].every((field) => typeof field === 'string');
}

/** How many signatures are remembered in order to refuse repeated messages. */
const REMEMBERED = 65_536;

/** Signs messages with the key shared by front end and kernel, and checks the signatures of messages. */
export class Signer {
  readonly #key: string;
  readonly #seen = new Set<string>();

  /** @param key Empty if messages are not signed; then every signature is accepted. */
  constructor(key: string) {
    this.#key = key;
  }

  /** The signature of a message's four JSON parts in hexadecimal digits; empty without a key. */
  sign(parts: readonly Frame[]): string {
    if (this.#key === '') return '';
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(part);
    return hmac.digest('hex');
  }

  /** Checks a message's signature and remembers it; returns what is wrong with it, undefined if it is valid. */
  refuse(signature: Buffer, parts: readonly Uint8Array[]): string | undefined {
    if (this.#key === '') return undefined;
    if (signature.length === 0) return 'it is not signed';
    const right = this.sign(parts);
    const expected = Buffer.from(right);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'its signature is wrong';
    if (this.#seen.has(right)) return 'its signature was used before';
    this.#remember(right);
    return undefined;
  }

  #remember(signature: string): void {
    this.#seen.add(signature);
    if (this.#seen.size <= REMEMBERED) return;
    const [oldest = ''] = this.#seen;
    this.#seen.delete(oldest);
  }
}
