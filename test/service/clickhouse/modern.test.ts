import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { Cluster } from '../../../src/service/clickhouse/shard.js';
import { ClusterStores } from '../../../src/service/cluster/cluster-stores.js';
import { pushVersion } from '../../../src/service/cluster/push-version.js';
import { answer } from '../../../src/service/query/answer.js';
import { openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import { isAbsent } from '../../support/is-absent.js';
import { CHDB, ChdbServer } from './chdb-server.js';
import { publishMade } from './made-version.js';
import { randomQueries } from './random-queries.js';

describe.skipIf(isAbsent(CHDB, 'ClickHouse of today'))('ClickHouse of today', () => {
  let folder: string;
  let server: ChdbServer;
  let cluster: Cluster;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-chdb-'));
    server = await ChdbServer.start(folder, ['one', 'two']);
    cluster = new Cluster(readShardUrls(`${server.url}/one,${server.url}/two`), {});
  });
  afterAll(async () => {
    cluster.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('takes the same statements, and gives the same bytes as the embedded engine', async () => {
    const data = join(folder, 'data');
    const version = await publishMade(data, { wallets: 40, days: 80, markets: 300 });
    expect(await pushVersion(data, cluster)).toMatchObject({ isNew: true, loaded: [0, 1] });
    expect(await pushVersion(data, cluster)).toMatchObject({ isNew: false, loaded: [] });
    const stores = await ClusterStores.open(cluster, { timeMs: 60_000 });
    expect(stores.state()).toEqual({ current: version.name, served: version.name, problem: undefined });
    const embedded = await openDuckDbStore(version.database);
    let records = 0;
    await stores.use(async (store) => {
      for (const { dataset, filters, slice } of await randomQueries(version.database, 300)) {
        const expected = await answer(embedded, dataset, filters, slice);
        const found = await answer(store, dataset, filters, slice);
        expect(found.results.toString()).toBe(expected.results.toString());
        expect(found.has_more).toBe(expected.has_more);
        expect([found.window, found.completeness]).toEqual([expected.window, expected.completeness]);
        if (found.results.length > 2) records++;
      }
    });
    expect(records).toBeGreaterThan(100);
    embedded.close();
    stores.close();
  });

  it('removes older versions, and is told apart from a cluster of another order', async () => {
    const data = join(folder, 'data');
    const first = await publishMade(data, { wallets: 5, days: 9, markets: 30 }, 5);
    await pushVersion(data, cluster, { keep: 1 });
    await publishMade(data, { wallets: 5, days: 9, markets: 30 }, 6);
    const { removed } = await pushVersion(data, cluster, { keep: 1 });
    expect(removed).toHaveLength(1);
    expect(removed).not.toContain(first.id);
    const turned = new Cluster(readShardUrls(`${server.url}/two,${server.url}/one`), {});
    await expect(pushVersion(data, turned)).rejects.toThrow('but holds shard 2 of 2');
    turned.close();
  });
});
