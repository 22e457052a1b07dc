import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { messageOf, OddslabError } from '../base/errors.js';
import { type Problem, titleOf } from '../contract/envelope.js';
import type { Service } from '../service/serve-folder.js';
import { startService } from './prepare-lab.js';

/**
 * The service over a data folder, for a process that has more urgent things to do: its address is known at once, and it
 * is loaded when it is first asked, or when {@link start} is called.
 */
export class LateService {
  readonly url: string;
  readonly #data: string;
  readonly #listener: Server;
  readonly #onProblem: (problem: string) => void;
  #service: Promise<Service> | undefined;
  #told: string | undefined;
  #isClosed = false;

  private constructor(data: string, listener: Server, onProblem: (problem: string) => void) {
    this.#data = data;
    this.#listener = listener;
    this.#onProblem = onProblem;
    this.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    listener.on('connection', (socket: Socket) => void this.#handOn(socket));
  }

  /**
   * Listens on a free port of this machine.
   *
   * @param onProblem Called with why the data cannot be opened, once for each reason; requests are then answered
   *   with 503 and that reason.
   */
  static async listen(data: string, onProblem: (problem: string) => void): Promise<LateService> {
    const listener = createServer({ pauseOnConnect: true });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new LateService(data, listener, onProblem);
  }

  /** Loads it, once. @throws {DataError} If the data cannot be opened; the next call tries anew. */
  async start(): Promise<Service> {
    if (this.#isClosed) throw new OddslabError('The service has ended.');
    this.#service ??= startService(this.#data, this.#listener).catch((error) => {
      this.#service = undefined;
      // Each request tries anew.
      if (this.#told !== messageOf(error)) this.#onProblem(messageOf(error));
      this.#told = messageOf(error);
      throw error;
    });
    return this.#service;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const service = await this.#service?.catch(() => undefined);
    if (service) await service.close();
    else this.#listener.close();
  }

  /** Joins a connection that came before the service with one to it, which listens in the same place from then on. */
  async #handOn(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const { port } = new URL((await this.start()).url);
      const onwards = connect(Number(port), '127.0.0.1');
      onwards.on('error', () => socket.destroy());
      socket.on('close', () => onwards.destroy());
      socket.pipe(onwards).pipe(socket);
    } catch (error) {
      const problem: Problem = {
        type: 'about:blank',
        title: titleOf(503),
        status: 503,
        detail: messageOf(error),
        request_id: randomUUID(),
      };
      const body = JSON.stringify(problem);
      const head = `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}`;
      // Its end is seen only where what came is read.
      socket.resume().end(`HTTP/1.1 503 ${problem.title}\r\n${head}\r\nConnection: close\r\n\r\n${body}`);
    }
  }
}
