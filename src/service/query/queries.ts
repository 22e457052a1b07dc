import { holdsTag } from '../holds-tag.js';
import type { Gate } from '../operation/gate.js';
import { ProblemError } from '../problems.js';
import type { ServedData } from '../served-data.js';
import type { Page } from '../store/page.js';
import { answer, answerNow } from './answer.js';
import { type OnGone, Patience } from './patience.js';
import type { QueryRequest } from './read-request.js';

/** The result of a query. */
export interface QueryResult {
  /** Id of the data version. */
  readonly version: string;
  /** The answer's entity tag: the same for equal queries of one data version. */
  readonly etag: string;
  /** Undefined if the client has this very answer already. */
  readonly page: Page | undefined;
}

/** What is known about the client that asks. */
export interface Asking {
  /** The `If-None-Match` header: entity tags of the answers that the client has. */
  readonly known?: string | undefined;
  /** Returns false if the client has gone meanwhile. Default: always true. */
  readonly isWanted?: () => boolean;
  /** Calls back once the client has gone, so that its query can be ended. */
  readonly onGone?: OnGone;
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
   * @returns Undefined if {@link run} must be called instead.
   */
  runNow({ dataset, values, pagination, canonical, digest }: QueryRequest, known?: string): QueryResult | undefined {
    if (!this.#gate.hasRoom) return undefined;
    return this.#stores.useNow?.((store, version) => {
      const etag = etagOf(version, digest);
      if (holdsTag(known, etag)) return { version, etag, page: undefined };
      const page = answerNow(store, dataset, values, pagination, canonical);
      return page && { version, etag, page };
    });
  }

  /** Runs a query. @throws {ProblemError} 503 if no data are loaded, too many queries wait, or it takes too long. */
  async run(
    request: QueryRequest,
    { known, isWanted = () => true, onGone = () => {} }: Asking = {},
  ): Promise<QueryResult> {
    const { dataset, values, pagination, canonical, digest } = request;
    const patience = new Patience(onGone);
    const signal = () => patience.signal();
    const work = () =>
      this.#stores.use(async (store, version) => {
        const etag = etagOf(version, digest);
        const isKnown = holdsTag(known, etag);
        return {
          version,
          etag,
          page: isKnown ? undefined : await answer(store, dataset, values, pagination, { canonical, signal }),
        };
      });
    const result = await this.#gate.run(work, isWanted, () => patience.end());
    patience.answered();
    if (result) return result;
    throw new ProblemError(503, 'No data are loaded yet: run "oddslab ingest".', { headers: { 'Retry-After': '5' } });
  }
}

/** A weak entity tag, as the answers to equal queries differ in their timestamp. */
function etagOf(version: string, digest: string): string {
  return `W/"${version}-${digest}"`;
}
