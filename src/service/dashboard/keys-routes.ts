import { type Context, Hono } from 'hono';
import type { Account } from '../auth/accounts.js';
import { keyNameError, MAX_NAME } from '../auth/key-name-error.js';
import { lastUse } from '../auth/key-uses.js';
import { createKey, revokeKey } from '../auth/keys.js';
import type { Desk } from './desk.js';
import { PageError } from './page-error.js';
import { keysPage, type ListedKey, MAX_KEYS } from './pages/keys.js';
import { readForm } from './read-form.js';
import { refuseTooOften } from './refuse-too-often.js';
import { isSignedIn, keepNewKey, type SignedIn, takeNewKey, visitOf } from './visit.js';

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
    return context.html(await pageOf(desk, visit, { newKey, notice }));
  });
  app.post(path, (context) => create(context, desk, path));
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

async function create(context: Context, desk: Desk, path: string): Promise<Response> {
  const visit = await visitOf(context, desk);
  if (!isSignedIn(visit)) return context.redirect('/?after=over', 303);
  const typed = (await readForm(context, desk, visit)).get('name') ?? '';
  const name = typed.trim();
  const fault = keyNameError(name);
  const made = fault ?? (await desk.keyTurns.take(visit.account.id, () => makeKey(desk, visit.account, name)));
  if (typeof made === 'string') {
    return context.html(await pageOf(desk, visit, { name: typed.slice(0, MAX_NAME), error: made }), 422);
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

async function pageOf(
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
