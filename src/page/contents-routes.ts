import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { isObject } from '../base/texts.js';
import { Checkpoints } from './checkpoints.js';
import { partsOf } from './contained-folder.js';
import type { Contents } from './contents.js';
import type { ContentsModel } from './contents-model.js';
import { mediaTypeOf } from './media-types.js';
import { PageRefusal } from './refusal.js';
import { attachment, jsonBody, pathAfter } from './request-parts.js';

const TYPES = ['directory', 'file', 'notebook'];
const FORMATS = ['json', 'text', 'base64'];

/** What a request's path says beyond the file: its checkpoints, one of them, or its trust. */
const BEHIND_PATH = /^(.*)\/(checkpoints|trust)(?:\/([\w-]+))?$/s;

/** Adds `/api/contents`, which reads and changes files, and `/files`, which sends them as they are. */
export function addContentsRoutes(app: Hono, contents: Contents): void {
  const at = ['/api/contents', '/api/contents/*'];
  app.on('GET', at, async ({ req, json }) => {
    const path = pathAfter(req.raw, '/api/contents');
    const [, file, behind, id] = BEHIND_PATH.exec(path) ?? [];
    if (file !== undefined && behind === 'checkpoints' && id === undefined)
      return json(await contents.checkpoints.list(file));
    return json(await contents.get(path, { ...askedOf(new URL(req.url).searchParams), page: pageOf(req.raw) }));
  });
  app.on('POST', at, async ({ req, json, body }) => {
    const path = pathAfter(req.raw, '/api/contents');
    const [, file = '', behind, id] = BEHIND_PATH.exec(path) ?? [];
    if (behind === 'trust') {
      await contents.trustNotebook(file);
      return body(null, 201);
    }
    if (behind === 'checkpoints' && id !== undefined) {
      await contents.restore(file, id);
      return body(null, 204);
    }
    if (behind === 'checkpoints') {
      const location = `${addressOf(file)}/checkpoints/${Checkpoints.ID}`;
      return json(await contents.checkpoints.make(file), 201, { location });
    }
    const asked = await jsonBody(req.raw);
    const from = asked.copy_from;
    const model = typeof from === 'string' ? await contents.copy(from, path) : await contents.create(path, asked);
    return json(model, 201, { location: addressOf(model.path) });
  });
  app.on('PUT', at, async ({ req, json }) => {
    const path = pathAfter(req.raw, '/api/contents');
    const isNew = !(await isThere(contents, path));
    const model = await contents.save(path, await jsonBody(req.raw), pageOf(req.raw));
    return isNew ? json(model, 201, { location: addressOf(model.path) }) : json(model);
  });
  app.on('PATCH', at, async ({ req, json }) => {
    const { path } = await jsonBody(req.raw);
    const model = await contents.rename(pathAfter(req.raw, '/api/contents'), path);
    return json(model, 200, { location: addressOf(model.path) });
  });
  app.on('DELETE', at, async ({ req, body }) => {
    const path = pathAfter(req.raw, '/api/contents');
    const [, file = '', behind, id = ''] = BEHIND_PATH.exec(path) ?? [];
    await (behind === 'checkpoints' ? contents.checkpoints.remove(file, id) : contents.remove(path));
    return body(null, 204);
  });
  app.get('/files/*', ({ req }) => sendFile(contents, req.raw));
}

/** What a file may do that a browser shows: run, as of a site of its own, and ask no other machine for anything. */
const FILE_POLICY =
  "sandbox allow-scripts; default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'";

/**
 * Sends a file as it is. It may be anybody's, so a browser must not run it as a part of the page: it is shown in a
 * sandbox, as of a site of its own.
 */
async function sendFile(contents: Contents, request: Request): Promise<Response> {
  const path = pathAfter(request, '/files');
  const handle = await contents.open(path);
  const { size, mtime } = await handle.stat();
  const name = partsOf(path).at(-1) ?? '';
  const isDownload = new URL(request.url).searchParams.has('download');
  const type = mediaTypeOf(name);
  const headers = {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'content-length': String(size),
    'content-security-policy': FILE_POLICY,
    'cache-control': 'no-cache',
    'last-modified': mtime.toUTCString(),
    ...(isDownload ? { 'content-disposition': attachment(name) } : {}),
  };
  if (request.method === 'HEAD' || size === 0) {
    await handle.close();
    return new Response(null, { headers });
  }
  // No further than the length that is stated, also while something appends to the file.
  const stream = handle.createReadStream({ start: 0, end: size - 1 });
  return new Response(Readable.toWeb(stream) as ReadableStream, { headers });
}

/** The name that a page gives itself; empty if it gives none. */
function pageOf(request: Request): string {
  return (request.headers.get('x-oddslab-page') ?? '').slice(0, 100);
}

function askedOf(query: URLSearchParams) {
  const [type, format] = [query.get('type') || undefined, query.get('format') || undefined];
  if (type !== undefined && !TYPES.includes(type))
    throw new PageRefusal(400, `Type "${type}" is none of ${TYPES.join(', ')}.`);
  if (format !== undefined && !FORMATS.includes(format)) {
    throw new PageRefusal(400, `Format "${format}" is none of ${FORMATS.join(', ')}.`);
  }
  return { type, format, content: flag(query, 'content', true), hash: flag(query, 'hash', false) };
}

function flag(query: URLSearchParams, name: string, otherwise: boolean): boolean {
  const value = query.get(name);
  if (value === null) return otherwise;
  if (value !== '0' && value !== '1') throw new PageRefusal(400, `"${name}" must be 0 or 1, not "${value}".`);
  return value === '1';
}

function isThere(contents: Contents, path: string): Promise<boolean> {
  return contents.get(path, { content: false }).then(
    (model: ContentsModel) => isObject(model),
    (error) => {
      if (error instanceof PageRefusal && error.status === 404) return false;
      throw error;
    },
  );
}

function addressOf(path: string): string {
  return `/api/contents/${partsOf(path).map(encodeURIComponent).join('/')}`;
}
