import { InputError } from '../../base/errors.js';
import type { Frame } from '../zmtp/framing.js';
import { Publisher, Router, type ServerSocket } from '../zmtp/sockets.js';
import { type Connection, endpointOf, type PortName, placeOf } from './connection-file.js';
import { type Channel, type Incoming, MessageCodec, type Outgoing, type Outlet, type Parent } from './message.js';

/** How long a closing kernel waits for its last messages to leave. */
const LINGER_MS = 300;

/**
 * The five sockets of a kernel. Messages are made and sent only after the calling code is done, so that its next step,
 * such as running a cell, need not wait.
 */
export class Channels implements Outlet {
  readonly #connection: Connection;
  readonly #codec: MessageCodec;
  readonly #log: (line: string) => void;
  readonly #routers: Record<Channel | 'hb', Router>;
  readonly #iopub: Publisher;
  #onMessage: (channel: Channel, message: Incoming) => void = () => {};
  #unsent: { to: Channel | 'iopub'; id: string; message: Outgoing; parent: Parent | undefined }[] = [];

  /** @param log Gets lines for whoever runs the kernel; never a message's content. */
  constructor(connection: Connection, log: (line: string) => void) {
    this.#connection = connection;
    this.#codec = new MessageCodec(connection.key);
    this.#log = log;
    const problems = (name: PortName) => (problem: string) => log(`${problem} (${name}).`);
    const router = (channel: Channel) => new Router((frames) => this.#take(channel, frames), problems(channel));
    const hb = new Router((frames) => hb.send(frames), problems('hb'));
    this.#routers = { shell: router('shell'), control: router('control'), stdin: router('stdin'), hb };
    this.#iopub = new Publisher(problems('iopub'));
  }

  /**
   * Begins to listen and to answer heartbeats. Malformed or wrongly signed messages are refused with a log line and
   * without an answer.
   *
   * @param onMessage Gets each message, in the order of its channel; errors that it throws are logged.
   * @throws {InputError} If one of the sockets cannot be bound; EMFILE as it is, since it says more.
   */
  async listen(onMessage: (channel: Channel, message: Incoming) => void): Promise<void> {
    this.#onMessage = onMessage;
    const { shell, control, stdin, hb } = this.#routers;
    await Promise.all([this.#bind('iopub', this.#iopub), this.#bind('stdin', stdin), this.#bind('hb', hb)]);
    // Requests are taken last, when there is a way for everything that answers them.
    await Promise.all([this.#bind('shell', shell), this.#bind('control', control)]);
  }

  publish(message: Outgoing, parent?: Parent): void {
    this.#put('iopub', message, parent);
  }

  send(channel: Channel, message: Outgoing, parent: Parent): string {
    return this.#put(channel, message, parent);
  }

  /** Closes the sockets; resolves once what was sent has left, or after a moment. */
  async close(): Promise<void> {
    this.#flush();
    const sockets = [...Object.values(this.#routers), this.#iopub];
    const lingered = new Promise((resolve) => setTimeout(resolve, LINGER_MS));
    await Promise.race([Promise.all(sockets.map((socket) => socket.close())), lingered]);
  }

  async #bind(name: PortName, socket: ServerSocket): Promise<void> {
    await socket.listen(placeOf(this.#connection, name)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EMFILE') throw cause;
      const isTaken = cause.code === 'EADDRINUSE';
      const remedy = isTaken ? 'start it anew' : 'its connection file must name an address of this machine';
      const endpoint = endpointOf(this.#connection, name);
      throw new InputError(`The kernel cannot listen at ${endpoint} (${cause.message}): ${remedy}.`, { cause });
    });
  }

  #take(channel: Channel, frames: Buffer[]): void {
    try {
      const message = this.#codec.decode(frames);
      if ('refused' in message) this.#log(`Refused a message on ${channel}: ${message.refused}.`);
      else this.#onMessage(channel, message);
    } catch (error) {
      this.#log(`A message on ${channel} could not be handled: ${nameOf(error)}.`);
    }
  }

  #put(to: Channel | 'iopub', message: Outgoing, parent: Parent | undefined): string {
    const id = this.#codec.nextId();
    this.#unsent.push({ to, id, message, parent });
    if (this.#unsent.length === 1) process.nextTick(() => this.#flush());
    return id;
  }

  #flush(): void {
    const published: [topic: string, ...Frame[]][] = [];
    for (const { to, id, message, parent } of this.#unsent.splice(0)) {
      try {
        const frames = this.#codec.encode(id, message, parent);
        if (to === 'iopub') published.push([`kernel.${message.type}`, ...frames]);
        else this.#routers[to].send([...(parent?.identities ?? []), ...frames]);
      } catch (error) {
        this.#log(`A message could not be sent: ${nameOf(error)}.`);
      }
    }
    this.#iopub.send(published);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
