import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { packageRoot } from '../../base/packages.js';
import { escapeHtml } from '../../base/texts.js';
import { sendFixed } from '../http/negotiation.js';
import { readOnly } from '../http/problems.js';
import type { ServiceEnv } from '../http/request-record.js';
import type { ExampleData } from '../openapi/request-examples.js';
import type { DocumentedService } from './docs-elements.js';

interface DocsOptions extends Pick<DocumentedService, 'open' | 'maxBodyBytes'> {
  /** The address under which the sender of a request reaches the service, without a slash at the end. */
  addressOf: (context: Context<ServiceEnv>) => string;
  /** Finds a wallet and a market for example queries, shown only where the service is open; undefined if no data are loaded. */
  example: () => Promise<ExampleData | undefined>;
}

/** Stands for the service's address in a page until the page is sent: no service has this name. */
const ANY_ADDRESS = 'http://any-address.invalid';

/** `GET /openapi.json` and `GET /docs`: the service's interface, for programs and for people; no key needed. */
export function docsRoutes({ addressOf, open, maxBodyBytes, example }: DocsOptions): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  // Made when first asked for, so as not to delay a start.
  let document: Promise<string> | undefined;
  app.get('/openapi.json', async (context) => {
    document ??= makeDocument();
    // Tools on any site may read it: it holds nothing secret and needs no key.
    const headers = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' };
    return sendFixed(context, await document, headers, 'W/');
  });
  // Made once for the data and not for each address, as clients can use any number of names.
  let page: { key: string; made: ReturnType<typeof makePage> } | undefined;
  app.get('/docs', async (context) => {
    // Who has no key learns nothing of the data here, not even whose they are.
    const known = open ? await example() : undefined;
    const about = { version: ownVersion(), address: ANY_ADDRESS, open, maxBodyBytes, example: known };
    const key = JSON.stringify(about);
    if (page?.key !== key) page = { key, made: makePage(about) };
    const { body, headers } = await page.made;
    const address = escapeHtml(addressOf(context));
    return sendFixed(
      context,
      body.replaceAll(ANY_ADDRESS, () => address),
      headers,
      'W/',
    );
  });
  return readOnly(app, ['/openapi.json', '/docs']);
}

async function makeDocument(): Promise<string> {
  const { openApiDocument } = await import('../openapi/openapi-document.js');
  return `${JSON.stringify(openApiDocument(ownVersion()), null, 2)}\n`;
}

async function makePage(about: DocumentedService) {
  const { docsPage, POLICY } = await import('./docs-page.js');
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  return { body: docsPage(about), headers };
}

let version: string | undefined;

function ownVersion(): string {
  version ??= (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
  return version;
}
