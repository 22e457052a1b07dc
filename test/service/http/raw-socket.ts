import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { QUERY_PATH } from '../../../src/contract/envelope.js';

/** A connection that sends exactly what a test wants, and keeps what comes back. */
export interface RawSocket {
  socket: Socket;
  /** What has come so far. */
  heard: () => string;
  /** Settles once what has come matches. */
  until: (pattern: RegExp) => Promise<string>;
  /** Settles with everything that came, once the connection has closed. */
  closed: Promise<string>;
}

/** Connects to a service; the connection ends with the test. */
export async function rawSocket(url: string, { allowHalfOpen = false } = {}): Promise<RawSocket> {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen });
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  // A connection may end by a reset; what came before it counts.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      if (socket.destroyed) throw new Error(`closed before ${pattern}; came: ${text}`);
      await new Promise((done) => setTimeout(done, 5));
    }
    return text;
  };
  return { socket, heard: () => text, until, closed };
}

/** A query as bytes on the wire. */
export function rawQuery(body: object = { agent_id: 574 }, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${QUERY_PATH} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

/** The number of requests that a service has under way, besides the one that asks for it. */
export async function requestsInFlight(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^oddslab_requests_in_flight (\d+)$/m.exec(text)?.[1]) - 1;
}

/** The problem document at the end of what came. */
export function problemIn(heard: string) {
  const at = heard.lastIndexOf('\r\n\r\n');
  return JSON.parse(heard.slice(at + 4));
}
