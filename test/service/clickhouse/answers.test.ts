import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATASETS } from '../../../src/contract/dataset.js';
import { readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { ClickHouseStore } from '../../../src/service/clickhouse/clickhouse-store.js';
import { Cluster } from '../../../src/service/clickhouse/shard.js';
import { pushVersion } from '../../../src/service/cluster/push-version.js';
import { currentVersion } from '../../../src/service/folder/current-version.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { answer } from '../../../src/service/query/answer.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import type { RecordPage, Store } from '../../../src/service/store/store.js';
import { isAbsent } from '../../support/is-absent.js';
import { CLICKHOUSE, ClickHouseServer, LOGIN } from './clickhouse-server.js';
import { publishMade } from './made-version.js';
import { type Query, randomQueries } from './random-queries.js';

describe.skipIf(isAbsent(CLICKHOUSE, 'answers of a ClickHouse cluster'))('a cluster of two shards', () => {
  let folder: string;
  let servers: ClickHouseServer[];
  let cluster: Cluster;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-cluster-'));
    servers = await Promise.all([ClickHouseServer.start(), ClickHouseServer.start()]);
    cluster = new Cluster(readShardUrls(servers.map(({ url }) => url).join(',')), LOGIN);
  });
  afterAll(async () => {
    cluster.close();
    for (const server of servers) await server.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /** Pushes a folder, and opens its version on both engines. */
  async function bothEngines(data: string): Promise<{ embedded: Store; clustered: Store; database: string }> {
    const { version } = await pushVersion(data, cluster);
    const embedded = await openDuckDbStore(version.database);
    return { embedded, clustered: new ClickHouseStore(cluster, version.id, 10_000), database: version.database };
  }

  /** Filters whose names were not known to either engine, and of which both knew a near one. */
  const unknown = new Set<string>();

  /** Asks both engines. @returns How many answers with records there were, by dataset. */
  async function expectSame(
    embedded: Store,
    clustered: Store,
    queries: readonly Query[],
  ): Promise<Map<number, number>> {
    const waiting = [...queries];
    const answered = new Map<number, number>();
    const ask = async () => {
      for (let query = waiting.pop(); query; query = waiting.pop()) {
        const { dataset, filters, slice } = query;
        const expected = await answer(embedded, dataset, filters, slice);
        const found = await answer(clustered, dataset, filters, slice);
        const isSame =
          found.results.equals(expected.results) &&
          found.has_more === expected.has_more &&
          found.window === expected.window &&
          found.unknown === expected.unknown &&
          found.completeness === expected.completeness;
        if (!isSame) expect({ query, ...textOf(found) }).toEqual({ query, ...textOf(expected) });
        if (found.results.length > 2) answered.set(dataset.id, (answered.get(dataset.id) ?? 0) + 1);
        for (const { filter, nearest } of JSON.parse(found.unknown ?? '[]')) {
          unknown.add(nearest === undefined ? filter : `${filter} near`);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, ask));
    return answered;
  }

  /** Holds that so many answers of every dataset had records, so that no dataset is compared by empty answers alone. */
  function expectRecords(answered: ReadonlyMap<number, number>, least: number): void {
    const few = DATASETS.filter(({ id }) => (answered.get(id) ?? 0) < least).map(({ name }) => name);
    expect({ few, answered: [...answered] }).toMatchObject({ few: [] });
  }

  it('answers 3,000 random queries to the byte as the embedded engine does', async () => {
    const data = join(folder, 'made');
    await publishMade(data, { wallets: 120, days: 300, markets: 1500 });
    const { embedded, clustered, database } = await bothEngines(data);
    const queries = await randomQueries(database, 3000);
    expect(filtersNotAsked(queries)).toEqual([]);
    expectRecords(await expectSame(embedded, clustered, queries), 60);
    const ids = ['condition_id', 'token_id'];
    const names = ['category', 'event_slug', 'market_slug'].flatMap((name) => [name, `${name} near`]);
    expect([...unknown].sort()).toEqual([...ids, ...names].sort());
    embedded.close();
  }, 600_000);

  it('holds a simulated market as an ingest built it', async () => {
    const [sample, data] = [join(folder, 'sample'), join(folder, 'data')];
    await simulate({ out: sample, markets: 60, wallets: 40, fills: 5000 });
    const inputs = ['markets', 'trades', 'activity'].map((name) => join(sample, `${name}.json`));
    await ingest({ folder: data, inputs });
    const { embedded, clustered, database } = await bothEngines(data);
    expectRecords(await expectSame(embedded, clustered, await randomQueries(database, 400)), 5);
    const count = `SELECT count() FROM ${await lifetimes(data)}`;
    const shards = await Promise.all(servers.map((server) => server.run(count)));
    expect(shards.map(Number).every((wallets) => wallets > 5)).toBe(true);
    embedded.close();
  });
});

async function lifetimes(data: string): Promise<string> {
  return `oddslab_${(await currentVersion(data))?.id.replace('-', '_')}_lifetimes`;
}

/** The filters of the contract that none of the queries asks. */
function filtersNotAsked(queries: readonly Query[]): string[] {
  return DATASETS.flatMap(({ id, parameters }) => {
    const own = queries.filter(({ dataset }) => dataset.id === id);
    const absent = parameters.filter(({ name }) => !own.some(({ filters }) => filters[name] !== undefined));
    return absent.map(({ name }) => `${id} ${name}`);
  });
}

function textOf({ results, has_more, window, completeness, unknown }: RecordPage) {
  return { results: results.toString(), has_more, window, completeness, unknown };
}
