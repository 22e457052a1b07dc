import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DATA_VERSION_HEADER } from '../../../src/contract/envelope.js';
import { readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { RESULT_TABLES, shardOf } from '../../../src/service/clickhouse/result-tables.js';
import { Cluster } from '../../../src/service/clickhouse/shard.js';
import { pushVersion } from '../../../src/service/cluster/push-version.js';
import { rollBack } from '../../../src/service/folder/roll-back.js';
import type { Version } from '../../../src/service/folder/version.js';
import { type ServeOptions, serve } from '../../../src/service/serve-folder.js';
import { Database } from '../../../src/service/store/database.js';
import { isAbsent } from '../../support/is-absent.js';
import { COMMAND, endOf, runCommand, startCommand } from '../../support/run-command.js';
import { type Answered, ask, serveFolder } from '../../support/serve-folder.js';
import { CLICKHOUSE, ClickHouseServer, LOGIN } from './clickhouse-server.js';
import { publishMade } from './made-version.js';

const SIZE = { wallets: 60, days: 60, markets: 120 };
const ENV = { ODDSLAB_CLICKHOUSE_USER: LOGIN.user, ODDSLAB_CLICKHOUSE_PASSWORD: LOGIN.password };

describe.skipIf(isAbsent(CLICKHOUSE, 'a ClickHouse cluster'))('a cluster of two shards', () => {
  let made: string;
  let versions: Version[];
  let wallets: string[];
  let servers: ClickHouseServer[];
  let databases = 0;
  let urls: string;
  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), 'oddslab-cluster-'));
    versions = [];
    for (const shift of [0, 1000, 2000]) versions.push(await publishMade(join(made, 'data'), SIZE, shift));
    const db = await Database.open(versions[0]?.database ?? '', { locked: true });
    wallets = (await db.rows<{ wallet: string }>('SELECT wallet FROM lifetimes ORDER BY 1')).map(
      ({ wallet }) => wallet,
    );
    db.close();
    servers = await Promise.all([ClickHouseServer.start(), ClickHouseServer.start()]);
  });
  beforeEach(async () => {
    for (const server of servers) await server.run(`CREATE DATABASE made${databases}`);
    urls = servers.map(({ url }) => `${url}/made${databases}`).join(',');
    databases++;
  });
  afterAll(async () => {
    for (const server of servers) await server.remove();
    await rm(made, { recursive: true, force: true });
  });

  /** Makes version n of the folder the current one, and pushes it. */
  async function push(n: number, to = urls, keep?: number): Promise<Awaited<ReturnType<typeof pushVersion>>> {
    await rollBack(join(made, 'data'), `00000${n}`);
    const cluster = new Cluster(readShardUrls(to), LOGIN);
    try {
      return await pushVersion(join(made, 'data'), cluster, { keep });
    } finally {
      cluster.close();
    }
  }

  function serveCluster(options: Partial<ServeOptions> = {}): Promise<string> {
    const login = { clickhouseUser: LOGIN.user, clickhousePassword: LOGIN.password };
    return serveFolder(join(made, 'data'), { engine: 'clickhouse', clickhouse: urls, ...login, ...options });
  }

  const walletOn = (place: number) => wallets.find((wallet) => shardOf(wallet, 2) === place) ?? '';
  const days = (url: string, ...some: string[]) => ask(url, { agent_id: 569, params: { wallet: some.join(',') } });
  const lifetimes = (url: string) =>
    ask(url, { agent_id: 586, params: { wallet_address: wallets.slice(0, 50).join(',') } });
  const markets = (url: string) => ask(url, { agent_id: 574, params: { closed: 'True' } });

  /** What a folder's own engine answers at a version, by query. */
  async function embedded(n: number): Promise<unknown[]> {
    const folder = join(made, `of-${n}`);
    await cp(join(made, 'data'), folder, { recursive: true });
    await rollBack(folder, `00000${n}`);
    const url = await serveFolder(folder);
    const answers = await Promise.all([days(url, ...wallets.slice(0, 40)), lifetimes(url), markets(url)]);
    return answers.map(told);
  }

  const told = ({ status, json, headers }: Answered) => ({
    status,
    version: headers.get(DATA_VERSION_HEADER),
    results: json.data?.results,
  });

  it('answers 503 for what a dead shard holds and whole answers for the rest, until it is back', async () => {
    await push(1);
    const problems: (string | undefined)[] = [];
    const url = await serveCluster({ onData: ({ problem }) => problems.push(problem) });
    const [one, two] = [walletOn(0), walletOn(1)];
    const whole = await days(url, one, two);
    expect(whole.status).toBe(200);
    await servers[1]?.kill();
    // The first failure may be what tells of it.
    for (const asked of [await days(url, two), await days(url, one, two), await lifetimes(url)]) {
      expect({ status: asked.status, detail: asked.json.detail, retry: asked.headers.get('Retry-After') }).toEqual({
        status: 503,
        detail: 'A part of the data is not available now: shard 2 of 2 cannot be asked. Ask again later.',
        retry: '1',
      });
    }
    expect((await days(url, one)).status).toBe(200);
    for (let i = 0; i < 4; i++) expect((await markets(url)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toMatchObject({ status: 'degraded', data_version: '000001' });
    await expect
      .poll(() => problems.at(-1))
      .toMatch(/^ClickHouse at .* cannot be reached: .* What needs it is answered 503 until it is back\.$/);
    await servers[1]?.resume();
    await expect.poll(async () => (await days(url, two)).status).toBe(200);
    expect((await days(url, two, one)).json.data.results).toEqual(whole.json.data.results);
    await expect.poll(() => problems.at(-1)).toBeUndefined();
  });

  it('does not wait longer than its time for a shard that hangs', async () => {
    await push(1);
    const url = await serveCluster({ querySeconds: 1 });
    servers[1]?.pause(true);
    try {
      // On a busy machine the signal may take a moment.
      await expect.poll(async () => (await days(url, walletOn(1))).status).toBe(503);
      expect((await days(url, walletOn(0))).status).toBe(200);
    } finally {
      servers[1]?.pause(false);
    }
    await expect.poll(async () => (await days(url, walletOn(1))).status).toBe(200);
  });

  it('answers on what a shard that hangs does not hold, however much is asked of it', async () => {
    await push(1);
    const url = await serveCluster();
    expect((await days(url, walletOn(0), walletOn(1))).status).toBe(200);
    servers[1]?.pause(true);
    try {
      // On a busy machine the signal may take a moment.
      await sleep(100);
      const asked = wallets.slice(0, 56).map(async (wallet) => [shardOf(wallet, 2), (await days(url, wallet)).status]);
      const volume = async (_: unknown, n: number) =>
        (await ask(url, { agent_id: 574, params: { min_volume: String(n) } })).status;
      const listed = await Promise.all(Array.from({ length: 8 }, volume));
      expect(listed).toEqual(listed.map(() => 200));
      expect(await Promise.all(asked)).toEqual(
        wallets.slice(0, 56).map((wallet) => (shardOf(wallet, 2) === 0 ? [0, 200] : [1, 503])),
      );
    } finally {
      servers[1]?.pause(false);
    }
    await expect.poll(async () => (await days(url, walletOn(1))).status).toBe(200);
  });

  it('switches to what is pushed without a failed or a mixed answer, and back', async () => {
    const expected = new Map([1, 2, 3].map((n) => [versions[n - 1]?.id, n]));
    const answers = await Promise.all([1, 2, 3].map(embedded));
    await push(1);
    const url = await serveCluster();
    let [asked, isOver] = [0, false];
    const seen = new Set<number>();
    const load = async () => {
      while (!isOver) {
        const found = (await Promise.all([days(url, ...wallets.slice(0, 40)), lifetimes(url), markets(url)])).map(told);
        for (const [query, answer] of found.entries()) {
          const n = expected.get(answer.version ?? '') ?? 0;
          seen.add(n);
          expect(answer).toEqual(answers[n - 1]?.[query]);
        }
        asked += found.length;
      }
    };
    const clients = [load(), load()];
    for (const n of [2, 3, 1]) {
      const { version } = await push(n);
      const ready = async () => (await (await fetch(`${url}/readyz`)).json()).data_version;
      await expect.poll(ready, { interval: 50 }).toBe(version.name);
      // More than the two clients were waiting for: some were asked since.
      const before = asked;
      await expect.poll(() => asked - before).toBeGreaterThan(10);
    }
    isOver = true;
    await Promise.all(clients);
    expect([...seen].sort()).toEqual([1, 2, 3]);
  });

  it('pushes what is there already no second time, and removes all but the last versions', async () => {
    expect(await push(1)).toMatchObject({ isNew: true, loaded: [0, 1], removed: [] });
    expect(await push(1)).toMatchObject({ isNew: false, loaded: [], rows: 0 });
    expect(await push(2, urls, 1)).toMatchObject({ isNew: true, removed: [] });
    expect(await push(3, urls, 1)).toMatchObject({ isNew: true, removed: [versions[0]?.id] });
    expect(await push(2)).toMatchObject({ isNew: true, loaded: [] });
    const tables = `SELECT count() FROM system.tables WHERE database = 'made${databases - 1}' AND name LIKE 'oddslab_0%'`;
    for (const server of servers) expect(await server.run(tables)).toBe(String(2 * RESULT_TABLES.length));
  });

  it('loads a shard again that has lost its rows, and that one alone', async () => {
    await push(1);
    const url = await serveCluster();
    const table = `made${databases - 1}.oddslab_${versions[0]?.id.replace('-', '_')}_wallet_days`;
    await servers[0]?.run(`ALTER TABLE ${table} DETACH PARTITION tuple()`);
    // Never the same query twice: a whole answer that is known is given on.
    let day = 1;
    const fresh = async () => (await days(url, walletOn(0), `0x${String(day++).padStart(40, '0')}`)).status;
    await expect.poll(fresh).toBe(503);
    expect(await push(1)).toMatchObject({ loaded: [0], isNew: false });
    await expect.poll(fresh).toBe(200);
  });

  it('refuses only the later datasets of a version that an earlier release pushed, on shards that stay sound', async () => {
    await push(1);
    const later = RESULT_TABLES.filter(({ isLater }) => isLater);
    const database = `made${databases - 1}`;
    const prefix = `${database}.oddslab_${versions[0]?.id.replace('-', '_')}`;
    const log = `${database}.oddslab_versions`;
    for (const server of servers) {
      for (const { name } of later) await server.run(`DROP TABLE ${prefix}_${name}`);
      // The log of such a push has no sums of these tables.
      const known = (await server.run(`SELECT sums FROM ${log} WHERE event = 'whole'`)).replaceAll('\\', '');
      const sums = Object.entries(JSON.parse(known)).filter(([table]) => !later.some(({ name }) => name === table));
      const line = ['seq', 'event', 'version', 'created', 'shard', 'shards'].join(', ');
      await server.run(`CREATE TABLE ${database}.kept ENGINE = MergeTree ORDER BY seq AS SELECT * FROM ${log}`);
      await server.run(`DROP TABLE ${log}`);
      await server.run(`CREATE TABLE ${log} ENGINE = MergeTree ORDER BY seq AS SELECT ${line},
        if(event = 'whole', '${JSON.stringify(Object.fromEntries(sums))}', sums) AS sums FROM ${database}.kept`);
    }
    const problems: (string | undefined)[] = [];
    const url = await serveCluster({ onData: ({ problem }) => problems.push(problem) });
    const wallet = walletOn(0);
    const queries = [
      [556, {}],
      [556, { proxy_wallet: wallet }],
      [568, { token_id: '7' }],
      [569, { wallet, by: 'event' }],
      [569, { wallet, category: 'Sports' }],
      [579, {}],
      [579, { wallet_address: wallet }],
      [9001, { wallet }],
    ] as const;
    for (const [agent_id, params] of queries) {
      const { status, json } = await ask(url, { agent_id, params });
      expect({ agent_id, params, status, detail: json.detail }).toEqual({
        ...{ agent_id, params, status: 404 },
        detail: expect.stringMatching(new RegExp(`^Dataset ${agent_id} .*cluster then needs another push`)),
      });
    }
    expect((await days(url, ...wallets.slice(0, 9))).status).toBe(200);
    // Several looks at the shards later, too.
    await sleep(1000);
    expect((await lifetimes(url)).status).toBe(200);
    expect((await markets(url)).status).toBe(200);
    expect(problems.filter(Boolean)).toEqual([]);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('takes a version whose tables of positions and leaderboards an earlier release built, and refuses only those', async () => {
    const folder = join(made, 'of-earlier');
    const drops = ['closed', 'close_ms'].map((column) => `ALTER TABLE market_sides DROP COLUMN ${column};`);
    const version = await publishMade(folder, SIZE, 0, drops.join(''));
    const cluster = new Cluster(readShardUrls(urls), LOGIN);
    expect(await pushVersion(folder, cluster, {}).finally(() => cluster.close())).toMatchObject({ isNew: true });
    const own = await serveFolder(folder);
    const url = await serveCluster();
    const wallet = walletOn(0);
    for (const [agent_id, params] of [
      [579, {}],
      [9001, { wallet }],
      [569, { wallet, by: 'event' }],
    ] as const) {
      for (const asked of [await ask(own, { agent_id, params }), await ask(url, { agent_id, params })]) {
        expect([asked.status, asked.json.detail]).toEqual([404, expect.stringContaining('cannot be asked yet')]);
      }
    }
    for (const asked of [days, lifetimes, markets]) {
      const answer = told(await asked(url, wallet));
      expect(answer).toMatchObject({ status: 200, version: version.id });
      expect(answer).toEqual(told(await asked(own, wallet)));
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  describe('of a version whose wallet records an earlier release built, without a column of today', () => {
    /** Answers with what is known of their wallets' records, which must not say whether those were simulated. */
    async function expectUnmarked(url: string, own: string): Promise<void> {
      const some = wallets.slice(0, 40);
      const asked = (from: string) => [
        days(from, ...some),
        ask(from, { agent_id: 586, params: { wallet_address: some.join(',') } }),
        ask(from, { agent_id: 579, params: {} }),
      ];
      const [found, expected] = await Promise.all([Promise.all(asked(url)), Promise.all(asked(own))]);
      for (const [at, { status, json }] of found.entries()) {
        const known = Object.entries<Record<string, unknown>>(expected[at]?.json.completeness);
        const unmarked = known.map(([wallet, { simulated: _, ...record }]) => [wallet, record]);
        expect({ at, status, detail: json.detail }).toEqual({ at, status: 200, detail: undefined });
        expect(json.completeness).toEqual(Object.fromEntries(unmarked));
        expect(json.data.results).toEqual(expected[at]?.json.data.results);
      }
    }

    it('answers as if the column were empty, where that release pushed it', async () => {
      await push(1);
      const table = `made${databases - 1}.oddslab_${versions[0]?.id.replace('-', '_')}_wallet_records`;
      for (const server of servers) expect(await server.run(`ALTER TABLE ${table} DROP COLUMN simulated`)).toBe('');
      const problems: (string | undefined)[] = [];
      const url = await serveCluster({ onData: ({ problem }) => problems.push(problem) });
      const own = await serveFolder(join(made, 'data'));
      expect(JSON.stringify((await lifetimes(own)).json.completeness)).toContain('"simulated":true');
      await expectUnmarked(url, own);
      expect(problems.filter(Boolean)).toEqual([]);
    });

    it('pushes the column empty', async () => {
      const folder = join(made, 'of-unmarked');
      await publishMade(folder, SIZE, 0, 'ALTER TABLE wallet_records DROP COLUMN simulated');
      const cluster = new Cluster(readShardUrls(urls), LOGIN);
      expect(await pushVersion(folder, cluster, {}).finally(() => cluster.close())).toMatchObject({ isNew: true });
      await expectUnmarked(await serveCluster(), await serveFolder(folder));
    });
  });

  it.skipIf(isAbsent(COMMAND, 'a push that is killed'))('outlives pushes that are killed at any step', async () => {
    await push(1);
    const url = await serveCluster();
    const before = await days(url, ...wallets.slice(0, 40));
    await rollBack(join(made, 'data'), '000002');
    const words = ['data', 'push', '--data', join(made, 'data'), '--clickhouse', urls];
    const prefix = `oddslab_${versions[1]?.id.replace('-', '_')}`;
    const database = `made${databases - 1}`;
    const steps = [
      ...['market_rows', 'wallet_days', 'lifetimes'].map(
        (name) => `SELECT count() FROM system.tables WHERE database = '${database}' AND name = '${prefix}_${name}'`,
      ),
      `SELECT count() FROM ${database}.oddslab_versions WHERE version = '${versions[1]?.id}'`,
    ];
    for (const [n, step] of steps.entries()) {
      const child = startCommand(words, ENV);
      const ended = endOf(child);
      while (child.exitCode === null && (await servers[n % 2]?.run(step)) === '0') await sleep(1);
      child.kill('SIGKILL');
      await ended;
      const after = await days(url, ...wallets.slice(0, 40));
      expect(after.status).toBe(200);
      const isBefore = after.headers.get(DATA_VERSION_HEADER) === versions[0]?.id;
      if (isBefore) expect(after.json.data).toEqual(before.json.data);
    }
    expect(await push(2)).toMatchObject({ version: { name: '000002' } });
    const expected = (await embedded(2))[0];
    await expect.poll(async () => told(await days(url, ...wallets.slice(0, 40)))).toEqual(expected);
  });

  it('refuses shards in another order or number, and one server twice', async () => {
    await push(1);
    const [first = '', second = ''] = urls.split(',');
    await expect(push(1, `${second},${first}`)).rejects.toThrow(
      `ClickHouse at ${second} is named as shard 1 of 2, but holds shard 2 of 2: name the shards in the order in which`,
    );
    await expect(push(1, first)).rejects.toThrow('is named as shard 1 of 1, but holds shard 1 of 2: name all 2 shards');
    await expect(serveCluster({ clickhouse: `${second},${first}` })).rejects.toThrow('but holds shard 2 of 2');
    const other = `made${databases}`;
    await servers[0]?.run(`CREATE DATABASE ${other}`);
    const address = `${servers[0]?.url}/${other}`;
    await expect(push(1, `${address},${address.replace('127.0.0.1', 'localhost')}`)).rejects.toThrow(
      /two of the addresses lead to one server|cannot be reached/,
    );
    expect(() => readShardUrls(`${address},${address}`)).toThrow('is named twice');
  });

  it.skipIf(isAbsent(COMMAND, 'what a push prints'))('never prints the password', async () => {
    const told: string[] = [];
    const data = join(made, 'data');
    for (const env of [ENV, { ...ENV, ODDSLAB_CLICKHOUSE_USER: 'nobody' }]) {
      const { out, err } = await runCommand(['data', 'push', '--data', data, '--clickhouse', urls], env);
      told.push(out, err);
    }
    const secret = encodeURIComponent(LOGIN.password);
    const inside = urls.replace('http://', `http://lab:${secret}@`);
    const refused = await runCommand(['data', 'push', '--data', data, '--clickhouse', inside], ENV);
    expect(refused.err).toContain('holds a user or a password');
    const serving = ['serve', '--data', data, '--engine', 'clickhouse', '--port', '0', '--clickhouse', inside];
    told.push(refused.err, (await runCommand(serving, ENV)).err);
    await serveCluster({ clickhouseUser: 'nobody', onData: ({ problem = '' }) => told.push(problem) });
    expect(told.join('')).toContain('nobody');
    for (const server of servers) told.push(await server.log());
    for (const form of [LOGIN.password, secret, Buffer.from(LOGIN.password).toString('base64')]) {
      expect(told.join('\n')).not.toContain(form);
    }
  });

  it('starts before its cluster does, and says what is missing', async () => {
    const url = await serveCluster();
    expect(await days(url, walletOn(0))).toMatchObject({
      status: 503,
      json: { detail: 'No data are loaded yet: run "oddslab data push".' },
    });
    await push(1);
    await expect.poll(async () => (await days(url, walletOn(0))).status).toBe(200);
    await expect(serve({ folder: join(made, 'data'), port: 0, engine: 'clickhouse' })).rejects.toThrow('--clickhouse');
  });
});
