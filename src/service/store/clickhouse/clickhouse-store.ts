import type { Filters } from '../../../contract/dataset.js';
import type { MARKETS } from '../../../contract/markets.js';
import { ProblemError } from '../../problems.js';
import type { DayRange, Lifetime, MarketRow, Slice, Store, WalletDay } from '../store.js';
import type { Cluster } from './cluster.js';
import { lifetime, marketRow, walletDay } from './read-rows.js';
import type { Shard } from './shard.js';
import { ShardError } from './shard-error.js';
import { shardOf } from './shard-of.js';
import { lifetimesStatement, marketsStatement, walletDaysStatement } from './statements.js';
import type { Cells } from './tab-separated.js';

/** The statement for the rows of some wallets. */
type StatementOf = (wallets: readonly string[]) => string;

/**
 * The distributed store: one version's tables on the shards of a cluster. A query for wallets goes to their own shards,
 * all at once; a query for markets goes to any one shard that works.
 *
 * An answer is never partial: if a shard that it needs cannot be asked, it is a {@link ProblemError} 503.
 */
export class ClickHouseStore implements Store {
  readonly #cluster: Cluster;
  readonly #version: string;
  readonly #timeMs: number;
  #turn = 0;

  /**
   * @param version The version's id.
   * @param timeMs Milliseconds that a statement may take.
   */
  constructor(cluster: Cluster, version: string, timeMs: number) {
    this.#cluster = cluster;
    this.#version = version;
    this.#timeMs = timeMs;
  }

  async markets(filters: Filters<typeof MARKETS>, slice: Slice, signal?: AbortSignal): Promise<MarketRow[]> {
    const sql = marketsStatement(this.#version, filters, slice);
    const { shards } = this.#cluster;
    const first = this.#turn++ % shards.length;
    const inTurn = [...shards.slice(first), ...shards.slice(0, first)];
    const sound = inTurn.filter(({ problem }) => problem === undefined);
    const asked = [...sound.filter((shard) => !shard.isSuspected), ...sound.filter((shard) => shard.isSuspected)];
    const deadline = performance.now() + this.#timeMs;
    let last: unknown = new ProblemError(503, 'No shard of the cluster can be asked now. Ask again later.', RETRY);
    for (const shard of asked) {
      const leftMs = Math.max(1, deadline - performance.now());
      // A shard that hangs must leave time to ask another.
      const timeMs = shard === asked.at(-1) ? leftMs : leftMs / 2;
      try {
        return (await this.#ask(shard, sql, timeMs, signal)).map(marketRow);
      } catch (error) {
        if (!(error instanceof ProblemError) || signal?.aborted) throw error;
        last = error;
      }
    }
    throw last;
  }

  async walletDays(range: DayRange, signal?: AbortSignal): Promise<WalletDay[]> {
    const statementOf: StatementOf = (wallets) => walletDaysStatement(this.#version, { ...range, wallets });
    return inOrder(await this.#gather(range.wallets, statementOf, signal), walletDay);
  }

  async lifetimes(wallets: readonly string[], { limit, offset }: Slice, signal?: AbortSignal): Promise<Lifetime[]> {
    // The rows before the page may be on any of the shards, so each must give all its rows up to the page's end.
    const upTo = { limit: offset + limit, offset: 0 };
    const statementOf: StatementOf = (own) => lifetimesStatement(this.#version, own, upTo);
    return inOrder(await this.#gather(wallets, statementOf, signal), lifetime).slice(offset, offset + limit);
  }

  /** Nothing to close: the connections belong to the cluster, which outlives its versions. */
  close(): void {}

  /** Asks each shard for the rows of its own wallets, all shards at once. */
  async #gather(wallets: readonly string[], statementOf: StatementOf, signal?: AbortSignal): Promise<Cells[][]> {
    const { shards } = this.#cluster;
    const own = shards.map(({ place }) => wallets.filter((wallet) => shardOf(wallet, shards.length) === place));
    const needed = shards.filter(({ place }) => own[place]?.length);
    const gone = needed.find(({ problem }) => problem !== undefined);
    if (gone) throw unavailable(gone, 'cannot be asked');
    // Once one shard fails, the others need not go on.
    const rest = new AbortController();
    const either = signal ? AbortSignal.any([signal, rest.signal]) : rest.signal;
    try {
      const asked = needed.map((shard) => this.#ask(shard, statementOf(own[shard.place] ?? []), this.#timeMs, either));
      return await Promise.all(asked);
    } catch (error) {
      rest.abort(error);
      throw error;
    }
  }

  async #ask(shard: Shard, sql: string, timeMs: number, signal?: AbortSignal): Promise<Cells[]> {
    try {
      return await shard.rows(sql, { timeMs, signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : noteFault(shard, error);
    }
  }
}

const RETRY = { headers: { 'Retry-After': '1' } };

function unavailable({ name }: Shard, what: string): ProblemError {
  return new ProblemError(503, `A part of the data is not available now: ${name} ${what}. Ask again later.`, RETRY);
}

/**
 * The error that a client gets for a failed statement. A shard that is gone is marked, and not asked until it is back.
 */
function noteFault(shard: Shard, error: unknown): unknown {
  if (!(error instanceof ShardError) || error.fault === 'failed') return error;
  if (error.fault !== 'busy') shard.mark(error.message);
  else if (shard.problem === undefined) return unavailable(shard, 'takes too long');
  return unavailable(shard, 'cannot be asked');
}

/** Merges the rows of several shards, each sorted by wallet, into one list sorted by wallet. */
function inOrder<Row extends { wallet: string }>(parts: readonly Cells[][], read: (cells: Cells) => Row): Row[] {
  const rows = parts.flatMap((part) => part.map(read));
  if (parts.length < 2) return rows;
  return rows.sort((a, b) => (a.wallet < b.wallet ? -1 : a.wallet > b.wallet ? 1 : 0));
}
