import type { Shard } from '../store/clickhouse/shard.js';
import type { ShardState } from './version-log.js';

/**
 * Says what is wrong with a shard's place: it holds the rows of another shard, or of a cluster of another size.
 *
 * @returns Undefined if it is in its place, or empty.
 */
export function misplacement(
  { name, place, connection }: Shard,
  state: ShardState,
  shards: number,
): string | undefined {
  const told = state.place;
  if (!told || (told.shard === place && told.shards === shards)) return undefined;
  const remedy =
    told.shards === shards
      ? 'name the shards in the order in which they were pushed to'
      : `name all ${told.shards} shards in their order. To spread the data over another number, push them into ` +
        'another database: add its name to each address, as in http://10.0.0.1:8123/odds2';
  return (
    `ClickHouse at ${connection.shown} is named as ${name}, but holds shard ${told.shard + 1} of ${told.shards}: ` +
    `${remedy}.`
  );
}
