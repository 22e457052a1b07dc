import { type Html, html } from '../../page/html.js';
import type { Visit } from '../visit.js';
import { formToken, layout } from './layout.js';

/**
 * The page that a sign-in link opens. It only asks for confirmation. Otherwise mail scanners that follow links would
 * use the link up; and people see whose account it is.
 */
export function confirmPage(visit: Visit, email: string, link: string): Html {
  return layout({
    title: 'Finish signing in',
    visit,
    isNarrow: true,
    main: html`<section class="card">
<h1>Finish signing in</h1>
<p class="lead">You sign in as <strong class="address">${email}</strong>.</p>
<form method="post" action="/dashboard/sign-in">
${formToken(visit)}
<input type="hidden" name="link" value="${link}">
<button class="main wide" autofocus>Sign in</button>
</form>
<p class="hint">You did not ask for this, or it is not your address? Close the page: nothing happens.</p>
</section>`,
  });
}
