import { dirname } from 'node:path';
import type { Hono } from 'hono';
import type { ExportOptions } from '../notebook/export/export-html.js';
import type { Notebook } from '../notebook/format/nbformat.js';
import { partsOf } from './contained-folder.js';
import type { Contents } from './contents.js';
import { attachment, pathAfter } from './request-parts.js';

/** The kinds of file that a notebook can be exported to, as Jupyter names their exporters. */
const FORMATS = {
  html: { output_mimetype: 'text/html', extension: '.html' },
  script: { output_mimetype: 'text/typescript', extension: '.ts' },
} as const;

/** Adds what "Save and Export Notebook As" asks for, made by our own exporters. */
export function addExportRoutes(app: Hono, contents: Contents): void {
  app.get('/api/nbconvert', ({ json }) => {
    return json(
      Object.fromEntries(Object.entries(FORMATS).map(([name, { output_mimetype }]) => [name, { output_mimetype }])),
    );
  });
  app.get('/nbconvert/:format{html|script}/*', async ({ req, body }) => {
    const format = FORMATS[req.param('format') as keyof typeof FORMATS];
    const path = pathAfter(req.raw, `/nbconvert/${req.param('format')}`);
    const notebook = await contents.notebook(path);
    const stem = (partsOf(path).at(-1) ?? '').replace(/\.ipynb$/, '');
    const asked = new URL(req.url).searchParams;
    const isHtml = format === FORMATS.html;
    const folder = dirname(await contents.locate(path));
    const text = isHtml
      ? await htmlOf(notebook, stem, { folder, onNote: () => {}, code: asked.get('code') !== 'false' })
      : await programOf(notebook);
    return body(text, 200, {
      'content-type': `${format.output_mimetype}; charset=utf-8`,
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:",
      ...(asked.get('download') === 'true' ? { 'content-disposition': attachment(`${stem}${format.extension}`) } : {}),
    });
  });
}

// What exports need is loaded by the first: the page starts sooner without.

async function htmlOf(notebook: Notebook, name: string, options: ExportOptions): Promise<string> {
  const { exportHtml } = await import('../notebook/export/export-html.js');
  return exportHtml(notebook, name, options);
}

async function programOf(notebook: Notebook): Promise<string> {
  const { serializePercent } = await import('../notebook/format/percent.js');
  return serializePercent(notebook);
}
