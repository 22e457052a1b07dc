import { type Html, html } from '../../page/html.js';
import { LINK_MINUTES } from '../desk.js';
import type { Visit } from '../visit.js';
import { layout } from './layout.js';

/** The page after a link was asked for: the same for every address. */
export function linkSentPage(visit: Visit, way: 'mail' | 'terminal'): Html {
  return layout({
    title: way === 'mail' ? 'Look into your mail' : 'Look into the terminal',
    visit,
    isNarrow: true,
    main: html`<section class="card">
<h1>${way === 'mail' ? 'Look into your mail' : 'Look into the terminal'}</h1>
<p class="lead">${
      way === 'mail'
        ? 'A link is on its way to the address that you gave.'
        : 'The link is printed where “oddslab serve” runs. Open it in this browser.'
    }</p>
<p>It works once, within ${LINK_MINUTES} minutes.</p>
<p class="hint">Nothing there? ${way === 'mail' && 'Look among the junk mail, and check the address. '}At most five links are
made for an address at once, then one every twelve minutes.</p>
<p><a class="button" href="/">Back to sign-in</a></p>
</section>`,
  });
}
