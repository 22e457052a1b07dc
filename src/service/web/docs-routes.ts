import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { packageRoot } from '../../base/packages.js';
import { holdsTag } from '../http/negotiation.js';
import { ProblemError } from '../http/problems.js';
import type { ExampleData } from '../openapi/request-examples.js';
import type { DocumentedService } from './docs-elements.js';
import { html } from './html-template.js';

/** What the documentation needs to know about its service. */
interface DocsOptions {
  /** The address under which the sender of a request reaches the service, without a slash at the end. */
  addressOf: (headers: Headers) => string;
  /** Whether the service answers without a key. */
  open: boolean;
  /** The largest request body that it takes. */
  maxBodyBytes: number;
  /** Finds a wallet and a market for example queries; undefined if no data are loaded. */
  example: () => Promise<ExampleData | undefined>;
}

/** A document that is the same for everybody. */
interface Fixed {
  body: string;
  etag: string;
  headers: Readonly<Record<string, string>>;
}

/** Stands for the service's address in a page until the page is sent: no service has this name. */
const ANY_ADDRESS = 'http://any-address.invalid';

/** `GET /openapi.json` and `GET /docs`: the service's interface, for programs and for people; no key needed. */
export function docsRoutes({ addressOf, open, maxBodyBytes, example }: DocsOptions): Hono {
  const app = new Hono();
  // Made when first asked for, so as not to delay a start.
  let document: Promise<Fixed> | undefined;
  app.get('/openapi.json', async (context) => {
    document ??= makeDocument();
    return send(context, await document);
  });
  // Made once for the data and not for each address, as clients can use any number of names.
  let page: { key: string; made: Promise<Fixed> } | undefined;
  app.get('/docs', async (context) => {
    const about = { version: ownVersion(), address: ANY_ADDRESS, open, maxBodyBytes, example: await example() };
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
  const { openApiDocument } = await import('../openapi/openapi-document.js');
  const body = `${JSON.stringify(openApiDocument(ownVersion()), null, 2)}\n`;
  // Tools on any site may read it: it holds nothing secret and needs no key.
  return fixed(body, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
}

async function makePage(about: DocumentedService): Promise<Fixed> {
  const { docsPage, POLICY } = await import('./docs-page.js');
  return fixed(docsPage(about), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}

function fixed(body: string, headers: Readonly<Record<string, string>>): Fixed {
  // Weak, as compressed answers have other bytes.
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
