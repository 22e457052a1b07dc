import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import { assetPath } from '../base/packages.js';
import { fieldOf, isObject } from '../base/texts.js';
import { KERNEL_NAME, kernelSpec } from '../kernel/install/kernel-spec.js';
import type { Kernels, SessionChange } from './kernels.js';
import { PageRefusal } from './refusal.js';
import { jsonBody, pathAfter } from './request-parts.js';

/**
 * Adds the routes of kernelspecs, kernels and sessions, as Jupyter Server has them. Before those of contents, since it
 * also sees what they save: the kernels learn with which cells their notebook was saved.
 */
export function kernelRoutes(app: Hono, kernels: Kernels): void {
  specRoutes(app);
  runningKernels(app, kernels);
  sessionRoutes(app, kernels);
  app.use('/api/contents/*', async (c, next) => {
    await next();
    if (c.req.method !== 'PUT' || !c.res.ok) return;
    const { content } = await jsonBody(c.req.raw);
    const cells = isObject(content) && Array.isArray(content.cells) ? content.cells.filter(isObject) : undefined;
    if (cells)
      kernels.saved(pathAfter(c.req.raw, '/api/contents'), new Map(cells.map((cell) => [String(cell.id), cell])));
  });
}

const LOGOS: Readonly<Record<string, string>> = {
  'logo-svg.svg': 'image/svg+xml',
  'logo-64x64.png': 'image/png',
  'logo-32x32.png': 'image/png',
};

function specRoutes(app: Hono): void {
  const specOf = () => {
    // How the kernel would be started elsewhere does not concern the page.
    const spec = { ...kernelSpec(), argv: [] };
    const resources = Object.keys(LOGOS).map((file) => [
      file.replace(/\..*/, ''),
      `/kernelspecs/${KERNEL_NAME}/${file}`,
    ]);
    return { name: KERNEL_NAME, spec, resources: Object.fromEntries(resources) };
  };
  app.get('/api/kernelspecs', (c) => c.json({ default: KERNEL_NAME, kernelspecs: { [KERNEL_NAME]: specOf() } }));
  app.get('/api/kernelspecs/:name', (c) => {
    const name = c.req.param('name');
    if (name !== KERNEL_NAME) throw new PageRefusal(404, `Kernel spec ${name} not found`);
    return c.json(specOf());
  });
  app.get('/kernelspecs/:name/:file', async (c) => {
    const { name, file } = c.req.param();
    const type = Object.hasOwn(LOGOS, file) ? LOGOS[file] : undefined;
    if (name !== KERNEL_NAME || type === undefined) throw new PageRefusal(404, `There is no file ${file} of ${name}`);
    return c.body(new Uint8Array(await readFile(assetPath(`kernel/install/${file}`))), 200, { 'content-type': type });
  });
}

function runningKernels(app: Hono, kernels: Kernels): void {
  app.get('/api/kernels', (c) => c.json(kernels.list()));
  app.post('/api/kernels', async (c) => {
    const body = await jsonBody(c.req.raw);
    const { model } = await kernels.start(textOf(body, 'path'), textOf(body, 'name'));
    return c.json(model, 201, { location: `/api/kernels/${model.id}` });
  });
  app.get('/api/kernels/:id', (c) => c.json(kernels.kernel(c.req.param('id')).model));
  app.delete('/api/kernels/:id', async (c) => {
    await kernels.kernel(c.req.param('id')).close();
    return c.body(null, 204);
  });
  app.post('/api/kernels/:id/interrupt', (c) => {
    kernels.kernel(c.req.param('id')).interrupt();
    return c.body(null, 204);
  });
  app.post('/api/kernels/:id/restart', async (c) => {
    const kernel = kernels.kernel(c.req.param('id'));
    await kernel.restart();
    return c.json(kernel.model);
  });
}

function sessionRoutes(app: Hono, kernels: Kernels): void {
  app.get('/api/sessions', (c) => c.json(kernels.listSessions()));
  app.post('/api/sessions', async (c) => {
    const body = await jsonBody(c.req.raw);
    const { path, type, ...change } = changeIn(body);
    if (path === undefined) throw new PageRefusal(400, 'Missing field in JSON data: path');
    if (type === undefined) throw new PageRefusal(400, 'Missing field in JSON data: type');
    const session = await kernels.beginSession(path, type, change);
    return c.json(session, 201, { location: `/api/sessions/${session.id}` });
  });
  app.get('/api/sessions/:id', (c) => c.json(kernels.session(c.req.param('id'))));
  app.patch('/api/sessions/:id', async (c) =>
    c.json(await kernels.changeSession(c.req.param('id'), changeIn(await jsonBody(c.req.raw)))),
  );
  app.delete('/api/sessions/:id', async (c) => {
    await kernels.endSession(c.req.param('id'));
    return c.body(null, 204);
  });
}

function changeIn(body: Record<string, unknown>): SessionChange {
  const kernel = body.kernel ?? undefined;
  return {
    path: textOf(body, 'path'),
    name: textOf(body, 'name'),
    type: textOf(body, 'type'),
    kernelId: textOf(kernel, 'id'),
    kernelName: textOf(kernel, 'name'),
  };
}

/** @throws {PageRefusal} If the field is there and neither text nor null. */
function textOf(body: unknown, field: string): string | undefined {
  const value = fieldOf(body, field) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new PageRefusal(400, `The field "${field}" of the request must be a text.`);
}
