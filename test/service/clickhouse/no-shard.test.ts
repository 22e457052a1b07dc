import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { RESULT_TABLES } from '../../../src/service/clickhouse/result-tables.js';
import { Cluster } from '../../../src/service/clickhouse/shard.js';
import { pushVersion } from '../../../src/service/cluster/push-version.js';
import { serveFolder } from '../../support/serve-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { publishTiny } from '../folder/tiny-version.js';

const SUMS = JSON.stringify(Object.fromEntries(RESULT_TABLES.map(({ name }) => [name, { rows: 0, checksum: '0' }])));

/** A shard that has versions of no rows, whole and published as its log says; it fails while it is told to. */
async function emptyShard(place: number, ids = ['000001-1b9f03ac']) {
  const shard = {
    url: '',
    isGone: false,
    log: [] as string[],
    write(seq: number, event: string, id: string) {
      const sums = event === 'whole' ? SUMS : '';
      shard.log.push(`${[seq, event, id, '2026-01-01T00:00:00Z', place, 2, sums].join('\t')}\n`);
    },
    /** Called before each line that a push writes. */
    beforeWriting: (_seq: number) => {},
    /** Called before the log is read for the nth time. */
    beforeReading: (_nth: number) => {},
  };
  for (const id of ids) shard.write(1, 'whole', id);
  for (const id of ids) shard.write(2, 'published', id);
  let reads = 0;
  const server = createServer(async (request, response) => {
    if (shard.isGone) return void response.destroy();
    const sql = await text(request);
    const [, seq = '', event = '', id = ''] = /^INSERT INTO .*VALUES \((\d+), '(\w+)', '([\w-]+)'/.exec(sql) ?? [];
    if (event) shard.beforeWriting(Number(seq));
    if (event) shard.write(Number(seq), event, id);
    if (!sql.includes('SELECT seq')) return void response.end();
    reads++;
    shard.beforeReading(reads);
    response.end(shard.log.join(''));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  shard.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shard;
}

it('takes a service out of traffic while no shard can be asked, but not while one can', async () => {
  const [one, two] = [await emptyShard(0), await emptyShard(1)];
  const clickhouse = `${one.url},${two.url}`;
  const url = await serveFolder(await temporaryFolder(), { engine: 'clickhouse', clickhouse });
  const ready = async () => {
    const answer = await fetch(`${url}/readyz`);
    const { status, detail } = (await answer.json()) as { status: unknown; detail?: string };
    return [answer.status, detail ?? status];
  };
  const becomes = (told: unknown[]) => expect.poll(ready).toEqual(told);
  await becomes([200, 'ready']);
  one.isGone = true;
  const degraded = [200, '1 of 2 shards cannot be asked now: what needs them is answered 503.'];
  await becomes(degraded);
  two.isGone = true;
  await becomes([503, 'No version of the data can be read whole now; the log tells why.']);
  two.isGone = false;
  await becomes(degraded);
  one.isGone = false;
  await becomes([200, 'ready']);
});

describe('two versions that were published at the same moment', () => {
  const both = ['000001-1b9f03ac', '000002-c0ffee00'];

  it('are in the same order for every service, whatever the order of rows', async () => {
    for (const ids of [both, both.toReversed()]) {
      const shards = [await emptyShard(0, ids), await emptyShard(1, ids.toReversed())];
      const clickhouse = shards.map(({ url }) => url).join();
      const url = await serveFolder(await temporaryFolder(), { engine: 'clickhouse', clickhouse });
      expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ data_version: '000002' });
    }
  });
});

describe('a push beside another one', () => {
  /** A folder and a cluster of two shards that have its version, and before it another one that is published. */
  async function pushable(other: string) {
    const folder = await temporaryFolder();
    const { id } = await publishTiny(folder, 'one');
    const shards = [await emptyShard(0, [other]), await emptyShard(1, [other])] as const;
    for (const shard of shards) shard.write(3, 'whole', id);
    const cluster = new Cluster(readShardUrls(shards.map(({ url }) => url).join()), {});
    onTestFinished(() => cluster.close());
    return { id, shards, push: () => pushVersion(folder, cluster) };
  }

  it('publishes after what that one has published meanwhile', async () => {
    const other = '999999-c0ffee00';
    const { id, shards, push } = await pushable(other);
    // The first look tells what is to be loaded.
    shards[0].beforeReading = (nth) => nth === 2 && shards[0].write(9, 'published', other);
    expect(await push()).toMatchObject({ isNew: true });
    for (const { log } of shards) expect(log.at(-1)).toMatch(new RegExp(`^10\\tpublished\\t${id}\\t`));
  });

  it('says so where that one has removed its version', async () => {
    const { id, shards, push } = await pushable('999999-c0ffee00');
    shards[1].beforeReading = (nth) => nth === 2 && shards[1].write(9, 'removed', id);
    await expect(push()).rejects.toThrow(
      'Another push has removed version 000001 before it was published: push it again.',
    );
    expect(shards[0].log.join('')).not.toContain(`published\t${id}`);
  });

  it('says so where the other one is served, and is served itself once it is run again', async () => {
    const other = '999999-c0ffee00';
    const { id, shards, push } = await pushable(other);
    shards[0].beforeWriting = (seq) => shards[0].write(seq, 'published', other);
    await expect(push()).rejects.toThrow(
      `Another push at the same time has published version ${other}, which is served now: push ${id} again to publish it ` +
        'in its place.',
    );
    shards[0].beforeWriting = () => {};
    expect(await push()).toMatchObject({ isNew: true });
    expect(shards[1].log.at(-1)).toMatch(new RegExp(`^5\tpublished\t${id}\t`));
  });
});
