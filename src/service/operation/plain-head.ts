import type { IncomingHttpHeaders } from 'node:http';
import { QUERY_PATH, SHORT_QUERY_PATH } from '../../contract/envelope.js';
import { type Asked, QUERY_HEADERS } from '../query/query-route.js';

/** The head of a plain request. */
export interface PlainHead extends Asked {
  /** All of it, up to the body: a letter a byte. */
  readonly text: string;
  readonly path: string;
  /** Those that somebody looks at, by their names in small letters. */
  readonly headers: IncomingHttpHeaders;
  readonly bodyLength: number;
}

/** The query endpoint, and nothing in it that two readers could understand differently: printable ASCII, ends of CR LF. */
const HEAD = /^POST (\/[\w/]+) HTTP\/1\.1\r\n((?:[\w-]+:[\x20-\x7e]*\r\n){1,100})\r\n$/;

/** What changes where a request ends, what its connection is for, or who answers. */
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

/** A `Host` header that needs no second look. */
export const PLAIN_HOST = /^[\w.-]+(?::\d+)?$/;

/**
 * Reads the head of a query, if it is a plain one: what nearly every client sends.
 *
 * @param text All of it, a letter a byte, and nothing else.
 * @param last The head before it on its connection: given back where it has come again, which is sooner seen than read.
 * @returns Undefined where it is anything else: wrong, or merely unusual, which node:http is to find out.
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
