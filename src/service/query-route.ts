import type { ServerResponse } from 'node:http';
import { DATA_VERSION_HEADER } from '../contract/envelope.js';
import { answerBody } from './answer-body.js';
import { keyOf } from './auth/key-of.js';
import type { KeyUses } from './auth/key-uses.js';
import type { StoredKey } from './auth/keys.js';
import { KnownRequests } from './known-requests.js';
import type { RateLimits } from './operation/rate-limits.js';
import { readBody } from './operation/read-body.js';
import type { ServiceEnv } from './operation/service-env.js';
import type { Settings } from './operation/settings/settings.js';
import { ProblemError } from './problems.js';
import type { Asking, Queries } from './queries.js';
import type { Page } from './store/page.js';
import { takeBackFrame } from './store/page-frames.js';
import type { Watched } from './watched.js';

/** What the query endpoint runs on. */
export interface QueryRouteOptions {
  readonly settings: Settings;
  readonly queries: Queries;
  readonly keys: Pick<Watched<readonly StoredKey[]>, 'now' | 'get'>;
  readonly keyUses: KeyUses;
  /** Undefined where queries are not counted. */
  readonly rateLimits: RateLimits | undefined;
}

/**
 * The query endpoint: reads a request and writes its answer to the connection.
 *
 * @returns Settles once the answer is handed over; rejected, with nothing written, where the request is to be refused.
 */
export function queryRoute(options: QueryRouteOptions): (env: ServiceEnv['Bindings']) => Promise<void> {
  const { settings, queries } = options;
  const requests = new KnownRequests();
  const limits = { maxBytes: settings.maxBodyBytes, timeMs: settings.bodySeconds * 1000 };
  return async ({ incoming, outgoing, seen }) => {
    const { headers } = incoming;
    if (incoming.method !== 'POST') {
      throw new ProblemError(405, 'Queries are sent by POST.', { headers: { Allow: 'POST' } });
    }
    const sent: Record<string, string | number> = { 'X-Request-Id': seen.id };
    if (!settings.open) {
      const key = authorize(headers.authorization, options.keys.now() ?? (await options.keys.get()));
      options.keyUses.note(key.id);
      seen.keyId = key.id;
      const told = options.rateLimits && (await options.rateLimits.take(key.id));
      // Not among the others: a refusal tells them, too.
      for (const name in told) outgoing.setHeader(name, told[name] ?? '');
    }
    checkType(headers['content-type']);
    checkEncoding(headers['content-encoding']);
    const request = requests.read(await readBody(incoming, limits), (body) => {
      seen.body = body;
    });
    seen.dataset = request.dataset.id;
    const known = headers['if-none-match'];
    const result = queries.runNow(request, known) ?? (await queries.run(request, askingOf(known, outgoing)));
    const { version, etag, page } = result;
    sent.ETag = etag;
    sent[DATA_VERSION_HEADER] = version;
    sent['Cache-Control'] = 'private, no-cache';
    sent.Vary = 'Accept-Encoding';
    if (!page) {
      outgoing.writeHead(304, sent).end();
      return;
    }
    const accepted = settings.compress ? String(headers['accept-encoding'] ?? '') || undefined : undefined;
    const made = answerBody(request, page, accepted);
    const { bytes, encoding } = made instanceof Promise ? await made : made;
    sent['Content-Type'] = 'application/json';
    if (encoding !== undefined) sent['Content-Encoding'] = encoding;
    sent['Content-Length'] = bytes.length;
    outgoing.writeHead(200, sent);
    send(outgoing, bytes, page);
  };
}

/** Answers up to so many bytes are copied sooner than sent as a piece of their own. */
const MOST_JOINED_BYTES = 4096;

function send(outgoing: ServerResponse, bytes: Uint8Array, page: Page): void {
  if (bytes.length > MOST_JOINED_BYTES) {
    outgoing.end(bytes, page.frame && (() => takeBackFrame(page)));
    return;
  }
  // As a text of single bytes, which is a copy, it goes out in one piece with its head.
  outgoing.end(latin1Of(bytes), 'latin1');
  if (page.frame) takeBackFrame(page);
}

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** Who waits for an answer that takes a while. */
function askingOf(known: string | undefined, outgoing: ServerResponse): Asking {
  return { known, isWanted: () => !outgoing.destroyed, onGone: (tell) => void outgoing.once('close', tell) };
}

/** Hashes and compares whatever is presented: an answer's time tells nothing of how near a wrong key came. */
function authorize(authorization: string | undefined, keys: readonly StoredKey[]): StoredKey {
  const [, presented] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const key = keyOf(keys, presented ?? '');
  if (key !== undefined) return key;
  const detail =
    presented === undefined ? 'Send the header "Authorization: Bearer <API key>".' : 'This API key is not valid.';
  throw new ProblemError(401, detail, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function checkType(type = ''): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  throw new ProblemError(415, `The body must be application/json; got ${type || 'no Content-Type'}.`);
}

function checkEncoding(encoding = ''): void {
  if (/^\s*(identity\s*)?$/i.test(encoding)) return;
  throw new ProblemError(415, `The body must be sent as it is, without a Content-Encoding; got ${encoding}.`, {
    headers: { 'Accept-Encoding': 'identity' },
  });
}
