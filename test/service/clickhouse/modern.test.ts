import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WalletRecord } from '../../../src/contract/completeness.js';
import { readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { ClickHouseStore } from '../../../src/service/clickhouse/clickhouse-store.js';
import { tableName } from '../../../src/service/clickhouse/result-tables.js';
import { Cluster } from '../../../src/service/clickhouse/shard.js';
import { ClusterStores } from '../../../src/service/cluster/cluster-stores.js';
import { pushVersion } from '../../../src/service/cluster/push-version.js';
import { answer } from '../../../src/service/query/answer.js';
import { Database } from '../../../src/service/store/database.js';
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

  it('takes and answers a version that lacks a column of today', async () => {
    const data = join(folder, 'unmarked');
    const drop = 'ALTER TABLE wallet_records DROP COLUMN simulated';
    const version = await publishMade(data, { wallets: 20, days: 9, markets: 30 }, 0, drop);
    const database = await Database.open(version.database, { locked: true });
    const wallets = await database.rows<{ wallet: string }>('SELECT wallet FROM wallet_records ORDER BY 1');
    const all = wallets.map(({ wallet }) => wallet);
    database.close();
    const embedded = await openDuckDbStore(version.database);
    const expected = (await embedded.walletRecords(all)).map((record) => ({ ...record, simulated: null }));
    embedded.close();
    await pushVersion(data, cluster);
    const store = new ClickHouseStore(cluster, version.id, 60_000);
    const byWallet = (a: WalletRecord, b: WalletRecord) => (a.wallet < b.wallet ? -1 : 1);
    expect(await store.walletRecords(all)).toEqual(expected.sort(byWallet));
    const drops = `ALTER TABLE ${tableName('wallet_records', version.id)} DROP COLUMN simulated`;
    for (const { connection } of cluster.shards) await connection.run(drops, 60_000);
    expect(await store.walletRecords(all)).toEqual(expected);
    expect(await store.walletRecords([`0x${'e'.repeat(40)}`])).toEqual([]);
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
