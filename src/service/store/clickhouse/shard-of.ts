import { hash } from 'node:crypto';

/**
 * The shard that holds a wallet's rows, by a hash of its address: addresses themselves are not evenly spread, as people
 * may choose them. {@link shardOfWallet} is the same in DuckDB's SQL.
 *
 * @returns The shard's place, from 0.
 */
export function shardOf(wallet: string, shards: number): number {
  return Number(Buffer.from(hash('md5', wallet, 'hex').slice(0, 16), 'hex').readBigUInt64LE(0) % BigInt(shards));
}

/** {@link shardOf} as SQL over the column `wallet`. */
export function shardOfWallet(shards: number): string {
  return `(md5_number_upper(wallet) % ${shards})::INTEGER`;
}
