import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { DATASETS } from '../../../contract/dataset.js';
import { asking } from './asking.js';
import { authentication } from './authentication.js';
import { datasets } from './datasets.js';
import { errors } from './errors.js';
import { limits } from './limits.js';
import { type Markup, trusted } from './markup.js';
import { paging } from './paging.js';
import { STYLE } from './style.js';

/** What a browser is allowed to do with the page: show it in its own style, and nothing else. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page for people who ask the service: one HTML document that needs nothing else, made from the contract.
 *
 * @param version Of the service, such as `0.1.0`.
 */
export async function docsPage(version: string): Promise<string> {
  return String(await markup(version));
}

function markup(version: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="How to query this service: datasets, filters, errors and limits.">
<title>Oddslab query service: how to ask</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div class="frame">
<h1>Query service</h1>
<p class="lead">Prediction markets, and the profit and loss of the wallets that trade on them.</p>
<p>Everything on this page holds for the service that sent it (version ${version}). For programs, the same stands in
<a href="/openapi.json">openapi.json</a>. Keys are made in the <a href="/">dashboard</a>.</p>
</div></header>
<div class="frame layout">
${contents()}
<main id="content" tabindex="-1">
${[asking(), authentication(), datasets(), paging(), errors(), limits()]}
</main>
</div>
<footer><div class="frame">Oddslab ${version}. All names and numbers in the examples are invented.</div></footer>
</body>
</html>
`;
}

function contents(): Markup {
  const link = (id: string, text: Markup | string) => html`<li><a href="#${id}">${text}</a>`;
  return html`<nav aria-label="Contents"><ol>
${link('endpoint', 'Endpoint')}</li>
${link('authentication', 'Authentication')}</li>
${link('datasets', 'Datasets')}
<ol>${DATASETS.map(({ id, name }) => html`${link(name, html`<span class="number">${id}</span> ${name}`)}</li>`)}</ol></li>
${link('paging', 'Paging')}</li>
${link('errors', 'Errors')}</li>
${link('limits', 'Limits')}</li>
</ol></nav>`;
}
