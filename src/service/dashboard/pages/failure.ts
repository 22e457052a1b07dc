import { type Html, html } from '../../page/html.js';
import type { PageError } from '../page-error.js';
import { layout } from './layout.js';

/** The page in place of one that could not be made: what happened, and what to do next. */
export function failurePage({ heading, message }: PageError, requestId: string): Html {
  return layout({
    title: heading,
    isNarrow: true,
    main: html`<section class="card">
<h1>${heading}</h1>
<p class="lead">${message}</p>
<p><a class="button" href="/">Go to the start</a></p>
${requestId !== '' && html`<p class="hint">Request <code>${requestId}</code></p>`}
</section>`,
  });
}
