import { Dealer, Request, Subscriber } from 'zeromq';
import type { Connection } from './connection-file.js';
import { type Channel, type JupyterMessage, MessageCodec } from './jupyter-message.js';

const RECONNECT_MS = 5;

/** The front end's side of a kernel's sockets. */
export class KernelSockets {
  readonly codec: MessageCodec;
  readonly #dealers: Record<Exclude<Channel, 'iopub'>, Dealer>;
  readonly #lastSends = { shell: Promise.resolve(), control: Promise.resolve(), stdin: Promise.resolve() };
  readonly #iopub: Subscriber;
  readonly #heartbeat: Request;
  #isClosed = false;

  /**
   * Connects; the kernel need not listen yet.
   *
   * @param take Receives every message, in its socket's order.
   * @param fail Receives the error of a message that cannot be read.
   */
  constructor(connection: Connection, take: (message: JupyterMessage) => void, fail: (error: unknown) => void) {
    this.codec = new MessageCodec(connection.key);
    const options = { linger: 0, reconnectInterval: RECONNECT_MS };
    // A kernel asks for input by the identity that it saw on shell, so the sockets share one.
    const dealer = () => new Dealer({ ...options, routingId: this.codec.session, receiveHighWaterMark: 0 });
    this.#dealers = { shell: dealer(), control: dealer(), stdin: dealer() };
    this.#iopub = new Subscriber({ ...options, receiveHighWaterMark: 0 });
    this.#iopub.subscribe('');
    this.#heartbeat = new Request(options);
    const sockets = { ...this.#dealers, iopub: this.#iopub };
    for (const channel of ['shell', 'control', 'stdin', 'iopub'] as const) {
      sockets[channel].connect(addressOf(connection, connection[`${channel}_port`]));
      void this.#read(channel, sockets[channel], take).catch((error) => {
        if (!this.#isClosed) fail(error);
      });
    }
    this.#heartbeat.connect(addressOf(connection, connection.hb_port));
  }

  /** Sends a message's frames, or invalid ones to test how a kernel copes. */
  send(channel: Exclude<Channel, 'iopub'>, frames: (string | Buffer)[]): Promise<void> {
    // A socket refuses to send while another send is in progress.
    const sending = this.#lastSends[channel].then(() => this.#dealers[channel].send(frames));
    this.#lastSends[channel] = sending.catch(() => {});
    return sending;
  }

  /** Sends bytes to the heartbeat and returns what comes back. Only one call at a time. */
  async beat(bytes: string): Promise<string> {
    await this.#heartbeat.send(bytes);
    const [back = ''] = await this.#heartbeat.receive();
    return back.toString();
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of [...Object.values(this.#dealers), this.#iopub, this.#heartbeat]) socket.close();
  }

  async #read(channel: Channel, socket: AsyncIterable<Buffer[]>, take: (message: JupyterMessage) => void) {
    for await (const frames of socket) take(this.codec.decode(channel, frames));
  }
}

function addressOf({ transport, ip }: Connection, port: number): string {
  return `${transport}://${ip}:${port}`;
}
