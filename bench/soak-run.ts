import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../src/base/packages.js';
import { createKey } from '../src/service/accounts/api-keys.js';
import { ingest } from '../src/service/ingest/ingest-inputs.js';
import { simulate } from '../src/service/sample/simulate-sample.js';
import { nextInputs } from '../test/service/folder/numbered-version.js';
import { changeKeys, type KeyReport, SoakKeys } from './soak-keys.js';
import { clientLoad, rawLoad, type SoakLoad, type Tally } from './soak-load.js';
import { type Memory, type MemoryVerdict, memoryVerdict } from './soak-memory.js';
import { Reference } from './soak-reference.js';
import { knownNames } from './soak-requests.js';
import { type SoakService, startSoakService } from './soak-service.js';

/** What a run found. */
export interface SoakReport extends Tally {
  readonly seconds: number;
  readonly kills: number;
  /** Changes of the current version, by ingests and rollbacks. */
  readonly switches: number;
  readonly keys: KeyReport;
  readonly memory: readonly MemoryVerdict[];
}

const RAW_CONNECTIONS = 6;
const CLIENTS = 2;

/** The share of the run in which workers are killed. In the rest they live long enough to judge their memory. */
const KILLING = 0.4;

/** How much longer a run may wait for a second version to be answered from, which may never come. */
const LATE_MS = 45_000;

const MEAN_KILL_MS = 2000;
const SAMPLE_MS = 1000;

/**
 * Runs the built service with two workers under a mixed load, while other processes ingest and roll back versions, keys
 * are made and revoked, and workers are killed at random.
 */
export async function runSoak({ seconds }: { seconds: number }): Promise<SoakReport> {
  const work = await mkdtemp(join(tmpdir(), 'oddslab-soak-'));
  const folder = join(work, 'data');
  const sample = await simulate({ out: join(work, 'sample'), markets: 200, wallets: 60, fills: 20_000 });
  const { version } = await ingest({ folder, inputs: sample.files });
  const { key } = await createKey(folder, 'soak');
  const [service, reference] = [await startSoakService(folder), new Reference(folder)];
  const names = await knownNames(await reference.urlOf(version.id), version.manifest.busiest);
  const keys = new SoakKeys(key);
  const started = performance.now();
  const tally: Tally = { times: new Map(), versions: new Set(), failures: [], sentAgain: 0 };
  const isOver = () => {
    const lateMs = performance.now() - started - seconds * 1000;
    // Later where an ingest takes as long as the whole run.
    return lateMs >= (tally.versions.size > 1 ? 0 : LATE_MS);
  };
  const load: SoakLoad = { service, reference, keys, names, isOver, tally };
  const memory = new Map<number, Memory & { samples: [number, number][] }>();
  try {
    const [switches, keyChanges] = await Promise.all([
      switchVersions(folder, work, load),
      changeKeys({ folder, url: service.url, keys, tally, isOver }),
      killWorkers(service, started + seconds * 1000 * KILLING),
      sampleMemory(service, memory, started, isOver),
      ...Array.from({ length: RAW_CONNECTIONS }, () => rawLoad(load)),
      ...Array.from({ length: CLIENTS }, () => clientLoad(load)),
    ]);
    while (service.workers.size < 2 && performance.now() - started < seconds * 1000 + 10_000) await sleep(50);
    const failed = (text: string) => tally.failures.push({ kind: 'service', text });
    if (service.workers.size !== 2) failed(`${service.workers.size} workers answer at the end`);
    const code = await service.stop();
    if (code !== 0) failed(`the service ended with ${code}`);
    for (const fault of service.faults) failed(`in the log: ${fault}`);
    const verdicts = [...memory.values()].map(memoryVerdict);
    return { ...tally, seconds, kills: service.killed.size, switches, keys: keyChanges, memory: verdicts };
  } finally {
    await service.stop();
    await reference.close();
    await rm(work, { recursive: true, force: true });
  }
}

/** Repeatedly ingests one more market or rolls back to an older version, with the `oddslab` command. */
async function switchVersions(folder: string, work: string, { isOver, tally }: SoakLoad): Promise<number> {
  let [switches, made] = [0, 0];
  while (!isOver()) {
    const isForward = made === 0 || Math.random() < 0.6;
    if (isForward) made++;
    const inputs = isForward ? await nextInputs(work, made) : [];
    const words = isForward ? ['ingest', '--keep', '6', ...inputs] : ['data', 'rollback'];
    const failure = await runCommand([...words, '--data', folder]);
    // One rollback too many finds no older version.
    if (failure === undefined) switches++;
    else if (isForward) tally.failures.push({ kind: 'versions', text: `${words[0]}: ${failure}` });
    await sleep(500 + Math.random() * 1500);
  }
  return switches;
}

/** Runs an `oddslab` command. @returns Its error output if it failed. */
async function runCommand(words: readonly string[]): Promise<string | undefined> {
  const main = join(packageRoot(), 'dist', 'cli', 'main.js');
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  return code === 0 ? undefined : said.trim();
}

async function killWorkers(service: SoakService, untilMs: number): Promise<void> {
  for (;;) {
    const wait = MEAN_KILL_MS * (0.5 + Math.random());
    if (performance.now() + wait > untilMs) return;
    await sleep(wait);
    service.kill();
  }
}

async function sampleMemory(
  service: SoakService,
  memory: Map<number, Memory & { samples: [number, number][] }>,
  started: number,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const second = (performance.now() - started) / 1000;
    const pids = [
      ['primary', service.pid] as const,
      ...[...service.workers].map(([n, pid]) => [`worker ${n}`, pid] as const),
    ];
    for (const [name, pid] of pids) {
      const megabytes = service.memoryOf(pid);
      if (megabytes === undefined) continue;
      const known = memory.get(pid) ?? { name, samples: [] };
      known.samples.push([second, megabytes]);
      memory.set(pid, known);
    }
    await sleep(SAMPLE_MS);
  }
}
