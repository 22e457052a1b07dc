import { QUERY_PATH } from '../src/contract/envelope.js';
import type { Benchmark, Contender } from './benchmark.js';
import { ingestBenchmarks } from './ingest.js';
import { ledgerBenchmarks } from './ledger.js';
import { load, postOnce } from './service-load.js';
import { type ServerProcess, startService } from './service-process.js';
import {
  folder,
  MARKETS,
  once,
  postgresJson,
  postgresRows,
  service,
  smallFolder,
  smallService,
  staticServer,
  twoWorkers,
  WALLETS,
} from './service-stage.js';

const CONNECTIONS = 16;

/** Requests that take some seconds; a peer answers fewer in that time. */
const REQUESTS = { ours: 40_000, peers: 12_000 };
const SEARCHES = { ours: 4000, peers: 400 };

/** Requests of each kind before memory is measured. */
const LOADED = 2000;

/** Makes the body of a query that this run has not asked before. */
type NextQuery = (wallets: readonly string[]) => object;

let asked = 0;

/** A wallet's year by day. The end moves later each time, so no request repeats, yet all answers have the same days. */
const year: NextQuery = (wallets) => {
  asked++;
  const end_time = new Date(Date.UTC(2025, 0, 1) + asked * 86_400_000).toISOString().slice(0, 10);
  return { agent_id: 569, params: { wallet: someOf(wallets), start_time: '2024-01-01', end_time } };
};

const lifetime: NextQuery = (wallets) => ({
  agent_id: 586,
  params: { wallet_address: wallets[asked++ % wallets.length] },
});

const rareSlug: NextQuery = () => ({
  agent_id: 574,
  params: { market_slug: `-${10_000 + ((asked++ * 7919) % 89_991)}` },
});

const closedMarkets: NextQuery = () => {
  asked++;
  const from = 1_710_000_000 + ((asked * 7919) % 50_000_000);
  const window = { end_date_min: String(from), end_date_max: String(from + 30 * 86_400) };
  return { agent_id: 574, params: { closed: 'True', min_volume: '100000', ...window } };
};

const busy: NextQuery = (wallets) => ({ agent_id: 569, params: { wallet: wallets[0] } });

function someOf(wallets: readonly string[]): string {
  return wallets[Math.floor(Math.random() * wallets.length)] ?? '';
}

/** What is measured of a load: its rate, its processor time, or a quantile of its times. */
type Share = 'rate' | 'cpu' | 0.5 | 0.99;

function contender(
  name: string,
  server: () => Promise<ServerProcess>,
  query: NextQuery,
  share: Share = 'rate',
  data = folder,
): Contender {
  return {
    name,
    async prepare() {
      const { wallets } = await data();
      const running = await server();
      const asked = { url: running.url + QUERY_PATH, key: running.key };
      const counts = query === rareSlug || query === closedMarkets ? SEARCHES : REQUESTS;
      const requests = name.startsWith(SERVICE) ? counts.ours : counts.peers;
      return {
        async measure() {
          const before = running.cpu();
          const { rate, times } = await load(asked, requests, CONNECTIONS, () => JSON.stringify(query(wallets)));
          if (share === 'cpu') return ((running.cpu() - before) / requests) * 1e6;
          return share === 'rate' ? rate : (times[Math.floor(times.length * share)] ?? Number.NaN);
        },
      };
    },
  };
}

const SERVICE = 'oddslab serve';
const ROWS = 'PostgreSQL 15, prepared statements behind node-postgres and node:http';
const JSON_AGG = `${ROWS}, its JSON made by json_agg`;

const STATIC = 'node:http sending those bytes from memory';

/** A server that answers every request with the answer to one query. */
function sameBytes(query: NextQuery): () => Promise<ServerProcess> {
  return once(async () => {
    const { wallets } = await folder();
    const { url, key } = await service();
    return staticServer(await postOnce({ url: url + QUERY_PATH, key }, JSON.stringify(query(wallets))));
  });
}

const sameYear = sameBytes(busy);
const sameLifetime = sameBytes(lifetime);

const goal = (value: number) => ({
  target: 1,
  contender: { name: 'the limit that we set ourselves', prepare: async () => ({ measure: async () => value }) },
});

/** Measures the time from the start of the process to its first answer, in ms, or its memory after a load, in MB. */
function fresh(what: 'ms' | 'MB'): Contender {
  return {
    name: SERVICE,
    async prepare() {
      const { folder: path, wallets } = await folder();
      return {
        async measure() {
          const start = performance.now();
          const server = await startService(path);
          const asked = { url: server.url + QUERY_PATH, key: server.key };
          await postOnce(asked, JSON.stringify(year(wallets)));
          const took = performance.now() - start;
          if (what === 'MB') {
            for (const query of [year, lifetime, rareSlug, closedMarkets]) {
              await load(asked, LOADED, CONNECTIONS, () => JSON.stringify(query(wallets)));
            }
          }
          const memory = server.memory();
          await server.end();
          return what === 'ms' ? took : memory;
        },
      };
    },
  };
}

const shared = { area: 'service', rounds: 3 } as const;
const rate = { ...shared, metric: 'requests/s', better: 'more' } as const;
const time = { ...shared, better: 'less' } as const;
/** Processor time of all processes of a server. Unlike a rate, it does not depend on what else the machine does. */
const cpu = { ...time, metric: 'µs of processor time a request' } as const;
const sizes = `${WALLETS} wallets of 200 days each, ${CONNECTIONS} connections`;

export const serviceBenchmarks: Benchmark[] = [
  {
    ...rate,
    bench: `569, a wallet's year by day, no answer asked twice, ${sizes}`,
    ours: contender(SERVICE, service, year),
    peers: [
      { target: 4, contender: contender(ROWS, postgresRows, year) },
      { target: 4, contender: contender(JSON_AGG, postgresJson, year) },
    ],
  },
  {
    ...rate,
    bench: `569, a wallet's year by day, no answer asked twice, ${sizes}, two workers`,
    ours: contender(`${SERVICE} --workers 2`, twoWorkers, year),
    peers: [{ target: 4, contender: contender(ROWS, postgresRows, year) }],
  },
  {
    ...time,
    bench: `569, a wallet's year by day, no answer asked twice, ${sizes}`,
    metric: 'ms, the slowest of 100',
    ours: contender(SERVICE, service, year, 0.99),
    peers: [{ target: 1, contender: contender(ROWS, postgresRows, year, 0.99) }],
  },
  {
    ...rate,
    bench: `569, the same question again, ${sizes}`,
    ours: contender(SERVICE, service, busy),
    peers: [{ target: 0.8, contender: contender(STATIC, sameYear, busy) }],
  },
  {
    ...time,
    bench: `569, a wallet's year by day, no answer asked twice, ${CONNECTIONS} connections`,
    metric: 'ms, median',
    ours: contender(`${SERVICE} over ${WALLETS} wallets`, service, year, 0.5),
    peers: [
      {
        target: 1 / 1.2,
        contender: contender(
          `${SERVICE} over ${Math.ceil(WALLETS / 50)} wallets`,
          smallService,
          year,
          0.5,
          smallFolder,
        ),
      },
    ],
  },
  {
    ...rate,
    bench: `586, one wallet, ${sizes}`,
    ours: contender(SERVICE, service, lifetime),
    peers: [
      { target: 4, contender: contender(ROWS, postgresRows, lifetime) },
      { target: 4, contender: contender(JSON_AGG, postgresJson, lifetime) },
      // A bound that no service on one thread of node:http can reach: this peer does no work.
      { target: 0.4, contender: contender(STATIC, sameLifetime, lifetime) },
    ],
  },
  {
    ...rate,
    bench: `586, one wallet, ${sizes}, two workers`,
    ours: contender(`${SERVICE} --workers 2`, twoWorkers, lifetime),
    peers: [{ target: 4, contender: contender(ROWS, postgresRows, lifetime) }],
  },
  {
    ...cpu,
    bench: `586, one wallet, ${sizes}`,
    ours: contender(SERVICE, service, lifetime, 'cpu'),
    peers: [{ target: 4, contender: contender(ROWS, postgresRows, lifetime, 'cpu') }],
  },
  {
    ...cpu,
    bench: `569, the same question again, ${sizes}`,
    ours: contender(SERVICE, service, busy, 'cpu'),
    peers: [{ target: 0.8, contender: contender(STATIC, sameYear, busy, 'cpu') }],
  },
  {
    ...rate,
    bench: `574, a piece of a slug that about five of ${MARKETS} markets have, ${CONNECTIONS} connections`,
    ours: contender(SERVICE, service, rareSlug),
    peers: [{ target: 10, contender: contender(`${ROWS}, ILIKE with a trigram index`, postgresRows, rareSlug) }],
  },
  {
    ...rate,
    bench: `574, closed, a least volume and a month, 200 of ${MARKETS} markets, ${CONNECTIONS} connections`,
    ours: contender(SERVICE, service, closedMarkets),
    peers: [{ target: 3, contender: contender(ROWS, postgresRows, closedMarkets) }],
  },
  {
    ...time,
    bench: `start to first answer, ${WALLETS} wallets of 200 days each, ${MARKETS} markets`,
    metric: 'ms',
    ours: fresh('ms'),
    peers: [goal(500)],
  },
  {
    ...time,
    bench: `memory after 8000 different queries, ${WALLETS} wallets of 200 days each, ${MARKETS} markets`,
    metric: 'MB, RSS',
    rounds: 1,
    ours: fresh('MB'),
    peers: [goal(300)],
  },
  ...ledgerBenchmarks,
  ...ingestBenchmarks,
];
