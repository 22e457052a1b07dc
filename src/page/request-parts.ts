import { isObject, jsonIn } from '../base/texts.js';
import { PageRefusal } from './refusal.js';

/** The largest body of a request, in bytes: a notebook or a piece of an upload, which is held in memory. */
const MOST_BODY = 192 * 1024 * 1024;

/**
 * What the address of a request names behind a prefix, without the slashes around it. Encoded slashes divide, too.
 *
 * @throws {PageRefusal} 400 if it is not encoded as addresses are.
 */
export function pathAfter(request: Request, prefix: string): string {
  const encoded = new URL(request.url).pathname.slice(prefix.length);
  try {
    return decodeURIComponent(encoded).replace(/^\/+|\/+$/g, '');
  } catch (cause) {
    throw new PageRefusal(400, `The path ${encoded} is not encoded as addresses are.`, { cause });
  }
}

/** The bodies that were read, for whoever handles the same request later. */
const bodies = new WeakMap<Request, Promise<Record<string, unknown>>>();
/** What the address of a request names, as messages call it: a file without the route that leads to it. */
export function shownPath(request: Request): string {
  const { pathname } = new URL(request.url);
  const [route] = /^\/(?:api\/contents|files|nbconvert\/\w+)\//.exec(pathname) ?? [];
  try {
    return route === undefined ? decodeURIComponent(pathname) : pathAfter(request, route);
  } catch {
    return pathname;
  }
}

/**
 * The JSON object that a request holds; an empty one without a body. It may be asked for again.
 *
 * @throws {PageRefusal} 400 for anything else, 413 if it is too large.
 */
export function jsonBody(request: Request): Promise<Record<string, unknown>> {
  const body = bodies.get(request) ?? readBody(request);
  bodies.set(request, body);
  return body;
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await textBody(request);
  if (text.trim() === '') return {};
  const value = jsonIn(text);
  if (isObject(value)) return value;
  throw new PageRefusal(400, 'The body of the request must be a JSON object.');
}

async function textBody(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BODY) throw tooLarge();
  if (!request.body) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MOST_BODY) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function tooLarge(): PageRefusal {
  return new PageRefusal(
    413,
    `The request has more than ${MOST_BODY / 1024 / 1024} MB: clear large outputs before you save, or save files from a cell.`,
  );
}

/** The header that makes a browser keep an answer as a file of that name. */
export function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename*=UTF-8''${encoded}`;
}
