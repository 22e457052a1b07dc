import { connect, type Socket } from 'node:net';

/** The result of a load. */
export interface Load {
  /** Requests answered per second. */
  rate: number;
  /** Time of each request, in ms, ascending. */
  times: number[];
}

/** The server to ask. */
export interface Asked {
  /** Base address and path. */
  url: string;
  /** The API key sent with every request. A server without keys gets a dummy of the same length, which it ignores. */
  key?: string | undefined;
}

const NO_KEY = `odl_${'0'.repeat(43)}`;
const HEAD_END = Buffer.from('\r\n\r\n');
const READ_BYTES = 1 << 16;

/**
 * Posts requests over kept-alive connections, each after the answer to the one before. The client costs next to
 * nothing, so the server is what is measured.
 *
 * @param bodyOf Makes the body of the request with a number.
 * @throws If an answer's status is not 200.
 */
export async function load(
  { url, key = NO_KEY }: Asked,
  requests: number,
  connections: number,
  bodyOf: (i: number) => string,
): Promise<Load> {
  const { hostname, port, pathname } = new URL(url);
  const head =
    `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n` +
    'Content-Type: application/json\r\nContent-Length: ';
  const times: number[] = [];
  let next = 0;
  const start = performance.now();
  const one = async () => {
    const connection = new Connection(hostname, Number(port));
    while (next < requests) {
      const body = bodyOf(next++);
      const sent = performance.now();
      await connection.post(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
      times.push(performance.now() - sent);
    }
    connection.end();
  };
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - start) / 1000;
  return { rate: requests / seconds, times: times.sort((a, b) => a - b) };
}

/** Posts one request and returns its answer as text. */
export async function postOnce({ url, key = NO_KEY }: Asked, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${text}`);
  return text;
}

/** An HTTP/1.1 connection that parses only as much of an answer as it needs to find its end. */
class Connection {
  readonly #socket: Socket;
  #missing = 0;
  #head: Buffer = Buffer.alloc(0);
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(host: string, port: number) {
    const callback = (length: number, bytes: Uint8Array) => {
      this.#take(bytes as Buffer, length);
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback };
    this.#socket = connect({ host, port, noDelay: true, onread });
    this.#socket.on('error', (error) => this.#settle?.reject(error));
    this.#socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')));
  }

  post(request: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  end(): void {
    this.#settle = undefined;
    this.#socket.end();
  }

  #take(read: Buffer, length: number): void {
    if (this.#missing > 0) this.#missing -= length;
    else {
      const bytes = read.subarray(0, length);
      const known = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
      const end = known.indexOf(HEAD_END);
      this.#head = end < 0 ? Buffer.from(known) : NOTHING;
      if (end < 0) return;
      const head = known.toString('latin1', 0, end);
      const size = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200') || size === undefined) {
        this.#settle?.reject(new Error(`no answer of known length came: ${head}`));
        return;
      }
      this.#missing = Number(size) - (known.length - end - HEAD_END.length);
    }
    if (this.#missing === 0) this.#settle?.resolve();
  }
}

const NOTHING = Buffer.alloc(0);
