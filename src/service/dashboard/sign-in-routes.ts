import { type Context, Hono } from 'hono';
import { openAccount } from '../auth/accounts.js';
import { readEmailAddress } from '../auth/email-address.js';
import { createKey } from '../auth/keys.js';
import { type Desk, LINK_MINUTES } from './desk.js';
import { PageError } from './page-error.js';
import { confirmPage } from './pages/confirm.js';
import { linkSentPage } from './pages/link-sent.js';
import { signInPage } from './pages/sign-in.js';
import { ExpiredForm, readForm } from './read-form.js';
import { refuseTooOften } from './refuse-too-often.js';
import { requestIdOf } from './request-id.js';
import { beginSession, endSession, isSignedIn, keepNewKey, visitOf } from './visit.js';

/** Notices that the address of the sign-in page can ask for; any other name shows none. */
const NOTICES: ReadonlyMap<string, string> = new Map([
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
    const notice = NOTICES.get(context.req.query('after') ?? '');
    return context.html(String(signInPage({ visit, way: desk.way, open: desk.options.open, notice })));
  });
  app.post('/dashboard/link', (context) => askForLink(context, desk));
  app.get('/dashboard/link', async (context) => {
    if (!desk.way) return context.redirect('/', 303);
    return context.html(String(linkSentPage(await visitOf(context, desk), desk.way)));
  });
  app.get('/dashboard/sign-in', async (context) => {
    const visit = await visitOf(context, desk);
    const link = context.req.query('link') ?? '';
    const email = await desk.links.holderOf(link);
    if (email === undefined) throw linkOver();
    return context.html(String(confirmPage(visit, email, link)));
  });
  app.post('/dashboard/sign-in', (context) => signIn(context, desk));
  app.post('/dashboard/sign-out', async (context) => {
    const visit = await visitOf(context, desk);
    if (!isSignedIn(visit)) return context.redirect('/?after=over', 303);
    await readForm(context, desk, visit);
    await endSession(context, desk, visit);
    return context.redirect('/?after=out', 303);
  });
  return app;
}

const EXPIRED = 'This form has expired, and nothing was sent. Send it once more; it needs cookies to be allowed.';

/** Sends a sign-in link. It acts and answers the same whether or not the address has an account. */
async function askForLink(context: Context, desk: Desk): Promise<Response> {
  const visit = await visitOf(context, desk);
  const form = await readForm(context, desk, visit).catch((error: unknown) => {
    if (error instanceof ExpiredForm && !isSignedIn(visit)) return error;
    throw error;
  });
  const again = (email: string, error: string) =>
    String(signInPage({ visit, way: desk.way, open: desk.options.open, email: email.slice(0, 254), error }));
  // On a first visit in two tabs at once, the cookie of one of them is lost.
  if (form instanceof ExpiredForm) return context.html(again(form.form.get('email') ?? '', EXPIRED), 403);
  const way = desk.way;
  if (!way) throw new PageError(503, 'Sign-in is not set up', 'Ask the operator of this service for an API key.');
  refuseTooOften(await desk.linksOfClient.take(desk.clientOf(context)));
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
  return context.redirect('/dashboard/link', 303);
}

async function handOver(context: Context, desk: Desk, way: 'mail' | 'terminal', email: string): Promise<void> {
  const { mail, showLink, baseUrl, onError } = desk.options;
  const link = new URL(`/dashboard/sign-in?link=${await desk.links.issue(email)}`, baseUrl()).href;
  if (way === 'terminal') return showLink?.(email, link);
  const requestId = requestIdOf(context);
  // The answer does not wait: the mail server's time and words could reveal something about the address.
  if (mail) desk.outbox.send(mail, { to: email, ...mailOf(link) }, (error) => onError(error, requestId));
}

function mailOf(link: string): { subject: string; text: string } {
  const text = `Hello,

this link signs you in to the dashboard at ${new URL(link).host}:

${link}

It works once, within ${LINK_MINUTES} minutes. If you did not ask for it, ignore this mail: nothing happens without the link.
`;
  return { subject: 'Your sign-in link', text };
}

async function signIn(context: Context, desk: Desk): Promise<Response> {
  const visit = await visitOf(context, desk);
  const form = await readForm(context, desk, visit);
  refuseTooOften(await desk.triesOfClient.take(desk.clientOf(context)));
  const email = await desk.links.take(form.get('link') ?? '');
  if (email === undefined) throw linkOver();
  const { folder, keysChanged } = desk.options;
  const { account, isNew } = await openAccount(folder, email, desk.now());
  if (isSignedIn(visit)) await endSession(context, desk, visit);
  const session = await beginSession(context, desk, account);
  if (isNew) {
    const { key } = await createKey(folder, FIRST_KEY, account.id);
    keysChanged?.();
    await keepNewKey(context, desk, session, key);
  }
  return context.redirect('/dashboard/keys', 303);
}

function linkOver(): PageError {
  const detail = `A link works once, within ${LINK_MINUTES} minutes. Ask for another one.`;
  return new PageError(410, 'This link is used up or too old', detail);
}
