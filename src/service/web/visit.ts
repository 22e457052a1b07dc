import { randomBytes } from 'node:crypto';
import type { OutgoingMessage } from 'node:http';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { OddslabError } from '../../base/errors.js';
import { type Account, soundAccount } from '../accounts/accounts.js';
import { isSameSecret } from '../accounts/cookie-signer.js';
import { isOwnOrigin } from '../http/hosts.js';
import { ProblemError } from '../http/problems.js';
import { readBody } from '../http/request-body.js';
import type { ServiceEnv } from '../http/request-record.js';
import { type Desk, SESSION_DAYS } from './desk.js';

/** The visitor that asks for a page. */
export interface Visit {
  readonly session: string | undefined;
  readonly account: Account | undefined;
  /** Whether the account is an operator's. */
  readonly isOperator: boolean;
  /** The token in each form of this visitor, so that no other site can send one. */
  readonly formToken: string;
}

/** A visitor who is signed in. */
export type SignedIn = Visit & { readonly session: string; readonly account: Account };

/** A session, a browser that is not signed in, and a new key to be shown once. */
type CookieName = 'session' | 'visitor' | 'new-key';

/** How long a visitor who is not signed in may leave a form open. */
const VISITOR_SECONDS = 24 * 3600;

const NEW_KEY_SECONDS = 300;

/** Finds out who asks, by the signed cookies. A new visitor gets a cookie, as the forms need one. */
export async function visitOf(context: Context, desk: Desk): Promise<Visit> {
  const signer = await desk.signer();
  const session = signer.verified('session', cookieOf(context, desk, 'session'));
  const holder = session === undefined ? undefined : await desk.sessions.holderOf(session);
  const account = holder === undefined ? undefined : await soundAccount(desk.options.folder, holder);
  if (session !== undefined && account) {
    return { session, account, isOperator: desk.isOperator(account), formToken: signer.codeOf('form', session) };
  }
  const known = signer.verified('visitor', cookieOf(context, desk, 'visitor'));
  const visitor = known ?? randomBytes(16).toString('base64url');
  if (known === undefined) putCookie(context, desk, 'visitor', signer.signed('visitor', visitor), VISITOR_SECONDS);
  return { session: undefined, account: undefined, isOperator: false, formToken: signer.codeOf('form', visitor) };
}

/** Whether somebody is signed in. */
export function isSignedIn(visit: Visit): visit is SignedIn {
  return visit.session !== undefined && visit.account !== undefined;
}

/** Answers a request of somebody who is signed in; anybody else is sent to the sign-in page. */
export async function signedIn(
  context: Context,
  desk: Desk,
  answer: (visit: SignedIn) => Response | Promise<Response>,
): Promise<Response> {
  const visit = await visitOf(context, desk);
  if (isSignedIn(visit)) return answer(visit);
  return context.redirect(context.req.method === 'POST' ? '/?after=over' : '/', 303);
}

/** Answers a request of an operator; for anybody else who is signed in, there is no such page. */
export function forOperator(
  context: Context,
  desk: Desk,
  answer: (visit: SignedIn) => Response | Promise<Response>,
): Promise<Response> {
  return signedIn(context, desk, (visit) => {
    if (!visit.isOperator) throw noSuchPage();
    return answer(visit);
  });
}

/**
 * Signs somebody in, always with a new session.
 *
 * @returns The session; undefined if the account was disabled or deleted meanwhile.
 */
export async function beginSession(context: Context, desk: Desk, account: Account): Promise<string | undefined> {
  const [signer, session] = await Promise.all([desk.signer(), desk.sessions.issue(account.id)]);
  // Who disabled it has perhaps ended its sessions already, before there was this one.
  if (!(await soundAccount(desk.options.folder, account.id))) {
    await desk.sessions.take(session);
    return undefined;
  }
  putCookie(context, desk, 'session', signer.signed('session', session), SESSION_DAYS * 24 * 3600);
  dropCookie(context, desk, 'visitor');
  return session;
}

/** Signs somebody out, here and in every copy of the cookie. */
export async function endSession(context: Context, desk: Desk, visit: SignedIn): Promise<void> {
  await desk.sessions.take(visit.session);
  for (const name of ['session', 'new-key'] as const) dropCookie(context, desk, name);
}

/** Keeps a new key, sealed, for the next page of this session. */
export async function keepNewKey(context: Context, desk: Desk, session: string, key: string): Promise<void> {
  const signer = await desk.signer();
  putCookie(context, desk, 'new-key', signer.sealed('new-key', key, session), NEW_KEY_SECONDS);
}

/** Takes the new key that this session has not seen yet, if there is one; it is returned only once. */
export async function takeNewKey(context: Context, desk: Desk, session: string): Promise<string | undefined> {
  const sealed = cookieOf(context, desk, 'new-key');
  if (sealed === '') return undefined;
  dropCookie(context, desk, 'new-key');
  return (await desk.signer()).unsealed('new-key', sealed, session);
}

/** The full name of a cookie. With TLS, its prefix makes browsers refuse it for other hosts, paths and plain HTTP. */
function cookieName(desk: Desk, name: CookieName): string {
  return `${desk.isSecure ? '__Host-' : ''}oddslab-${name}`;
}

function cookieOf(context: Context, desk: Desk, name: CookieName): string {
  return getCookie(context, cookieName(desk, name)) ?? '';
}

function putCookie(context: Context, desk: Desk, name: CookieName, value: string, maxAge: number): void {
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: desk.isSecure, maxAge } as const;
  setCookie(context, cookieName(desk, name), value, options);
}

function dropCookie(context: Context, desk: Desk, name: CookieName): void {
  deleteCookie(context, cookieName(desk, name), { path: '/', secure: desk.isSecure });
}

const MAX_FORM_BYTES = 16_384;

/** The name of the field that holds the form token. */
export const FORM_TOKEN = 'form_token';

/**
 * Reads a form, which must be from one of the dashboard's own pages, made for this visitor.
 *
 * @throws {ExpiredForm} 403 if its token is missing or wrong.
 * @throws {ForeignForm} 403 if it comes from another site.
 * @throws {PageError} 415 if it is no form, 413 or 408 if it is too long or too
 *   slow.
 */
export async function readForm(context: Context, desk: Desk, visit: Visit): Promise<URLSearchParams> {
  const type = context.req.header('Content-Type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new PageError(415, 'This is no form', 'Forms of the dashboard are sent by its own pages.');
  }
  refuseForeign(context, desk);
  const form = new URLSearchParams(await formText(context, desk));
  if (isSameSecret(visit.formToken, form.get(FORM_TOKEN) ?? '')) return form;
  throw new ExpiredForm(form);
}

/** Thrown while a page is made, to answer with a page that says why it could not be. */
export class PageError extends OddslabError {
  override name = 'PageError';
  readonly status: 400 | 403 | 404 | 405 | 408 | 410 | 413 | 415 | 429 | 500 | 503;
  readonly heading: string;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail What to do next. */
  constructor(status: PageError['status'], heading: string, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.heading = heading;
    this.headers = headers;
  }
}

/** The error for a page that there is not, or not for this visitor. */
export function noSuchPage(): PageError {
  return new PageError(404, 'There is no such page', 'Perhaps a form was sent, and its page then opened alone.');
}

/** Thrown if a form of this site does not have this visitor's token. */
export class ExpiredForm extends PageError {
  readonly form: URLSearchParams;

  constructor(form: URLSearchParams) {
    const detail = 'Go back, load the page again and send the form once more. It needs cookies to be allowed.';
    super(403, 'This form has expired', `Nothing was changed. ${detail}`);
    this.form = form;
  }
}

/** Thrown if a form comes from another site. */
export class ForeignForm extends PageError {
  constructor(baseUrl: string) {
    const detail = `Nothing was changed. Open the dashboard at ${baseUrl} and send the form from there.`;
    super(403, 'This form comes from somewhere else', detail);
  }
}

async function formText(context: Context, desk: Desk): Promise<string> {
  const { incoming } = (context as Context<ServiceEnv>).env;
  try {
    return (await readBody(incoming, { maxBytes: MAX_FORM_BYTES, timeMs: desk.options.bodySeconds * 1000 })).toString();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { status, headers } = error;
    // Also too slow if the client broke off, which reads no answer.
    throw status === 413
      ? new PageError(413, 'This is too much', 'A form of the dashboard is shorter than what was sent.', headers)
      : new PageError(408, 'This came too slowly', 'Nothing was changed. Send the form once more.', headers);
  }
}

/** Refuses a form of another site. Browsers say by one of two headers where a form comes from. */
function refuseForeign(context: Context, desk: Desk): void {
  const origin = context.req.header('Origin');
  const isOwn =
    origin === undefined
      ? context.req.header('Sec-Fetch-Site') === 'same-origin'
      : isOwnOrigin(origin, desk.options.baseUrl());
  if (isOwn) return;
  throw new ForeignForm(desk.options.baseUrl());
}

/** Refuses a request beyond a rate limit. @param waitMs The result of `RateLimit.take`; 0 lets the request pass. */
export function refuseTooOften(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  throw new PageError(429, 'Too often', `Wait ${wait}, then try once more.`, { 'Retry-After': String(seconds) });
}

/** The id under which the service logs this request; an empty text if it has none. */
export function requestIdOf({ env }: Context<{ Bindings: { outgoing?: OutgoingMessage } }>): string {
  return String(env?.outgoing?.getHeader('X-Request-Id') ?? '');
}
