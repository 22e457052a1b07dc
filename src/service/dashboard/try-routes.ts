import { Hono } from 'hono';
import { findDataset } from '../../contract/dataset.js';
import type { Desk } from './desk.js';
import { PageError } from './page-error.js';
import { tryPage } from './pages/try.js';
import { tryRequest } from './try-request.js';
import { isSignedIn, visitOf } from './visit.js';

/** The page to try a query. Its address holds the whole query, so that it can be bookmarked. */
export function tryRoutes(desk: Desk): Hono {
  const app = new Hono();
  app.get('/dashboard/try', (context) => context.redirect('/dashboard/try/markets', 303));
  app.get('/dashboard/try/:dataset', async (context) => {
    const visit = await visitOf(context, desk);
    if (!isSignedIn(visit)) return context.redirect('/', 303);
    const dataset = findDataset(context.req.param('dataset'));
    if (!dataset) throw new PageError(404, 'There is no such dataset', 'Choose one on the page “Try a query”.');
    const form = new URL(context.req.url).searchParams;
    const request = tryRequest(dataset, form);
    const { query, baseUrl, open, example } = desk.options;
    const outcome = form.has('run') ? await query(request.envelope, visit.account.id) : undefined;
    const status = outcome && 'problem' in outcome ? 422 : 200;
    const wallet = (await example?.())?.wallet;
    const page = tryPage({ visit, dataset, request, outcome, baseUrl: baseUrl(), open, wallet });
    return context.html(String(page), status);
  });
  return app;
}
