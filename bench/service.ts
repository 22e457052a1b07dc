import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { QUERY_PATH } from '../src/contract/envelope.js';
import { PNL } from '../src/contract/pnl.js';
import { type Benchmark, type Contender, Unavailable } from './benchmark.js';
import { served } from './served.js';

const CONNECTIONS = 16;
const REQUESTS = 2000;

/** Requests a second over kept connections, the wallets taken in turn. */
async function throughput(url: string, wallets: readonly string[]): Promise<number> {
  const dispatcher = new Agent({ connections: CONNECTIONS });
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < REQUESTS) {
        const body = JSON.stringify({ agent_id: PNL.id, params: { wallet: wallets[next++ % wallets.length] } });
        const headers = { 'content-type': 'application/json' };
        const answer = await request(url, { method: 'POST', headers, body, dispatcher });
        if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}: ${await answer.body.text()}`);
        await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await dispatcher.close();
  return REQUESTS / seconds;
}

interface Running {
  url: string;
  wallets: string[];
  /** One answer, for the peer that sends nothing else. */
  answer: string;
  end(): Promise<void>;
}

let started: Promise<Running> | undefined;

/** The one service of this run, started when first needed. */
function running(): Promise<Running> {
  started ??= startService();
  return started;
}

async function startService(): Promise<Running> {
  const { url: base, version, end } = await served();
  const url = base + QUERY_PATH;
  const wallets = version.manifest.busiest;
  const body = JSON.stringify({ agent_id: PNL.id, params: { wallet: wallets[0] } });
  const answer = await request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { url, wallets, answer: await answer.body.text(), end };
}

const ours: Contender = {
  name: 'oddslab serve',
  async prepare() {
    const service = await running();
    return { measure: () => throughput(service.url, service.wallets), end: service.end };
  },
};

const staticBytes: Contender = {
  name: 'node:http sending one such answer from memory, in the process of the load',
  async prepare() {
    const { answer, wallets } = await running();
    const bytes = Buffer.from(answer);
    const server = createServer((incoming, outgoing) => {
      incoming.resume().once('end', () => outgoing.setHeader('content-type', 'application/json').end(bytes));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { measure: () => throughput(url, wallets), end: () => void server.close() };
  },
};

const postgres: Contender = {
  name: 'PostgreSQL 15 behind node-postgres',
  async prepare() {
    throw new Unavailable('the project does not load its data into PostgreSQL yet');
  },
};

export const serviceBenchmarks: Benchmark[] = [
  {
    area: 'service',
    bench: `569, a wallet's days, ${CONNECTIONS} connections, ${REQUESTS} requests`,
    metric: 'requests/s',
    better: 'more',
    ours,
    peers: [
      { contender: staticBytes, target: 0.8 },
      { contender: postgres, target: 4 },
    ],
  },
];
