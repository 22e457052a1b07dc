import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a request said, and how to answer it. */
export type Answer = (body: Asked, response: ServerResponse, request: IncomingMessage) => void;

/** The envelope of a request as the server got it. */
export interface Asked {
  agent_id: number;
  params: Record<string, string>;
  pagination: { limit: number; offset: number };
}

/** A real server that answers as a test says; gives its address and what it was asked so far. */
export async function faultServer(answer: Answer): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text) as Asked;
    asked.push(body);
    answer(body, response, request);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Sends a page as the specification's servers do. */
export function sendPage(response: ServerResponse, results: object[], has_more: boolean, offset = 0): void {
  const pagination = { limit: results.length || 1, offset, has_more };
  send(response, 200, JSON.stringify({ timestamp: '', params: {}, pagination, data: { results } }));
}

/** Sends an answer of any kind. */
export function send(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type, 'x-request-id': 'r-1' }).end(text);
}
