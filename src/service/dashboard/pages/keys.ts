import { MAX_NAME } from '../../auth/key-name-error.js';
import { type Html, html } from '../../page/html.js';
import type { SignedIn } from '../visit.js';
import { field } from './field.js';
import { formToken, layout } from './layout.js';

/** How many keys one account may have at a time. */
export const MAX_KEYS = 20;

/** A key as the page lists it. */
export interface ListedKey {
  id: string;
  name: string;
  /** ISO 8601. */
  created: string;
  /** ISO 8601; undefined if it was never used. */
  lastUse: string | undefined;
}

/** What the page of API keys shows. */
export interface KeysPage {
  visit: SignedIn;
  keys: readonly ListedKey[];
  /** A key that was just made, shown only this time. */
  newKey?: string | undefined;
  notice?: string | undefined;
  /** The typed name of a new key, if it has to be corrected. */
  name?: string;
  error?: string;
  baseUrl: string;
  /** Whether the service answers without a key. */
  open: boolean;
}

/** The page to see, make and revoke an account's API keys. */
export function keysPage(page: KeysPage): Html {
  const { visit, newKey, notice, error, open } = page;
  const title = newKey !== undefined ? 'Your new API key' : 'API keys';
  return layout({
    title: error === undefined ? title : `Error: ${title}`,
    visit,
    here: '/dashboard/keys',
    main: html`<h1>API keys</h1>
<p class="lead">A program shows its key with each query. Give each of yours a key of its own, so that you can revoke one
without touching the others.</p>
${open && html`<p class="notice">This service answers without a key, as it was started with <code>--open</code>.</p>`}
${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
${newKey !== undefined && newKeyPanel(newKey, page.baseUrl)}
${list(page)}
${createForm(page)}`,
  });
}

function newKeyPanel(key: string, baseUrl: string): Html {
  return html`<section class="card fresh" aria-labelledby="new-key">
<h2 id="new-key">Your new API key</h2>
<p>Copy it now and keep it safe. <strong>It is not shown again</strong>: we keep its hash alone.</p>
<p><code class="secret" tabindex="0" aria-label="API key">${key}</code></p>
<p class="hint">A click selects all of it. In a shell: <code>export ODDSLAB_API_KEY=…</code>, then
<code>oddslab query markets --url ${baseUrl}</code>.</p>
</section>`;
}

function list({ visit, keys }: KeysPage): Html {
  if (keys.length === 0) return html`<p class="empty">You have no key. Create one below.</p>`;
  return html`<div class="scroll" role="region" aria-labelledby="key-list" tabindex="0"><table class="keys">
<caption id="key-list">Your keys</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">Created</th><th scope="col">Last used</th>
<th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>${keys.map((key) => row(visit, key))}</tbody>
</table></div>`;
}

function row(visit: SignedIn, { id, name, created, lastUse }: ListedKey): Html {
  return html`<tr>
<th scope="row">${name}</th>
<td><code>${id}</code></td>
<td>${time(created)}</td>
<td>${lastUse === undefined ? html`<span class="none">never</span>` : time(lastUse)}</td>
<td class="act"><details><summary>Revoke<span class="unseen"> ${name}</span>…</summary>
<form method="post" action="/dashboard/keys/revoke">
${formToken(visit)}<input type="hidden" name="id" value="${id}">
<p>Programs that use it are refused from then on.</p>
<button class="danger">Revoke for good<span class="unseen">: ${name}</span></button>
</form></details></td>
</tr>
`;
}

function createForm({ visit, keys, name = '', error }: KeysPage): Html {
  if (keys.length >= MAX_KEYS) {
    return html`<p class="empty">You have ${keys.length} keys, which is the most. Revoke one to create another.</p>`;
  }
  return html`<section class="card" aria-labelledby="create">
<h2 id="create">Create a key</h2>
<form class="line" method="post" action="/dashboard/keys" novalidate>
${formToken(visit)}
${field({
  name: 'name',
  label: 'Name',
  hint: 'What the key is for, such as “laptop” or “nightly report”.',
  error,
  control: (attributes) =>
    html`<input type="text"${attributes} value="${name}" maxlength="${MAX_NAME}" autocomplete="off" required${
      error !== undefined && html` autofocus`
    }>`,
})}
<button class="main">Create key</button>
</form>
</section>`;
}

/** A time to the minute, as uses are noted no more finely. */
function time(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} <span class="clock">${iso.slice(11, 16)} UTC</span></time>`;
}
