import { connect, type Socket } from 'node:net';

/** What a load gave. */
export interface Load {
  /** Requests answered a second. */
  rate: number;
  /** Time of each request, in ms, ascending. */
  times: number[];
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Posts requests over kept connections, each sent once the answer before it came, by a client that costs next to
 * nothing: what is measured is the server.
 *
 * @param bodyOf The body of the request with this number.
 * @throws If an answer is no 200.
 */
export async function load(
  url: string,
  requests: number,
  connections: number,
  bodyOf: (i: number) => string,
): Promise<Load> {
  const { hostname, port, pathname } = new URL(url);
  const times: number[] = [];
  let next = 0;
  const start = performance.now();
  const one = async () => {
    const connection = new Connection(connect({ host: hostname, port: Number(port), noDelay: true }));
    while (next < requests) {
      const body = bodyOf(next++);
      const sent = performance.now();
      await connection.post(
        `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      times.push(performance.now() - sent);
    }
    connection.end();
  };
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - start) / 1000;
  return { rate: requests / seconds, times: times.sort((a, b) => a - b) };
}

/** The answer of one request, as text. */
export async function postOnce(url: string, body: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${text}`);
  return text;
}

/** One HTTP/1.1 connection that reads as much of an answer as it takes to know where it ends. */
class Connection {
  readonly #socket: Socket;
  #missing = 0;
  #head: Buffer = Buffer.alloc(0);
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')));
  }

  post(request: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#settle = undefined;
    this.#socket.end();
  }

  #take(bytes: Buffer): void {
    if (this.#missing > 0) this.#missing -= bytes.length;
    else {
      this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
      const end = this.#head.indexOf(HEAD_END);
      if (end < 0) return;
      const head = this.#head.toString('latin1', 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
        this.#settle?.reject(new Error(`no answer of known length came: ${head}`));
        return;
      }
      this.#missing = Number(length) - (this.#head.length - end - HEAD_END.length);
      this.#head = Buffer.alloc(0);
    }
    if (this.#missing === 0) this.#settle?.resolve();
  }
}
