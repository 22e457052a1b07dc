import type { Context } from 'hono';
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

/** What the query endpoint runs on. */
export interface QueryRouteOptions {
  readonly settings: Settings;
  readonly queries: Queries;
  readonly keys: () => Promise<readonly StoredKey[]>;
  readonly keyUses: KeyUses;
  /** Undefined where queries are not counted. */
  readonly rateLimits: RateLimits | undefined;
}

/** The handler of the query endpoint, on both of its paths. */
export function queryRoute(options: QueryRouteOptions): (context: Context<ServiceEnv>) => Promise<Response> {
  const { settings, queries } = options;
  const known = new KnownRequests();
  const limits = { maxBytes: settings.maxBodyBytes, timeMs: settings.bodySeconds * 1000 };
  return async ({ env: { incoming, outgoing, seen } }) => {
    const { headers } = incoming;
    if (incoming.method !== 'POST') {
      throw new ProblemError(405, 'Queries are sent by POST.', { headers: { Allow: 'POST' } });
    }
    if (!settings.open) {
      const key = await authorize(headers.authorization, options);
      seen.keyId = key.id;
      const told = options.rateLimits?.take(key.id) ?? {};
      for (const name of Object.keys(told)) outgoing.setHeader(name, told[name] ?? '');
    }
    checkType(headers['content-type']);
    const request = known.read(await readBody(incoming, limits), (body) => {
      seen.body = body;
    });
    seen.dataset = request.dataset.id;
    const asking = { known: headers['if-none-match'], isWanted: () => !outgoing.destroyed };
    const { version, etag, page } = await queries.run(request, asking);
    const named = { ETag: etag, [DATA_VERSION_HEADER]: version, 'Cache-Control': 'private, no-cache', ...VARY };
    if (!page) return new Response(null, { status: 304, headers: named });
    const accepted = settings.compress ? String(headers['accept-encoding'] ?? '') || undefined : undefined;
    const { bytes, encoding } = await answerBody(request, page, accepted);
    const type = { 'Content-Type': 'application/json', ...(encoding ? { 'Content-Encoding': encoding } : {}) };
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { ...type, ...named } });
  };
}

const VARY = { Vary: 'Accept-Encoding' };

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
