import { UsageError } from '../../../base/errors.js';

/** The address of one shard: a ClickHouse server and a database on it. */
export interface ShardUrl {
  /** Protocol, host and port, such as `http://10.0.0.1:8123`. */
  readonly origin: string;
  readonly database: string;
  /** The address as it is shown. It never holds a user or a password, since addresses with these are refused. */
  readonly shown: string;
}

const DATABASE = /^\/?$|^\/(\w{1,100})\/?$/;

/**
 * Reads the addresses of a cluster's shards, in their order.
 *
 * @param text Addresses separated by commas, such as `http://10.0.0.1:8123,http://10.0.0.2:8123/odds`. A path is the
 *   name of the database; without one it is `default`.
 * @throws {UsageError} If one is no such address, is named twice, or holds a user or a password, which the message does
 *   not repeat.
 */
export function readShardUrls(text: string): ShardUrl[] {
  const shards = text.split(',').map((part, index) => readShardUrl(part.trim(), index));
  const twice = shards.find(({ shown }, index) => shards.findIndex((other) => other.shown === shown) < index);
  if (twice) throw new UsageError(`The shard ${twice.shown} is named twice: each shard is a server of its own.`);
  return shards;
}

function readShardUrl(text: string, index: number): ShardUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (text.includes('@') || url?.username || url?.password) {
    throw new UsageError(
      `ClickHouse address ${index + 1} holds a user or a password, which every user of the machine could see: set ` +
        'ODDSLAB_CLICKHOUSE_USER and ODDSLAB_CLICKHOUSE_PASSWORD in the environment instead.',
    );
  }
  const database = DATABASE.exec(url?.pathname ?? '-');
  if (!url || !database || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new UsageError(
      `ClickHouse address ${index + 1} must be like http://10.0.0.1:8123, or http://10.0.0.1:8123/DATABASE; commas ` +
        `stand between shards. Got ${JSON.stringify(text)}.`,
    );
  }
  const name = database[1] ?? 'default';
  return { origin: url.origin, database: name, shown: name === 'default' ? url.origin : `${url.origin}/${name}` };
}
