import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, makeConnection, writeConnection } from './connection-file.js';
import { type Answer, Exchange } from './exchange.js';
import { type Executed, executed } from './executed.js';
import type { Channel, JupyterMessage } from './jupyter-message.js';
import { KernelProcess, type StartOptions } from './kernel-process.js';
import { KernelSockets } from './kernel-sockets.js';

const TIMEOUT_MS = 20_000;
const HEARD_MS = 100;

/** How to start a kernel; in `argv`, `{connection_file}` stands for the file's path, as in a kernelspec. */
export interface KernelOptions extends StartOptions {
  /** How the kernel is interrupted. Default by message. */
  interruptMode?: 'message' | 'signal';
  /** Time limit of each operation, in ms. Default 20,000. */
  timeoutMs?: number;
  /** Whether every message is kept in `received` and `sent`. Default true. */
  keep?: boolean;
  /** Overrides for the connection file. */
  connection?: Partial<Connection>;
}

/** Answers a cell's request for a line of input. */
export type AnswerInput = (prompt: string, isPassword: boolean) => string;

/** How to run a cell. */
export interface ExecuteOptions {
  silent?: boolean;
  store_history?: boolean;
  user_expressions?: Record<string, string>;
  stop_on_error?: boolean;
  /** Default: true if `onInput` is given. */
  allow_stdin?: boolean;
  onInput?: AnswerInput;
}

/**
 * A front end that starts one kernel.
 *
 * @example
 * const client = await JupyterClient.start({ argv: [process.execPath, 'dist/kernel/main.cjs', '{connection_file}'] });
 * const { result } = await client.execute('1 + 1'); // '2'
 * await client.close();
 */
export class JupyterClient {
  /** Every message in the order read; the order between sockets means little. */
  readonly received: JupyterMessage[] = [];
  /** Every message that was sent, in order. */
  readonly sent: JupyterMessage[] = [];
  /** Errors of messages that could not be read, such as wrong signatures and broken frames. */
  readonly faults: unknown[] = [];
  readonly sockets: KernelSockets;
  readonly process: KernelProcess;
  /** From the start of the process to the first reply, in ms. */
  startMs = Number.NaN;
  /** Content of the first kernel_info_reply. */
  info: Record<string, unknown> = {};
  readonly #options: KernelOptions;
  readonly #folder: string;
  readonly #exchanges = new Map<string | undefined, Exchange>();
  readonly #inputs = new Map<string | undefined, AnswerInput>();
  readonly #listeners = new Set<(message: JupyterMessage) => void>();

  private constructor(
    options: KernelOptions,
    folder: string,
    readonly connection: Connection,
  ) {
    this.#options = options;
    this.#folder = folder;
    this.sockets = new KernelSockets(
      connection,
      (message) => this.#take(message),
      (error) => this.faults.push(error),
    );
    const argv = options.argv.map((word) => word.replace('{connection_file}', fileIn(folder)));
    this.process = new KernelProcess({ ...options, argv });
  }

  /** Starts a kernel; resolves once it has replied and its iopub messages arrive. */
  static async start(options: KernelOptions): Promise<JupyterClient> {
    const folder = await mkdtemp(join(tmpdir(), 'oddslab-kernel-'));
    const connection = { ...(await makeConnection()), ...options.connection };
    await writeConnection(fileIn(folder), connection);
    const start = performance.now();
    const client = new JupyterClient(options, folder, connection);
    try {
      await client.#becomeReady(start);
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  /** Runs a cell; resolves once both its reply and idle have come. */
  async execute(code: string, { onInput, ...flags }: ExecuteOptions = {}): Promise<Executed> {
    const defaults = { silent: false, store_history: true, user_expressions: {}, stop_on_error: true };
    const content = { ...defaults, allow_stdin: onInput !== undefined, ...flags, code };
    return executed(await this.request('shell', 'execute_request', content, onInput ? { onInput } : {}));
  }

  /**
   * Sends a request; resolves once its reply and, unless `needsIdle` is false, idle have come.
   *
   * @throws If the kernel ends first or takes too long; the message says what has come.
   */
  async request(
    channel: 'shell' | 'control',
    type: string,
    content: Record<string, unknown> = {},
    { needsIdle = true, onInput }: { needsIdle?: boolean; onInput?: AnswerInput } = {},
  ): Promise<Answer> {
    const { message, frames } = this.#encode(channel, type, content);
    const id = message.header.msg_id;
    const exchange = new Exchange(message);
    this.#exchanges.set(id, exchange);
    if (onInput !== undefined) this.#inputs.set(id, onInput);
    try {
      await this.sockets.send(channel, frames);
      return await this.#inTime(exchange.answered(needsIdle), () => exchange.describe());
    } finally {
      this.#exchanges.delete(id);
      this.#inputs.delete(id);
    }
  }

  /** Sends a message without waiting for anything, and returns it. */
  async send(
    channel: Exclude<Channel, 'iopub'>,
    type: string,
    content: Record<string, unknown> = {},
    buffers: Buffer[] = [],
  ): Promise<JupyterMessage> {
    const { message, frames } = this.#encode(channel, type, content, {}, buffers);
    await this.sockets.send(channel, frames);
    return message;
  }

  /** Resolves with the next wanted message; with `past`, also with one that has already come. */
  waitFor(wanted: (message: JupyterMessage) => boolean, { past = false } = {}): Promise<JupyterMessage> {
    const before = past ? this.received.find(wanted) : undefined;
    if (before !== undefined) return Promise.resolve(before);
    const { promise, resolve } = promiseWithResolve<JupyterMessage>();
    const listener = (message: JupyterMessage) => {
      if (wanted(message)) resolve(message);
    };
    this.#listeners.add(listener);
    return this.#inTime(promise, () => `no message met ${wanted}`).finally(() => this.#listeners.delete(listener));
  }

  /** Interrupts as the kernelspec says; if by message, resolves with the reply. */
  async interrupt(): Promise<void> {
    if (this.#options.interruptMode === 'signal') this.process.signal('SIGINT');
    else await this.request('control', 'interrupt_request');
  }

  /** Asks the kernel to end, waits until it has, and returns its reply. */
  async shutdown({ restart = false } = {}): Promise<JupyterMessage> {
    const { message, frames } = this.#encode('control', 'shutdown_request', { restart });
    const reply = this.waitFor(({ parent_header, channel }) => {
      return channel === 'control' && parent_header.msg_id === message.header.msg_id;
    });
    await this.sockets.send('control', frames);
    await this.#inTime(this.process.ended, () => 'the kernel did not end after shutdown_request', false);
    return reply;
  }

  /** Sends a beat and waits for it to come back. */
  async heartbeat(): Promise<void> {
    const back = await this.#inTime(this.sockets.beat('beat'), () => 'no heartbeat');
    if (back !== 'beat') throw new Error(`The heartbeat came back as ${back}`);
  }

  /** Kills the kernel and its descendants, if it still runs, and removes its files. */
  async close(): Promise<void> {
    this.sockets.close();
    await this.process.end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #encode(...of: Parameters<KernelSockets['codec']['encode']>) {
    const encoded = this.sockets.codec.encode(...of);
    if (this.#options.keep ?? true) this.sent.push(encoded.message);
    return encoded;
  }

  /** Asks until iopub messages arrive: a subscription may reach the kernel later than a request. */
  async #becomeReady(start: number): Promise<void> {
    const isHeard = this.waitFor(({ channel, content }) => channel === 'iopub' && content.execution_state === 'idle');
    const ask = async () => {
      const { reply } = await this.request('shell', 'kernel_info_request', {}, { needsIdle: false });
      if (Number.isNaN(this.startMs)) this.startMs = reply.at - start;
      this.info = reply.content;
    };
    let hears = false;
    void isHeard.then(
      () => {
        hears = true;
      },
      () => {},
    );
    do {
      await ask();
      await Promise.race([isHeard, new Promise((resolve) => setTimeout(resolve, HEARD_MS))]);
    } while (!hears);
  }

  #take(message: JupyterMessage): void {
    if (this.#options.keep ?? true) this.received.push(message);
    const { msg_id } = message.parent_header;
    this.#exchanges.get(msg_id)?.take(message);
    if (message.header.msg_type === 'input_request') this.#answerInput(message);
    for (const listener of [...this.#listeners]) listener(message);
  }

  #answerInput({ header, parent_header, content }: JupyterMessage): void {
    const onInput = this.#inputs.get(parent_header.msg_id);
    if (onInput === undefined) return;
    const value = onInput(String(content.prompt), content.password === true);
    const { frames } = this.#encode('stdin', 'input_reply', { status: 'ok', value }, header);
    void this.sockets.send('stdin', frames);
  }

  /** Awaits work, but throws if the kernel ends or the time limit passes. */
  async #inTime<T>(work: Promise<T>, describe: () => string, needsLife = true): Promise<T> {
    const ms = this.#options.timeoutMs ?? TIMEOUT_MS;
    let timer: NodeJS.Timeout | undefined;
    const failed = new Promise<never>((_, reject) => {
      const fail = (why: string) => {
        const faults = this.faults.map(String).join('\n');
        reject(new Error([`${why}: ${describe()}`, this.process.said, faults].filter(Boolean).join('\n')));
      };
      timer = setTimeout(() => fail(`Nothing for ${ms} ms`), ms);
      if (needsLife) void this.process.ended.then((how) => fail(`The kernel ended with ${how}`));
    });
    try {
      return await Promise.race([work, failed]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function fileIn(folder: string): string {
  return join(folder, 'connection.json');
}

function promiseWithResolve<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
