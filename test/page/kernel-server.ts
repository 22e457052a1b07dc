import { open, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { kernelRoutes } from '../../src/page/kernel-routes.js';
import { Kernels, type KernelsOptions } from '../../src/page/kernels.js';
import { refusalOf } from '../../src/page/refusal.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A server of kernels alone, over a folder, without any check of who asks. */
export interface KernelServer {
  folder: string;
  kernels: Kernels;
  /** Its address: `http://127.0.0.1:PORT`. */
  url: string;
  /** What it has logged. */
  logged: string[];
  /** Asks it; the body is sent as JSON. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; headers: Headers; json: Answer }>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every route
type Answer = any;

/** Starts a server of kernels that ends with the current test. */
export async function serveKernels(options: Partial<KernelsOptions> = {}): Promise<KernelServer> {
  const folder = await realpath(await temporaryFolder());
  const logged: string[] = [];
  const kernels = new Kernels({
    locate: async (path) => join(folder, path),
    open: (path) => open(join(folder, path)),
    env: { ...process.env, ODDSLAB_HISTORY: 'off' },
    log: (line) => logged.push(line),
    ...options,
  });
  const app = new Hono();
  kernelRoutes(app, kernels);
  app.put('/api/contents/*', (c) => c.json({}));
  app.onError((error, c) => c.json({ message: error.message, reason: null }, refusalOf(error)?.status ?? 500));
  const server = createServer(getRequestListener(app.fetch));
  server.on('upgrade', (request, socket, head) => kernels.connect(request, socket, head));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    await kernels.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask: KernelServer['ask'] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const answer = await fetch(url + path, { method, ...sent });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text === '' ? undefined : JSON.parse(text) };
  };
  return { folder, kernels, url, logged, ask };
}
