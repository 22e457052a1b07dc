import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

/** A message as a front end sees it. */
export interface Seen {
  channel: string;
  header: { msg_id: string; msg_type: string; session: string };
  parent_header: { msg_id?: string };
  metadata: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: contents of every type
  content: any;
  buffers: Buffer[];
}

interface Request {
  channel?: 'shell' | 'control' | 'stdin';
  metadata?: object;
  parent?: object;
}

/** How to connect: by which session, which protocol (none for JSON), with which headers. */
export interface SocketOptions {
  session?: string;
  protocols?: string[];
  headers?: Record<string, string>;
}

const V1 = 'v1.kernel.websocket.jupyter.org';

/** A front end's connection to a kernel, written by the protocol's description alone. */
export class KernelSocket {
  readonly session: string;
  readonly seen: Seen[] = [];
  readonly socket: WebSocket;
  #changed: (() => void)[] = [];
  /** The code with which the connection ended. */
  code: number | undefined;

  constructor(url: string, kernel: string, { session = randomUUID(), protocols = [V1], headers = {} }: SocketOptions) {
    this.session = session;
    const address = `${url.replace(/^http/, 'ws')}/api/kernels/${kernel}/channels?session_id=${session}`;
    this.socket = new WebSocket(address, protocols, { headers, perMessageDeflate: false });
    this.socket.on('message', (data: Buffer, isBinary) => {
      this.seen.push(this.#isPlain ? readPlain(data, isBinary) : readV1(data));
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.socket.on('close', (code) => {
      this.code = code;
      this.#wake();
    });
  }

  get #isPlain(): boolean {
    return this.socket.protocol !== V1;
  }

  /** Sends a message and returns its id. */
  send(type: string, content: object, { channel = 'shell', metadata = {}, parent = {} }: Request = {}): string {
    const msg_id = randomUUID();
    const date = new Date().toISOString();
    const header = { msg_id, msg_type: type, session: this.session, username: '', date, version: '5.4' };
    if (this.#isPlain) {
      this.socket.send(JSON.stringify({ channel, header, parent_header: parent, metadata, content, buffers: [] }));
    } else this.socket.send(writeV1(channel, [header, parent, metadata, content]));
    return msg_id;
  }

  /** Runs a cell; returns its request's id. */
  run(code: string, metadata: object = {}): string {
    return this.send('execute_request', { code, silent: false, store_history: true, allow_stdin: true }, { metadata });
  }

  /** Asks and resolves to the reply. */
  async ask(type: string, content: object = {}, request: Request = {}): Promise<Seen> {
    return this.reply(this.send(type, content, request));
  }

  /** Resolves to the reply to a request. */
  reply(id: string): Promise<Seen> {
    return this.until((each) => each.parent_header.msg_id === id && /_reply$/.test(each.header.msg_type));
  }

  /** Resolves once a request is over: its reply and its idle status have come. */
  async over(id: string): Promise<Seen> {
    const reply = await this.reply(id);
    await this.until((each) => each.parent_header.msg_id === id && each.content.execution_state === 'idle');
    return reply;
  }

  /** Resolves to the first message that fits, perhaps one that has come already. */
  async until(fits: (seen: Seen) => boolean): Promise<Seen> {
    for (let from = 0; ; ) {
      const found = this.seen.slice(from).find(fits);
      if (found) return found;
      if (this.code !== undefined) throw new Error(`the connection has ended with ${this.code}`);
      from = this.seen.length;
      await new Promise<void>((done) => this.#changed.push(done));
    }
  }

  /** The text that a request has shown on a stream until now. */
  text(id: string, name = 'stdout'): string {
    const shown = this.seen.filter((each) => each.parent_header.msg_id === id && each.content.name === name);
    return shown.map(({ content }) => content.text).join('');
  }

  /** Ends the connection as a page does that is left. */
  async close(): Promise<void> {
    if (this.code !== undefined) return;
    this.socket.close(1001);
    await once(this.socket, 'close');
  }

  /** Cuts the connection as a failing network does. */
  async cut(): Promise<void> {
    this.socket.terminate();
    if (this.code === undefined) await once(this.socket, 'close');
  }

  #wake(): void {
    for (const done of this.#changed.splice(0)) done();
  }
}

/** Connects to a kernel; the connection ends with the current test. */
export async function connectTo(url: string, kernel: string, options: SocketOptions = {}): Promise<KernelSocket> {
  const socket = new KernelSocket(url, kernel, options);
  onTestFinished(() => socket.cut());
  await once(socket.socket, 'open');
  return socket;
}

/** A message in the binary protocol. */
export function writeV1(channel: string, parts: readonly object[], buffers: readonly Buffer[] = []): Buffer {
  const all = [Buffer.from(channel), ...parts.map((part) => Buffer.from(JSON.stringify(part))), ...buffers];
  const numbers = [all.length + 1, 8 * (all.length + 2)];
  for (const part of all) numbers.push((numbers.at(-1) ?? 0) + part.length);
  const head = Buffer.alloc(8 * numbers.length);
  numbers.forEach((number, index) => {
    head.writeUInt32LE(number, 8 * index);
  });
  return Buffer.concat([head, ...all]);
}

/** Reads a message in the binary protocol. */
export function readV1(data: Buffer): Seen {
  const count = data.readUInt32LE(0);
  const at = (index: number) => data.readUInt32LE(8 * (index + 1));
  const parts = Array.from({ length: count - 1 }, (_, index) => data.subarray(at(index), at(index + 1)));
  const [channel = '', header, parent_header, metadata, content] = parts.map(String);
  const [h, p, m, c] = [header, parent_header, metadata, content].map((json = '') => JSON.parse(json));
  return { channel, header: h, parent_header: p, metadata: m, content: c, buffers: parts.slice(5) };
}

/** Writes a message in the JSON protocol: text, unless it has attachments. */
export function writePlain(
  channel: string,
  parts: readonly object[],
  buffers: readonly Buffer[] = [],
): Buffer | string {
  const [header, parent_header, metadata, content] = parts;
  const json = JSON.stringify({ channel, header, parent_header, metadata, content });
  if (buffers.length === 0) return json;
  const all = [Buffer.from(json), ...buffers];
  const numbers = [all.length, 4 * (all.length + 1)];
  for (const part of all.slice(0, -1)) numbers.push((numbers.at(-1) ?? 0) + part.length);
  const head = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => {
    head.writeUInt32BE(number, 4 * index);
  });
  return Buffer.concat([head, ...all]);
}

/** Reads a message in the JSON protocol. */
export function readPlain(data: Buffer, isBinary: boolean): Seen {
  if (!isBinary) return JSON.parse(data.toString());
  const count = data.readUInt32BE(0);
  const starts = Array.from({ length: count }, (_, index) => data.readUInt32BE(4 * (index + 1)));
  const [json, ...buffers] = starts.map((start, index) => data.subarray(start, starts[index + 1] ?? data.length));
  return { ...JSON.parse(String(json)), buffers };
}
