import { Agent, request } from 'node:http';
import { systemErrorCode } from '../../../src/base/whole-file.js';

/** What a page of this origin's browser asks before it sends a query, and the query. */
const ASKED = {
  OPTIONS: { headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' }, body: '' },
  POST: { headers: { 'Content-Type': 'application/json' }, body: '{"agent_id":574}' },
};

/** One query on a kept connection; undefined where nobody took it, as nobody listens any more. */
function query(url: string, agent: Agent, method: keyof typeof ASKED): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { headers, body } = ASKED[method];
    const sent = request(`${url}/query`, { method, agent, headers }, (answer) => {
      answer.once('end', () => resolve(answer.statusCode)).once('error', reject);
      answer.resume();
    });
    sent.once('error', (error) => {
      if (systemErrorCode(error) === 'ECONNREFUSED') resolve(undefined);
      else reject(new Error(`${error.message}, ${sent.reusedSocket ? 'on a kept connection' : 'on a new one'}`));
    });
    sent.end(body);
  });
}

/** Asks again and again until nobody listens any more; the statuses of what was answered, or the failure. */
export async function keepAsking(url: string, method: keyof typeof ASKED = 'POST'): Promise<unknown[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: unknown[] = [];
  try {
    for (;;) {
      const status = await query(url, agent, method).catch(String);
      if (status === undefined) return statuses;
      statuses.push(status);
      if (typeof status === 'string') return statuses;
    }
  } finally {
    agent.destroy();
  }
}
