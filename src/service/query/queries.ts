import { holdsTag } from '../holds-tag.js';
import type { Gate } from '../operation/gate.js';
import { ProblemError } from '../problems.js';
import type { ServedData } from '../served-data.js';
import type { Page } from '../store/page.js';
import { answer, answerNow } from './answer.js';
import { type OnGone, Patience } from './patience.js';
import type { QueryRequest } from './read-request.js';

/** What a query gave. */
export interface QueryResult {
  /** Id of the data version. */
  readonly version: string;
  /** Names the answer: the same for equal queries of one data version. */
  readonly etag: string;
  /** Undefined where the client has this very answer already. */
  readonly page: Page | undefined;
}

/** Who asks, besides what is asked. */
export interface Asking {
  /** The `If-None-Match` header: names of the answers that the client has. */
  readonly known?: string | undefined;
  /** False where the client has gone meanwhile, and nobody waits for the answer. Default: always true. */
  readonly isWanted?: () => boolean;
  /** Calls back once the client has gone, so that its query is ended. */
  readonly onGone?: OnGone;
}

/** Runs queries over the data that are served, so many at a time. */
export class Queries {
  readonly #stores: ServedData;
  readonly #gate: Gate;

  constructor(stores: ServedData, gate: Gate) {
    this.#stores = stores;
    this.#gate = gate;
  }

  /**
   * Answers at once what needs no waiting: neither for its turn nor for a database.
   *
   * @returns Undefined where {@link run} is to be asked.
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

  /** @throws {ProblemError} 503 where no data are loaded, too much is asked at once, or the query takes too long. */
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

/** Weak, as the moment of an answer stands in it and differs. */
function etagOf(version: string, digest: string): string {
  return `W/"${version}-${digest}"`;
}
