import type { Login } from './connection.js';
import { Shard } from './shard.js';
import type { ShardUrl } from './shard-urls.js';

/** The shards over which wallets are spread, in the order of the configuration. */
export class Cluster {
  readonly shards: readonly Shard[];

  constructor(urls: readonly ShardUrl[], login: Login) {
    this.shards = urls.map((url, place) => new Shard(url, login, place, urls.length));
  }

  close(): void {
    for (const { connection } of this.shards) connection.close();
  }
}
