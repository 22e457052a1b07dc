import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** Header lines, in lower case up to the colon. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

const HEAD_END = '\r\n\r\n';

/** One connection that posts one body at a time and never retries. */
export class SoakConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #came: Buffer = Buffer.alloc(0);
  #settle: { resolve: (answer: WireAnswer) => void; reject: (error: Error) => void } | undefined;
  #failure: Error | undefined;

  constructor(url: string) {
    const { hostname, port, host } = new URL(url);
    this.#host = host;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', (bytes) => this.#take(bytes));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error('the connection was closed')));
  }

  /** @throws {Error} If the connection breaks before the whole answer has come. */
  post(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<WireAnswer> {
    const lines = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return new Promise((resolve, reject) => {
      if (this.#failure) reject(this.#failure);
      this.#settle = { resolve, reject };
      this.#socket.write(`POST ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${head}\r\n${body}`);
    });
  }

  end(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #end(error: Error): void {
    this.#failure ??= error;
    this.#settle?.reject(this.#failure);
  }

  #take(bytes: Buffer): void {
    this.#came = Buffer.concat([this.#came, bytes]);
    const end = this.#came.indexOf(HEAD_END);
    if (end < 0) return;
    const [first = '', ...rest] = this.#came.toString('latin1', 0, end).split('\r\n');
    const headers = new Map(rest.map((line) => split(line)));
    const whole = end + HEAD_END.length + Number(headers.get('content-length'));
    if (this.#came.length < whole) return;
    const text = this.#came.toString('utf8', end + HEAD_END.length, whole);
    this.#came = this.#came.subarray(whole);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({ status: Number(first.split(' ')[1]), headers, text });
  }
}

function split(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
