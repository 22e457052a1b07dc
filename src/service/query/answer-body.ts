import { isoOfSeconds } from '../../contract/time.js';
import { compressed } from '../operation/compress.js';
import type { Page } from '../store/page.js';
import { ROOM_BEFORE } from '../store/page-frames.js';
import type { QueryRequest } from './read-request.js';

/** An answer as it is sent. */
export interface AnswerBody {
  readonly bytes: Uint8Array;
  /** Its `Content-Encoding`; undefined if it is not compressed. */
  readonly encoding: string | undefined;
}

/** The last answer made from a page, and its compressed forms by `Accept-Encoding` header. */
interface Made {
  readonly head: string;
  readonly plain: Buffer;
  readonly encoded: Map<string, Promise<AnswerBody>>;
}

/** The last answer of each page. Its timestamp is in whole seconds: within one, the page gives the very same bytes. */
const made = new WeakMap<Page, Made>();

/** How many headers' forms are kept: clients can spell `Accept-Encoding` in any number of ways. */
const MOST_ENCODED = 4;

/**
 * Makes the answer: the envelope around a page.
 *
 * @param accepted The `Accept-Encoding` header; undefined gives the answer uncompressed, and at once.
 */
export function answerBody(
  request: QueryRequest,
  page: Page,
  accepted: string | undefined,
): AnswerBody | Promise<AnswerBody> {
  const head = headOf(request, page);
  if (accepted === undefined && page.frame) {
    const bytes = inFrame(head, page);
    if (bytes) return { bytes, encoding: undefined };
  }
  let known = made.get(page);
  if (known?.head !== head) {
    const plain = Buffer.concat([Buffer.from(head), page.results, CLOSE]);
    known = { head, plain, encoded: new Map() };
    made.set(page, known);
  }
  const { plain, encoded } = known;
  if (accepted === undefined) return { bytes: plain, encoding: undefined };
  const ready = encoded.get(accepted);
  if (ready) return ready;
  const making = compressed(plain, accepted).then((done) => done ?? { bytes: plain, encoding: undefined });
  if (encoded.size < MOST_ENCODED) encoded.set(accepted, making);
  return making;
}

const CLOSE = Buffer.from('}}');

/** Writes the answer around the records in the page's own frame; undefined if there is no room for it. */
function inFrame(head: string, { results, frame }: Page): Buffer | undefined {
  const start = ROOM_BEFORE - Buffer.byteLength(head);
  if (!frame || start < 0) return undefined;
  const end = ROOM_BEFORE + results.length;
  frame.write(head, start);
  frame.set(CLOSE, end);
  return frame.subarray(start, end + CLOSE.length);
}

let second = 0;
let moment = '';

function headOf({ echoed, pagination: { limit, offset } }: QueryRequest, { has_more }: Page): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) moment = isoOfSeconds(now);
  second = now;
  return (
    `{"timestamp":"${moment}","params":${echoed},` +
    `"pagination":{"limit":${limit},"offset":${offset},"has_more":${has_more}},"data":{"results":`
  );
}
