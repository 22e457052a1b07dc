import { DataError } from '../../base/errors.js';
import type { Cluster } from '../store/clickhouse/cluster.js';
import type { Shard } from '../store/clickhouse/shard.js';
import { misplacement } from './placement.js';
import { SHORT_MS } from './statement-times.js';
import { createLog, readState, type ShardState } from './version-log.js';

/** A shard and the state that it reports. */
export interface KnownShard {
  readonly shard: Shard;
  readonly state: ShardState;
}

/**
 * Reads the state of every shard, and creates the log of a new one.
 *
 * @throws {DataError} If a shard cannot be asked, or is not the one that its place in the configuration says.
 */
export async function knownShards({ shards }: Cluster): Promise<KnownShard[]> {
  const known = await Promise.all(
    shards.map(async (shard) => {
      await createLog(shard.connection, SHORT_MS);
      return { shard, state: await readState(shard.connection, SHORT_MS) };
    }),
  );
  const misplaced = known.flatMap(({ shard, state }) => misplacement(shard, state, shards.length) ?? []);
  if (misplaced.length > 0) throw new DataError(misplaced.join('\n'));
  return known;
}
