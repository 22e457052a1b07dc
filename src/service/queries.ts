import { hash } from 'node:crypto';
import { answer } from './answer.js';
import type { Gate } from './operation/gate.js';
import { ProblemError } from './problems.js';
import type { QueryRequest } from './read-request.js';
import type { Page } from './store/page.js';
import type { Stores } from './stores.js';

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
}

/** Runs queries over the data that are served, so many at a time. */
export class Queries {
  readonly #stores: Stores;
  readonly #gate: Gate;
  /** Names of answers, by a request that may come again, with the version that they are for. */
  readonly #etags = new WeakMap<QueryRequest, { version: string; etag: string }>();

  constructor(stores: Stores, gate: Gate) {
    this.#stores = stores;
    this.#gate = gate;
  }

  /** @throws {ProblemError} 503 where no data are loaded, too much is asked at once, or the query takes too long. */
  async run(request: QueryRequest, { known, isWanted = () => true }: Asking = {}): Promise<QueryResult> {
    const { dataset, values, pagination, canonical } = request;
    const work = () =>
      this.#stores.use(async (store, version) => {
        const etag = this.#etagOf(version, request);
        const isKnown = known !== undefined && names(known, etag);
        return {
          version,
          etag,
          page: isKnown ? undefined : await answer(store, dataset, values, pagination, canonical),
        };
      });
    const result = await this.#gate.run(work, isWanted);
    if (result) return result;
    throw new ProblemError(503, 'No data are loaded yet: run "oddslab ingest".', { headers: { 'Retry-After': '5' } });
  }

  /** Weak, as the moment of an answer stands in it and differs. The filters' spelling is in it, as answers repeat it. */
  #etagOf(version: string, request: QueryRequest): string {
    const known = this.#etags.get(request);
    if (known?.version === version) return known.etag;
    const text = request.canonical + JSON.stringify(request.echo);
    const etag = `W/"${version}-${hash('sha256', text, 'base64url').slice(0, 16)}"`;
    this.#etags.set(request, { version, etag });
    return etag;
  }
}

/** Whether a list of answers' names has this one. */
function names(known: string, etag: string): boolean {
  return known.split(',').some((each) => ['*', etag, etag.slice(2)].includes(each.trim()));
}
