import { AnswerError } from '../../errors.js';
import type { Page } from './page-source.js';
import { arrayEnd } from './record-count.js';

/** What the errors of an answer tell of it. */
export interface AnswerSource {
  readonly url: string;
  /** Takes out of a text what must not be told: a server may repeat the API key that it was sent. */
  readonly hide: (text: string) => string;
}

/** Within these bytes our fast reading looks for where the records begin, first in few: most heads are short. */
const HEAD_BYTES = [1024, 65_536];
const TAIL_BYTES = 64;
const BEGIN = /"data"\s*:\s*\{\s*"results"\s*:\s*\[/;
const END = /\]\s*\}\s*\}\s*$/;
const CLOSING = 0x5d;

/**
 * Reads one answer as a page. The text of its records is handed on as it is, neither parsed nor copied, wherever it
 * can be told from the envelope around it.
 *
 * @throws {AnswerError} If it is not JSON, or no response envelope: says where and why.
 */
export function readPage(body: Uint8Array, source: AnswerSource): Page {
  const split = splitEnvelope(body);
  const envelope = split?.envelope ?? parse(body, source);
  const refuse = (path: string, reason: string): never => {
    throw new AnswerError(`The answer of POST ${source.url} is no response envelope: ${path}: ${reason}.`);
  };
  if (!isObject(envelope)) return refuse('the body', 'must be an object');
  const { pagination, data } = envelope;
  if (!isObject(pagination)) return refuse('pagination', 'must be an object');
  const whole = (name: 'limit' | 'offset') =>
    wholeNumber(pagination[name]) ??
    refuse(`pagination.${name}`, `must be a whole number of 0 or more; got ${shown(pagination[name], source)}`);
  const { has_more, total } = pagination;
  const page = {
    limit: whole('limit'),
    offset: whole('offset'),
    hasMore: truth(has_more) ?? refuse('pagination.has_more', `must be true or false; got ${shown(has_more, source)}`),
    ...(wholeNumber(total) === undefined ? {} : { total: wholeNumber(total) as number }),
  };
  if (!isObject(data)) return refuse('data', 'must be an object');
  if (!Array.isArray(data.results))
    return refuse('data.results', `must be an array; got ${shown(data.results, source)}`);
  const results = split?.results ?? Buffer.from(JSON.stringify(data.results));
  const first = firstByte(results);
  if (first !== '{' && first !== ']') return refuse('data.results.0', 'must be an object');
  return { ...page, results };
}

/**
 * The envelope with its records taken out, and their text; undefined where they cannot be told apart for certain
 * without parsing them.
 */
function splitEnvelope(body: Uint8Array): { envelope: unknown; results: Uint8Array } | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const from = resultsBegin(bytes);
  if (from === undefined) return undefined;
  const to = resultsEnd(bytes, from);
  if (to === undefined) return undefined;
  try {
    const envelope = JSON.parse(`${decoded(bytes.subarray(0, from))}[]${decoded(bytes.subarray(to))}`);
    const { results } = envelope.data;
    return Array.isArray(results) && results.length === 0 ? { envelope, results: bytes.subarray(from, to) } : undefined;
  } catch {
    return undefined;
  }
}

/** The place where the array of records seems to begin. */
function resultsBegin(bytes: Buffer): number | undefined {
  for (const length of HEAD_BYTES) {
    // One character a byte, so that places in the text are places in the bytes.
    const begin = BEGIN.exec(bytes.toString('latin1', 0, length));
    if (begin) return begin.index + begin[0].length - 1;
  }
  return undefined;
}

/** The place behind the array of records that begins at `from`. */
function resultsEnd(bytes: Buffer, from: number): number | undefined {
  const end = END.exec(bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES)));
  const to = end ? bytes.length - end[0].length + 1 : 0;
  return to <= from + 1 || mayEndBefore(bytes, from + 1, to - 1) ? arrayEnd(bytes, from) : to;
}

/** Whether a bracket within the records may be the one that closes them: what follows could go on with the envelope. */
function mayEndBefore(bytes: Buffer, from: number, to: number): boolean {
  for (let at = bytes.indexOf(CLOSING, from); at >= 0 && at < to; at = bytes.indexOf(CLOSING, at + 1)) {
    if (/^\s*([}]|,\s*("|$)|$)/.test(bytes.toString('latin1', at + 1, Math.min(to, at + 64)))) return true;
  }
  return false;
}

function parse(body: Uint8Array, { url, hide }: AnswerSource): unknown {
  const text = decoded(body);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const said = hide(text);
    // The parser quotes the text, and with it a key that the server repeated.
    const known = said === text ? { cause } : undefined;
    throw new AnswerError(
      `The answer of POST ${url} is not JSON; it begins ${JSON.stringify(said.slice(0, 60))}.`,
      known,
    );
  }
}

const decoder = new TextDecoder();

function decoded(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A count as JSON number or as text, as some servers send all their values. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function truth(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function shown(value: unknown, { hide }: AnswerSource): string {
  const text = hide(JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The first character within the brackets that is no white space. */
function firstByte(results: Uint8Array): string {
  let at = 1;
  while (at < results.length && (results[at] ?? 0) <= 0x20) at += 1;
  return String.fromCharCode(results[at] ?? 0);
}
