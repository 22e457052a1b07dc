import { type Content, type Html, html, pageShell } from './html-template.js';
import { FORM_TOKEN, type PageError, type Visit } from './visit.js';

interface DashboardPage {
  title: string;
  /** Who sees it; absent if that is not known, as on an error. */
  visit?: Visit | undefined;
  /** The address of this page's entry in the navigation. */
  here?: string;
  isNarrow?: boolean;
  /** Further content of the head. */
  head?: Content;
  main: Content;
}

const ENTRIES = [
  ['/dashboard/keys', 'API keys'],
  ['/dashboard/wallets', 'Wallets'],
  ['/dashboard/try/markets', 'Try a query'],
  ['/docs', 'Documentation'],
] as const;

/** What operators find in the navigation, too. */
const OF_OPERATORS = ['/dashboard/accounts', 'Accounts'] as const;

/** A whole page: its main part within what all pages have in common. */
export function layout({ title, visit, here, isNarrow, head, main }: DashboardPage): Html {
  return pageShell({
    title: `${title} · Oddslab`,
    head: html`<link rel="icon" href="/dashboard/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/dashboard/style.css">${head}`,
    main: 'main',
    body: html`<header class="top"><div class="row">
<a class="brand" href="/"><img src="/dashboard/icon.svg" alt="" width="24" height="24">Oddslab</a>
${visit?.account && navigation(here, visit.isOperator)}
${visit?.account && signOut(visit, visit.account.email)}
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

function navigation(here: string | undefined, isOperator: boolean): Html {
  const entries = [...ENTRIES, ...(isOperator ? [OF_OPERATORS] : [])].map(
    ([address, name]) =>
      html`<li><a href="${address}"${address === here ? html` aria-current="page"` : undefined}>${name}</a></li>`,
  );
  return html`<nav aria-label="Dashboard"><ul>${entries}</ul></nav>`;
}

function signOut(visit: Visit, email: string): Html {
  return html`<form class="who" method="post" action="/dashboard/sign-out">
${formToken(visit)}
<span class="mail" title="${email}">${email}</span>
<button class="quiet">Sign out</button>
</form>`;
}

interface Field {
  /** Its name in the form, unique on the page. */
  name: string;
  label: Content;
  /** What it takes, shown below the label. */
  hint?: Content;
  /** What was wrong with it, shown beside it. */
  error?: string | undefined;
  /** Makes the control, given the attributes that tie it to its label, hint and error. */
  control: (attributes: Html) => Html;
}

/** A field whose label, hint and error are tied to the control, so that screen readers read all of them. */
export function field({ name, label, hint, error, control }: Field): Html {
  const described = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  const attributes = html` id="${name}" name="${name}"${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }${error !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field${error !== undefined && ' wrong'}">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error"><span class="unseen">Error: </span>${error}</p>`}
${control(attributes)}
</div>`;
}

/** A page of one narrow card. */
export function cardPage(title: string, visit: Visit | undefined, card: Content): Html {
  return layout({ title, visit, isNarrow: true, main: html`<section class="card">\n${card}\n</section>` });
}

/** The page in place of one that could not be made: what happened, and what to do next. */
export function failurePage({ heading, message }: PageError, requestId: string): Html {
  const card = html`<h1>${heading}</h1>
<p class="lead">${message}</p>
<p><a class="button" href="/">Go to the start</a></p>
${requestId !== '' && html`<p class="hint">Request <code>${requestId}</code></p>`}`;
  return cardPage(heading, undefined, card);
}
