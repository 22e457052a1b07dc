import { type Context, Hono } from 'hono';
import type { Account } from '../accounts/accounts.js';
import { keyNameError, MAX_KEY_NAME, revokeKey, type StoredKey } from '../accounts/api-keys.js';
import { createOwnKey } from '../accounts/govern-accounts.js';
import { lastUse } from '../accounts/key-uses.js';
import type { Desk } from './desk.js';
import { type Html, html } from './html-template.js';
import { field, formToken, layout } from './page-layout.js';
import { keepNewKey, PageError, readForm, refuseTooOften, type SignedIn, signedIn, takeNewKey } from './visit.js';

const PATH = '/dashboard/keys';

/** The routes to see, make and revoke an account's API keys. */
export function keysRoutes(desk: Desk): Hono {
  const app = new Hono();
  app.get(PATH, (context) =>
    signedIn(context, desk, async (visit) => {
      const newKey = await takeNewKey(context, desk, visit.session);
      const isRevoked = context.req.query('after') === 'revoked';
      return context.html(await keysPage(desk, visit, { newKey, isRevoked }));
    }),
  );
  app.post(PATH, (context) => signedIn(context, desk, (visit) => createFromForm(context, desk, visit)));
  app.post(`${PATH}/revoke`, (context) =>
    signedIn(context, desk, async (visit) => {
      const id = (await readForm(context, desk, visit)).get('id');
      const key = (await desk.keysOf(visit.account)).find((known) => known.id === id);
      if (!key) throw new PageError(404, 'There is no such key', 'Perhaps it is revoked already.');
      await revokeKey(desk.options.folder, key.id);
      desk.audit(context, 'key revoked', { key: key.id, account: visit.account.id });
      return context.redirect(`${PATH}?after=revoked`, 303);
    }),
  );
  return app;
}

async function createFromForm(context: Context, desk: Desk, visit: SignedIn): Promise<Response> {
  const typed = (await readForm(context, desk, visit)).get('name') ?? '';
  const name = typed.trim();
  const fault = keyNameError(name);
  const made = fault ?? (await desk.keyTurns.take(visit.account.id, () => makeKey(desk, visit.account, name)));
  if (typeof made === 'string') {
    return context.html(await keysPage(desk, visit, { name: typed.slice(0, MAX_KEY_NAME), error: made }), 422);
  }
  desk.audit(context, 'key created', { key: made.id, account: visit.account.id, role: 'reader' });
  await keepNewKey(context, desk, visit.session, made.key);
  return context.redirect(PATH, 303);
}

const TOO_MANY = 'Revoke a key first.';

/** How many keys one account may have at a time. */
const MAX_KEYS = 20;

/** Makes a key. @returns The key, or a message if the account has as many as it may. */
async function makeKey(desk: Desk, account: Account, name: string): Promise<{ key: string; id: string } | string> {
  if ((await desk.keysOf(account)).length >= MAX_KEYS) return TOO_MANY;
  refuseTooOften(await desk.keysOfAccount.take(account.id));
  const { folder } = desk.options;
  const made = await createOwnKey(folder, name, account);
  if (!made) throw new PageError(403, 'No key was made', 'Your account was disabled meanwhile. Ask the operator.');
  // Another process over the folder may have made a key meanwhile, too.
  if ((await desk.keysOf(account)).length <= MAX_KEYS) return { key: made.key, id: made.stored.id };
  await revokeKey(folder, made.stored.id);
  return TOO_MANY;
}

interface KeysPage {
  /** A key that was just made, shown only this time. */
  newKey?: string | undefined;
  isRevoked?: boolean;
  /** The typed name of a new key, if it has to be corrected. */
  name?: string;
  error?: string;
}

async function keysPage(desk: Desk, visit: SignedIn, page: KeysPage): Promise<Html> {
  const { folder, baseUrl, open } = desk.options;
  const { newKey, isRevoked = false, error } = page;
  const keys = await desk.keysOf(visit.account);
  const uses = await Promise.all(keys.map(({ id }) => lastUse(folder, id)));
  const title = newKey !== undefined ? 'Your new API key' : 'API keys';
  return layout({
    title: error === undefined ? title : `Error: ${title}`,
    visit,
    here: PATH,
    main: html`<h1>API keys</h1>
<p class="lead">A program shows its key with each query. Give each of yours a key of its own, so that you can revoke one
without touching the others.</p>
${open && html`<p class="notice">This service answers without a key, as it was started with <code>--open</code>.</p>`}
${isRevoked && html`<p class="notice" role="status">The key is revoked. Programs that use it are refused.</p>`}
${newKey !== undefined && newKeyPanel(newKey, baseUrl())}
${keyTable(keys.map((key, at) => keyRow(visit, key, uses[at])))}
${createForm(visit, keys.length, page)}`,
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

function keyTable(rows: readonly Html[]): Html {
  if (rows.length === 0) return html`<p class="empty">You have no key. Create one below.</p>`;
  return html`<div class="scroll" role="region" aria-labelledby="key-list" tabindex="0"><table class="keys">
<caption id="key-list">Your keys</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Id</th><th scope="col">Created</th><th scope="col">Last used</th>
<th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function keyRow(visit: SignedIn, { id, name, created }: StoredKey, used: string | undefined): Html {
  return html`<tr>
<th scope="row">${name}</th>
<td><code>${id}</code></td>
<td data-label="Created">${timeToMinute(created)}</td>
<td data-label="Last used">${lastUsed(used)}</td>
<td class="act"><details><summary>Revoke<span class="unseen"> ${name}</span>…</summary>
<form method="post" action="/dashboard/keys/revoke">
${formToken(visit)}<input type="hidden" name="id" value="${id}">
<p>Programs that use it are refused from then on.</p>
<button class="danger">Revoke for good<span class="unseen">: ${name}</span></button>
</form></details></td>
</tr>
`;
}

function createForm(visit: SignedIn, keys: number, { name = '', error }: KeysPage): Html {
  if (keys >= MAX_KEYS) {
    return html`<p class="empty">You have ${keys} keys, which is the most. Revoke one to create another.</p>`;
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

/** When a key was last used. */
export function lastUsed(used: string | undefined): Html {
  return used === undefined ? html`<span class="none">never</span>` : timeToMinute(used);
}

/** A time to the minute, as uses are noted no more finely. */
function timeToMinute(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} <span class="clock">${iso.slice(11, 16)} UTC</span></time>`;
}
