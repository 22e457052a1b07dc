import { type Context, Hono } from 'hono';
import { accountIdOf, entryOf, openAccount, type SignInRefusal } from '../accounts/accounts.js';
import { readEmailAddress } from '../accounts/email-address.js';
import { createOwnKey } from '../accounts/govern-accounts.js';
import type { ActionLimit } from '../operation/token-buckets.js';
import { type Desk, LINK_MINUTES } from './desk.js';
import { type Html, html } from './html-template.js';
import { cardPage, field, formToken, layout } from './page-layout.js';
import {
  beginSession,
  ExpiredForm,
  endSession,
  ForeignForm,
  isSignedIn,
  keepNewKey,
  PageError,
  readForm,
  refuseTooOften,
  requestIdOf,
  signedIn,
  type Visit,
  visitOf,
} from './visit.js';

/** Notices that the address of the sign-in page can ask for; any other name shows none. */
const NOTICES: ReadonlyMap<string | undefined, string> = new Map([
  ['out', 'You are signed out.'],
  ['over', 'Your session is over: sign in once more.'],
]);

/** The name of the key that an account gets with its first sign-in. */
const FIRST_KEY = 'first key';

/** The routes for signing in and out: asking for a link, opening it, confirming it. */
export function signInRoutes(desk: Desk): Hono {
  const app = new Hono();
  app.get('/', async (context) => {
    const visit = await visitOf(context, desk);
    if (isSignedIn(visit)) return context.redirect('/dashboard/keys', 303);
    return context.html(signInPage(desk, visit, { notice: NOTICES.get(context.req.query('after')) }));
  });
  app.post('/dashboard/link', (context) => askForLink(context, desk));
  app.get('/dashboard/link', async (context) => {
    if (!desk.way) return context.redirect('/', 303);
    return context.html(linkSentPage(await visitOf(context, desk), desk.way));
  });
  app.get('/dashboard/sign-in', async (context) => {
    const visit = await visitOf(context, desk);
    const link = context.req.query('link') ?? '';
    const email = await desk.links.holderOf(link);
    if (email === undefined) throw linkOver();
    return context.html(confirmPage(visit, email, link));
  });
  app.post('/dashboard/sign-in', (context) => signIn(context, desk));
  app.post('/dashboard/sign-out', (context) =>
    signedIn(context, desk, async (visit) => {
      await readForm(context, desk, visit);
      await endSession(context, desk, visit);
      return context.redirect('/?after=out', 303);
    }),
  );
  return app;
}

const EXPIRED = 'This form has expired, and nothing was sent. Send it once more; it needs cookies to be allowed.';

/** Sends a sign-in link. It acts and answers the same whether or not the address has an account. */
async function askForLink(context: Context, desk: Desk): Promise<Response> {
  const visit = await visitOf(context, desk);
  const form = await signInForm(context, desk, visit).catch((error: unknown) => {
    if (error instanceof ExpiredForm && !isSignedIn(visit)) return error;
    throw error;
  });
  const again = (email: string, error: string) => signInPage(desk, visit, { email: email.slice(0, 254), error });
  // On a first visit in two tabs at once, the cookie of one of them is lost.
  if (form instanceof ExpiredForm) return context.html(again(form.form.get('email') ?? '', EXPIRED), 403);
  const way = desk.way;
  if (!way) throw new PageError(503, 'Sign-in is not set up', 'Ask the operator of this service for an API key.');
  await limitClient(context, desk, desk.linksOfClient);
  const typed = form.get('email') ?? '';
  const email = readEmailAddress(typed);
  if (email === undefined) {
    const error =
      typed.trim() === ''
        ? 'Type your e-mail address.'
        : 'This is no address that we can send to. It looks like name@example.org, in plain letters.';
    return context.html(again(typed, error), 422);
  }
  // Beyond the limit there is no mail, but the same answer: whether others asked for this address stays private.
  if ((await desk.linksOfAddress.take(email)) === 0) await handOver(context, desk, way, email);
  else noteTooOften(context, desk, email);
  return context.redirect('/dashboard/link', 303);
}

/** Reads a form of signing in; one that is forged, or too old, is noted in the log. */
async function signInForm(context: Context, desk: Desk, visit: Visit): Promise<URLSearchParams> {
  try {
    return await readForm(context, desk, visit);
  } catch (error) {
    const reason =
      error instanceof ExpiredForm ? 'form expired' : error instanceof ForeignForm ? 'foreign form' : undefined;
    if (reason !== undefined) desk.audit(context, 'sign-in refused', { reason });
    throw error;
  }
}

/** Notes that too many links were asked for an address. The answer does not wait: its time could reveal an account. */
function noteTooOften(context: Context, desk: Desk, email: string): void {
  const { folder, onError } = desk.options;
  const note = async () => {
    const named = await desk.named(email, await entryOf(folder, email, desk.mayJoin(email)));
    desk.audit(context, 'sign-in refused', { ...named, reason: 'too often' });
  };
  const requestId = requestIdOf(context);
  note().catch((error: unknown) => onError(error, requestId));
}

/** Refuses a client that tries to sign in too often. */
async function limitClient(context: Context, desk: Desk, limit: ActionLimit): Promise<void> {
  const waitMs = await limit.take(desk.clientOf(context));
  if (waitMs > 0) desk.audit(context, 'sign-in refused', { reason: 'too often' });
  refuseTooOften(waitMs);
}

/** Gets a link to whoever may sign in. The answer is the same for anybody else. */
async function handOver(context: Context, desk: Desk, way: 'mail' | 'terminal', email: string): Promise<void> {
  const { mail, showLink, baseUrl, onError } = desk.options;
  // Asked now: later, the service may have stopped listening.
  const base = baseUrl();
  if (way === 'terminal') {
    const link = await makeLink(context, desk, email, base);
    if (link) showLink?.(email, link.href);
    return;
  }
  const requestId = requestIdOf(context);
  const make = async () => {
    const link = await makeLink(context, desk, email, base);
    return link && { to: email, subject: 'Your sign-in link', text: mailText(link) };
  };
  // The answer does not wait: how long this takes could reveal whether there is an account.
  if (mail) desk.outbox.send(mail, make, (error) => onError(error, requestId));
}

/** Makes a link for the holder of an address; undefined if they may not sign in. */
async function makeLink(context: Context, desk: Desk, email: string, base: string): Promise<URL | undefined> {
  const { folder } = desk.options;
  const entry = await entryOf(folder, email, desk.mayJoin(email));
  const named = await desk.named(email, entry);
  if (entry.refused !== undefined) {
    desk.audit(context, 'sign-in refused', { ...named, reason: entry.refused });
    return undefined;
  }
  const link = new URL(`/dashboard/sign-in?link=${await desk.links.issue(email)}`, base);
  desk.audit(context, 'sign-in link sent', named);
  return link;
}

const mailText = (link: URL) => `Hello,

this link signs you in to the dashboard at ${link.host}:

${link.href}

It works once, within ${LINK_MINUTES} minutes. If you did not ask for it, ignore this mail: nothing happens without the link.
`;

async function signIn(context: Context, desk: Desk): Promise<Response> {
  const visit = await visitOf(context, desk);
  const form = await signInForm(context, desk, visit);
  await limitClient(context, desk, desk.triesOfClient);
  const email = await desk.links.take(form.get('link') ?? '');
  if (email === undefined) {
    desk.audit(context, 'sign-in refused', { reason: 'link over' });
    throw linkOver();
  }
  const { folder } = desk.options;
  const opened = await openAccount(folder, email, { nowMs: desk.now(), mayJoin: desk.mayJoin(email) });
  const refuse = async (reason: SignInRefusal) => {
    const entry = reason === 'sign-up closed' ? {} : { account: accountIdOf(email) };
    desk.audit(context, 'sign-in refused', { ...(await desk.named(email, entry)), reason });
    return new PageError(403, 'You cannot sign in here', 'Ask the operator of this service.');
  };
  if ('refused' in opened) throw await refuse(opened.refused);
  const { account, isNew } = opened;
  if (isNew) desk.audit(context, 'account created', { account: account.id });
  if (isSignedIn(visit)) await endSession(context, desk, visit);
  const session = await beginSession(context, desk, account);
  if (session === undefined) throw await refuse('account disabled');
  desk.audit(context, 'sign-in', { account: account.id });
  const made = isNew ? await createOwnKey(folder, FIRST_KEY, account) : undefined;
  if (made) {
    desk.audit(context, 'key created', { key: made.stored.id, account: account.id, role: 'reader' });
    await keepNewKey(context, desk, session, made.key);
  }
  return context.redirect('/dashboard/keys', 303);
}

function linkOver(): PageError {
  const detail = `A link works once, within ${LINK_MINUTES} minutes. Ask for another one.`;
  return new PageError(410, 'This link is used up or too old', detail);
}

interface SignInPage {
  /** A notice above the form: signed out, session over. */
  notice?: string | undefined;
  /** The typed address, if it has to be corrected. */
  email?: string;
  error?: string;
}

function signInPage(desk: Desk, visit: Visit, page: SignInPage): Html {
  const { way } = desk;
  const { open, signUp } = desk.options;
  if (way === undefined && open) return cardPage('Query service', visit, NO_NEED);
  return layout({
    title: page.error === undefined ? 'Sign in' : 'Error: Sign in',
    visit,
    isNarrow: true,
    main: html`${page.notice !== undefined && html`<p class="notice" role="status">${page.notice}</p>`}
<section class="card">
<h1>Sign in</h1>
${open && html`<p class="notice">Queries need no key here. Sign in to try them in a form.</p>`}
${way === undefined ? NOT_SET_UP : linkForm(visit, page, way)}
</section>
<p class="aside">New here? ${signUp === 'open' ? JOIN : ASK_TO_JOIN} How to query the service is told in the
<a href="/docs">documentation</a>.</p>`,
  });
}

function linkForm(visit: Visit, { email = '', error }: SignInPage, way: 'mail' | 'terminal'): Html {
  const where =
    way === 'mail' ? 'We mail you a link that signs you in.' : 'A link that signs you in appears in the terminal.';
  return html`<p class="lead">No password needed. ${where}</p>
<form method="post" action="/dashboard/link" novalidate>
${formToken(visit)}
${field({
  name: 'email',
  label: 'E-mail address',
  error,
  control: (attributes) =>
    html`<input type="email"${attributes} value="${email}" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus>`,
})}
<button class="main wide">${way === 'mail' ? 'Mail me a link' : 'Print a link'}</button>
</form>`;
}

const JOIN = 'Signing in makes your account and your first API key.';
const ASK_TO_JOIN = 'Not everybody can make an account here: ask the operator of this service.';

const NO_NEED = html`<h1>No sign-in needed</h1>
<p class="lead">This service answers every query on this machine, without a key.</p>
<p>The <a href="/docs">documentation</a> has queries to copy. Run in a terminal, the service has a form to try them, too.</p>`;

const NOT_SET_UP = html`<p class="lead">Sign-in is not set up on this service.</p>
<p>Ask its operator for an API key. The operator can set a mail server and a public address that begins with https or,
on one machine alone, run the service in a terminal, where the links appear then.</p>`;

/**
 * The page that a sign-in link opens. It only asks for confirmation. Otherwise mail scanners that follow links would
 * use the link up; and people see whose account it is.
 */
function confirmPage(visit: Visit, email: string, link: string): Html {
  const card = html`<h1>Finish signing in</h1>
<p class="lead">You sign in as <strong class="address">${email}</strong>.</p>
<form method="post" action="/dashboard/sign-in">
${formToken(visit)}
<input type="hidden" name="link" value="${link}">
<button class="main wide" autofocus>Sign in</button>
</form>
<p class="hint">You did not ask for this, or it is not your address? Close the page: nothing happens.</p>`;
  return cardPage('Finish signing in', visit, card);
}

/** The page after a link was asked for: the same for every address. */
function linkSentPage(visit: Visit, way: 'mail' | 'terminal'): Html {
  const isMailed = way === 'mail';
  const title = isMailed ? 'Look into your mail' : 'Look into the terminal';
  const where = isMailed
    ? 'If the address that you gave may sign in here, a link is on its way to it.'
    : 'If the address may sign in here, the link is printed where “oddslab serve” runs. Open it in this browser.';
  const card = html`<h1>${title}</h1>
<p class="lead">${where}</p>
<p>It works once, within ${LINK_MINUTES} minutes.</p>
<p class="hint">Nothing there? ${isMailed && 'Look among the junk mail, and check the address. '}At most five links are
made for an address at once, then one every twelve minutes.</p>
<p><a class="button" href="/">Back to sign-in</a></p>`;
  return cardPage(title, visit, card);
}
