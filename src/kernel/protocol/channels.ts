import { Publisher, Router } from 'zeromq';
import { InputError } from '../../errors.js';
import { type Connection, endpointOf } from './connection-file.js';
import type { Channel, Frame, Incoming, Outgoing, Outlet, Parent } from './message.js';
import { MessageCodec } from './message-codec.js';
import { OrderedSender } from './ordered-sender.js';

/** How long a closing kernel waits for its last messages to be sent. */
const LINGER_MS = 300;

/** The sockets of a kernel. */
export interface Channels extends Outlet {
  /**
   * Begins to listen. Refuses malformed or wrongly signed messages with a log line and no answer.
   *
   * @param onMessage Gets each message, in the order of its channel; errors that it throws are logged.
   */
  listen(onMessage: (channel: Channel, message: Incoming) => void): void;
  /** Closes the sockets; returns at once, while messages already sent still leave. */
  close(): void;
}

/**
 * Binds the five sockets of a kernel and begins to answer heartbeats.
 *
 * @param log Gets lines for whoever runs the kernel; never a message's content.
 * @throws {InputError} If one of the sockets cannot be bound.
 */
export async function openChannels(connection: Connection, log: (line: string) => void): Promise<Channels> {
  const ipv6 = connection.transport === 'tcp' && connection.ip.includes(':');
  const sockets = {
    shell: router(ipv6),
    control: router(ipv6),
    stdin: router(ipv6),
    hb: router(ipv6),
    iopub: new Publisher({ linger: LINGER_MS, sendHighWaterMark: 0, ipv6 }),
  };
  const names = ['shell', 'control', 'stdin', 'hb', 'iopub'] as const;
  await Promise.all(names.map((name) => bind(sockets[name], endpointOf(connection, name))));
  void echo(sockets.hb);
  return new BoundChannels(sockets, new MessageCodec(connection.key), log);
}

type Sockets = Record<Channel | 'hb', Router> & { iopub: Publisher };

class BoundChannels implements Channels {
  readonly #sockets: Sockets;
  readonly #codec: MessageCodec;
  readonly #log: (line: string) => void;
  readonly #senders: Record<Channel | 'iopub', OrderedSender>;

  constructor(sockets: Sockets, codec: MessageCodec, log: (line: string) => void) {
    this.#sockets = sockets;
    this.#codec = codec;
    this.#log = log;
    const senderOf = (socket: Router | Publisher): OrderedSender =>
      new OrderedSender(socket, (error) => {
        if (!socket.closed) log(`A message could not be sent: ${nameOf(error)}.`);
      });
    const { shell, control, stdin, iopub } = sockets;
    this.#senders = {
      shell: senderOf(shell),
      control: senderOf(control),
      stdin: senderOf(stdin),
      iopub: senderOf(iopub),
    };
  }

  listen(onMessage: (channel: Channel, message: Incoming) => void): void {
    for (const channel of ['shell', 'control', 'stdin'] as const) {
      void this.#read(channel, (message) => onMessage(channel, message));
    }
  }

  publish(message: Outgoing, parent?: Parent): void {
    this.#put('iopub', message, parent, [`kernel.${message.type}`]);
  }

  send(channel: Channel, message: Outgoing, parent: Parent): string {
    return this.#put(channel, message, parent, parent.identities);
  }

  close(): void {
    for (const socket of Object.values(this.#sockets)) socket.close();
  }

  async #read(channel: Channel, take: (message: Incoming) => void): Promise<void> {
    for await (const frames of this.#sockets[channel]) {
      try {
        const message = this.#codec.decode(frames);
        if ('refused' in message) this.#log(`Refused a message on ${channel}: ${message.refused}.`);
        else take(message);
      } catch (error) {
        this.#log(`A message on ${channel} could not be handled: ${nameOf(error)}.`);
      }
    }
  }

  #put(to: Channel | 'iopub', message: Outgoing, parent: Parent | undefined, before: Frame[]): string {
    const id = this.#codec.nextId();
    this.#senders[to].send(() => this.#codec.encode(id, message, parent, before));
    return id;
  }
}

function router(ipv6: boolean): Router {
  // Clients of one manager share an identity; the latest gets the answers, as with Jupyter's own kernel.
  return new Router({ linger: LINGER_MS, sendHighWaterMark: 0, receiveHighWaterMark: 0, handover: true, ipv6 });
}

async function bind(socket: Router | Publisher, endpoint: string): Promise<void> {
  await socket.bind(endpoint).catch((cause: NodeJS.ErrnoException) => {
    const isTaken = cause.code === 'EADDRINUSE';
    const remedy = isTaken ? 'start it anew' : 'its connection file must name an address of this machine';
    throw new InputError(`The kernel cannot listen at ${endpoint} (${cause.message}): ${remedy}.`, { cause });
  });
}

async function echo(socket: Router): Promise<void> {
  for await (const frames of socket) await socket.send(frames);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
