import type { IncomingHttpHeaders } from 'node:http';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { type Asked, QUERY_HEADERS } from '../query/query-route.js';

/** The head of a plain request. */
export interface PlainHead extends Asked {
  /** All of it, up to the body, as latin1. */
  readonly text: string;
  readonly path: string;
  /** The headers that the service looks at, by their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly bodyLength: number;
}

/** A POST that no two parsers could read differently: printable ASCII, lines that end in CR LF. */
const HEAD = /^POST (\/[\w/]+) HTTP\/1\.1\r\n((?:[\w-]+:[\x20-\x7e]*\r\n){1,100})\r\n$/;

/** Headers that change where a request ends, what its connection is for, or who answers. */
const ODD: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  'proxy-connection',
  'http2-settings',
]);

const LOOKED_AT: ReadonlySet<string> = new Set([
  ...QUERY_HEADERS,
  'host',
  'connection',
  'content-length',
  'x-request-id',
]);

/** A `Host` header that needs no further check. */
export const PLAIN_HOST = /^[\w.-]+(?::\d+)?$/;

/**
 * Reads the head of a query if it is a plain one, as nearly every client sends.
 *
 * @param text The whole head as latin1, and nothing else.
 * @param last The head before it on its connection. It is returned if the same has come again, to save the reading.
 * @returns Undefined for anything else, whether it is wrong or merely unusual: node:http is to find out.
 */
export function readPlainHead(text: string, last?: PlainHead): PlainHead | undefined {
  if (text === last?.text) return last;
  const [, path = '', lines = ''] = HEAD.exec(text) ?? [];
  if (path !== QUERY_PATH && path !== SHORT_QUERY_PATH) return undefined;
  const headers: Record<string, string> = {};
  for (let at = 0; at < lines.length; ) {
    const colon = lines.indexOf(':', at);
    const end = lines.indexOf('\r\n', colon);
    const name = lines.slice(at, colon).toLowerCase();
    if (ODD.has(name)) return undefined;
    if (LOOKED_AT.has(name)) {
      if (name in headers) return undefined;
      headers[name] = lines.slice(colon + 1, end).trim();
    }
    at = end + 2;
  }
  const { host = '', connection = 'keep-alive', 'content-length': length = '' } = headers;
  if (!PLAIN_HOST.test(host) || !/^\d{1,9}$/.test(length) || !/^keep-alive$/i.test(connection)) return undefined;
  return { text, path, headers, bodyLength: Number(length) };
}
