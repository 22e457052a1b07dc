import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { packageRoot } from '../../package-root.js';
import { holdsTag } from '../holds-tag.js';
import { html } from '../page/html.js';
import { ProblemError } from '../problems.js';
import type { DocsPage } from './docs-page/about.js';
import type { ExampleData } from './examples.js';

/** What the documentation is told of the service that sends it. */
export interface DocsOptions {
  /** The address under which whoever sent a request reaches the service, without a slash at the end. */
  addressOf: (headers: Headers) => string;
  /** Whether it answers without a key. */
  open: boolean;
  /** What queries to try ask for; undefined where no data are loaded. */
  example: () => Promise<ExampleData | undefined>;
}

/** A document that is the same for whoever asks in the same way. */
interface Fixed {
  body: string;
  etag: string;
  headers: Readonly<Record<string, string>>;
}

/** Stands for the address in a page until it is sent: a name that no service has. */
const ANY_ADDRESS = 'http://any-address.invalid';

/** `GET /openapi.json` and `GET /docs`: what the service takes and gives, for programs and for people; no key needed. */
export function docsRoutes({ addressOf, open, example }: DocsOptions): Hono {
  const app = new Hono();
  // Made when first asked for, as a start does not need them.
  let document: Promise<Fixed> | undefined;
  app.get('/openapi.json', async (context) => {
    document ??= makeDocument();
    return send(context, await document);
  });
  // Made once for the data, not for each address: anybody can ask under any number of names.
  let page: { key: string; made: Promise<Fixed> } | undefined;
  app.get('/docs', async (context) => {
    const about = { version: ownVersion(), address: ANY_ADDRESS, open, example: await example() };
    const key = JSON.stringify(about);
    if (page?.key !== key) page = { key, made: makePage(about) };
    const { body, headers } = await page.made;
    const address = String(html`${addressOf(context.req.raw.headers)}`);
    return send(
      context,
      fixed(
        body.replaceAll(ANY_ADDRESS, () => address),
        headers,
      ),
    );
  });
  for (const path of ['/openapi.json', '/docs']) {
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

async function makePage(about: DocsPage): Promise<Fixed> {
  const { docsPage, POLICY } = await import('./docs-page/page.js');
  return fixed(docsPage(about), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}

function fixed(body: string, headers: Readonly<Record<string, string>>): Fixed {
  // Weak: byte by byte it is another one where it is compressed.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, etag, headers: { ...headers, 'Cache-Control': 'no-cache' } };
}

function send(context: Context, { body, etag, headers }: Fixed): Response {
  for (const [name, value] of Object.entries({ ...headers, ETag: etag })) context.header(name, value);
  return holdsTag(context.req.header('If-None-Match'), etag) ? context.body(null, 304) : context.body(body);
}

let version: string | undefined;

function ownVersion(): string {
  version ??= (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
  return version;
}
