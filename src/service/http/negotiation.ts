import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Context } from 'hono';
import type { ServiceEnv } from './request-record.js';

type Encoder = (bytes: Uint8Array) => Promise<Uint8Array>;

/** Answers below this many bytes gain nothing. */
const LEAST_BYTES = 1024;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Encodings that this Node can write, best first, at levels that take less time than they save on most networks. */
const ENCODERS: ReadonlyMap<string, Encoder> = new Map([
  ...zstdEncoder(),
  ['br', (bytes: Uint8Array) => brotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['gzip', (bytes: Uint8Array) => gzip(bytes, { level: 5 })],
] as const);

/** Node has zstd from 22.15 on; the installed types may be older. */
function zstdEncoder(): [string, Encoder][] {
  const compress = (zlib as { zstdCompress?: unknown }).zstdCompress;
  if (typeof compress !== 'function') return [];
  const zstd = promisify(compress as (bytes: Uint8Array, done: (error: Error | null, out: Uint8Array) => void) => void);
  return [['zstd', (bytes) => zstd(bytes)]];
}

/**
 * Compresses an answer with an encoding that its client accepts.
 *
 * @param accepted The `Accept-Encoding` header.
 * @returns The bytes and their `Content-Encoding`; undefined if the answer is too small, or no encoding is accepted.
 */
export async function compressed(
  bytes: Uint8Array,
  accepted: string | undefined,
): Promise<{ bytes: Uint8Array; encoding: string } | undefined> {
  if (accepted === undefined || bytes.length < LEAST_BYTES) return undefined;
  const encoding = chosenEncoding(accepted, [...ENCODERS.keys()]);
  const encode = ENCODERS.get(encoding ?? '');
  return encoding !== undefined && encode ? { bytes: await encode(bytes), encoding } : undefined;
}

/**
 * The encoding that a client prefers by its quality values; among equals, the first of ours.
 *
 * @returns Undefined if it accepts none of them, or prefers the answer uncompressed.
 * @example chosenEncoding('gzip;q=0.5, br', ['br', 'gzip']); // 'br'
 */
export function chosenEncoding(accepted: string, ours: readonly string[]): string | undefined {
  const qualities = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [, name, quality] = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*)?$/.exec(part) ?? [];
    if (name !== undefined) qualities.set(name, quality === undefined ? 1 : Number(quality));
  }
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get('*') ?? 0;
  const best = ours.reduce((most, name) => Math.max(most, qualityOf(name)), 0);
  if (best === 0 || (qualities.get('identity') ?? 0) > best) return undefined;
  return ours.find((name) => qualityOf(name) === best);
}

/**
 * Routes whose answers are compressed here. Those of the dashboard are not: the compressed size of a page that holds
 * both a secret and text of the request's sender would reveal the secret. Queries compress their answers themselves.
 */
const ROUTES: ReadonlySet<string> = new Set(['/openapi.json', '/docs', '/metrics']);

/** Compresses an answer of the documentation or the metrics with an encoding that its client accepts. */
export async function compressedResponse(
  response: Response,
  { incoming, seen }: ServiceEnv['Bindings'],
): Promise<Response> {
  if (!ROUTES.has(seen.route)) return response;
  response.headers.append('Vary', 'Accept-Encoding');
  if (response.status !== 200 || incoming.method === 'HEAD') return response;
  const plain = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  const done = await compressed(plain, String(incoming.headers['accept-encoding'] ?? ''));
  if (!done) return new Response(plain, { headers });
  headers.set('Content-Encoding', done.encoding);
  return new Response(done.bytes as Uint8Array<ArrayBuffer>, { headers });
}

/**
 * Whether a client holds what has a tag: by weak comparison, as proxies that compress make tags weak.
 *
 * @param held Its `If-None-Match` header; undefined or empty where it holds nothing.
 */
export function holdsTag(held: string | undefined, etag: string): boolean {
  if (held === undefined) return false;
  const opaque = etag.replace('W/', '');
  return held.split(',').some((each) => ['*', opaque, `W/${opaque}`].includes(each.trim()));
}

/**
 * Sends a text that is the same for everybody, or nothing to a client that holds it.
 *
 * @param weak `W/` for a text that may be sent compressed, in other bytes.
 */
export function sendFixed(context: Context, body: string, headers: Record<string, string>, weak = ''): Response {
  const etag = `${weak}"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const told = { ...headers, 'Cache-Control': 'no-cache', ETag: etag };
  for (const [name, value] of Object.entries(told)) context.header(name, value);
  return holdsTag(context.req.header('If-None-Match'), etag) ? context.body(null, 304) : context.body(body);
}

/** The token that an `Authorization` header presents, if it does. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}
