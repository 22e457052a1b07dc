import { SHORT_QUERY_PATH } from '../../../contract/envelope.js';
import { type Html, html } from '../../page/html.js';
import type { DocsPage } from './about.js';
import { codeBlock } from './code-block.js';

function settings({ address, open }: DocsPage): string {
  return `
# Where this service is, as you reached it just now.
export ODDSLAB_URL=${address}
# ${open ? 'Your key; this service needs none.' : 'Your key.'}
export ODDSLAB_API_KEY=…`;
}

const CURL = `
curl "$ODDSLAB_URL${SHORT_QUERY_PATH}" \\
  -H "Authorization: Bearer $ODDSLAB_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"agent_id": 574, "params": {"closed": "False", "min_volume": "100000"}, "pagination": {"limit": 10}}'`;

const JAVASCRIPT = `
const answer = await fetch(process.env.ODDSLAB_URL + '${SHORT_QUERY_PATH}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.ODDSLAB_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ agent_id: 574, params: { closed: 'False' }, pagination: { limit: 10 } }),
});
const { data, pagination, detail } = await answer.json();
if (!answer.ok) throw new Error(detail);
console.table(data.results);`;

const PYTHON = `
import json, os, urllib.request

query = {"agent_id": 574, "params": {"closed": "False"}, "pagination": {"limit": 10}}
request = urllib.request.Request(
    os.environ["ODDSLAB_URL"] + "${SHORT_QUERY_PATH}",
    data=json.dumps(query).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["ODDSLAB_API_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    for market in json.load(answer)["data"]["results"]:
        print(market["volume_total"], market["question"])`;

/** How to authenticate, with whole programs to copy. */
export function authentication(about: DocsPage): Html {
  const dashboard = html`A key is made for you when you
<a href="/">sign in to the dashboard</a>; whoever runs the service can make one with <code>oddslab keys create</code>. It is shown once:
keep it where you keep passwords, and out of your code.`;
  const need = about.open
    ? html`This service was started with <code>--open</code>: it answers without a key, and the header may be left out.`
    : dashboard;
  return html`<section aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>Every query carries an API key in the header <code>Authorization: Bearer</code>. ${need}
This page and <a href="/openapi.json">openapi.json</a> need none either.</p>
${codeBlock('Your settings', 'bash', settings(about))}
${codeBlock('curl', 'bash', CURL)}
${codeBlock('JavaScript', 'javascript', JAVASCRIPT)}
${codeBlock('Python, with nothing installed', 'python', PYTHON)}
</section>`;
}
