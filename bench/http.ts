import { Pool } from 'undici';
import { type Client, connect } from '../src/client/connect.js';
import { QUERY_PATH } from '../src/contract/envelope.js';
import { MARKETS } from '../src/contract/markets.js';
import { PNL } from '../src/contract/pnl.js';
import { Database } from '../src/service/store/database.js';
import type { Benchmark, Contender } from './benchmark.js';
import { type Served, served } from './served.js';

const RECORDS = 1_000_000;
const IN_FLIGHT = 4;
const PAGE = 1000;
/** Simulating a million markets takes five minutes, so a fifth of them, with few fills, is read five times. */
const MARKET_READS = 5;
const MARKET_COUNT = RECORDS / MARKET_READS;

interface Request {
  agent_id: number;
  params: object;
  offset: number;
}

/** What one measurement reads, through a client or through plain requests for the same records. */
interface Reading {
  records: number;
  requests: Request[];
  /** Reads everything and returns the number of records. */
  read(client: Client): Promise<number>;
}

interface Ready extends Reading {
  url: string;
  end(): Promise<void>;
}

/** Enough wallets for all records, each with one page. */
async function manyWallets({ version }: Served): Promise<Reading> {
  const db = await Database.open(version.database, { locked: true });
  const rows = await db.rows<{ wallet: string; n: bigint }>('SELECT wallet, count(*) AS n FROM wallet_days GROUP BY 1');
  db.close();
  const wallets: string[] = [];
  let records = 0;
  for (const { wallet, n } of rows) {
    if (records >= RECORDS) break;
    wallets.push(wallet);
    records += Number(n);
  }
  const requests = wallets.map((wallet) => ({ agent_id: PNL.id, params: { wallet }, offset: 0 }));
  return { records, requests, read: async (client) => (await client.pnl({ wallet: wallets }).frame()).shape[0] };
}

async function wholePages(): Promise<Reading> {
  const pages = Array.from({ length: MARKET_COUNT / PAGE }, (_, page) => page * PAGE);
  const requests = pages.map((offset) => ({ agent_id: MARKETS.id, params: {}, offset }));
  return {
    records: RECORDS,
    requests: Array.from({ length: MARKET_READS }, () => requests).flat(),
    async read(client) {
      let records = 0;
      for (let time = 0; time < MARKET_READS; time++) records += (await client.markets().frame()).shape[0];
      return records;
    },
  };
}

async function frames({ url, records, read }: Ready): Promise<void> {
  const client = connect({ baseUrl: url, pageSize: PAGE, concurrency: IN_FLIGHT });
  const came = await read(client);
  await client.close();
  if (came !== records) throw new Error(`${came} records came, not ${records}`);
}

/** Sends the same requests, and reads and drops their answers. */
async function drainAll({ url, requests }: Ready): Promise<void> {
  const pool = new Pool(url, { connections: IN_FLIGHT });
  const headers = { 'content-type': 'application/json' };
  const left = requests.values();
  const drain = async () => {
    for (const { offset, ...asked } of left) {
      const pagination = { limit: PAGE, offset };
      const body = JSON.stringify({ ...asked, pagination, formatter_config: { format_type: 'raw' } });
      const answer = await pool.request({ path: QUERY_PATH, method: 'POST', headers, body });
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (answer.statusCode !== 200) throw new Error(`${body} was answered by ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, drain));
  await pool.close();
}

/** A contender that measures records per second. */
function contender(name: string, ready: () => Promise<Ready>, run: (ready: Ready) => Promise<void>): Contender {
  return {
    name,
    async prepare() {
      const made = await ready();
      return {
        async measure() {
          const start = performance.now();
          await run(made);
          return (made.records / (performance.now() - start)) * 1000;
        },
        end: made.end,
      };
    },
  };
}

function overHttp(
  what: string,
  call: string,
  rounds: number,
  size: Parameters<typeof served>[0],
  readingOf: (service: Served) => Promise<Reading>,
): Benchmark {
  let shared: Promise<Ready> | undefined;
  const prepare = async () => {
    const service = await served(size);
    return { ...(await readingOf(service)), url: service.url, end: service.end };
  };
  const ready = () => {
    shared ??= prepare();
    return shared;
  };
  const bare = contender('a bare undici loop that drains the bodies', ready, drainAll);
  return {
    area: 'client',
    bench: `over HTTP from our own service, ${RECORDS} records ${what}, ${IN_FLIGHT} requests in flight`,
    metric: 'records/s',
    better: 'more',
    rounds,
    ours: contender(call, ready, frames),
    peers: [{ target: 0.8, contender: bare }],
  };
}

export const httpBenchmarks: Benchmark[] = [
  overHttp(
    'of many wallets',
    'client.pnl({ wallet: [...] }).frame()',
    9,
    { markets: 3000, wallets: 8000, fills: 2_000_000 },
    manyWallets,
  ),
  overHttp(
    `in whole pages of ${PAGE}`,
    'client.markets().frame()',
    3,
    { markets: MARKET_COUNT, wallets: 1000, fills: 2 * MARKET_COUNT },
    wholePages,
  ),
];
