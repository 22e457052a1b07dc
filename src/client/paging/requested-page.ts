import { isUtf8 } from 'node:buffer';
import { AnswerError } from '../../base/errors.js';
import { Stop } from '../../base/stop-and-wait.js';
import { isObject } from '../../base/texts.js';
import { readNotes } from '../../contract/answer-notes.js';
import {
  ASCII,
  blankEnd,
  countFields,
  countWrittenFields,
  quotedEnd,
  repeatedField,
  valueEnd,
} from '../../frame/decode/json-ends.js';
import type { Transport } from '../transport/transport.js';
import type { AheadWindow, Page, SeriesRequest, Slots } from './page-source.js';

/** A page that arrived, and the version of its data if the service states one. */
export interface ArrivedPage {
  readonly page: Page;
  readonly dataVersion: string | undefined;
}

/** The outcome of a request. */
type Outcome = ArrivedPage | { readonly error: unknown };

/** A requested page. */
export class RequestedPage {
  readonly offset: number;
  readonly limit: number;
  /** The outcome; never rejects, since a page that was requested ahead may never be read. */
  readonly outcome: Promise<Outcome>;
  readonly #stop = new Stop();
  #settled: Outcome | undefined;

  constructor(
    { transport, slots, window, source }: PageRequester,
    { dataset, params }: SeriesRequest,
    pagination: { limit: number; offset: number },
  ) {
    const stop = this.#stop;
    this.offset = pagination.offset;
    this.limit = pagination.limit;
    const envelope = { agent_id: dataset.id, params, pagination, formatter_config: { format_type: 'raw' } };
    const post = () => {
      window.requests += 1;
      return transport.post(envelope, stop);
    };
    const read = async (): Promise<ArrivedPage> => {
      const { body, dataVersion, waitedMs } = await slots.run(post, stop);
      window.waitedMs += waitedMs;
      return { page: readPage(body, source), dataVersion };
    };
    const settle = (outcome: Outcome): Outcome => {
      this.#settled = outcome;
      return outcome;
    };
    this.outcome = read().then(settle, (error: unknown) => settle({ error }));
  }

  /** Whether it is already known that no page follows. */
  get isLast(): boolean {
    return this.#settled !== undefined && ('error' in this.#settled || !this.#settled.page.hasMore);
  }

  /** Cancels the request if it is still under way. */
  cancel(reason?: unknown): void {
    this.#stop.abort(reason);
  }
}

/** What a series needs to request its pages. */
interface PageRequester {
  readonly transport: Pick<Transport, 'post'>;
  readonly slots: Slots;
  readonly window: AheadWindow;
  readonly source: AnswerSource;
}

/** Where an answer came from, for errors. */
interface AnswerSource {
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
    ...readNotes(envelope),
  };
  if (!isObject(data)) return refuse('data', 'must be an object');
  if (!results) return refuse('data.results', `must be an array; got ${shown(data.results, source)}`);
  const first = results[blankEnd(results, 1)];
  if (first !== ASCII.openRecord && first !== ASCII.closeList) return refuse('data.results.0', 'must be an object');
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

/** An answer, split into its envelope and its records. */
interface Envelope {
  /** The answer as a JSON value, without its records. */
  readonly envelope: unknown;
  /** The unchanged text of the records; undefined if `data.results` is not an array. */
  readonly results: Uint8Array | undefined;
  /** A fault of the envelope's text that JSON.parse accepts; the text of the records is not checked. */
  readonly fault: string | undefined;
}

const AS_TEXT = new TextDecoder();
/** For text after the records, where a byte order mark is an ordinary character. */
const REST_AS_TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

/** Splits an answer into its envelope and the text of its records. @throws {SyntaxError} If the envelope is no JSON. */
function readEnvelope(body: Uint8Array): Envelope {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const { from, to } = resultsSpan(bytes) ?? { from: bytes.length, to: bytes.length };
  const [before, behind] = [bytes.subarray(0, from), bytes.subarray(to)];
  const text = AS_TEXT.decode(before) + (from < to ? `[]${REST_AS_TEXT.decode(behind)}` : '');
  const envelope: unknown = JSON.parse(text);
  const results = from < to ? bytes.subarray(from, to) : undefined;
  return { envelope, results, fault: faultOf(envelope, [before, behind], text) };
}

function faultOf(envelope: unknown, parts: readonly Buffer[], text: string): string | undefined {
  if (!parts.every((part) => isUtf8(part))) return 'must be UTF-8 text';
  const written = parts.reduce((count, part) => count + countWrittenFields(part, 0, part.length), 0);
  if (countFields(envelope) === written) return undefined;
  const name = JSON.stringify(repeatedField(Buffer.from(`[${text}]`))?.name);
  return `has the field ${name} twice; which of both values is right cannot be told`;
}

const TAIL_BYTES = 64;
const END = /\]\s*\}\s*\}\s*$/;
const MARK = Buffer.from('\ufeff');

/**
 * Finds the array of records in the text of an answer: `results` within `data`. Other members are skipped by their
 * brackets and quotation marks alone. An array that is not closed extends to the end of the text.
 */
function resultsSpan(bytes: Buffer): { from: number; to: number } | undefined {
  const start = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  const data = memberValue(bytes, blankEnd(bytes, start), 'data');
  const from = data === undefined ? undefined : memberValue(bytes, data, 'results');
  if (from === undefined || bytes[from] !== ASCII.openList) return undefined;
  return { from, to: resultsEnd(bytes, from) };
}

/** The offset of the value of the first member with a name, in the record that begins at `open`. */
function memberValue(bytes: Buffer, open: number, name: string): number | undefined {
  if (bytes[open] !== ASCII.openRecord) return undefined;
  for (let at = blankEnd(bytes, open + 1); bytes[at] === ASCII.quote; ) {
    const close = quotedEnd(bytes, at);
    const colon = blankEnd(bytes, close);
    if (bytes[colon] !== ASCII.colon) return undefined;
    const value = blankEnd(bytes, colon + 1);
    if (isName(bytes.toString('latin1', at, close), name)) return value;
    const next = blankEnd(bytes, valueEnd(bytes, value));
    if (bytes[next] !== ASCII.comma) return undefined;
    at = blankEnd(bytes, next + 1);
  }
  return undefined;
}

function isName(quoted: string, name: string): boolean {
  if (!quoted.includes('\\')) return quoted === `"${name}"`;
  try {
    return JSON.parse(quoted) === name;
  } catch {
    return false;
  }
}

/** The offset after the array of records that begins at `from`. It is mostly the last member and need not be read. */
function resultsEnd(bytes: Buffer, from: number): number {
  const end = END.exec(bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES)));
  const to = end ? bytes.length - end[0].length + 1 : 0;
  return to <= from + 1 || mayEndBefore(bytes, from + 1, to - 1) ? valueEnd(bytes, from) : to;
}

/** Whether a bracket within the records may close them, because the text after it could belong to the envelope. */
function mayEndBefore(bytes: Buffer, from: number, to: number): boolean {
  for (let at = bytes.indexOf(ASCII.closeList, from); at >= 0 && at < to; at = bytes.indexOf(ASCII.closeList, at + 1)) {
    if (/^\s*([}]|,\s*("|$)|$)/.test(bytes.toString('latin1', at + 1, Math.min(to, at + 64)))) return true;
  }
  return false;
}
