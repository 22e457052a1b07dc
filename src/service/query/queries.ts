import { holdsTag } from '../http/negotiation.js';
import { ProblemError } from '../http/problems.js';
import type { QueryClient } from '../http/query-endpoint.js';
import { type ServedData, UnreadableData } from '../store/served-data.js';
import type { RecordPage } from '../store/store.js';
import { answer, answerNow } from './answer.js';
import type { QueryRequest } from './read-request.js';

/** The result of a query. */
export interface QueryResult {
  /** Id of the data version. */
  readonly version: string;
  /** The answer's entity tag: the same for equal queries of one data version. */
  readonly etag: string;
  /** Undefined if the client has this very answer already. */
  readonly page: RecordPage | undefined;
}

/** Runs queries over the served data, a limited number at a time. */
export class Queries {
  readonly #stores: ServedData;
  readonly #gate: Gate;

  constructor(stores: ServedData, gate: Gate) {
    this.#stores = stores;
    this.#gate = gate;
  }

  /**
   * Answers a query at once, if it has to wait neither for its turn nor for a database.
   *
   * @param isLookedAt Whether {@link ServedData.freshen} has just looked.
   * @returns Undefined if {@link run} must be called instead.
   */
  runNow(request: QueryRequest, known?: string, isLookedAt = false): QueryResult | undefined {
    if (!this.#gate.hasRoom) return undefined;
    const { dataset, values, pagination, canonical, digest } = request;
    return this.#stores.useNow?.((store, version) => {
      const etag = etagOf(version, digest);
      if (holdsTag(known, etag)) return { version, etag, page: undefined };
      const page = answerNow(store, dataset, values, pagination, canonical);
      return page && { version, etag, page };
    }, isLookedAt);
  }

  /**
   * Runs a query.
   *
   * @throws {ProblemError} 503 if no data are loaded or what it needs is damaged, too many queries wait, or it takes too
   *   long.
   */
  async run(
    request: QueryRequest,
    { known, isWanted = () => true, onGone = () => {} }: QueryClient = {},
  ): Promise<QueryResult> {
    // After a stall of the process as many queries as there are connections may wait for one look at the folder, more
    // than may wait for their turn; none of them is slow.
    const began = performance.now();
    const isLookedAt = await this.#stores.freshen?.();
    const ready = isLookedAt && isWanted() ? this.runNow(request, known, true) : undefined;
    if (ready) return ready;
    const { dataset, values, pagination, canonical, digest } = request;
    const patience = new AbortController();
    const { signal } = patience;
    let isAnswered = false;
    const end = () => {
      if (!isAnswered) patience.abort(NOT_WANTED);
    };
    onGone(end);
    const work = () =>
      this.#stores.use(async (store, version) => {
        const etag = etagOf(version, digest);
        if (holdsTag(known, etag)) return { version, etag, page: undefined };
        return { version, etag, page: await answer(store, dataset, values, pagination, { canonical, signal }) };
      });
    const result = await this.#gate.run(work, isWanted, end, performance.now() - began).catch((error: unknown) => {
      // Work that has found damage is done again later, when nobody waits for it.
      isAnswered = error instanceof UnreadableData;
      throw isAnswered ? later(UNREADABLE) : error;
    });
    isAnswered = true;
    if (result) return result;
    throw later('No data are loaded yet: run "oddslab ingest".');
  }
}

const UNREADABLE =
  'The data that this query needs cannot be read now; other queries may be answered. The log of the service tells why.';

/** The refusal of a query that nothing but the operator can help. */
function later(detail: string): ProblemError {
  return new ProblemError(503, detail, { headers: { 'Retry-After': '5' } });
}

/** A weak entity tag, as the answers to equal queries differ in their timestamp. */
function etagOf(version: string, digest: string): string {
  return `W/"${version}-${digest}"`;
}

/** How much work may go on and wait at a time. */
interface GateLimits {
  /** Pieces of work that go on at a time. */
  concurrent: number;
  /** Pieces that may wait; more are refused at once. */
  queued: number;
  /** Milliseconds that a piece may take, waiting included. */
  timeMs: number;
}

interface Waiter {
  readonly isWanted: () => boolean;
  readonly begin: () => void;
}

/** Limits how many queries run and how many wait; refuses those beyond that, and those that take too long. */
export class Gate {
  readonly #limits: GateLimits;
  #working = 0;
  readonly #waiting = new Set<Waiter>();

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Whether a query could begin at once. */
  get hasRoom(): boolean {
    return this.#working < this.#limits.concurrent;
  }

  /** How many queries wait. */
  get queued(): number {
    return this.#waiting.size;
  }

  /**
   * Runs work once there is room for it. If it takes too long, the promise is rejected, but its room stays taken until
   * it has really ended: otherwise slow queries would pile up beyond the limit.
   *
   * @param isWanted Asked before waiting work begins; returns false if its client has gone.
   * @param onLate Called when the time is over, so that the work can be ended.
   * @param waitedMs Milliseconds of its time that the piece has waited already.
   * @throws {ProblemError} 503 with `Retry-After` if too many wait or the time is over.
   */
  run<T>(work: () => Promise<T>, isWanted: () => boolean, onLate: () => void = () => {}, waitedMs = 0): Promise<T> {
    const { queued, timeMs } = this.#limits;
    const { hasRoom } = this;
    if (!hasRoom && this.#waiting.size >= queued) {
      return Promise.reject(busy('Too many queries are waiting for their turn: ask again in a second.'));
    }
    return new Promise<T>((resolve, reject) => {
      const late = setTimeout(() => {
        reject(tooLate(this.#waiting.delete(waiter), timeMs));
        onLate();
      }, timeMs - waitedMs);
      const begin = () => {
        this.#working++;
        work()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(late);
            this.#leave();
          });
      };
      const waiter = { isWanted, begin };
      if (hasRoom) begin();
      else this.#waiting.add(waiter);
    });
  }

  #leave(): void {
    this.#working--;
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter);
      if (!waiter.isWanted()) continue;
      waiter.begin();
      return;
    }
  }
}

function tooLate(waited: boolean, timeMs: number): ProblemError {
  return busy(
    waited
      ? `The query waited ${timeMs / 1000} s for its turn: ask again in a second.`
      : `The query took longer than ${timeMs / 1000} s: ask for fewer records or a shorter range.`,
  );
}

function busy(detail: string): ProblemError {
  return new ProblemError(503, detail, { headers: { 'Retry-After': '1' } });
}

/** Why a query is ended for which nobody waits: it does not count as a failure of the service, and nobody reads it. */
const NOT_WANTED = new ProblemError(503, 'Nobody waited for the answer any more.');
