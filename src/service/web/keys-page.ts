import { type Context, Hono } from 'hono';
import type { Account } from '../accounts/accounts.js';
import { createKey, keyNameError, MAX_KEY_NAME, revokeKey } from '../accounts/api-keys.js';
import { lastUse } from '../accounts/key-uses.js';
import type { Desk } from './desk.js';
import { type Html, html } from './html-template.js';
import { field, formToken, layout } from './page-layout.js';
import {
  isSignedIn,
  keepNewKey,
  PageError,
  readForm,
  refuseTooOften,
  type SignedIn,
  takeNewKey,
  visitOf,
} from './visit.js';

/** Notices that the address of the page can ask for; any other name shows none. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['revoked', 'The key is revoked. Programs that use it are refused.'],
]);

/** The routes to see, make and revoke an account's API keys. */
export function keysRoutes(desk: Desk): Hono {
  const app = new Hono();
  const path = '/dashboard/keys';
  app.get(path, async (context) => {
    const visit = await visitOf(context, desk);
    if (!isSignedIn(visit)) return context.redirect('/', 303);
    const newKey = await takeNewKey(context, desk, visit.session);
    const notice = NOTICES.get(context.req.query('after') ?? '');
    return context.html(await renderKeys(desk, visit, { newKey, notice }));
  });
  app.post(path, (context) => createFromForm(context, desk, path));
  app.post(`${path}/revoke`, async (context) => {
    const visit = await visitOf(context, desk);
    if (!isSignedIn(visit)) return context.redirect('/?after=over', 303);
    const id = (await readForm(context, desk, visit)).get('id');
    const key = (await desk.keysOf(visit.account)).find((known) => known.id === id);
    if (!key) throw new PageError(404, 'There is no such key', 'Perhaps it is revoked already.');
    await revokeKey(desk.options.folder, key.id);
    desk.options.keysChanged?.();
    return context.redirect(`${path}?after=revoked`, 303);
  });
  return app;
}

async function createFromForm(context: Context, desk: Desk, path: string): Promise<Response> {
  const visit = await visitOf(context, desk);
  if (!isSignedIn(visit)) return context.redirect('/?after=over', 303);
  const typed = (await readForm(context, desk, visit)).get('name') ?? '';
  const name = typed.trim();
  const fault = keyNameError(name);
  const made = fault ?? (await desk.keyTurns.take(visit.account.id, () => makeKey(desk, visit.account, name)));
  if (typeof made === 'string') {
    return context.html(await renderKeys(desk, visit, { name: typed.slice(0, MAX_KEY_NAME), error: made }), 422);
  }
  desk.options.keysChanged?.();
  await keepNewKey(context, desk, visit.session, made.key);
  return context.redirect(path, 303);
}

const TOO_MANY = 'Revoke a key first.';

/** Makes a key. @returns The key, or a message if the account has as many as it may. */
async function makeKey(desk: Desk, account: Account, name: string): Promise<{ key: string } | string> {
  if ((await desk.keysOf(account)).length >= MAX_KEYS) return TOO_MANY;
  refuseTooOften(await desk.keysOfAccount.take(account.id));
  const { folder } = desk.options;
  const { key, stored } = await createKey(folder, name, account.id);
  // Another process over the folder may have made a key meanwhile, too.
  if ((await desk.keysOf(account)).length <= MAX_KEYS) return { key };
  await revokeKey(folder, stored.id);
  return TOO_MANY;
}

async function renderKeys(
  desk: Desk,
  visit: SignedIn,
  more: { newKey?: string | undefined; notice?: string | undefined; name?: string; error?: string },
): Promise<string> {
  const { folder, baseUrl, open } = desk.options;
  const keys = await Promise.all(
    (await desk.keysOf(visit.account)).map(
      async ({ id, name, created }): Promise<ListedKey> => ({ id, name, created, lastUse: await lastUse(folder, id) }),
    ),
  );
  return String(keysPage({ visit, keys, baseUrl: baseUrl(), open, ...more }));
}

/** How many keys one account may have at a time. */
const MAX_KEYS = 20;

/** A key as the page lists it. */
interface ListedKey {
  id: string;
  name: string;
  /** ISO 8601. */
  created: string;
  /** ISO 8601; undefined if it was never used. */
  lastUse: string | undefined;
}

/** What the page of API keys shows. */
interface KeysPage {
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
function keysPage(page: KeysPage): Html {
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
${keyTable(page)}
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

function keyTable({ visit, keys }: KeysPage): Html {
  if (keys.length === 0) return html`<p class="empty">You have no key. Create one below.</p>`;
  return html`<div class="scroll" role="region" aria-labelledby="key-list" tabindex="0"><table class="keys">
<caption id="key-list">Your keys</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">Created</th><th scope="col">Last used</th>
<th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>${keys.map((key) => keyRow(visit, key))}</tbody>
</table></div>`;
}

function keyRow(visit: SignedIn, { id, name, created, lastUse }: ListedKey): Html {
  return html`<tr>
<th scope="row">${name}</th>
<td><code>${id}</code></td>
<td>${timeToMinute(created)}</td>
<td>${lastUse === undefined ? html`<span class="none">never</span>` : timeToMinute(lastUse)}</td>
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
    html`<input type="text"${attributes} value="${name}" maxlength="${MAX_KEY_NAME}" autocomplete="off" required${
      error !== undefined && html` autofocus`
    }>`,
})}
<button class="main">Create key</button>
</form>
</section>`;
}

/** A time to the minute, as uses are noted no more finely. */
function timeToMinute(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} <span class="clock">${iso.slice(11, 16)} UTC</span></time>`;
}
