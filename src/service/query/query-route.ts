import { DATA_VERSION_HEADER } from '../../contract/envelope.js';
import { isoOfSeconds } from '../../contract/time.js';
import type { StoredKey } from '../accounts/api-keys.js';
import type { KeyUses } from '../accounts/key-uses.js';
import { keyOf, type Watched } from '../accounts/known-keys.js';
import { bearerOf, compressed } from '../http/negotiation.js';
import { ProblemError } from '../http/problems.js';
import type { QueryRoute } from '../http/query-endpoint.js';
import { parseJsonBody } from '../http/request-body.js';
import type { RequestNotes } from '../http/request-record.js';
import type { QueryRateLimit } from '../operation/token-buckets.js';
import type { Settings } from '../settings/settings.js';
import { type RecordPage, ROOM_BEFORE, takeBackFrame } from '../store/store.js';
import type { Queries } from './queries.js';
import { type QueryRequest, readRequest } from './read-request.js';

/** What the query endpoint runs on. */
export interface QueryRouteOptions {
  readonly settings: Settings;
  readonly queries: Queries;
  readonly keys: Pick<Watched<readonly StoredKey[]>, 'now' | 'get'>;
  readonly keyUses: KeyUses;
  /** Undefined if queries are not limited. */
  readonly rateLimits: QueryRateLimit | undefined;
}

/** Makes the query endpoint over the served data. */
export function queryRoute({ settings, queries, keys, keyUses, rateLimits }: QueryRouteOptions): QueryRoute {
  const admitKey = (authorization: string | undefined, seen: RequestNotes, known: readonly StoredKey[]) => {
    const { id } = authorize(authorization, known);
    keyUses.note(id);
    seen.keyId = id;
    return rateLimits?.take(id);
  };
  return {
    admit(headers, seen) {
      const check = (told: Readonly<Record<string, string>> = {}): undefined => {
        Object.assign(seen.told, told);
        checkType(headers['content-type']);
        checkEncoding(headers['content-encoding']);
      };
      if (settings.open) return check();
      const known = keys.now();
      const admit = (read: readonly StoredKey[]) => admitKey(headers.authorization, seen, read);
      const told = known ? admit(known) : keys.get().then(admit);
      return told instanceof Promise ? told.then(check) : check(told);
    },
    async answer(body, headers, seen, waiting) {
      seen.body = parseJsonBody(body);
      const request = readRequest(seen.body);
      seen.dataset = request.dataset.id;
      const known = headers['if-none-match'];
      const accepted = settings.compress ? String(headers['accept-encoding'] ?? '') || undefined : undefined;
      const result = queries.runNow(request, known) ?? (await queries.run(request, { known, ...waiting }));
      const { version, etag, page } = result;
      if (!page) return { status: 304, headers: headersOf(version, etag), bytes: undefined, sent: undefined };
      const sent = page.frame && (() => takeBackFrame(page));
      const { bytes, encoding } = await answerBody(request, page, accepted);
      const coding = encoding === undefined ? undefined : { 'Content-Encoding': encoding };
      const own = { 'Content-Type': 'application/json', ...coding, 'Content-Length': bytes.length };
      return { status: 200, headers: { ...headersOf(version, etag), ...own }, bytes, sent };
    },
  };
}

/** The headers of every answer to a query. */
function headersOf(version: string, etag: string): Record<string, string> {
  const fixed = { 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' };
  return { ETag: etag, [DATA_VERSION_HEADER]: version, ...fixed };
}

/** Finds the key. Whatever is presented is hashed, so that the time taken reveals nothing about a wrong key. */
function authorize(authorization: string | undefined, keys: readonly StoredKey[]): StoredKey {
  const presented = bearerOf(authorization);
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

/** An answer as it is sent. */
interface AnswerBody {
  readonly bytes: Uint8Array;
  /** Its `Content-Encoding`; undefined if it is not compressed. */
  readonly encoding: string | undefined;
}

/** The last answer made from a page, and its compressed forms by `Accept-Encoding` header. */
interface MadeAnswer {
  readonly head: string;
  readonly plain: Buffer;
  readonly encoded: Map<string, Promise<AnswerBody>>;
}

/** The last answer of each page. Its timestamp is in whole seconds: within one, the page gives the very same bytes. */
const madeAnswers = new WeakMap<RecordPage, MadeAnswer>();

/** How many headers' forms are kept: clients can spell `Accept-Encoding` in any number of ways. */
const MOST_ENCODED = 4;

/**
 * Makes the answer: the envelope around a page.
 *
 * @param accepted The `Accept-Encoding` header; undefined gives the answer uncompressed.
 */
export async function answerBody(
  request: QueryRequest,
  page: RecordPage,
  accepted: string | undefined,
): Promise<AnswerBody> {
  const head = envelopeHead(request, page);
  if (accepted === undefined && page.frame) {
    const bytes = inFrame(head, page);
    if (bytes) return { bytes, encoding: undefined };
  }
  let known = madeAnswers.get(page);
  if (known?.head !== head) {
    const plain = Buffer.concat([Buffer.from(head), page.results, ENVELOPE_END]);
    known = { head, plain, encoded: new Map() };
    madeAnswers.set(page, known);
  }
  const { plain, encoded } = known;
  if (accepted === undefined) return { bytes: plain, encoding: undefined };
  const ready = encoded.get(accepted);
  if (ready) return ready;
  const making = compressed(plain, accepted).then((done) => done ?? { bytes: plain, encoding: undefined });
  if (encoded.size < MOST_ENCODED) encoded.set(accepted, making);
  return making;
}

const ENVELOPE_END = Buffer.from('}}');

/** Writes the answer around the records in the page's own frame; undefined if there is no room for it. */
function inFrame(head: string, { results, frame }: RecordPage): Buffer | undefined {
  const start = ROOM_BEFORE - Buffer.byteLength(head);
  if (!frame || start < 0) return undefined;
  const end = ROOM_BEFORE + results.length;
  frame.write(head, start);
  frame.set(ENVELOPE_END, end);
  return frame.subarray(start, end + ENVELOPE_END.length);
}

function envelopeHead(
  { echoed, pagination: { limit, offset } }: QueryRequest,
  { has_more, completeness }: RecordPage,
): string {
  const moment = isoOfSeconds(Math.floor(Date.now() / 1000));
  return (
    `{"timestamp":"${moment}","params":${echoed},` +
    `"pagination":{"limit":${limit},"offset":${offset},"has_more":${has_more}},` +
    `${completeness === undefined ? '' : `"completeness":${completeness},`}"data":{"results":`
  );
}
