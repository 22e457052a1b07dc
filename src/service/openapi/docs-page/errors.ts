import { REFUSALS } from '../../../contract/envelope.js';
import { type Html, html } from '../../page/html.js';
import { jsonBlock } from './code-block.js';
import { prose } from './prose.js';
import { table } from './table.js';

const REFUSED = {
  type: 'about:blank',
  title: 'Request not valid',
  status: 422,
  detail: 'The filters of dataset 569 are not valid.',
  errors: [{ pointer: '/params/walet', detail: 'is no filter of dataset 569; did you mean "wallet"?' }],
  request_id: 'b0c7a4de-3f0e-4f6a-9d6c-3f6f5b1c2a10',
};

/** What refusals look like, and what to do about each. */
export function errors(): Html {
  const rows = REFUSALS.map(({ status, when, remedy }) => [html`<code>${status}</code>`, prose(when), prose(remedy)]);
  return html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>A refusal is an RFC 9457 problem, <code>application/problem+json</code>. <code>detail</code> says in words what was wrong,
<code>errors</code> names each place in your request by JSON pointer, and <code>request_id</code>, which is also the header
<code>X-Request-Id</code>, is what the operator finds in the log.</p>
${jsonBlock('A refusal', REFUSED)}
${table('Statuses', ['Status', 'When', 'What to do'], rows)}
</section>`;
}
