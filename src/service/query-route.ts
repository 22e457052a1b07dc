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
import type { Queries } from './queries.js';
import { takeBackFrame } from './store/page-frames.js';

/** What the query endpoint runs on. */
export interface QueryRouteOptions {
  readonly settings: Settings;
  readonly queries: Queries;
  readonly keys: () => Promise<readonly StoredKey[]>;
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
  const known = new KnownRequests();
  const limits = { maxBytes: settings.maxBodyBytes, timeMs: settings.bodySeconds * 1000 };
  return async ({ incoming, outgoing, seen }) => {
    const { headers } = incoming;
    if (incoming.method !== 'POST') {
      throw new ProblemError(405, 'Queries are sent by POST.', { headers: { Allow: 'POST' } });
    }
    const sent: Record<string, string | number> = { 'X-Request-Id': seen.id };
    if (!settings.open) {
      const key = await authorize(headers.authorization, options);
      seen.keyId = key.id;
      const told = (await options.rateLimits?.take(key.id)) ?? {};
      // Not among the others: a refusal tells them, too.
      for (const name of Object.keys(told)) outgoing.setHeader(name, told[name] ?? '');
    }
    checkType(headers['content-type']);
    checkEncoding(headers['content-encoding']);
    const request = known.read(await readBody(incoming, limits), (body) => {
      seen.body = body;
    });
    seen.dataset = request.dataset.id;
    const asking = {
      known: headers['if-none-match'],
      isWanted: () => !outgoing.destroyed,
      onGone: (tell: () => void) => void outgoing.once('close', tell),
    };
    const { version, etag, page } = await queries.run(request, asking);
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
    outgoing.writeHead(200, sent).end(bytes, () => takeBackFrame(page));
  };
}

/** Hashes and compares whatever is presented: an answer's time tells nothing of how near a wrong key came. */
async function authorize(authorization: string | undefined, { keys, keyUses }: QueryRouteOptions): Promise<StoredKey> {
  const [, presented] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const key = keyOf(await keys(), presented ?? '');
  if (key !== undefined) {
    keyUses.note(key.id);
    return key;
  }
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
