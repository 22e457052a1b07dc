import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { type Account, findAccount } from '../auth/accounts.js';
import { type Desk, SESSION_DAYS } from './desk.js';

/** The visitor that asks for a page. */
export interface Visit {
  /** The session, if the visitor is signed in. */
  readonly session: string | undefined;
  readonly account: Account | undefined;
  /** The token in each form of this visitor, so that no other site can send one. */
  readonly formToken: string;
}

/** A visitor who is signed in. */
export type SignedIn = Visit & { readonly session: string; readonly account: Account };

/** The cookies: a session, a browser that is not signed in, and a new key to be shown once. */
type CookieName = 'session' | 'visitor' | 'new-key';

/** How long a visitor who is not signed in may leave a form open. */
const VISITOR_SECONDS = 24 * 3600;

/** How long a new key waits to be shown. */
const NEW_KEY_SECONDS = 300;

/** Finds out who asks, by the signed cookies. A new visitor gets a cookie, as the forms need one. */
export async function visitOf(context: Context, desk: Desk): Promise<Visit> {
  const signer = await desk.signer();
  const session = signer.verified('session', cookieOf(context, desk, 'session'));
  const holder = session === undefined ? undefined : await desk.sessions.holderOf(session);
  const account = holder === undefined ? undefined : await findAccount(desk.options.folder, holder);
  if (session !== undefined && account) return { session, account, formToken: signer.codeOf('form', session) };
  const known = signer.verified('visitor', cookieOf(context, desk, 'visitor'));
  const visitor = known ?? randomBytes(16).toString('base64url');
  if (known === undefined) putCookie(context, desk, 'visitor', signer.signed('visitor', visitor), VISITOR_SECONDS);
  return { session: undefined, account: undefined, formToken: signer.codeOf('form', visitor) };
}

/** Whether somebody is signed in. */
export function isSignedIn(visit: Visit): visit is SignedIn {
  return visit.session !== undefined && visit.account !== undefined;
}

/** Signs somebody in, always with a new session. @returns The session. */
export async function beginSession(context: Context, desk: Desk, account: Account): Promise<string> {
  const [signer, session] = await Promise.all([desk.signer(), desk.sessions.issue(account.id)]);
  putCookie(context, desk, 'session', signer.signed('session', session), SESSION_DAYS * 24 * 3600);
  deleteCookie(context, nameOf(desk, 'visitor'), { path: '/', secure: desk.isSecure });
  return session;
}

/** Signs somebody out, here and in every copy of the cookie. */
export async function endSession(context: Context, desk: Desk, visit: SignedIn): Promise<void> {
  await desk.sessions.take(visit.session);
  for (const name of ['session', 'new-key'] as const) {
    deleteCookie(context, nameOf(desk, name), { path: '/', secure: desk.isSecure });
  }
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
  deleteCookie(context, nameOf(desk, 'new-key'), { path: '/', secure: desk.isSecure });
  return (await desk.signer()).unsealed('new-key', sealed, session);
}

/** The full name of a cookie. With TLS, its prefix makes browsers refuse it for other hosts, paths and plain HTTP. */
function nameOf(desk: Desk, name: CookieName): string {
  return `${desk.isSecure ? '__Host-' : ''}oddslab-${name}`;
}

function cookieOf(context: Context, desk: Desk, name: CookieName): string {
  return getCookie(context, nameOf(desk, name)) ?? '';
}

function putCookie(context: Context, desk: Desk, name: CookieName, value: string, maxAge: number): void {
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: desk.isSecure, maxAge } as const;
  setCookie(context, nameOf(desk, name), value, options);
}
