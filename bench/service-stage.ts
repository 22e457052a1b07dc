import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cpuTime } from './cpu-time.js';
import { type Postgres, startPostgres } from './postgres.js';
import { type MadeFolder, makeFolder } from './service-folder.js';
import { type ServerProcess, startPeer, startService } from './service-process.js';

/** Wallets with about 200 days each. 200,000 have the wallet-days of some 50 million fills and take minutes to make. */
export const WALLETS = Number(process.env.ODDSLAB_BENCH_WALLETS ?? 10_000);

/** Markets to search. */
export const MARKETS = Number(process.env.ODDSLAB_BENCH_MARKETS ?? 500_000);

const YEAR = 365;

/** Clean-ups to run after the last benchmark, in reverse order. */
const ends: (() => Promise<void>)[] = [];
process.once('beforeExit', async () => {
  for (const end of ends.reverse()) await end();
});

/** Makes something on the first call, and ends it after the last benchmark. */
export function once<T extends { end(): Promise<void> }>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().then((thing) => {
      ends.push(() => thing.end());
      return thing;
    });
    return made;
  };
}

export const folder: () => Promise<MadeFolder> = once(() =>
  makeFolder({ wallets: WALLETS, days: YEAR, markets: MARKETS }),
);

/** The same service with two worker processes. */
export const twoWorkers: () => Promise<ServerProcess> = once(async () => startService((await folder()).folder, 2));

/** A folder a fiftieth the size of {@link folder}. */
export const smallFolder: () => Promise<MadeFolder> = once(() =>
  makeFolder({ wallets: Math.ceil(WALLETS / 50), days: YEAR, markets: Math.ceil(MARKETS / 50) }),
);

export const service: () => Promise<ServerProcess> = once(async () => startService((await folder()).folder));

export const smallService: () => Promise<ServerProcess> = once(async () => startService((await smallFolder()).folder));

/**
 * PostgreSQL over the same tables. Filling it pushes the service's files out of the page cache, so they are read once
 * afterwards, as if they had been served for a while.
 */
export const postgres: () => Promise<Postgres> = once(async () => {
  const made = await folder();
  const started = await startPostgres(made);
  await readFiles(dirname(made.database));
  return started;
});

async function readFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.bin')) continue;
    for await (const _ of createReadStream(join(folder, name), { highWaterMark: 1 << 20 }));
  }
}

export const postgresRows: () => Promise<ServerProcess> = once(async () => postgresServer('rows'));

export const postgresJson: () => Promise<ServerProcess> = once(async () => postgresServer('json'));

async function postgresServer(how: 'rows' | 'json'): Promise<ServerProcess> {
  const { socket, pid } = await postgres();
  const server = await startPeer('postgres-server.ts', socket, how);
  return { ...server, cpu: () => server.cpu() + cpuTime(pid) };
}

/** A server that only sends these bytes. */
export async function staticServer(bytes: string): Promise<ServerProcess> {
  const place = await mkdtemp(join(tmpdir(), 'oddslab-static-'));
  const file = join(place, 'answer.json');
  await writeFile(file, bytes);
  const server = await startPeer('static-server.ts', file);
  return { ...server, end: () => server.end().then(() => rm(place, { recursive: true })) };
}
