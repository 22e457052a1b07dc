import { type Html, html } from '../../page/html.js';

/** How to read more records than one page holds. */
export function paging(): Html {
  return html`<section aria-labelledby="paging">
<h2 id="paging">Paging</h2>
<p>A page begins at <code>offset</code> and holds up to <code>limit</code> records. While <code>has_more</code> is true, ask again with
<code>offset</code> raised by the number of records that came. The order is total and stable, so pages of one version of the
data never overlap and never skip. The header <code>oddslab-data-version</code> names that version: when it changes
between two pages, new data came in meanwhile, and a reader who needs one consistent set starts again at 0.</p>
<p>Every answer has an <code>ETag</code>. Send it back in <code>If-None-Match</code> with the same query, and the answer is
<code>304</code> without a body for as long as nothing changed.</p>
</section>`;
}
