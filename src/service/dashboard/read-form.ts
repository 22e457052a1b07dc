import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { readBody } from '../operation/read-body.js';
import type { ServiceEnv } from '../operation/service-env.js';
import { ProblemError } from '../problems.js';
import { isOwnOrigin } from './base-url.js';
import type { Desk } from './desk.js';
import { PageError } from './page-error.js';
import type { Visit } from './visit.js';

/** The most bytes that a form may have. */
const MAX_FORM = 16_384;

/** The name of the field that holds the form token. */
export const FORM_TOKEN = 'form_token';

/**
 * Reads a form, which must be from one of the dashboard's own pages, made for this visitor.
 *
 * @throws {ExpiredForm} 403 if its token is missing or wrong.
 * @throws {PageError} 403 if it comes from another site, 415 if it is no form, 413 or 408 if it is too long or too
 *   slow.
 */
export async function readForm(context: Context, desk: Desk, visit: Visit): Promise<URLSearchParams> {
  const type = context.req.header('Content-Type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new PageError(415, 'This is no form', 'Forms of the dashboard are sent by its own pages.');
  }
  refuseForeign(context, desk);
  const form = new URLSearchParams(await formText(context, desk));
  const [right, given] = [Buffer.from(visit.formToken), Buffer.from(form.get(FORM_TOKEN) ?? '')];
  if (right.length === given.length && timingSafeEqual(right, given)) return form;
  throw new ExpiredForm(form);
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

async function formText(context: Context, desk: Desk): Promise<string> {
  const { incoming } = (context as Context<ServiceEnv>).env;
  const limits = { maxBytes: MAX_FORM, timeMs: desk.options.bodySeconds * 1000 };
  const body = await readBody(incoming, limits).catch((error: unknown) => {
    throw error instanceof ProblemError ? pageErrorOf(error) : error;
  });
  return body.toString();
}

function pageErrorOf({ status, headers }: ProblemError): PageError {
  if (status === 413) {
    return new PageError(413, 'This is too much', 'A form of the dashboard is shorter than what was sent.', headers);
  }
  // Also if the client broke off, which reads no answer.
  return new PageError(408, 'This came too slowly', 'Nothing was changed. Send the form once more.', headers);
}

/** Refuses a form of another site. Browsers say by one of two headers where a form comes from. */
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
