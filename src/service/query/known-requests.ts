import { parseJsonBody } from './parse-json-body.js';
import { type QueryRequest, readRequest } from './read-request.js';
import { SeenBefore } from './seen-before.js';

/** A body as read: what its JSON held, and the query that it asks. */
export interface ReadBody {
  readonly body: unknown;
  readonly request: QueryRequest;
}

/** Bodies of more bytes are read anew each time: they would take the room of many. */
const MOST_BYTES = 1024;

const MOST_BODIES = 2048;

/**
 * Reads request bodies, and knows those that it has read twice: clients that poll send the very same bytes each time,
 * while of other queries none is worth keeping.
 */
export class KnownRequests {
  readonly #known = new Map<string, ReadBody>();
  readonly #seen = new SeenBefore();

  /**
   * @param onBody Told of what the JSON held before the query is read from it, so that a refusal can be told of, too.
   * @throws {ProblemError} If the bytes are no valid query; see {@link parseJsonBody} and {@link readRequest}.
   */
  read(bytes: Buffer, onBody: (body: unknown) => void): QueryRequest {
    const text = bytes.length > MOST_BYTES ? undefined : bytes.toString('latin1');
    const known = text === undefined ? undefined : this.#known.get(text);
    if (known) {
      onBody(known.body);
      return known.request;
    }
    const body = parseJsonBody(bytes);
    onBody(body);
    const request = readRequest(body);
    if (text !== undefined && this.#seen.note(bytes)) this.#keep(text, { body, request });
    return request;
  }

  /** The oldest makes room; one that is still asked is soon known again. */
  #keep(text: string, read: ReadBody): void {
    this.#known.set(text, read);
    if (this.#known.size <= MOST_BODIES) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}
