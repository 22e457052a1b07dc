import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DataError } from '../../../src/base/errors.js';
import { currentVersion } from '../../../src/service/folder/current-version.js';
import { rollBack, verifyVersion } from '../../../src/service/folder/roll-back.js';
import { FolderStores } from '../../../src/service/store/folder-stores.js';
import type { DataState } from '../../../src/service/store/served-data.js';
import { walletOf } from '../../support/raw-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { ingestNext } from './numbered-version.js';

let made: string;
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'oddslab-stores-'));
  for (let n = 1; n <= 3; n++) await ingestNext(join(made, 'data'), made, n);
});
afterAll(() => rm(made, { recursive: true, force: true }));

/** A data folder of its own with versions of 1 to n markets, at most 3. */
async function versionsUpTo(n: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'data');
  await cp(join(made, 'data'), folder, { recursive: true });
  for (let later = n + 1; later <= 3; later++) await rm(join(folder, 'versions', `00000${later}`), { recursive: true });
  await writeFile(join(folder, 'current'), `00000${n}\n`);
  return folder;
}

function follow(folder: string): { stores: FolderStores; told: DataState[] } {
  const told: DataState[] = [];
  const stores = new FolderStores(folder, { onChange: (state) => told.push(state) });
  onTestFinished(() => stores.close());
  return { stores, told };
}

/** How much the version that answers holds, read from each of its tables; and its number. */
async function sizes(stores: FolderStores): Promise<{ version: number; sizes: number[] } | undefined> {
  return stores.use(async (store, id) => {
    const slice = { limit: 100, offset: 0 };
    const wallet = [walletOf(1)];
    const markets = await store.markets({} as Parameters<typeof store.markets>[0], slice);
    const days = await store.walletDays({ wallet });
    const [life] = await store.lifetimes({ wallet_address: wallet }, slice);
    return { version: Number(id.split('-')[0]), sizes: [markets.length, days.length, life?.trades ?? 0] };
  });
}

/** Waits until something is as it is to be, for as long as a busy machine may need. */
async function soon(look: () => unknown, expected: unknown): Promise<void> {
  await expect.poll(look, { interval: 50 }).toEqual(expected);
}

const whole = (n: number) => ({ version: n, sizes: [n, n, n] });

/** Damages a file by what is done to its bytes. */
async function spoil(path: string, change: (bytes: Buffer) => Uint8Array): Promise<void> {
  const bytes = await readFile(path);
  await chmod(path, 0o644);
  await writeFile(path, change(bytes));
}

describe('the current version', () => {
  it('is followed within a second, back and forth, and old ones close', async () => {
    const folder = await versionsUpTo(2);
    const { stores, told } = follow(folder);
    expect(await sizes(stores)).toEqual(whole(2));
    await rollBack(folder);
    await soon(() => sizes(stores), whole(1));
    await ingestNext(folder, await temporaryFolder(), 2);
    await soon(() => sizes(stores), { version: 3, sizes: [2, 2, 2] });
    expect(told).toEqual([
      { current: '000002', served: '000002', problem: undefined },
      { current: '000001', served: '000001', problem: undefined },
      { current: '000003', served: '000003', problem: undefined },
    ]);
    if (process.platform === 'linux') expect(await openVersions(folder)).toEqual(['000003']);
  });

  it('is another one where the folder was removed and made anew, whatever its number', async () => {
    const folder = await versionsUpTo(1);
    const { stores } = follow(folder);
    const ids = [await stores.use(async (_, id) => id)];
    expect(ids[0]).toMatch(/^000001-/);
    await rm(folder, { recursive: true });
    expect(await ingestNext(folder, await temporaryFolder(), 2)).toBe('000001');
    const made = (await currentVersion(folder))?.id;
    expect(ids).not.toContain(made);
    await soon(() => stores.use(async (_, id) => id), made);
    expect(await sizes(stores)).toEqual(whole(1));
  });

  it('may come later than the service', async () => {
    const folder = await temporaryFolder();
    const { stores, told } = follow(folder);
    expect(await sizes(stores)).toBeUndefined();
    expect(stores.state()).toEqual({ current: undefined, served: undefined, problem: undefined });
    await ingestNext(folder, await temporaryFolder(), 1);
    await soon(() => stores.state(), { current: '000001', served: '000001', problem: undefined });
    expect(told).toHaveLength(2);
  });
});

const DAMAGES: [string, (folder: string) => Promise<void>, RegExp][] = [
  ['missing', (path) => rm(path, { recursive: true }), /manifest\.json is not there/],
  ['without its database', (path) => rm(join(path, 'lab.duckdb')), /lab\.duckdb is not there/],
  ['truncated', (path) => truncate(join(path, 'lab.duckdb'), 20_000), /lab\.duckdb has 20000 bytes instead of/],
  [
    'longer',
    (path) => spoil(join(path, 'lab.duckdb'), (all) => Buffer.concat([all, all])),
    /lab\.duckdb has \d+ bytes/,
  ],
  ['flipped in its head', (path) => spoil(join(path, 'lab.duckdb'), (all) => all.fill(7, 16, 48)), /Version 000002/],
  ['without its manifest', (path) => rm(join(path, 'manifest.json')), /manifest\.json is not there/],
  [
    'of another manifest',
    (path) => spoil(join(path, 'manifest.json'), (all) => Buffer.from(String(all).replace('"rows": 1', '"rows": 7'))),
    /manifest\.json is not what was written/,
  ],
];

it.each(['at a start', 'at a switch'])(
  'a damaged version is named %s, and the last good one is served',
  async (when) => {
    const cases = DAMAGES.map(async ([name, damage, message]) => {
      const folder = await versionsUpTo(2);
      await writeFile(join(folder, 'current'), '000001\n');
      const running = when === 'at a switch' ? follow(folder) : undefined;
      if (running) expect(await sizes(running.stores)).toEqual(whole(1));
      await damage(join(folder, 'versions', '000002'));
      await writeFile(join(folder, 'current'), '000002\n');
      const { stores, told } = running ?? follow(folder);
      expect(await sizes(stores), name).toEqual(whole(1));
      await soon(() => stores.state(), {
        current: '000002',
        served: '000001',
        problem: expect.stringMatching(message),
      });
      expect(await sizes(stores), name).toEqual(whole(1));
      expect(stores.state().problem).toMatch(/oddslab data rollback .* Version 000001 is served\.$/);
      expect(told.at(-1)).toEqual(stores.state());
      await rollBack(folder);
      await soon(() => stores.state(), { current: '000001', served: '000001', problem: undefined });
    });
    await Promise.all(cases);
  },
);

it('a damaged version with none before it is an error that names it, until there is another', async () => {
  const folder = await versionsUpTo(1);
  await cp(folder, `${folder}.whole`, { recursive: true });
  await rm(join(folder, 'versions', '000001', 'manifest.json'));
  const { stores } = follow(folder);
  await expect(sizes(stores)).rejects.toThrow(DataError);
  expect(stores.state()).toMatchObject({ current: '000001', served: undefined });
  await rm(folder, { recursive: true });
  await rename(`${folder}.whole`, folder);
  await soon(() => sizes(stores).catch(String), whole(1));
});

it('a folder whose "current" is gone is served on', async () => {
  const folder = await versionsUpTo(2);
  const running = follow(folder);
  await sizes(running.stores);
  await rm(join(folder, 'current'));
  const started = follow(folder);
  expect(await sizes(started.stores)).toEqual(whole(2));
  for (const { stores } of [running, started]) {
    await soon(() => stores.state().problem, expect.stringContaining('"current" is gone'));
    expect(await sizes(stores)).toEqual(whole(2));
  }
});

it('no bit that flips and no cut makes a wrong answer: it is right, or the one before', async () => {
  const folder = await versionsUpTo(2);
  const path = join(folder, 'versions', '000002');
  for (const file of await readdir(path)) {
    const bytes = await readFile(join(path, file));
    const places = [bytes.length - 1, ...Array.from({ length: 3 }, () => Math.floor(Math.random() * bytes.length))];
    for (const [turn, at] of places.entries()) {
      const how = turn === 1 ? `${file} cut at ${at}` : `bit ${at % 8} of byte ${at} of ${file}`;
      const spoilt = turn === 1 ? bytes.subarray(0, at) : Buffer.from(bytes);
      if (turn !== 1) spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (at % 8));
      await spoil(join(path, file), () => spoilt);
      const { stores } = follow(folder);
      const answer = await sizes(stores);
      expect([whole(1), whole(2)], how).toContainEqual(answer);
      if (answer?.version === 1) expect(stores.state().problem).toContain('Version 000002');
      expect(await verifyVersion(folder, '000002'), how).not.toEqual([]);
      stores.close();
    }
    await spoil(join(path, file), () => bytes);
  }
  expect(await sizes(follow(folder).stores)).toEqual(whole(2));
});

it('damage under an open version is answered from the one before, by that very request', async () => {
  const folder = await versionsUpTo(2);
  const { stores, told } = follow(folder);
  await stores.use(async () => {});
  for (const file of await readdir(join(folder, 'versions', '000002'))) {
    // In place, since the open file is what the reader has; what is left whole is the head, which was read.
    await spoil(join(folder, 'versions', '000002', file), (bytes) =>
      bytes.fill(0xa5, Math.min(12_288, bytes.length >> 1)),
    );
  }
  expect(await Promise.all(Array.from({ length: 20 }, () => sizes(stores)))).toEqual(Array(20).fill(whole(1)));
  expect(stores.state()).toMatchObject({ current: '000002', served: '000001' });
  expect(told).toHaveLength(2);
});

it.each([1, 2])('one failed read of a disk does not mark the newest of %i versions for good', async (n) => {
  const { stores } = follow(await versionsUpTo(n));
  let reads = 0;
  const failingOnce = stores.use(async (store, id) => {
    if (reads++ === 0) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    return store === undefined ? undefined : id;
  });
  if (n === 1) await expect(failingOnce).rejects.toThrow('cannot be read now');
  else expect(await failingOnce).toMatch(/^000001-/);
  expect(stores.state()).toMatchObject({ current: `00000${n}`, problem: expect.stringMatching(/i\/o error/) });
  const isWell = { current: `00000${n}`, served: `00000${n}`, problem: undefined };
  await expect.poll(() => stores.state(), { timeout: 10_000 }).toEqual(isWell);
  expect(await sizes(stores)).toEqual(whole(n));
});

it('a reader sees each version whole while they switch 30 times', async () => {
  const folder = await versionsUpTo(3);
  const { stores, told } = follow(folder);
  const seen = new Set<string>();
  const built = { version: 4, sizes: [3, 3, 3] };
  let isOver = false;
  const reader = async () => {
    for (; !isOver; await sleep(10)) seen.add(JSON.stringify(await sizes(stores)));
  };
  const readers = Promise.all([reader(), reader()]);
  for (let turn = 0; turn < 30; turn++) {
    // One is built meanwhile, on the second.
    if (turn === 15) await ingestNext(folder, await temporaryFolder(), 3);
    else await rollBack(folder, turn % 2 === 0 ? '000002' : '000003');
    // Most turns are too quick to be seen.
    const awaited = { 0: whole(2), 15: built, 29: whole(3) }[turn];
    if (awaited) await soon(() => seen.has(JSON.stringify(awaited)), true);
    else await sleep(10);
  }
  isOver = true;
  await readers;
  expect([...seen].sort()).toEqual([whole(2), whole(3), built].map((each) => JSON.stringify(each)));
  expect(told.length).toBeGreaterThan(2);
  expect(told.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

it('a data folder on a read-only disk is served, and says so to who would write it', async () => {
  const folder = await versionsUpTo(2);
  const place = join(await temporaryFolder(), 'disk');
  await mkdir(place);
  try {
    execFileSync('mount', ['--bind', '-o', 'ro', folder, place], { stdio: 'pipe' });
  } catch (error) {
    console.warn(`skipped: cannot mount here: ${(error as Error).message.split('\n').at(-1)}`);
    return;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', place]));
  const { stores } = follow(place);
  expect(await sizes(stores)).toEqual(whole(2));
  await expect(rollBack(place)).rejects.toThrow('the file system is read-only');
  stores.close();
});

/** The versions that this process has files of open. */
async function openVersions(folder: string): Promise<string[]> {
  const { usedVersions } = await import('../../../src/service/folder/current-version.js');
  const { versionNames } = await import('../../../src/service/folder/sealed-version.js');
  return [...(await usedVersions(folder, await versionNames(folder)))];
}
