import { createHash } from 'node:crypto';
import { DATASETS } from '../../../contract/dataset.js';
import { type Html, html, trusted } from '../../page/html.js';
import { pageShell } from '../../page/page-shell.js';
import type { DocsPage } from './about.js';
import { asking } from './asking.js';
import { authentication } from './authentication.js';
import { datasets } from './datasets.js';
import { errors } from './errors.js';
import { limits } from './limits.js';
import { paging } from './paging.js';
import { STYLE } from './style.js';

/** What browsers may do with the page: show it in its own style, and nothing else. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page for people who query the service: one self-contained HTML document, made from the contract. */
export function docsPage(about: DocsPage): string {
  return String(
    pageShell({
      title: 'Oddslab query service: how to ask',
      head: html`<meta name="description" content="How to query this service: datasets, filters, errors and limits.">
<style>${trusted(STYLE)}</style>`,
      main: 'content',
      body: body(about),
    }),
  );
}

function body(about: DocsPage): Html {
  const { version, example } = about;
  const invented = example
    ? 'Queries name a wallet and a market of the data that are loaded; answers are shown with invented names and numbers.'
    : 'All names and numbers in the examples are invented.';
  return html`<header class="top"><div class="frame">
<h1>Query service</h1>
<p class="lead">Prediction markets, and the profit and loss of the wallets that trade on them.</p>
<p>Everything on this page holds for the service that sent it (version ${version}). For programs, the same stands in
<a href="/openapi.json">openapi.json</a>. Keys are made in the <a href="/">dashboard</a>.</p>
</div></header>
<div class="frame layout">
${contents()}
<main id="content" tabindex="-1">
${[asking(about), authentication(about), datasets(about), paging(), errors(), limits()]}
</main>
</div>
<footer><div class="frame">Oddslab ${version}. ${invented}</div></footer>`;
}

function contents(): Html {
  const link = (id: string, text: Html | string) => html`<li><a href="#${id}">${text}</a>`;
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
