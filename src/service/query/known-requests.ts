import { parseJsonBody } from './parse-json-body.js';
import { type QueryRequest, readRequest } from './read-request.js';
import { SeenBefore } from './seen-before.js';

/** A body as read: the value of its JSON, and the query in it. */
export interface ReadBody {
  readonly body: unknown;
  readonly request: QueryRequest;
}

/** Larger bodies are read anew each time: they would take the room of many. */
const MOST_BYTES = 1024;

const MOST_BODIES = 2048;

/**
 * Reads request bodies, and remembers those that it has read twice. Clients that poll send the very same bytes each
 * time; other queries are not worth keeping.
 */
export class KnownRequests {
  readonly #known = new Map<string, ReadBody>();
  readonly #seen = new SeenBefore();

  /**
   * Reads a body.
   *
   * @param onBody Receives the value of the JSON before the query is read from it, so even if the query is refused.
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

  /** Keeps a body; the oldest one makes room for it, and is soon known again if it is still in use. */
  #keep(text: string, read: ReadBody): void {
    this.#known.set(text, read);
    if (this.#known.size <= MOST_BODIES) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}
