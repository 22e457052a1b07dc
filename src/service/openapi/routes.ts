import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { packageRoot } from '../../package-root.js';
import { ProblemError } from '../problems.js';

/** A document that never changes while the service runs. */
interface Fixed {
  body: string;
  etag: string;
  headers: Readonly<Record<string, string>>;
}

/** `GET /openapi.json` and `GET /docs`: what the service takes and gives, for programs and for people; no key needed. */
export function docsRoutes(): Hono {
  const app = new Hono();
  for (const [path, make] of [
    ['/openapi.json', makeDocument],
    ['/docs', makePage],
  ] as const) {
    // Made when first asked for, as a start does not need them.
    let made: Promise<Fixed> | undefined;
    app.get(path, async (context) => {
      made ??= make();
      return send(context, await made);
    });
    app.all(path, () => {
      throw new ProblemError(405, `${path} is read by GET.`, { headers: { Allow: 'GET, HEAD' } });
    });
  }
  return app;
}

async function makeDocument(): Promise<Fixed> {
  const { openApiDocument } = await import('./document.js');
  const body = `${JSON.stringify(openApiDocument(ownVersion()), null, 2)}\n`;
  // A document for any tool on any site to read: it holds nothing secret and takes no key.
  return fixed(body, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
}

async function makePage(): Promise<Fixed> {
  const { docsPage, POLICY } = await import('./docs-page/page.js');
  return fixed(await docsPage(ownVersion()), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}

function fixed(body: string, headers: Readonly<Record<string, string>>): Fixed {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, headers: { ...headers, 'Cache-Control': 'no-cache' } };
}

function send(context: Context, { body, etag, headers }: Fixed): Response {
  const held = context.req.header('If-None-Match') ?? '';
  const known = held.split(',').map((each) => each.trim().replace(/^W\//, ''));
  for (const [name, value] of Object.entries({ ...headers, ETag: etag })) context.header(name, value);
  return known.includes(etag) || known.includes('*') ? context.body(null, 304) : context.body(body);
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
