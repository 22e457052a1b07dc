import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Reference } from '../../bench/soak-reference.js';
import { type KnownNames, knownNames } from '../../bench/soak-requests.js';
import { packageRoot } from '../../src/base/packages.js';
import { DATA_VERSION_HEADER, MAX_LIMIT } from '../../src/contract/envelope.js';
import { createKey } from '../../src/service/accounts/api-keys.js';
import { currentVersion } from '../../src/service/folder/current-version.js';
import type { Version } from '../../src/service/folder/version.js';
import { simulate } from '../../src/service/sample/simulate-sample.js';
import { CLICKHOUSE, ClickHouseServer, LOGIN } from '../service/clickhouse/clickhouse-server.js';
import { isAbsent } from '../support/is-absent.js';
import { COMMAND, firstLineOf, runCommand, startCommand } from '../support/run-command.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';
import { NGINX, type Nginx, startNginx } from './nginx-server.js';
import { type PagedResult, pagedResults } from './paged-queries.js';
import { RehearsalLoad } from './rehearsal-load.js';

/** Keys enough that the proxy sends some to each of the services. */
const KEYS = 16;

const CONNECTIONS = 3;

/** Wallets, markets and tokens that are asked page by page. */
const PAGED = 4;

/** Runs the command, which must go well. */
async function run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<void> {
  const { code, err } = await runCommand(words, env);
  if (code !== 0) throw new Error(`oddslab ${words[0]} ended with ${code}: ${err}`);
}

/** A data folder and the cluster that it is pushed to, by the commands that the page on deploying has. */
class Operator {
  readonly data: string;
  readonly servers: readonly ClickHouseServer[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #services: ChildProcess[] = [];
  #isOver = false;

  private constructor(data: string, servers: readonly ClickHouseServer[]) {
    this.data = data;
    this.servers = servers;
    this.#env = {
      ODDSLAB_CLICKHOUSE: servers.map(({ url }) => url).join(),
      ODDSLAB_CLICKHOUSE_USER: LOGIN.user,
      ODDSLAB_CLICKHOUSE_PASSWORD: LOGIN.password,
    };
  }

  static async start(): Promise<Operator> {
    const data = join(await temporaryFolder(), 'data');
    const servers = await Promise.all([ClickHouseServer.start(), ClickHouseServer.start()]);
    const operator = new Operator(data, servers);
    onTestFinished(() => operator.#end());
    return operator;
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    for (const service of this.#services) await end(service);
    for (const server of this.servers) await server.remove();
  }

  /** Ingests, pushes, and returns the version. */
  async load(inputs: readonly string[]): Promise<Version> {
    await run(['ingest', '--data', this.data, ...inputs]);
    return this.push();
  }

  async rollBack(version: Version): Promise<void> {
    await run(['data', 'rollback', version.name, '--data', this.data]);
    await this.push();
  }

  async push(): Promise<Version> {
    await run(['data', 'push', '--data', this.data], this.#env);
    const version = await currentVersion(this.data);
    if (!version) throw new Error('the folder has no version');
    return version;
  }

  /** Starts a service over the cluster, and waits until it listens. */
  async serve(port: number): Promise<ChildProcess> {
    // A test that has taken too long goes on in vain, and must leave nothing running.
    if (this.#isOver) throw new Error('the test is over');
    const words = [
      'serve',
      '--data',
      this.data,
      '--engine',
      'clickhouse',
      '--port',
      String(port),
      '--trust-proxy',
      '127.0.0.1',
    ];
    const child = startCommand([...words, '--log-level', 'silent'], this.#env);
    this.#services.push(child);
    await firstLineOf(child);
    return child;
  }
}

/** Kills a process at once, and waits until it has ended. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Records of a simulated market, cut in two: those of the second part change nearly every wallet's answers. */
async function twoParts(): Promise<[first: string[], second: string[]]> {
  const folder = await temporaryFolder();
  const sample = await simulate({ out: join(folder, 'sample'), markets: 60, wallets: 40, fills: 6000 });
  const [markets = '', trades = '', activity = ''] = sample.files;
  const fills = JSON.parse(await readFile(trades, 'utf8')) as { timestamp: number }[];
  fills.sort((a, b) => a.timestamp - b.timestamp);
  const cut = Math.floor(fills.length * 0.7);
  const [early, late] = [fills.slice(0, cut), fills.slice(cut)];
  return [
    [markets, await put(folder, 'early.json', early)],
    [await put(folder, 'late.json', late), activity],
  ];
}

/** Asks page by page, by oddslab's own client in a process that trusts the proxy's certificate. */
async function startPagingClient(
  { url, certificate }: Nginx,
  key: string,
  names: KnownNames,
): Promise<{ results: PagedResult[]; end: () => Promise<void> }> {
  const cache = join(packageRoot(), 'node_modules/.cache/oddslab');
  await mkdir(cache, { recursive: true });
  // Within the package, so that its dependencies are found from there.
  const folder = await mkdtemp(join(cache, 'rehearsal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'client.mjs');
  const entry = fileURLToPath(new URL('paging-client.ts', import.meta.url));
  const format = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const;
  await build({ entryPoints: [entry], outfile, ...format });
  const child = spawn(process.execPath, [outfile, url, key, JSON.stringify(names)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => end(child));
  const results: PagedResult[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => results.push(JSON.parse(line)));
  const ended = once(child, 'close');
  return {
    results,
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

let asked = 0;

/** The version that each service serves, once it answers a query that needs every shard and that it has not kept. */
function served(ports: readonly number[], key: string): Promise<(string | number)[]> {
  return Promise.all(
    ports.map(async (port) => {
      const body = JSON.stringify({ agent_id: 579, params: { min_volume: String(++asked / 1000) } });
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
      const answer = await fetch(`http://127.0.0.1:${port}/query`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status === 200 ? (answer.headers.get(DATA_VERSION_HEADER) ?? 'none') : answer.status;
    }),
  );
}

/** How many queries a service has answered, as it tells. */
async function answered(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = [...text.matchAll(/^oddslab_requests_total\{[^}]*status="200"[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The digests that queries have at versions, asked of DuckDB in large pages. */
async function wholeResults(reference: Reference, versions: readonly Version[], names: KnownNames) {
  const digests = new Map<string, (string | undefined)[]>();
  for (const { id } of versions) {
    for await (const { query, digest } of pagedResults({ url: await reference.urlOf(id) }, names, PAGED, MAX_LIMIT)) {
      digests.set(query, [...(digests.get(query) ?? []), digest]);
    }
  }
  return digests;
}

const needed = [
  isAbsent(NGINX, 'a dress rehearsal of a cluster'),
  isAbsent(CLICKHOUSE, 'a dress rehearsal of a cluster'),
  isAbsent(COMMAND, 'a dress rehearsal of a cluster'),
];

describe.skipIf(needed.includes(true))('two shards and two services behind nginx', () => {
  it('give no wrong answer while versions are switched, a shard is killed and started, and a service is killed', async () => {
    const operator = await Operator.start();
    const [first, second] = await twoParts();
    const one = await operator.load(first);
    const reference = new Reference(operator.data);
    onTestFinished(() => reference.close());
    const names = await knownNames(await reference.urlOf(one.id), one.manifest.busiest);
    const keys = await Promise.all(
      Array.from({ length: KEYS }, async (_, n) => (await createKey(operator.data, `key ${n}`)).key),
    );
    const [key = ''] = keys;
    const nginx = await startNginx();
    const services = await Promise.all(nginx.ports.map((port) => operator.serve(port)));
    await expect.poll(() => served(nginx.ports, key)).toEqual([one.id, one.id]);
    const paged = {
      ...names,
      wallets: names.wallets.slice(0, PAGED),
      markets: names.markets.slice(0, PAGED),
      tokens: names.tokens.slice(0, PAGED),
    };
    const client = await startPagingClient(nginx, key, paged);
    const load = new RehearsalLoad({ nginx, reference, names, keys, shards: 2 }, CONNECTIONS);
    await load.further(40);

    load.stage = 'switch';
    const other = await operator.load(second);
    await expect.poll(() => served(nginx.ports, key)).toEqual([other.id, other.id]);
    await load.further(40);
    await operator.rollBack(one);
    await expect.poll(() => served(nginx.ports, key)).toEqual([one.id, one.id]);

    load.stage = 'shard away';
    load.shardGoes(1);
    await operator.servers[1]?.kill();
    await load.further(20, 503);
    await load.further(20, 200);
    await operator.servers[1]?.resume();
    await expect.poll(() => served(nginx.ports, key)).toEqual([one.id, one.id]);
    load.shardIsBack();

    load.stage = 'whole again';
    await load.further(60);
    for (const port of nginx.ports) expect(await answered(port)).toBeGreaterThan(20);

    load.stage = 'service away';
    load.serviceGoes();
    for (const service of services.slice(0, 1)) await end(service);
    await load.further(120);

    load.stage = 'service back';
    await operator.serve(nginx.ports[0]);
    await expect.poll(() => served(nginx.ports, key)).toEqual([one.id, one.id]);
    await load.further(40);
    await load.end();
    await client.end();

    expect(load.faults).toEqual([]);
    expectStages(load, [one, other]);
    const whole = await wholeResults(reference, [one, other], paged);
    expectWhole(client.results, whole);
  }, 300_000);
});

/** Holds that each stage of the rehearsal did put to the test what it is for. */
function expectStages({ answers }: RehearsalLoad, versions: readonly Version[]): void {
  const statuses = (stage: string) => new Set(answers.filter((one) => one.stage === stage).map(({ status }) => status));
  expect([...statuses('shard away')]).toEqual(expect.arrayContaining([200, 503]));
  const named = new Set(answers.filter(({ stage }) => stage === 'switch').map(({ version }) => version));
  expect([...named]).toEqual(expect.arrayContaining(versions.map(({ id }) => id)));
  const kinds = new Set(answers.map(({ kind }) => kind));
  const further = ['trades', 'candles', 'leaderboard', 'positions', 'wallet by market'];
  expect([...kinds]).toEqual(expect.arrayContaining(['wallet', 'lifetimes', 'markets', 'wrong', ...further]));
}

/** Holds that what came page by page is whole, of one version, wherever the client did not say that the data changed. */
function expectWhole(
  results: readonly PagedResult[],
  whole: ReadonlyMap<string, readonly (string | undefined)[]>,
): void {
  const wrong = results.filter(
    ({ query, digest, isToldChanged }) =>
      digest === undefined || !(isToldChanged || whole.get(query)?.includes(digest)),
  );
  expect(wrong).toEqual([]);
  expect(results.length).toBeGreaterThan(whole.size / 2);
  // Answers that are the same in both versions would show no mixture.
  expect([...whole.values()].filter(([early, late]) => early !== late).length).toBeGreaterThan(whole.size / 2);
}
