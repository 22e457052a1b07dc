import { DATA_VERSION_HEADER } from '../../contract/envelope.js';
import { ProblemError } from './problems.js';

/** What a page may read of an answer besides its body. */
const EXPOSED = [
  'ETag',
  DATA_VERSION_HEADER,
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
].join(', ');

/** For how long a browser need not ask again: as long as any does without asking. */
const MAX_AGE_SECONDS = 7200;

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
  'Cache-Control': 'no-store',
};

/**
 * The origins whose web pages may send queries and read the answers (CORS). A page sends its key in a header; cookies of
 * the service are never sent along, as no answer allows credentials.
 */
export class PageOrigins {
  readonly #allowed: ReadonlySet<string>;

  /** @param origins The setting `corsOrigins`: origins as browsers send them, commas between. */
  constructor(origins: string) {
    this.#allowed = new Set(origins.split(',').map((origin) => origin.trim()));
  }

  /**
   * Headers of every answer to a query, refusals too, but for those of a request whose headers cannot be read whole, such
   * as 431: its origin is not known.
   *
   * @param origin The header `Origin` of the request.
   */
  headersFor(origin: string | undefined): Record<string, string> {
    if (origin === undefined || !this.#allowed.has(origin)) return { Vary: 'Origin' };
    return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED };
  }

  /**
   * Further headers of the answer to a browser that asks whether a page may send a query.
   *
   * @throws {ProblemError} 403 if it may not.
   */
  preflight(origin: string | undefined): Readonly<Record<string, string>> {
    if (origin !== undefined && this.#allowed.has(origin)) return PREFLIGHT;
    throw new ProblemError(403, 'Web pages of this origin may not send queries: the setting corsOrigins lacks it.');
  }
}
