import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { isOwnOrigin } from './base-url.js';
import type { Desk } from './desk.js';
import { PageError } from './page-error.js';
import type { Visit } from './visit.js';

/** Name of the field that carries the form token. */
export const FORM_TOKEN = 'form_token';

/**
 * Reads a form that one of our own pages sent to this very visitor.
 *
 * @throws {PageError} 403 where it comes from another site, or its token is missing or wrong; 415 where it is no form.
 */
export async function readForm(context: Context, desk: Desk, visit: Visit): Promise<URLSearchParams> {
  const type = context.req.header('Content-Type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new PageError(415, 'This is no form', 'Forms of the dashboard are sent by its own pages.');
  }
  refuseForeign(context, desk);
  const form = new URLSearchParams(await context.req.text());
  const [right, given] = [Buffer.from(visit.formToken), Buffer.from(form.get(FORM_TOKEN) ?? '')];
  if (right.length === given.length && timingSafeEqual(right, given)) return form;
  throw new PageError(
    403,
    'This form has expired',
    'Nothing was changed. Go back, load the page again and send the form once more. It needs cookies to be allowed.',
  );
}

/** A browser says of each form where it comes from, by one of two headers. */
function refuseForeign(context: Context, desk: Desk): void {
  const origin = context.req.header('Origin');
  const isOwn =
    origin === undefined
      ? context.req.header('Sec-Fetch-Site') === 'same-origin'
      : isOwnOrigin(origin, desk.options.baseUrl());
  if (isOwn) return;
  throw new PageError(
    403,
    'This form comes from somewhere else',
    `Nothing was changed. Open the dashboard at ${desk.options.baseUrl()} and send the form from there.`,
  );
}
