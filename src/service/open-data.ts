import { UsageError } from '../base/errors.js';
import type { Settings } from './operation/settings/settings.js';
import type { DataState, ServedData } from './served-data.js';
import { Stores } from './stores.js';

/**
 * Opens the data that a service answers from, on the engine that its settings name.
 *
 * @throws {UsageError} If the engine is a cluster and its addresses are missing or wrong.
 * @throws {DataError} If the current version is damaged and no older one is whole, or if an address leads to another
 *   shard than it should.
 */
export async function openData(
  folder: string,
  settings: Settings,
  onChange?: (state: DataState) => void,
): Promise<ServedData> {
  if (settings.engine === 'clickhouse') return openCluster(settings, onChange);
  const stores = new Stores(folder, onChange ? { onChange } : {});
  try {
    await stores.use(async () => {});
    return stores;
  } catch (error) {
    stores.close();
    throw error;
  }
}

async function openCluster(settings: Settings, onChange?: (state: DataState) => void): Promise<ServedData> {
  const { clickhouse, clickhouseUser: user, clickhousePassword: password } = settings;
  if (clickhouse === undefined) {
    throw new UsageError(
      'The engine clickhouse needs the addresses of its shards: --clickhouse http://10.0.0.1:8123, commas between.',
    );
  }
  const [{ readShardUrls }, { Cluster }, { ClusterStores }] = await Promise.all([
    import('./store/clickhouse/shard-urls.js'),
    import('./store/clickhouse/cluster.js'),
    import('./cluster/cluster-stores.js'),
  ]);
  const cluster = new Cluster(readShardUrls(clickhouse), { user, password });
  const { querySeconds, maxConcurrent } = settings;
  // Queries to a shard that hangs may take half of the places, never all.
  const mostSuspected = Math.floor(maxConcurrent / 2);
  return ClusterStores.open(cluster, { timeMs: querySeconds * 1000, mostSuspected, onChange });
}
