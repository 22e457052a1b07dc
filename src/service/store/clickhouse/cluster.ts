import { Connection, type Login } from './connection.js';
import type { ShardUrl } from './shard-urls.js';

/** One shard of a cluster. */
export interface Shard {
  /** Its place, from 0. */
  readonly place: number;
  /** As anybody may know it, such as `shard 1 of 2`. */
  readonly name: string;
  readonly connection: Connection;
  /** Why it cannot be asked now; undefined while it can. */
  problem: string | undefined;
}

/** The shards over which wallets are spread, in their order. */
export class Cluster {
  readonly shards: readonly Shard[];

  constructor(urls: readonly ShardUrl[], login: Login) {
    this.shards = urls.map((url, place) => ({
      place,
      name: `shard ${place + 1} of ${urls.length}`,
      connection: new Connection(url, login),
      problem: undefined,
    }));
  }

  close(): void {
    for (const { connection } of this.shards) connection.close();
  }
}
