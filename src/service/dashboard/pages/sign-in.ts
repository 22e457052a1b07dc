import { type Html, html } from '../../page/html.js';
import type { Visit } from '../visit.js';
import { field } from './field.js';
import { formToken, layout } from './layout.js';

/** What the sign-in page shows. */
export interface SignInPage {
  visit: Visit;
  /** How the link gets to the visitor; undefined if the operator has not set it up. */
  way: 'mail' | 'terminal' | undefined;
  /** Whether queries are answered without a key. */
  open: boolean;
  /** A notice above the form: signed out, session over. */
  notice?: string | undefined;
  /** The typed address, if it has to be corrected. */
  email?: string;
  error?: string;
}

/** The page that asks for an e-mail address. */
export function signInPage(page: SignInPage): Html {
  const { visit, way, open, notice, error } = page;
  if (way === undefined && open) return noNeed(visit);
  return layout({
    title: error === undefined ? 'Sign in' : 'Error: Sign in',
    visit,
    isNarrow: true,
    main: html`${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
<section class="card">
<h1>Sign in</h1>
${open && html`<p class="notice">Queries need no key here. Sign in to try them in a form.</p>`}
${way === undefined ? notSetUp() : form(page, way)}
</section>
<p class="aside">New here? Signing in makes your account and your first API key. How to query the service is told in the
<a href="/docs">documentation</a>.</p>`,
  });
}

function form({ visit, email = '', error }: SignInPage, way: 'mail' | 'terminal'): Html {
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

function noNeed(visit: Visit): Html {
  return layout({
    title: 'Query service',
    visit,
    isNarrow: true,
    main: html`<section class="card">
<h1>No sign-in needed</h1>
<p class="lead">This service answers every query on this machine, without a key.</p>
<p>The <a href="/docs">documentation</a> has queries to copy. Run in a terminal, the service has a form to try them, too.</p>
</section>`,
  });
}

function notSetUp(): Html {
  return html`<p class="lead">Sign-in is not set up on this service.</p>
<p>Ask its operator for an API key. The operator can set a mail server and a public address that begins with https or,
on one machine alone, run the service in a terminal, where the links appear then.</p>`;
}
