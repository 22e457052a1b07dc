import { type Context, Hono } from 'hono';
import { readAsset } from '../../base/packages.js';
import { sendFixed } from '../http/negotiation.js';
import { accountsRoutes } from './accounts-page.js';
import { type DashboardOptions, Desk } from './desk.js';
import { keysRoutes } from './keys-page.js';
import { failurePage } from './page-layout.js';
import { signInRoutes } from './sign-in.js';
import { tryRoutes } from './try-page.js';
import { noSuchPage, PageError, requestIdOf } from './visit.js';
import { walletRoutes } from './wallet-page.js';

/** Headers of every page: no scripts, nothing from other sites, no frames, no caching. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // An address may hold a sign-in link. With no referrer at all, browsers would not say where a form comes from.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** The files that the pages load, and their types. */
const FILES = { 'style.css': 'text/css; charset=utf-8', 'icon.svg': 'image/svg+xml' };

/** The dashboard. */
export interface Dashboard {
  /** `/` and everything below `/dashboard/`. */
  readonly routes: Hono;
  /** Settles once no sign-in mail is under way; those that still are after `timeMs` are given up. */
  close(timeMs: number): Promise<void>;
}

/**
 * Opens the dashboard. Its pages are made on the server, and its forms need no script. Without signing in, visitors get
 * only the sign-in pages.
 */
export function openDashboard(options: DashboardOptions): Dashboard {
  const desk = new Desk(options);
  const app = new Hono();
  for (const path of ['/', '/dashboard', '/dashboard/*']) {
    app.use(path, async (context, next) => {
      for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
      await next();
    });
  }
  for (const [path, type] of Object.entries(FILES)) {
    const text = readAsset(`service/web/${path}`);
    app.get(`/dashboard/${path}`, (context) => sendFixed(context, text, { 'Content-Type': type }));
  }
  for (const routesOf of [signInRoutes, keysRoutes, tryRoutes, walletRoutes, accountsRoutes]) {
    app.route('/', routesOf(desk));
  }
  app.get('/dashboard', (context) => context.redirect('/', 303));
  app.all('/', () => {
    throw new PageError(405, 'Nothing can be sent here', 'Open the page in a browser.', { Allow: 'GET, HEAD' });
  });
  app.all('/dashboard/*', () => {
    throw noSuchPage();
  });
  app.onError((error, context) => failed(error, context, options));
  return { routes: app, close: (timeMs) => desk.outbox.close(timeMs) };
}

function failed(error: Error, context: Context, { onError }: DashboardOptions): Response | Promise<Response> {
  const requestId = requestIdOf(context);
  if (error instanceof PageError)
    return context.html(failurePage(error, requestId), error.status, { ...error.headers });
  onError(error, requestId);
  const advice = 'It is not your fault. Try once more, or tell the operator.';
  return context.html(failurePage(new PageError(500, 'Something failed here', advice), requestId), 500);
}
