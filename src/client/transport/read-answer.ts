import { endsEarly } from './ends-early.js';
import { failureText, isFailure } from './failure-text.js';
import type { KeyHider } from './hide-key.js';
import { isPassing, isPassingFault } from './retry.js';
import type { Sent } from './send-once.js';
import { toUtf8 } from './to-utf8.js';
import { codingsOf, unpack } from './unpack.js';
import { wireFailure } from './wire-failure.js';

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
export interface Asked {
  readonly url: URL;
  readonly maxAnswerBytes: number;
  readonly hide: KeyHider;
  /** Whether there may be a proxy in between. */
  readonly proxied: boolean;
}

/** Reads the whole answer of a try as UTF-8, or says why there is none. */
export async function readAnswer(sent: Sent, asked: Asked): Promise<{ body: Buffer } | Failure> {
  const { status, headers } = sent;
  // A refusal counts by its status, even if its text broke off.
  if (status !== undefined && (status < 200 || status >= 300)) return refusal(status, await textOf(sent), sent, asked);
  if (sent.tooLarge) return tooLarge(asked);
  if (status === undefined || 'fault' in sent) return brokenOff(sent, asked);
  let bytes = sent.bytes;
  const coding = headers['content-encoding'] === undefined ? '' : codingsOf(headers['content-encoding']).join(', ');
  try {
    if (coding !== '') bytes = await unpack(bytes, coding, asked.maxAnswerBytes);
  } catch (cause) {
    return damaged(coding, cause, asked);
  }
  const body = toUtf8(bytes, headers['content-type']);
  if (!body) return unreadable(headers['content-type'], asked);
  if (endsEarly(body)) return cut(body.length, asked);
  return isFailure(body) ? refusal(status, body.toString(), sent, asked) : { body };
}

function brokenOff({ status, fault }: Sent, { url, proxied, hide }: Asked): Failure {
  const { message, reason } = wireFailure(url, status, fault, proxied);
  const remedy = isPassingFault(fault) ? 'again' : 'none';
  return { message: hide.text(message), reason: hide.text(`${reason}.`), remedy, cause: hide.cause(fault) };
}

function cut(bytes: number, { url }: Asked): Failure {
  const reason = `it ends within its JSON, after ${bytes.toLocaleString('en-US')} bytes`;
  return {
    message: `The query service broke off its answer (POST ${url.href}): ${reason}.`,
    reason: `the answer was broken off: ${reason}.`,
    remedy: 'again',
  };
}

function refusal(status: number, body: string, { headers }: Sent, { url, hide }: Asked): Failure {
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return redirect(status, headers.location, url, hide);
  }
  const reason = hide.text(failureText(status, hide.text(body)));
  const message = `The query service refused the request (POST ${url.href}): ${reason}`;
  return { message, reason, remedy: isPassing(status) ? 'again' : 'none' };
}

/**
 * The failure of a redirect. It is never followed, since the API key is meant only for the host that the user named.
 */
function redirect(status: number, location: string, url: URL, hide: KeyHider): Failure {
  const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  const place = target?.origin === url.origin ? target.origin + target.pathname : (target?.origin ?? 'nowhere');
  const reason = `${status} redirects to ${hide.text(place)}.`;
  const advice =
    'Redirects are not followed, since they would carry the API key along: name the right address yourself.';
  return {
    message: `The query service refused the request (POST ${url.href}): ${reason} ${advice}`,
    reason,
    remedy: 'none',
  };
}

function tooLarge({ url, maxAnswerBytes }: Asked): Failure {
  const reason = `the answer is larger than ${maxAnswerBytes.toLocaleString('en-US')} bytes (maxAnswerBytes)`;
  return {
    message: `The query service answered too much (POST ${url.href}): ${reason}. Ask for smaller pages, or allow larger answers.`,
    reason,
    remedy: 'none',
  };
}

function damaged(coding: string, cause: unknown, asked: Asked): Failure {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(asked);
  const said = cause instanceof Error ? cause.message : String(cause);
  const reason = asked.hide.text(
    `the answer says that it is compressed by ${coding}, but cannot be decompressed: ${said}`,
  );
  return {
    message: `The query service sent a damaged answer (POST ${asked.url.href}): ${reason}.`,
    reason: `${reason}.`,
    remedy: 'uncompressed',
    cause: asked.hide.cause(cause),
  };
}

function unreadable(contentType: string | undefined, { url, hide }: Asked): Failure {
  const reason = hide.text(`the answer is no text of its own content type, ${JSON.stringify(contentType ?? '')}`);
  return {
    message: `The query service sent an unreadable answer (POST ${url.href}): ${reason}. JSON is sent in UTF-8.`,
    reason,
    remedy: 'none',
  };
}

/** The text of a refusal as far as it can be read. */
async function textOf({ headers, bytes }: Sent): Promise<string> {
  const coding = codingsOf(headers['content-encoding']).join(', ');
  try {
    const plain = coding === '' ? bytes : await unpack(bytes, coding, 1_000_000);
    return (toUtf8(plain, headers['content-type']) ?? plain).toString();
  } catch {
    return '';
  }
}
