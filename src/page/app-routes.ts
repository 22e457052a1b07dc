import { dirname } from 'node:path';
import type { Hono } from 'hono';
import { readAsset } from '../base/packages.js';
import type { Contents } from './contents.js';
import type { Kernels } from './kernels.js';
import { PAGE } from './let-in.js';
import { PAGE_POLICY, type PagePlace, pageHtml, placeOf } from './page-html.js';
import { PageRefusal } from './refusal.js';
import { pathAfter } from './request-parts.js';
import { startAnswers } from './start-answers.js';
import type { StaticFiles } from './static-files.js';

/** The version of Jupyter's server whose interface this one has. */
const INTERFACE_VERSION = '2.17.0';

/** What the routes of the page itself need. */
interface AppParts {
  /** Full path of the folder that the page shows. */
  readonly root: string;
  readonly statics: StaticFiles;
  readonly contents: Contents;
  readonly kernels: Kernels;
}

/** Adds the page, its static files, and what the page asks of the server itself. */
export function addAppRoutes(app: Hono, { root, statics, contents, kernels }: AppParts): void {
  const started = new Date().toISOString();
  app.get('/', ({ redirect }) => redirect('/lab'));
  app.on('GET', ['/lab', '/lab/*', '/doc', '/doc/*'], async ({ req, html }, next) => {
    const { pathname } = new URL(req.url);
    if (!PAGE.test(pathname)) return next();
    const place = placeOf(pathname);
    // Its process starts while the page does. If that fails, the page will be told when it asks for the kernel.
    if (place.shown.endsWith('.ipynb')) void kernels.expect(place.shown).catch(() => {});
    const [chunks, answers] = await Promise.all([statics.read('chunks.json'), startAnswers(app, askedOf(place))]);
    const page = pageHtml(place, { root, chunks: JSON.parse(chunks), answers });
    return html(page, 200, { 'content-security-policy': PAGE_POLICY });
  });
  app.get('/static/*', ({ req }) => statics.answer(pathAfter(req.raw, '/static'), req.raw.headers));
  app.get('/lab/api/themes/*', ({ req }) => {
    return statics.answer(`themes/${pathAfter(req.raw, '/lab/api/themes')}`, req.raw.headers);
  });
  app.on('GET', ['/favicon.svg', '/favicon.ico'], ({ body }) => {
    const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'private, max-age=86400' };
    return body(readAsset('kernel/install/logo-svg.svg'), 200, headers);
  });
  app.on('GET', ['/api', '/api/'], ({ json }) => json({ version: INTERFACE_VERSION }));
  app.get('/api/status', ({ json }) => {
    return json({ started, last_activity: started, connections: 0, kernels: kernels.list().length });
  });
  app.get('/api/me', ({ json }) => {
    const identity = {
      username: 'you',
      name: 'You',
      display_name: 'You',
      initials: 'Y',
      avatar_url: null,
      color: null,
    };
    return json({ identity, permissions: {} });
  });
  app.get('/api/terminals', ({ json }) => json([]));
  app.get('/api/resolvePath', async ({ req, json }) => {
    const { path = '', kernel } = req.query();
    const isKnown = kernels.list().some(({ id }) => id === kernel);
    const folder = kernel !== undefined && isKnown ? dirname(kernels.kernel(kernel).file) : root;
    const found = path.includes('\0') ? undefined : await contents.pathOf(path, folder);
    return json({ resolved: found === undefined ? [] : [{ path: found, scope: 'server' }], unresolved: [] });
  });
  app.get('/api/events/subscribe', () => {
    throw new PageRefusal(400, 'Events come over a WebSocket.');
  });
}

/** What a page will ask about its place. */
function askedOf({ shown }: PagePlace): string[] {
  // Not its layout, which a page that is being left may still save.
  const file = `/api/contents/${shown.split('/').map(encodeURIComponent).join('/')}`;
  return shown === '' ? [] : [`${file}?content=0&hash=0`, `${file}/checkpoints`];
}
