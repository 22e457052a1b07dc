import { Pool } from 'undici';
import { connect } from '../src/client/connect.js';
import { QUERY_PATH } from '../src/contract/envelope.js';
import { PNL } from '../src/contract/pnl.js';
import { Database } from '../src/service/store/database.js';
import type { Benchmark, Contender } from './benchmark.js';
import { served } from './served.js';

const RECORDS = 1_000_000;
const IN_FLIGHT = 4;
const PAGE = 1000;

interface Ready {
  url: string;
  /** Enough wallets for all records. */
  wallets: string[];
  records: number;
  end(): Promise<void>;
}

let shared: Promise<Ready> | undefined;

async function prepare(): Promise<Ready> {
  const { url, version, end } = await served({ markets: 3000, wallets: 8000, fills: 2_000_000 });
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
  return { url, wallets, records, end };
}

/** Records a second. */
function contender(name: string, run: (ready: Ready) => Promise<number>): Contender {
  return {
    name,
    async prepare() {
      shared ??= prepare();
      const ready = await shared;
      return {
        async measure() {
          const start = performance.now();
          const records = await run(ready);
          return (records / (performance.now() - start)) * 1000;
        },
        end: ready.end,
      };
    },
  };
}

async function frameOfAll({ url, wallets, records }: Ready): Promise<number> {
  const client = connect({ baseUrl: url, pageSize: PAGE, concurrency: IN_FLIGHT });
  const frame = await client.pnl({ wallet: wallets }).frame();
  await client.close();
  if (frame.shape[0] !== records) throw new Error(`${frame.shape[0]} records came, not ${records}`);
  return records;
}

/** The same requests, their answers read from the socket and dropped. */
async function drainAll({ url, wallets, records }: Ready): Promise<number> {
  const pool = new Pool(url, { connections: IN_FLIGHT });
  const headers = { 'content-type': 'application/json' };
  let next = 0;
  const drain = async () => {
    while (next < wallets.length) {
      const params = { wallet: wallets[next++] };
      const pagination = { limit: PAGE, offset: 0 };
      const body = JSON.stringify({ agent_id: PNL.id, params, pagination, formatter_config: { format_type: 'raw' } });
      const answer = await pool.request({ path: QUERY_PATH, method: 'POST', headers, body });
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, drain));
  await pool.close();
  return records;
}

export const httpBenchmark: Benchmark = {
  area: 'client',
  bench: `over HTTP from our own service, ${RECORDS} records of many wallets, ${IN_FLIGHT} requests in flight`,
  metric: 'records/s',
  better: 'more',
  rounds: 9,
  ours: contender('client.pnl({ wallet: [...] }).frame()', frameOfAll),
  peers: [{ target: 0.8, contender: contender('a bare undici loop that drains the bodies', drainAll) }],
};
