import { DataError, messageOf } from '../../base/errors.js';
import { ClickHouseStore } from '../clickhouse/clickhouse-store.js';
import type { Cluster, Shard } from '../clickhouse/shard.js';
import { ProblemError } from '../http/problems.js';
import { type DataState, HeldStore, type ServedData, type ServedVersion } from '../store/served-data.js';
import type { Store } from '../store/store.js';
import { isWhole, lastPublished, misplacement, type PushedVersion, readState, type ShardState } from './version-log.js';

/** Options of {@link ClusterStores}. */
export interface ClusterStoresOptions {
  readonly timeMs: number;
  /** Statements that may wait for a shard that may hang, so that others have room. Default: any number. */
  readonly mostSuspected?: number | undefined;
  /** Called at every change: another version is served, or a problem has come up or is over. */
  readonly onChange?: ((state: DataState) => void) | undefined;
}

/** How often the shards are asked which version is published. */
const POLL_MS = 400;

/** How long a shard may take to answer that. */
const LOOK_MS = 2000;

/** A shard that has answered nothing for this long since it was asked may hang. */
const SUSPECT_MS = 600;

/** The result of asking all shards, by place: the state of each, or why it cannot be used. */
type Look = readonly (ShardState | string)[];

/**
 * Serves the published version of a cluster, and follows it as pushes publish others. Each version has its own tables,
 * so a switch applies to all shards at once: no answer mixes rows of two versions. A shard that cannot be asked, or has
 * lost rows, is left out until it is back; queries that need it are answered 503.
 */
export class ClusterStores implements ServedData {
  readonly #cluster: Cluster;
  readonly #timeMs: number;
  readonly #mostSuspected: number;
  readonly #onChange: (state: DataState) => void;
  #timer: NodeJS.Timeout | undefined;
  #held: HeldStore | undefined;
  #current: string | undefined;
  /** Why the published version cannot be served at all. */
  #refusal: string | undefined;
  #closed = false;
  #told = '';

  private constructor(cluster: Cluster, options: ClusterStoresOptions) {
    const { timeMs, mostSuspected = Number.POSITIVE_INFINITY, onChange = () => {} } = options;
    this.#cluster = cluster;
    this.#timeMs = timeMs;
    this.#mostSuspected = mostSuspected;
    this.#onChange = onChange;
  }

  /**
   * Follows a cluster, whether or not its shards can be reached now.
   *
   * @throws {DataError} If a shard that can be asked is not in its place.
   */
  static async open(cluster: Cluster, options: ClusterStoresOptions): Promise<ClusterStores> {
    const stores = new ClusterStores(cluster, options);
    const misplaced = await stores.#look();
    if (misplaced.length > 0) {
      stores.close();
      throw new DataError(misplaced.join('\n'));
    }
    stores.#tell();
    stores.#lookAgain();
    return stores;
  }

  async use<T>(work: (store: Store, id: string) => Promise<T>): Promise<T> {
    if (this.#held) return this.#held.use(work);
    const detail = this.#isGone ? 'The data cannot be reached now. Ask again later.' : NO_DATA;
    throw new ProblemError(503, detail, { headers: { 'Retry-After': '5' } });
  }

  state(): DataState {
    const { shards } = this.#cluster;
    const gone = shards.flatMap(({ problem }) => problem ?? []);
    const outcome = gone.length > 0 ? ['What needs it is answered 503 until it is back.'] : [];
    const problems = [...(this.#refusal === undefined ? [] : [this.#refusal]), ...gone, ...outcome];
    return {
      current: this.#current,
      served: this.#isGone ? undefined : this.#held?.name,
      problem: problems.length === 0 ? undefined : problems.join(' '),
      unanswered:
        gone.length === 0 || this.#isGone
          ? undefined
          : `${gone.length} of ${shards.length} shards cannot be asked now: what needs them is answered 503.`,
    };
  }

  get #isGone(): boolean {
    return this.#cluster.shards.every(({ problem }) => problem !== undefined);
  }

  version(): ServedVersion | undefined {
    return this.#held;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#held?.retire();
    this.#held = undefined;
    this.#cluster.close();
  }

  #lookAgain(): void {
    this.#timer = setTimeout(async () => {
      await this.#look().catch((error: unknown) => {
        this.#refusal = String(error);
      });
      if (this.#closed) return;
      this.#tell();
      this.#lookAgain();
    }, POLL_MS).unref();
  }

  /** Asks every shard, and serves what is published. @returns Messages about shards that are not in their place. */
  async #look(): Promise<string[]> {
    const { shards } = this.#cluster;
    const look = await Promise.all(shards.map((shard) => this.#stateOf(shard)));
    if (this.#closed) return [];
    const misplaced = shards.map((shard, place) => {
      const state = look[place];
      return typeof state === 'object' ? misplacement(shard, state, shards.length) : undefined;
    });
    const sound = look.map((state, place) => misplaced[place] ?? state);
    this.#choose(sound);
    for (const [place, shard] of shards.entries()) {
      const problem = problemOf(sound[place], this.#held?.id, shard.connection.shown);
      if (problem === undefined) shard.trust();
      else shard.mark(problem);
    }
    return misplaced.filter((each) => each !== undefined);
  }

  /** Reads the state of a shard. @returns The state, or why it cannot be read. */
  async #stateOf(shard: Shard): Promise<ShardState | string> {
    const sinceMs = performance.now();
    const late = setTimeout(() => {
      if (shard.answeredMs < sinceMs) shard.suspect(this.#mostSuspected);
    }, SUSPECT_MS);
    try {
      return await readState(shard.connection, LOOK_MS);
    } catch (error) {
      return messageOf(error);
    } finally {
      clearTimeout(late);
    }
  }

  #choose(look: Look): void {
    const states = look.filter((state) => typeof state === 'object');
    const newest = lastPublished(states);
    // If no shard can say, the version that was published last stays.
    if (!newest) return;
    this.#current = nameOf(newest.id);
    this.#refusal = undefined;
    if (newest.id === this.#held?.id) return;
    const lacks = this.#held !== undefined && states.some((state) => !isWhole(state, newest.id));
    if (lacks) this.#refusal = `Version ${this.#current} is published, but not whole on every shard: push it again.`;
    else this.#serve(newest);
  }

  #serve({ id, created }: PushedVersion): void {
    this.#held?.retire();
    const store = new ClickHouseStore(this.#cluster, id, this.#timeMs);
    this.#held = new HeldStore(nameOf(id), { id, createdMs: Date.parse(created) }, store);
  }

  #tell(): void {
    const told = JSON.stringify(this.state());
    if (told === this.#told) return;
    this.#told = told;
    this.#onChange(this.state());
  }
}

const NO_DATA = 'No data are loaded yet: run "oddslab data push".';

/** Why a shard cannot be asked about a version; undefined if it can. */
function problemOf(state: ShardState | string | undefined, version: string | undefined, shown: string) {
  if (typeof state !== 'object') return state;
  if (version === undefined || isWhole(state, version)) return undefined;
  return `ClickHouse at ${shown} lacks rows of version ${nameOf(version)}: run "oddslab data push" to load them again.`;
}

/** A version's name in its data folder. @example nameOf('000012-1b9f03ac'); // '000012' */
function nameOf(id: string): string {
  return id.split('-', 1)[0] ?? id;
}
