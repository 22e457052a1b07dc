import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sources } from '../src/fetch/sources.js';
import { fetchWallet } from '../src/fetch/wallet.js';
import type { Benchmark, Contender } from './benchmark.js';
import { startPeer } from './service-process.js';

const PAGES = 200;
const ROWS = 1000 * PAGES;
const WALLET = `0x${'7'.repeat(40)}`;

interface Page {
  data: object[];
  pagination: { next_cursor: string | null };
}

/** As `oddslab fetch wallet` does: markets are looked up, private fields are dropped, a kill loses nothing. */
async function ours(url: string, out: string): Promise<number> {
  const sources = new Sources({ gammaUrl: url, dataApiUrl: url, clobUrl: url, rate: Number.POSITIVE_INFINITY });
  try {
    const { manifest } = await fetchWallet(WALLET, { sources, out });
    if (!manifest.complete) throw new Error(JSON.stringify(manifest.missing));
    return manifest.rows.activity ?? 0;
  } finally {
    await sources.close();
  }
}

/**
 * A script as anybody would write it: one `fetch` after the other, each page appended as lines of JSON. It keeps names
 * and rounds long numbers, notices nothing, and has to begin anew after a kill; that may cost half of the time.
 */
async function plainScript(url: string, out: string): Promise<number> {
  let rows = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at: string = cursor && `&cursor=${cursor}`;
    const answer = await fetch(`${url}/v2/activity?user=${WALLET}&start=1&sort_direction=ASC&limit=1000${at}`);
    const { data, pagination } = (await answer.json()) as Page;
    await appendFile(join(out, 'activity.ndjson'), data.map((row) => `${JSON.stringify(row)}\n`).join(''));
    rows += data.length;
    cursor = pagination.next_cursor;
  }
  return rows;
}

/** Measures rows a second of a whole download into a new folder, from a server in a process of its own. */
function download(name: string, run: (url: string, out: string) => Promise<number>): Contender {
  return {
    name,
    async prepare() {
      const server = await startPeer('activity-server.ts', String(PAGES));
      return {
        async measure() {
          const out = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
          const start = performance.now();
          const rows = await run(server.url, out);
          const seconds = (performance.now() - start) / 1000;
          await rm(out, { recursive: true });
          if (rows !== ROWS) throw new Error(`${rows} rows came of ${ROWS}`);
          return rows / seconds;
        },
        end: () => server.end(),
      };
    },
  };
}

export const fetchBenchmarks: Benchmark[] = [
  {
    area: 'fetch',
    bench: `fetch of a wallet's activity, ${ROWS} rows in pages of 1000, from a server without limits`,
    metric: 'rows a second',
    better: 'more',
    ours: download('oddslab fetch wallet', ours),
    peers: [
      { target: 0.5, contender: download('a script of fetch calls in sequence', plainScript) },
      {
        target: 1,
        contender: { name: 'the least that we set ourselves', prepare: async () => ({ measure: async () => 50_000 }) },
      },
    ],
  },
];
