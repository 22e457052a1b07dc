import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../../src/client/snapshot/enter-answer.js';
import { snapshotPages } from '../../../src/client/snapshot/snapshot-pages.js';
import { verifySnapshot } from '../../../src/client/snapshot/verify-snapshot.js';
import { leaveLock } from '../../support/leave-lock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { pagesOfText, read, series, stateOf } from './recording.js';

const run = promisify(execFile);

/** The number of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

it('loses no query of several processes that record into one folder at once', async () => {
  const [folder, built] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  const entry = fileURLToPath(new URL('./record-in-process.ts', import.meta.url));
  const outfile = join(built, 'record.mjs');
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  // The package tells its own version by the manifest above its code.
  await writeFile(join(built, 'package.json'), await readFile(join(root, 'package.json')));
  const snapshot = join(folder, 'deep', 'snapshot');
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => run(process.execPath, [outfile, snapshot, name, '30'])));
  const { queries } = await stateOf(snapshot);
  const each = Array.from({ length: 30 }, (_, n) => n).filter((n) => n % 6 !== 2);
  const wanted = names.flatMap((name) => each.map((n) => `${n} ${name}`));
  const found = queries.map(({ params }: { params: Record<string, string> }) => `${params.query} ${params.name}`);
  expect(found.sort()).toEqual([...wanted, 'shared undefined'].sort());
  expect(await verifySnapshot(snapshot)).toMatchObject({ queries: wanted.length + 1, faults: [] });
  expect((await readdir(snapshot)).sort()).toEqual(['answers', 'manifest.json']);
});

describe('the lock', () => {
  it('of a process that has died is taken over', async () => {
    const folder = await temporaryFolder();
    await leaveLock(folder, 'manifest.lock', { pid: await deadProcess() });
    const source = snapshotPages(pagesOfText('[{"a":1}]'), { folder, mode: 'auto' });
    await read(source, series(999));
    expect((await readdir(folder)).sort()).toEqual(['answers', 'manifest.json']);
  });

  it('of a live process is waited for', async () => {
    const path = join(await temporaryFolder(), 'x.lock');
    const done: string[] = [];
    let second: Promise<number> | undefined;
    await withLock(path, async () => {
      second = withLock(path, async () => done.push('second'));
      await new Promise((later) => setTimeout(later, 80));
      done.push('first');
    });
    await second;
    expect(done).toEqual(['first', 'second']);
  });

  it('lets one alone work, also where many find it stale at once', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.lock');
    await leaveLock(folder, 'x.lock', { pid: await deadProcess() });
    let [working, most, done] = [0, 0, 0];
    const work = async () => {
      most = Math.max(most, ++working);
      await new Promise((later) => setTimeout(later, 1));
      working -= 1;
      done += 1;
    };
    await Promise.all(Array.from({ length: 40 }, () => withLock(path, work)));
    expect([most, done]).toEqual([1, 40]);
  });
});
