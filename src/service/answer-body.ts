import { isoOfSeconds } from '../contract/time.js';
import { compressed } from './operation/compress.js';
import type { QueryRequest } from './read-request.js';
import type { Page } from './store/page.js';

/** An answer as it is sent. */
export interface AnswerBody {
  readonly bytes: Uint8Array;
  /** Its `Content-Encoding`; undefined where it is sent as it is. */
  readonly encoding: string | undefined;
}

/** A page's answer as it was made last, and its compressed forms by what clients took. */
interface Made {
  readonly head: string;
  readonly plain: Buffer;
  readonly encoded: Map<string, Promise<AnswerBody>>;
}

/** Their moment is told to the second: the same query within a second gives the very same bytes. */
const made = new WeakMap<Page, Made>();

/** A client may write its header in endless ways; nobody has to keep them all. */
const MOST_ENCODED = 4;

/**
 * The answer envelope around a page.
 *
 * @param accepted The `Accept-Encoding` header; undefined sends the answer as it is.
 */
export async function answerBody(
  { echo, pagination }: QueryRequest,
  page: Page,
  accepted: string | undefined,
): Promise<AnswerBody> {
  const head = headOf(echo, pagination, page);
  let known = made.get(page);
  if (known?.head !== head) {
    const plain = Buffer.concat([Buffer.from(`${head.slice(0, -1)},"data":{"results":`), page.results, CLOSE]);
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

function headOf(echo: QueryRequest['echo'], pagination: QueryRequest['pagination'], { has_more }: Page): string {
  return JSON.stringify({
    timestamp: isoOfSeconds(Date.now() / 1000),
    params: echo,
    pagination: { ...pagination, has_more },
  });
}
