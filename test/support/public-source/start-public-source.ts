import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Quirks, refused } from './answers.js';
import { clobAnswer } from './clob-routes.js';
import { dataV1Answer } from './data-v1-routes.js';
import { dataV2Answer } from './data-v2-routes.js';
import { type Damage, type Fault, Faults } from './faults.js';
import { gammaAnswer } from './gamma-routes.js';
import { type LoggedRequest, RequestLog } from './request-log.js';
import type { SourceRecords } from './source-records.js';

/** What the source is made of. */
export interface PublicSourceOptions {
  /** From `simulatedRecords`; several sources may share them. */
  records: SourceRecords;
  /** Default none. They can be changed while it runs, by {@link PublicSource.setFaults}. */
  faults?: readonly Fault[];
  /** Of what goes wrong at random. Default 1. */
  seed?: number;
  /** The source's clock, in Unix seconds. Default the end of the sample: everything is told. */
  now?: number;
  quirks?: Partial<Quirks>;
  /** Milliseconds that every answer takes at least. Default 0. */
  delayMs?: number;
}

/** A source that runs. */
export interface PublicSource {
  gammaUrl: string;
  dataApiUrl: string;
  clobUrl: string;
  requests: RequestLog;
  /** Other faults from now on; what the old ones remember is forgotten. */
  setFaults(faults: readonly Fault[], seed?: number): void;
  /** Another present. */
  setNow(now: number): void;
  close(): Promise<void>;
}

const LONGEST_ADDRESS = 8_192;
const USUAL: Quirks = {
  shortPages: true,
  mostRecords: Number.POSITIVE_INFINITY,
  tradesRepeatPast: Number.POSITIVE_INFINITY,
  activityOffset: 5_000,
  tradesOffset: 10_000,
  unstartedDays: 1_095,
};

/**
 * Starts three servers on loopback that behave as Polymarket's public sources do in 2026: Gamma, the Data API in both
 * versions, and the CLOB; with their limits, their traps and, where asked for, their faults. They tell what was
 * simulated, so that the right answer is known: `writeRawTruth` writes it as plain files.
 *
 * @example
 * const records = await simulatedRecords(folder, { markets: 40, wallets: 50, fills: 4_000, seed: 1 });
 * const source = await startPublicSource({ records, faults: [{ kind: 'too-many' }] });
 */
export async function startPublicSource(options: PublicSourceOptions): Promise<PublicSource> {
  const { records, seed = 1, delayMs = 0 } = options;
  const quirks = { ...USUAL, ...options.quirks };
  const requests = new RequestLog();
  const begun = performance.now();
  let faults = new Faults(options.faults ?? [], seed);
  let now = options.now ?? Math.max(...records.rows.map(({ time }) => time), 0) + 365 * 86_400;

  const answerTo = (service: LoggedRequest['service'], url: URL): Answer => {
    const asked = { path: url.pathname, query: url.searchParams, records, now, quirks };
    if (url.href.length > LONGEST_ADDRESS) return refused(414, 'request URI too large');
    if (service === 'gamma') return gammaAnswer(asked);
    if (service === 'clob') return clobAnswer(asked);
    return url.pathname.startsWith('/v2/') ? dataV2Answer(asked) : dataV1Answer(asked);
  };
  const handle = async (service: LoggedRequest['service'], incoming: IncomingMessage, outgoing: ServerResponse) => {
    const url = new URL(incoming.url ?? '/', 'http://source');
    const damage = faults.damage(url, answerTo(service, url));
    const end = requests.begin({
      service,
      path: url.pathname,
      query: url.searchParams,
      userAgent: incoming.headers['user-agent'] ?? '',
      at: performance.now() - begun,
      status: damage.ends === 'at once' ? 0 : damage.answer.status,
    });
    try {
      await sleep(delayMs + (damage.delayMs ?? 0));
      send(outgoing, damage);
    } finally {
      end();
    }
  };
  const servers = await Promise.all(
    (['gamma', 'data', 'clob'] as const).map((service) =>
      listening(createServer((incoming, outgoing) => void handle(service, incoming, outgoing))),
    ),
  );
  const [gammaUrl = '', dataApiUrl = '', clobUrl = ''] = servers.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  return {
    gammaUrl,
    dataApiUrl,
    clobUrl,
    requests,
    setFaults: (others, otherSeed = seed) => {
      faults = new Faults(others, otherSeed);
    },
    setNow: (other) => {
      now = other;
    },
    close: async () => {
      await Promise.all(servers.map(closed));
    },
  };
}

function send(outgoing: ServerResponse, { answer, headers = {}, html, ends }: Damage): void {
  if (ends === 'at once') {
    outgoing.destroy();
    return;
  }
  const body = Buffer.from(html ?? JSON.stringify(answer.body));
  outgoing.writeHead(answer.status, {
    'content-type': html === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    'content-length': body.length,
    ...headers,
  });
  if (ends === undefined) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body.subarray(0, body.length >> 1), () => outgoing.destroy());
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
