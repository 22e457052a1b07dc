import { compressed } from './compress.js';
import type { ServiceEnv } from './service-env.js';

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
