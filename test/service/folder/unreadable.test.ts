import { appendFile, chmod, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataState } from '../../../src/service/store/served-data.js';
import { walletOf } from '../../support/raw-records.js';
import { ask, serveFolder } from '../../support/serve-folder.js';
import { spoilDatabase } from '../../support/spoil-database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startWorkers, type Way } from '../workers/start-workers.js';
import { ingestNext } from './numbered-version.js';

let made: string;
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'oddslab-unreadable-'));
  for (let n = 1; n <= 2; n++) await ingestNext(join(made, 'data'), made, n);
});
afterAll(() => rm(made, { recursive: true, force: true }));

/** A data folder of its own, with one version or two; the nth has n markets. */
async function versions(n: 1 | 2): Promise<string> {
  const folder = join(await temporaryFolder(), 'data');
  await cp(join(made, 'data'), folder, { recursive: true });
  if (n === 1) await rm(join(folder, 'versions', '000002'), { recursive: true });
  await writeFile(join(folder, 'current'), `00000${n}\n`);
  return folder;
}

/** What the files beside the database hold, and what it holds alone. */
const BY_FILES = [
  { agent_id: 574 },
  { agent_id: 569, params: { wallet: walletOf(1) } },
  { agent_id: 586, params: { wallet_address: walletOf(1) } },
];
const BY_DATABASE = [{ agent_id: 579 }, { agent_id: 556 }, { agent_id: 574, params: { market_slug: 'w' } }];

async function statuses(url: string, bodies: readonly object[]): Promise<number[]> {
  const answers = await Promise.all(bodies.map((body) => ask(url, body)));
  for (const { status, headers, json } of answers) {
    if (status !== 503) continue;
    expect(headers.get('retry-after')).toBe('5');
    expect(json.detail).toMatch(/^The data that this query needs cannot be read now; other queries may be answered/);
  }
  return answers.map(({ status }) => status);
}

async function readiness(url: string) {
  const answer = await fetch(`${url}/readyz`);
  const { status, data_version, current_version, detail } = (await answer.json()) as Record<string, string>;
  if (answer.status === 503) {
    expect(answer.headers.get('retry-after')).toBe('5');
    return [503, detail];
  }
  return [answer.status, status, data_version, ...(current_version ? [current_version] : [])];
}

/** Whether the metrics tell of a problem, and of a version that can be read whole. */
async function told(url: string): Promise<number[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return ['problem', 'ready'].map((name) => Number(new RegExp(`^oddslab_data_${name} (\\d)$`, 'm').exec(text)?.[1]));
}

const NOT_WHOLE = [503, 'No version of the data can be read whole now; the log tells why.'];
const all = (status: number, of: readonly object[]) => of.map(() => status);

/** Serves a folder in this process, and gathers what it says of its data and which failures it has. */
async function serving(folder: string) {
  const states: DataState[] = [];
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const url = await serveFolder(folder, { onData: (state) => states.push(state), onError });
  return { url, states, failures };
}

describe('the only version, whose database cannot be read', () => {
  it('is answered from the files beside it after a start, else refused, until the database is back', async () => {
    const folder = await versions(1);
    const { mend } = await spoilDatabase(folder, '000001');
    const { url, states, failures } = await serving(folder);
    expect(await readiness(url)).toEqual(NOT_WHOLE);
    expect(await statuses(url, BY_FILES)).toEqual(all(200, BY_FILES));
    expect(await statuses(url, BY_DATABASE)).toEqual(all(503, BY_DATABASE));
    expect(await told(url)).toEqual([1, 0]);
    expect(states).toEqual([{ current: '000001', served: undefined, problem: expect.any(String) }]);
    expect(states[0]?.problem).toMatch(/lab\.duckdb is damaged[\s\S]*What can be read of it is served/);
    await mend();
    await expect.poll(() => readiness(url), { timeout: 15_000 }).toEqual([200, 'ready', '000001']);
    expect(await statuses(url, [...BY_FILES, ...BY_DATABASE])).toEqual(all(200, [...BY_FILES, ...BY_DATABASE]));
    expect(await told(url)).toEqual([0, 1]);
    expect(failures).toEqual([]);
  });

  it('is answered from the files where the damage comes while it is served', async () => {
    const folder = await versions(1);
    const { url, failures } = await serving(folder);
    expect(await readiness(url)).toEqual([200, 'ready', '000001']);
    await spoilDatabase(folder, '000001', 12_288);
    expect(await statuses(url, BY_DATABASE)).toEqual(all(503, BY_DATABASE));
    expect(await statuses(url, BY_FILES)).toEqual(all(200, BY_FILES));
    expect(await readiness(url)).toEqual(NOT_WHOLE);
    expect(failures).toEqual([]);
  });
});

/** Damages to the sizes of files, and what of {@link BY_FILES} and {@link BY_DATABASE} is answered then. */
const SIZES: readonly [string, string, (path: string) => Promise<void>, RegExp, byFiles: number, byDatabase: number][] =
  [
    ['a missing database', 'lab.duckdb', (path) => rm(path), /lab\.duckdb is not there/, 200, 503],
    ['a short database', 'lab.duckdb', (path) => truncate(path, 20_000), /lab\.duckdb has 20000 bytes/, 200, 503],
    ['a longer database', 'lab.duckdb', (path) => appendFile(path, 'x'), /lab\.duckdb has \d+ bytes/, 200, 503],
    ['a short file', 'markets.bin', (path) => truncate(path, 100), /markets\.bin has 100 bytes/, 200, 200],
    ['a missing file', 'markets.bin', (path) => rm(path), /markets\.bin is not there/, 200, 200],
  ];

it.each(SIZES)('the only version, with %s, is served as far as it can be', async (_, file, harm, why, files, rows) => {
  const folder = await versions(1);
  const path = join(folder, 'versions', '000001', file);
  const bytes = await readFile(path);
  await chmod(path, 0o644);
  await harm(path);
  const { url, states, failures } = await serving(folder);
  expect(await statuses(url, BY_FILES)).toEqual(all(files, BY_FILES));
  expect(await statuses(url, BY_DATABASE)).toEqual(all(rows, BY_DATABASE));
  expect(await readiness(url)).toEqual(rows === 200 ? [200, 'degraded', '000001', '000001'] : NOT_WHOLE);
  expect(states.at(-1)?.problem).toMatch(why);
  await rm(path, { force: true });
  await writeFile(path, bytes);
  await expect.poll(() => readiness(url), { timeout: 15_000 }).toEqual([200, 'ready', '000001']);
  expect(await statuses(url, BY_DATABASE)).toEqual(all(200, BY_DATABASE));
  expect(failures).toEqual([]);
});

it('the only version, of which nothing but the manifest is left, is not served', async () => {
  const folder = await versions(1);
  const path = join(folder, 'versions', '000001');
  for (const file of await readdir(path)) if (file !== 'manifest.json') await rm(join(path, file));
  await expect(serving(folder)).rejects.toThrow(/Version 000001 .* is missing or damaged: .* is not there/);
});

it("damage that is found while the only version is served is over once another copy takes the file's place", async () => {
  const folder = await versions(1);
  const { url, failures } = await serving(folder);
  const { mend } = await spoilDatabase(folder, '000001', 12_288);
  expect(await statuses(url, BY_DATABASE)).toEqual(all(503, BY_DATABASE));
  // It is looked at again, and found as bad as before.
  await sleep(7000);
  expect(await readiness(url)).toEqual(NOT_WHOLE);
  await mend();
  await expect.poll(() => readiness(url), { timeout: 15_000 }).toEqual([200, 'ready', '000001']);
  expect(await statuses(url, [...BY_FILES, ...BY_DATABASE])).toEqual(all(200, [...BY_FILES, ...BY_DATABASE]));
  expect(failures).toEqual([]);
});

it('the only version, a file of which is damaged, is answered by its database, and says so', async () => {
  const folder = await versions(1);
  const path = join(folder, 'versions', '000001', 'markets.bin');
  const { size } = await stat(path);
  await rm(path);
  await writeFile(path, Buffer.alloc(size));
  const { url } = await serving(folder);
  expect(await statuses(url, [...BY_FILES, ...BY_DATABASE])).toEqual(all(200, [...BY_FILES, ...BY_DATABASE]));
  expect(await readiness(url)).toEqual([200, 'degraded', '000001', '000001']);
  expect(await told(url)).toEqual([1, 1]);
});

describe('a version whose database cannot be read, with one before it', () => {
  it('does not take the place of a good one', async () => {
    const folder = await versions(2);
    await writeFile(join(folder, 'current'), '000001\n');
    const { url, states } = await serving(folder);
    expect(await readiness(url)).toEqual([200, 'ready', '000001']);
    await spoilDatabase(folder, '000002');
    await writeFile(join(folder, 'current'), '000002\n');
    await expect.poll(() => readiness(url)).toEqual([200, 'degraded', '000001', '000002']);
    expect(await statuses(url, [...BY_FILES, ...BY_DATABASE])).toEqual(all(200, [...BY_FILES, ...BY_DATABASE]));
    expect((await ask(url, { agent_id: 574 })).json.data.results).toHaveLength(1);
    expect(await told(url)).toEqual([1, 1]);
    expect(states.at(-1)).toMatchObject({
      served: '000001',
      problem: expect.stringMatching(/Version 000001 is served/),
    });
  });

  it('gives way to it at a start, with several processes, too, from the first answer on', async () => {
    const folder = await versions(2);
    await spoilDatabase(folder, '000002');
    const service = await startWorkers(['--data', folder, '--open']);
    for (const way of await service.ways()) {
      const { status, text } = await way.send('/readyz');
      expect([status, JSON.parse(text)]).toEqual([
        200,
        { status: 'degraded', data_version: '000001', current_version: '000002' },
      ]);
      const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"agent_id":574}' };
      expect(JSON.parse((await way.send('/query', sent)).text).data.results).toHaveLength(1);
    }
    const { problem } = await service.line(({ msg, served }) => msg === 'data served' && served === '000001');
    expect(problem).toMatch(/^Version 000002 [\s\S]*Version 000001 is served\.$/);
    expect((await service.stop()).code).toBe(0);
  });
});

describe('with several processes', () => {
  it('the only version is answered from the files from a start on, and refused for the rest', async () => {
    const folder = await versions(1);
    await spoilDatabase(folder, '000001');
    const service = await startWorkers(['--data', folder, '--open']);
    // The engine is not loaded yet: nobody has asked the database.
    expect(await readiness(service.url)).toEqual(NOT_WHOLE);
    expect(await statuses(service.url, BY_FILES)).toEqual(all(200, BY_FILES));
    expect(await statuses(service.url, BY_DATABASE)).toEqual(all(503, BY_DATABASE));
    expect(await told(service.url)).toEqual([1, 0]);
    expect((await service.stop()).code).toBe(0);
  });

  it('damage that one finds makes all of them unready, and one that ends is replaced by one as damaged', async () => {
    const folder = await versions(1);
    const service = await startWorkers(['--data', folder, '--open']);
    const ways = await service.ways();
    const ready = () => Promise.all(ways.map(async (way) => (await way.send('/readyz')).status));
    await expect.poll(ready).toEqual([200, 200]);
    const path = join(folder, 'versions', '000001', 'lab.duckdb');
    await chmod(path, 0o644);
    await truncate(path, 12_288);
    const headers = { 'Content-Type': 'application/json' };
    const asked = async (way: Way) =>
      (await way.send('/query', { method: 'POST', headers, body: '{"agent_id":556}' })).status;
    expect(await asked(ways[0] as Way)).toBe(503);
    await expect.poll(ready).toEqual([503, 503]);
    expect(await asked(ways[1] as Way)).toBe(503);
    const { pid } = await service.line(({ msg }) => msg === 'worker ready');
    process.kill(Number(pid), 'SIGKILL');
    await service.line(({ msg, worker }) => msg === 'worker ready' && worker > 2);
    expect(await statuses(service.url, BY_FILES)).toEqual(all(200, BY_FILES));
    expect(await statuses(service.url, BY_DATABASE)).toEqual(all(503, BY_DATABASE));
    expect((await service.stop()).code).toBe(0);
  });

  it('one that could answer less than the others does not take the place of one that ended', async () => {
    const folder = await versions(1);
    const service = await startWorkers(['--data', folder, '--open']);
    for (const way of await service.ways()) expect((await way.send('/readyz')).status).toBe(200);
    const { mend } = await spoilDatabase(folder, '000001');
    const { pid, worker } = await service.line(({ msg }) => msg === 'worker ready');
    process.kill(Number(pid), 'SIGKILL');
    await service.line(({ msg, error }) => msg === 'worker ended' && /is missing or damaged/.test(String(error)));
    for (let turn = 0; turn < 10; turn++) {
      expect(await readiness(service.url)).toEqual([200, 'ready', '000001']);
      expect(await statuses(service.url, BY_DATABASE)).toEqual(all(200, BY_DATABASE));
    }
    await mend();
    await service.line(({ msg, worker: next }) => msg === 'worker ready' && next > Math.max(2, Number(worker)));
    expect((await service.stop()).code).toBe(0);
  });
});
