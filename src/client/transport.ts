import { Agent, request } from 'undici';
import { type QueryResponse, responseSchema } from '../contract/envelope.js';
import { AnswerError, ServiceError } from '../errors.js';
import { failureText, isFailure } from './failure-text.js';

/** One service, and how it is spoken to. */
export interface Transport {
  /** Posts one request envelope and gives the answer's envelope, records undecoded. */
  post(envelope: object): Promise<QueryResponse>;
  /** Ends the kept connections. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 60_000;
const BODY_TIMEOUT_MS = 60_000;

/**
 * Speaks HTTP with one service over kept connections.
 *
 * @param url Where queries are posted.
 * @param apiKey Sent as a bearer token, and never part of an error.
 */
export function openTransport(url: string, apiKey: string | undefined): Transport {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const about = { attempts: 1, method: 'POST', url };
  // A server may repeat what it was sent.
  const hide = (said: string) => (apiKey === undefined ? said : said.replaceAll(apiKey, '[API key]'));
  return {
    async post(envelope) {
      let status: number | undefined;
      let requestId: string | undefined;
      let text: string;
      try {
        const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(envelope), dispatcher });
        status = answer.statusCode;
        requestId = headerText(answer.headers['x-request-id']);
        text = await answer.body.text();
      } catch (cause) {
        throw new ServiceError(wireFailure(url, status, cause), about, { cause });
      }
      const details = { ...about, status, ...(requestId === undefined ? {} : { requestId }) };
      if (status >= 200 && status < 300 && !isFailure(text)) return readEnvelope(url, text, hide);
      throw new ServiceError(
        `The query service refused the request (POST ${url}): ${failureText(status, hide(text))}`,
        details,
      );
    },
    close: () => dispatcher.close(),
  };
}

function wireFailure(url: string, status: number | undefined, cause: unknown): string {
  if (status !== undefined) return `The query service broke off its answer (POST ${url}): ${reasonOf(cause)}.`;
  const remedy = 'Check the address (ODDSLAB_URL), or start a service with "oddslab serve".';
  return `The query service could not be reached (POST ${url}): ${reasonOf(cause)}. ${remedy}`;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** What went wrong on the wire; a refused connection carries its reason one level down. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((inner) => reasonOf(inner)).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

function readEnvelope(url: string, text: string, hide: (said: string) => string): QueryResponse {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const begins = JSON.stringify(hide(text).slice(0, 60));
    // The parser quotes the text, and with it a key that the server repeated.
    throw new AnswerError(`The answer of POST ${url} is not JSON; it begins ${begins}.`, {
      cause: hide(text) === text ? cause : undefined,
    });
  }
  const read = responseSchema.safeParse(json);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new AnswerError(
    `The answer of POST ${url} is no response envelope: ${issue?.path.join('.') || 'the body'}: ${issue?.message}.`,
    { cause: read.error },
  );
}
