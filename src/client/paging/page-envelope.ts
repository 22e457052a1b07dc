import { AnswerError } from '../../base/errors.js';
import type { Page } from './page-source.js';
import { type Envelope, readEnvelope } from './read-envelope.js';

/** Where an answer came from, for errors. */
export interface AnswerSource {
  readonly url: string;
  /** Removes the API key from a text, since a server may repeat it. */
  readonly hide: (text: string) => string;
}

/**
 * Reads an answer as a page. The text of its records is passed on, neither parsed nor copied.
 *
 * @throws {AnswerError} If it is not JSON, not a response envelope, or repeats a member; the message says where and
 * why.
 */
export function readPage(body: Uint8Array, source: AnswerSource): Page {
  const refuse = (path: string, reason: string): never => {
    throw new AnswerError(`The answer of POST ${source.url} is no response envelope: ${path}: ${reason}.`);
  };
  const { envelope, results, fault } = parse(body, source);
  if (fault) return refuse('the body', source.hide(fault));
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
  if (!results) return refuse('data.results', `must be an array; got ${shown(data.results, source)}`);
  const first = firstByte(results);
  if (first !== '{' && first !== ']') return refuse('data.results.0', 'must be an object');
  return { ...page, results };
}

function parse(body: Uint8Array, { url, hide }: AnswerSource): Envelope {
  try {
    return readEnvelope(body);
  } catch (cause) {
    const text = new TextDecoder().decode(body);
    const said = hide(text);
    // The parser's error quotes the text, which may hold a key that the server repeated.
    const known = said === text ? { cause } : undefined;
    throw new AnswerError(
      `The answer of POST ${url} is not JSON; it begins ${JSON.stringify(said.slice(0, 60))}.`,
      known,
    );
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A count, as a JSON number or as text: some servers send all values as text. */
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

/** The first character within the brackets that is not white space. */
function firstByte(results: Uint8Array): string {
  let at = 1;
  while (at < results.length && (results[at] ?? 0) <= 0x20) at += 1;
  return String.fromCharCode(results[at] ?? 0);
}
