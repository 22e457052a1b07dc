import { type Content, type Html, html } from '../../page/html.js';
import { pageShell } from '../../page/page-shell.js';
import { FORM_TOKEN } from '../read-form.js';
import type { Visit } from '../visit.js';

/** One page of the dashboard. */
export interface Page {
  title: string;
  /** Who sees it; absent if that is not known, as on an error. */
  visit?: Visit | undefined;
  /** The address of this page's entry in the navigation. */
  here?: string;
  /** Whether the page is a single narrow card. */
  isNarrow?: boolean;
  main: Content;
}

const ENTRIES = [
  ['/dashboard/keys', 'API keys'],
  ['/dashboard/try/markets', 'Try a query'],
  ['/docs', 'Documentation'],
] as const;

/** A whole page: its main part within what all pages have in common. */
export function layout({ title, visit, here, isNarrow, main }: Page): Html {
  return pageShell({
    title: `${title} · Oddslab`,
    head: html`<link rel="icon" href="/dashboard/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/dashboard/style.css">`,
    main: 'main',
    body: html`<header class="top"><div class="row">
<a class="brand" href="/"><img src="/dashboard/icon.svg" alt="" width="24" height="24">Oddslab</a>
${visit?.account && navigation(here)}
${visit?.account && signOut(visit.account.email, visit.formToken)}
</div></header>
<main id="main" tabindex="-1"${isNarrow ? html` class="narrow"` : undefined}>
${main}
</main>`,
  });
}

/** The hidden field that proves that a form comes from this site. */
export function formToken(visit: Visit): Html {
  return html`<input type="hidden" name="${FORM_TOKEN}" value="${visit.formToken}">`;
}

function navigation(here: string | undefined): Html {
  const entries = ENTRIES.map(
    ([address, name]) =>
      html`<li><a href="${address}"${address === here ? html` aria-current="page"` : undefined}>${name}</a></li>`,
  );
  return html`<nav aria-label="Dashboard"><ul>${entries}</ul></nav>`;
}

function signOut(email: string, token: string): Html {
  return html`<form class="who" method="post" action="/dashboard/sign-out">
<input type="hidden" name="${FORM_TOKEN}" value="${token}">
<span class="mail" title="${email}">${email}</span>
<button class="quiet">Sign out</button>
</form>`;
}
