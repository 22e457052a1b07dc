import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a source answers: JSON, or a status with a text and headers, or half of an answer. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly text?: string;
  /** Whether the connection breaks in the middle of the answer. */
  readonly cut?: boolean;
}

/** A request as the source got it. */
export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, unknown>;
}

/**
 * Serves one source on loopback until the test ends.
 *
 * @param answer Says what to answer; may be replaced later.
 */
export async function smallSource(answer: (asked: Asked) => Reply | Promise<Reply>) {
  const asked: Asked[] = [];
  const source = { url: '', asked, answer };
  const server = createServer(async ({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const request = { path: pathname, query: searchParams, headers };
    asked.push(request);
    send(response, await source.answer(request));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return source;
}

function send(response: ServerResponse, { status = 200, headers = {}, json, text, cut = false }: Reply): void {
  const body = text ?? JSON.stringify(json ?? {});
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (!cut) response.end(body);
  else response.write(body.slice(0, body.length / 2), () => response.destroy());
}
