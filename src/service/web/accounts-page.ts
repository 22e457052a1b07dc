import { type Context, Hono } from 'hono';
import { type ListedAccount, listAccounts } from '../accounts/accounts.js';
import { listKeys, revokeKey, type StoredKey } from '../accounts/api-keys.js';
import { disableAccount, enableAccount, latestUse } from '../accounts/govern-accounts.js';
import type { Desk } from './desk.js';
import { type Html, html } from './html-template.js';
import { lastUsed } from './keys-page.js';
import { field, formToken, layout } from './page-layout.js';
import { forOperator, PageError, readForm, type SignedIn } from './visit.js';

const PATH = '/dashboard/accounts';

/** How many accounts, and how many keys, the page shows at most: the newest of those that were looked for. */
const MOST_SHOWN = 100;

/** Notices that the address of the page can ask for; any other name shows none. */
const NOTICES: ReadonlyMap<string | undefined, string> = new Map([
  ['disabled', 'The account is disabled: its keys are refused, and its sessions are over.'],
  ['enabled', 'The account is enabled: its keys are accepted again, and it can sign in.'],
  ['revoked', 'The key is revoked. Programs that use it are refused.'],
]);

/** The routes by which an operator sees all accounts and keys, disables and enables accounts, and revokes keys. */
export function accountsRoutes(desk: Desk): Hono {
  const app = new Hono();
  const { folder } = desk.options;
  app.get(PATH, (context) =>
    forOperator(context, desk, async (visit) => {
      const looked = { find: context.req.query('find') ?? '', notice: NOTICES.get(context.req.query('after')) };
      return context.html(await accountsPage(desk, visit, looked));
    }),
  );
  app.post(`${PATH}/disable`, (context) =>
    change(context, desk, async (id, { account: operator }) => {
      if (id === operator.id) throw new PageError(403, 'This is your own account', 'Another operator can disable it.');
      const { isChanged, keys, sessions } = await disableAccount(folder, await accountOf(folder, id));
      if (isChanged) desk.audit(context, 'account disabled', { account: id, by: operator.id, keys, sessions });
      return 'disabled';
    }),
  );
  app.post(`${PATH}/enable`, (context) =>
    change(context, desk, async (id, { account: operator }) => {
      const { isChanged, keys } = await enableAccount(folder, await accountOf(folder, id));
      if (isChanged) desk.audit(context, 'account enabled', { account: id, by: operator.id, keys });
      return 'enabled';
    }),
  );
  app.post(`${PATH}/revoke`, (context) =>
    change(context, desk, async (id, { account: operator }) => {
      const key = (await listKeys(folder)).find((each) => each.id === id);
      if (!key) throw new PageError(404, 'There is no such key', 'Perhaps it is revoked already.');
      await revokeKey(folder, id);
      desk.audit(context, 'key revoked', { key: id, account: key.owner, by: operator.id });
      return 'revoked';
    }),
  );
  return app;
}

/** Changes what an operator's form names, and goes back to the page. @param doing Returns the name of a notice. */
function change(
  context: Context,
  desk: Desk,
  doing: (id: string, visit: SignedIn) => Promise<string>,
): Promise<Response> {
  return forOperator(context, desk, async (visit) => {
    const form = await readForm(context, desk, visit);
    const query = new URLSearchParams({ after: await doing(form.get('id') ?? '', visit) });
    const find = form.get('find') ?? '';
    if (find !== '') query.set('find', find);
    return context.redirect(`${PATH}?${query}`, 303);
  });
}

async function accountOf(folder: string, id: string): Promise<ListedAccount> {
  const account = (await listAccounts(folder)).find((each) => each.id === id);
  if (account) return account;
  throw new PageError(404, 'There is no such account', 'Perhaps it is deleted already.');
}

interface AccountsPage {
  /** What accounts and keys are looked for by; empty for all. */
  find: string;
  notice: string | undefined;
}

async function accountsPage(desk: Desk, visit: SignedIn, { find, notice }: AccountsPage): Promise<Html> {
  const { folder } = desk.options;
  const [accounts, keys] = [await listAccounts(folder), await listKeys(folder)];
  const emails = new Map(accounts.map(({ id, email = id }) => [id, email]));
  const sought = find.trim().toLowerCase();
  const isSought = (texts: readonly (string | undefined)[]) =>
    texts.some((text) => text?.toLowerCase().includes(sought));
  const foundAccounts = accounts.filter(({ id, email }) => isSought([id, email])).reverse();
  const foundKeys = keys
    .filter(({ id, name, owner }) => isSought([id, name, owner, emails.get(owner ?? '')]))
    .reverse();
  const form = { visit, find };
  const accountRows = foundAccounts.slice(0, MOST_SHOWN).map(async (account) => {
    const own = keys.filter(({ owner }) => owner === account.id);
    const isOperator = desk.isOperator(account);
    return accountRow(form, {
      ...account,
      isOperator,
      keys: own.length,
      used: await latestUse(
        folder,
        own.map(({ id }) => id),
      ),
    });
  });
  const keyRows = foundKeys.slice(0, MOST_SHOWN).map(async (key) => {
    return keyRow(form, key, emails.get(key.owner ?? ''), await latestUse(folder, [key.id]));
  });
  return layout({
    title: 'Accounts',
    visit,
    here: PATH,
    main: html`<h1>Accounts and keys</h1>
<p class="lead">All who have signed in to this service, and all of its keys. What you do here is in the log.</p>
${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
${findForm(find)}
${table('accounts', countedText('Accounts', foundAccounts.length), ['E-mail address', 'Id', 'State', 'Keys', 'Created', 'Last used'], await Promise.all(accountRows))}
${table('all-keys', countedText('Keys', foundKeys.length), ['Name', 'Id', 'Owner', 'Role', 'Created', 'Last used'], await Promise.all(keyRows))}`,
  });
}

function countedText(what: string, count: number): string {
  if (count <= MOST_SHOWN) return `${what}: ${count || 'none'}`;
  return `${what}: the ${MOST_SHOWN} newest of ${count.toLocaleString('en-US')}. Find others above, or list them by the oddslab command.`;
}

function findForm(find: string): Html {
  return html`<form class="line" method="get" action="${PATH}" role="search">
${field({
  name: 'find',
  label: 'Find',
  hint: 'A part of an e-mail address, of the name of a key, or of an id.',
  control: (attributes) =>
    html`<input type="search"${attributes} value="${find}" maxlength="254" autocomplete="off" spellcheck="false">`,
})}
<button>Find</button>
</form>`;
}

function table(id: string, caption: string, heads: readonly string[], rows: readonly Html[]): Html {
  if (rows.length === 0) return html`<p class="empty">${caption}</p>`;
  return html`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0"><table class="keys all">
<caption id="${id}">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}<th scope="col"><span class="unseen">Change</span></th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** What each form of the page holds, besides its own id. */
interface FormOf {
  visit: SignedIn;
  find: string;
}

function hiddenFields({ visit, find }: FormOf, id: string): Html {
  return html`${formToken(visit)}<input type="hidden" name="id" value="${id}"><input type="hidden" name="find" value="${find}">`;
}

interface AccountRow extends ListedAccount {
  isOperator: boolean;
  /** How many it has. */
  keys: number;
  used: string | undefined;
}

function accountRow(form: FormOf, { id, email, created, isDisabled, isOperator, keys, used }: AccountRow): Html {
  return html`<tr>
<th scope="row">${email ?? DAMAGED}</th>
<td><code title="${id}">${id.slice(0, 8)}…</code></td>
<td>${isDisabled ? html`<strong class="loss">disabled</strong>` : 'enabled'}${isOperator && ', operator'}</td>
<td data-label="Keys">${keys}</td>
<td data-label="Created">${created === undefined ? '–' : day(created)}</td>
<td data-label="Last used">${lastUsed(used)}</td>
<td class="act">${id !== form.visit.account.id && (isDisabled ? enableForm(form, id, email ?? id) : disableForm(form, id, email ?? id))}</td>
</tr>
`;
}

/** What stands for the address of an account whose file is damaged. */
const DAMAGED = html`<strong class="loss">damaged file</strong>`;

/** The day of a time. */
function day(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`;
}

function enableForm(form: FormOf, id: string, email: string): Html {
  return html`<form method="post" action="${PATH}/enable">${hiddenFields(form, id)}
<button>Enable<span class="unseen"> ${email}</span></button></form>`;
}

function disableForm(form: FormOf, id: string, email: string): Html {
  return html`<details><summary>Disable<span class="unseen"> ${email}</span>…</summary>
<form method="post" action="${PATH}/disable">${hiddenFields(form, id)}
<p>Its keys are refused and its sessions end, until it is enabled.</p>
<button class="danger">Disable<span class="unseen"> ${email}</span></button>
</form></details>`;
}

function keyRow(form: FormOf, key: StoredKey, email: string | undefined, used: string | undefined): Html {
  const { id, name, owner, role = 'reader', created } = key;
  const none = owner === undefined ? 'the command line' : 'an account that is gone';
  return html`<tr>
<th scope="row">${name}</th>
<td><code>${id}</code></td>
<td class="whose" data-label="Owner">${email ?? html`<span class="none">${none}</span>`}</td>
<td>${role}</td>
<td data-label="Created">${day(created)}</td>
<td data-label="Last used">${lastUsed(used)}</td>
<td class="act"><details><summary>Revoke<span class="unseen"> ${name}</span>…</summary>
<form method="post" action="${PATH}/revoke">${hiddenFields(form, id)}
<p>Programs that use it are refused from then on.</p>
<button class="danger">Revoke for good<span class="unseen">: ${name}</span></button>
</form></details></td>
</tr>
`;
}
