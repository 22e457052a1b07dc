import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoteText } from '../src/base/duckdb.js';
import { ingest } from '../src/service/ingest/ingest-inputs.js';
import { Database } from '../src/service/store/database.js';
import type { Benchmark, Contender } from './benchmark.js';
import { inChild } from './in-child.js';

/** Fills to ingest; the goal of the memory is stated for 10,000,000. */
const ROWS = Number(process.env.ODDSLAB_BENCH_ROWS ?? 1_000_000);

const MARKETS = 5000;
const FILLS_A_WALLET = 500;
/** Fills that a wallet makes in one market on one day. */
const FILLS_A_DAY = 5;

const hex = (text: string, digits: number) => `'0x' || rpad(md5(${text}), ${digits}, md5(${text} || 'b'))`;
const token = (market: string, side: string) => `'7' || lpad((${market} * 2 + ${side})::VARCHAR, 76, '0')`;

/** Fills as the Data API gives them, without names and pictures, which `oddslab fetch` does not keep. */
const fills = (rows: number, amount: string) => `
  SELECT ${hex(`'w' || i // ${FILLS_A_WALLET}`, 40)} AS "proxyWallet", 1700000000 + i % 20000000 AS timestamp,
    ${hex(`'m' || m`, 64)} AS "conditionId", ${amount} size, price, ${hex(`'t' || i`, 64)} AS "transactionHash",
    ${token('m', 's')} AS asset, CASE WHEN i % 3 = 2 THEN 'SELL' ELSE 'BUY' END AS side, s AS "outcomeIndex",
    'Will market ' || m || ' come to an end?' AS title, 'market-' || m AS slug, 'event-' || m // 4 AS "eventSlug",
    CASE s WHEN 0 THEN 'Yes' ELSE 'No' END AS outcome
  FROM (SELECT i, i // ${FILLS_A_DAY} * 7919 % ${MARKETS} AS m, (i // ${FILLS_A_DAY}) % 2 AS s, 1 + i * 31 % 9000 / 10 AS size,
      (1 + i * 17 % 99) / 100 AS price FROM range(${rows}) t(i))`;

const markets = `
  SELECT ${hex(`'m' || m`, 64)} AS "conditionId", 'Will market ' || m || ' come to an end?' AS question,
    'market-' || m AS slug, true AS closed, '2024-08-01T00:00:00Z' AS "endDate", '["Yes", "No"]' AS outcomes,
    '["1", "0"]' AS "outcomePrices", '["' || (${token('m', '0')}) || '", "' || (${token('m', '1')}) || '"]' AS "clobTokenIds"
  FROM range(${MARKETS}) t(m)`;

const STATUS = {
  oddslab_fetch: 1,
  kind: 'markets',
  target: '',
  started: '2026-01-01T00:00:00Z',
  ended: '2026-01-01T01:00:00Z',
  complete: true,
  until: 1_767_225_600,
  missing: [],
};

/** Makes a folder of fills: as the Data API's lists of `/trades`, or as `oddslab fetch` writes a wallet's activity. */
export async function madeInput(rows: number, form: 'lists' | 'fetched'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
  const input = join(folder, 'raw');
  await mkdir(input);
  const db = await Database.open(':memory:');
  const write = (name: string, select: string, options = '') =>
    db.run(`COPY (${select}) TO ${quoteText(join(input, name))} (FORMAT json${options})`);
  if (form === 'lists') {
    await write('trades.json', fills(rows, ''), ', ARRAY true');
    await write('markets.json', markets, ', ARRAY true');
  } else {
    await write('activity.ndjson', fills(rows, `'TRADE' AS type, round(size * price, 6) AS "usdcSize",`));
    await write('markets.ndjson', markets);
    await writeFile(join(input, 'fetch.json'), JSON.stringify(STATUS));
  }
  db.close();
  return folder;
}

/** Measures rows per second from raw files to a served version. */
function ingesting(name: string, form: 'lists' | 'fetched'): Contender {
  return {
    name,
    async prepare() {
      const folder = await madeInput(ROWS, form);
      let round = 0;
      return {
        async measure() {
          const data = join(folder, `data-${round++}`);
          const start = performance.now();
          const { version } = await ingest({ folder: data, inputs: [join(folder, 'raw')] });
          const seconds = (performance.now() - start) / 1000;
          if (version.manifest.totals.events !== ROWS) throw new Error(`${name} lost rows`);
          await rm(data, { recursive: true });
          return ROWS / seconds;
        },
        end: () => rm(folder, { recursive: true, force: true }),
      };
    },
  };
}

const FETCHED = 'a folder of oddslab fetch: activity, a record a line';

export const ingestBenchmarks: Benchmark[] = [
  {
    area: 'service',
    bench: `ingest of ${ROWS} fills`,
    metric: 'rows/s',
    better: 'more',
    rounds: 5,
    ours: ingesting(FETCHED, 'fetched'),
    peers: [{ target: 0.9, contender: ingesting('lists of /trades, which have no amounts to read', 'lists') }],
  },
  {
    area: 'service',
    bench: `ingest of ${ROWS} fills, then of the same fills and a tenth more`,
    metric: 'MB, most RSS of the process',
    better: 'less',
    rounds: 1,
    ours: { ...inChild(FETCHED, 'ingest-peak.ts', String(ROWS)), slow: true },
    peers: [
      {
        target: 1,
        contender: { name: 'the limit of --memory', prepare: async () => ({ measure: async () => 1000 }) },
      },
    ],
  },
];
