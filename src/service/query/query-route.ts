import { DATA_VERSION_HEADER } from '../../contract/envelope.js';
import { isoOfSeconds } from '../../contract/time.js';
import type { StoredKey } from '../accounts/api-keys.js';
import { clientNetwork } from '../http/hosts.js';
import { compressed } from '../http/negotiation.js';
import { ProblemError } from '../http/problems.js';
import type { QueryRoute } from '../http/query-endpoint.js';
import { parseJsonBody } from '../http/request-body.js';
import type { Admission } from '../operation/admission.js';
import type { QueryRateLimits } from '../operation/token-buckets.js';
import type { Settings } from '../settings/settings.js';
import { type RecordPage, ROOM_BEFORE, takeBackFrame } from '../store/store.js';
import { countMade } from './answer.js';
import type { Queries } from './queries.js';
import { type QueryRequest, readRequest } from './read-request.js';

/** What the query endpoint runs on. */
export interface QueryRouteOptions {
  readonly settings: Settings;
  readonly queries: Queries;
  readonly admission: Pick<Admission, 'admit'>;
  readonly rateLimits: Pick<QueryRateLimits, 'take'>;
}

/** Makes the query endpoint over the served data. */
export function queryRoute({ settings, queries, admission, rateLimits }: QueryRouteOptions): QueryRoute {
  return {
    admit(headers, seen) {
      const check = (told: Readonly<Record<string, string>> = {}): undefined => {
        Object.assign(seen.told, told);
        checkType(headers['content-type']);
        checkEncoding(headers['content-encoding']);
      };
      if (settings.open) return check();
      const take = (key: StoredKey) => rateLimits.take(key, clientNetwork(seen.client ?? '') ?? 'unknown');
      const key = admission.admit(headers.authorization, seen);
      const told = key instanceof Promise ? key.then(take) : take(key);
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
      const common = headersOf(version, etag, seen.told.Vary);
      if (!page) return { status: 304, headers: common, bytes: undefined, sent: undefined };
      const sent = page.frame && (() => takeBackFrame(page));
      const { bytes, encoding } = await answerBody(request, page, accepted);
      const coding = encoding === undefined ? undefined : { 'Content-Encoding': encoding };
      const own = { 'Content-Type': 'application/json', ...coding, 'Content-Length': bytes.length };
      return { status: 200, headers: { ...common, ...own }, bytes, sent };
    },
  };
}

/** The headers of every answer to a query. @param vary What else than the encoding the answer depends on. */
function headersOf(version: string, etag: string, vary: string | undefined): Record<string, string> {
  const varies = vary === undefined ? 'Accept-Encoding' : `Accept-Encoding, ${vary}`;
  return { ETag: etag, [DATA_VERSION_HEADER]: version, 'Cache-Control': 'private, no-cache', Vary: varies };
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
  /** What all of these take. */
  bytes: number;
}

/** The last answer of each page. Its timestamp is in whole seconds: within one, the page gives the very same bytes. */
const madeAnswers = new WeakMap<RecordPage, MadeAnswer>();

/** How many headers' forms are kept: clients can spell `Accept-Encoding` in any number of ways. */
const MOST_ENCODED = 4;

/** The longest such header that is kept: a client can send one of thousands of letters. */
const LONGEST_KEPT = 256;

/** What a form costs besides its bytes and its header. */
const FORM_BYTES = 256;

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
    known = { head, plain, encoded: new Map(), bytes: plain.length + 2 * head.length + FORM_BYTES };
    madeAnswers.set(page, known);
    countMade(page, known.bytes);
  }
  const { plain, encoded } = known;
  if (accepted === undefined) return { bytes: plain, encoding: undefined };
  const ready = encoded.get(accepted);
  if (ready) return ready;
  const making = compressed(plain, accepted).then((done) => done ?? { bytes: plain, encoding: undefined });
  if (encoded.size >= MOST_ENCODED || accepted.length > LONGEST_KEPT) return making;
  encoded.set(accepted, making);
  const made = await making;
  known.bytes += made.bytes === plain ? FORM_BYTES : made.bytes.length + FORM_BYTES;
  known.bytes += 2 * accepted.length;
  // Meanwhile another answer may have taken its place.
  if (madeAnswers.get(page) === known) countMade(page, known.bytes);
  return made;
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
  { has_more, completeness, window, unknown }: RecordPage,
): string {
  const moment = isoOfSeconds(Math.floor(Date.now() / 1000));
  return (
    `{"timestamp":"${moment}","params":${echoed},` +
    `"pagination":{"limit":${limit},"offset":${offset},"has_more":${has_more}},` +
    `${window === undefined ? '' : `"window":${window},`}` +
    `${completeness === undefined ? '' : `"completeness":${completeness},`}` +
    `${unknown === undefined ? '' : `"unknown":${unknown},`}"data":{"results":`
  );
}
