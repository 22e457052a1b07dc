import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { RESULT_TABLES } from '../../../src/service/store/clickhouse/result-tables.js';
import { serveFolder } from '../../support/serve-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A shard that has one version, of no rows, whole and published; it fails while it is told to. */
async function emptyShard(place: number) {
  const sums = JSON.stringify(Object.fromEntries(RESULT_TABLES.map(({ name }) => [name, { rows: 0, checksum: '0' }])));
  const line = (seq: number, event: string, more = '') =>
    `${[seq, event, '000001-1b9f03ac', '2026-01-01T00:00:00Z', place, 2, more].join('\t')}\n`;
  const state = line(1, 'whole', sums) + line(2, 'published');
  const shard = { url: '', isGone: false };
  const server = createServer((_, response) => {
    if (shard.isGone) response.destroy();
    else response.end(state);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  shard.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shard;
}

it('takes a service out of traffic while no shard can be asked, but not while one can', {
  timeout: 60_000,
}, async () => {
  const [one, two] = [await emptyShard(0), await emptyShard(1)];
  const clickhouse = `${one.url},${two.url}`;
  const url = await serveFolder(await temporaryFolder(), { engine: 'clickhouse', clickhouse });
  const ready = async () => {
    const answer = await fetch(`${url}/readyz`);
    const { status, detail } = (await answer.json()) as { status: unknown; detail?: string };
    return [answer.status, detail ?? status];
  };
  const becomes = (told: unknown[]) => expect.poll(ready, { timeout: 10_000 }).toEqual(told);
  await becomes([200, 'ready']);
  one.isGone = true;
  await becomes([200, 'degraded']);
  two.isGone = true;
  await becomes([503, 'No data can be read now; the log tells why.']);
  two.isGone = false;
  await becomes([200, 'degraded']);
  one.isGone = false;
  await becomes([200, 'ready']);
});
