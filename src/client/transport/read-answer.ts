import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../../base/errors.js';
import { codingsOf, unpack } from '../../base/http-pool.js';
import { isPassing, isPassingFault } from '../../base/stop-and-wait.js';
import { systemErrorCode } from '../../base/whole-file.js';
import { blankEnd, valueEnd } from '../../frame/decode/json-ends.js';
import { failureText, isFailure, type KeyHider, wireFailure } from './server-text.js';

/** Why a try brought no answer. Its texts do not hold the API key. */
export interface Failure {
  /** Message of the error. */
  readonly message: string;
  /** Reason in a few words. */
  readonly reason: string;
  /** What may help: the same request again, the same without compression, or nothing. */
  readonly remedy: 'again' | 'uncompressed' | 'none';
  readonly cause?: unknown;
}

/** The request whose answer is read. */
interface AnswerContext {
  readonly url: URL;
  readonly maxAnswerBytes: number;
  readonly hide: KeyHider;
  /** Whether there may be a proxy in between. */
  readonly proxied: boolean;
}

/** Reads the whole answer of a try as UTF-8, or says why there is none. */
export async function readAnswer(sent: Sent, asked: AnswerContext): Promise<{ body: Buffer } | Failure> {
  const { status, headers } = sent;
  // A refusal counts by its status, even if its text broke off.
  if (status !== undefined && (status < 200 || status >= 300)) return refusal(status, await textOf(sent), sent, asked);
  if (sent.tooLarge) return tooLarge(asked);
  if (status === undefined || 'fault' in sent) return brokenOff(sent, asked);
  const coding = codingsOf(headers).join(', ');
  let bytes: Buffer;
  try {
    bytes = await unpack(sent, asked.maxAnswerBytes);
  } catch (cause) {
    return damaged(coding, cause, asked);
  }
  const body = toUtf8(bytes, headers['content-type']);
  if (!body) return unreadable(headers['content-type'], asked);
  if (endsEarly(body)) return cut(body.length, asked);
  return isFailure(body) ? refusal(status, body.toString(), sent, asked) : { body };
}

function brokenOff({ status, fault }: Sent, { url, proxied, hide }: AnswerContext): Failure {
  const { message, reason } = wireFailure(url, status, fault, proxied);
  const remedy = isPassingFault(fault) ? 'again' : 'none';
  return { message: hide.text(message), reason: hide.text(`${reason}.`), remedy, cause: hide.cause(fault) };
}

/** Says what the service did and why that is no answer. */
function failure({ url }: AnswerContext, did: string, reason: string, remedy: Failure['remedy'], advice = ''): Failure {
  return { message: `The query service ${did} (POST ${url.href}): ${reason}${advice}`, reason, remedy };
}

function cut(bytes: number, asked: AnswerContext): Failure {
  const reason = `it ends within its JSON, after ${bytes.toLocaleString('en-US')} bytes.`;
  const told = failure(asked, 'broke off its answer', reason, 'again');
  return { ...told, reason: `the answer was broken off: ${reason}` };
}

function refusal(status: number, body: string, { headers }: Sent, asked: AnswerContext): Failure {
  if (status >= 300 && status < 400 && headers.location !== undefined) return redirect(status, headers.location, asked);
  const reason = asked.hide.text(failureText(status, asked.hide.text(body)));
  return failure(asked, 'refused the request', reason, isPassing(status) ? 'again' : 'none');
}

/**
 * The failure of a redirect. It is never followed, since the API key is meant only for the host that the user named.
 */
function redirect(status: number, location: string, asked: AnswerContext): Failure {
  const { url, hide } = asked;
  const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  const place = target?.origin === url.origin ? target.origin + target.pathname : (target?.origin ?? 'nowhere');
  const advice =
    ' Redirects are not followed, since they would carry the API key along: name the right address yourself.';
  return failure(asked, 'refused the request', `${status} redirects to ${hide.text(place)}.`, 'none', advice);
}

function tooLarge(asked: AnswerContext): Failure {
  const reason = `the answer is larger than ${asked.maxAnswerBytes.toLocaleString('en-US')} bytes (maxAnswerBytes).`;
  return failure(asked, 'answered too much', reason, 'none', ' Ask for smaller pages, or allow larger answers.');
}

function damaged(coding: string, cause: unknown, asked: AnswerContext): Failure {
  if (systemErrorCode(cause) === 'ERR_BUFFER_TOO_LARGE') return tooLarge(asked);
  const reason = `the answer says that it is compressed by ${coding}, but cannot be decompressed: ${messageOf(cause)}.`;
  const told = failure(asked, 'sent a damaged answer', asked.hide.text(reason), 'uncompressed');
  return { ...told, cause: asked.hide.cause(cause) };
}

function unreadable(contentType = '', asked: AnswerContext): Failure {
  const reason = `the answer is no text of its own content type, ${JSON.stringify(contentType)}.`;
  return failure(asked, 'sent an unreadable answer', asked.hide.text(reason), 'none', ' JSON is sent in UTF-8.');
}

/** The text of a refusal as far as it can be read. */
async function textOf(sent: Sent): Promise<string> {
  try {
    const plain = await unpack(sent, 1_000_000);
    return (toUtf8(plain, sent.headers['content-type']) ?? plain).toString();
  } catch {
    return '';
  }
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The bytes of a text in UTF-8 without a byte order mark. UTF-8, which JSON must be, stays as it is; other text is
 * converted from UTF-16 or from the charset that the content type names.
 *
 * @returns Undefined if the charset is unknown or the bytes do not match it.
 */
function toUtf8(bytes: Buffer, contentType: string | undefined): Buffer | undefined {
  const wide = wideCharset(bytes);
  if (wide !== undefined) return translate(bytes, wide);
  if (bytes[0] === BOM[0] && bytes.subarray(0, 3).equals(BOM)) return bytes.subarray(3);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  // Broken UTF-8 is found by the reader. If another charset is named, bytes that are valid UTF-8 are most likely UTF-8.
  if (/^(utf-?8|us-ascii|ascii)$/.test(charset) || isAscii(bytes) || isUtf8(bytes)) return bytes;
  return translate(bytes, charset);
}

/** Recognizes UTF-16 by its byte order mark, or by a zero byte beside the first character, which JSON never has. */
function wideCharset(bytes: Buffer): string | undefined {
  const [first = 1, second = 1] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : undefined;
}

function translate(bytes: Buffer, charset: string): Buffer | undefined {
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const OPEN = '{'.charCodeAt(0);
const CLOSE = Buffer.from('}');
const TAIL_BYTES = 64;

/**
 * Whether an answer is only the beginning of a JSON object, because it was cut and its length was not known: its
 * brackets and quotation marks do not close. Two brackets that close at its end are taken for those of an envelope.
 */
export function endsEarly(body: Buffer): boolean {
  const start = blankEnd(body, 0);
  if (body[start] !== OPEN) return false;
  if (/\}\s*\}\s*$/.test(body.toString('latin1', Math.max(start, body.length - TAIL_BYTES)))) return false;
  // With one more bracket appended, a whole object ends before it, and a cut one includes it.
  const longer = Buffer.concat([body, CLOSE]);
  return valueEnd(longer, start) === longer.length;
}

/** The result of one try. */
export interface Sent {
  /** Status; absent if no answer began. */
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes received, perhaps compressed; if the answer broke off or grew too large, those until then. */
  readonly bytes: Buffer;
  /** The fault that ended the try. */
  readonly fault?: unknown;
  /** Whether reading was stopped because the answer is larger than allowed. */
  readonly tooLarge?: boolean;
}
