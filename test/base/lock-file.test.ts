import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { takeLock } from '../../src/base/lock-file.js';
import { type Leaver, leaveLock } from '../support/leave-lock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DEAD = 4_194_305;

describe('a lock file', () => {
  it.each<[string, Leaver]>([
    ['dead', { pid: DEAD }],
    ['this one before a restart', { born: '1' }],
    ['another that was given its number since', { pid: process.ppid, born: '1' }],
    ['this one before a restart, where births are not told', { born: '', ageSeconds: 1e6 }],
    ['silent for long, on another machine', { place: 'elsewhere.example', ageSeconds: 100 }],
    ['silent for long, in another container', { pid: 1, place: 'f00d pid:[7]', ageSeconds: 100 }],
  ])('of a holder that is %s is taken over by one of many', async (_, leaver) => {
    const folder = await temporaryFolder();
    await leaveLock(folder, 'x.lock', leaver);
    await takenByOne(folder);
  });

  it.each(['', 'nonsense', '4194305'])('that has long said %j is taken over by one of many', async (content) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'x.lock'), content);
    await utimes(join(folder, 'x.lock'), 1, 1);
    await takenByOne(folder);
  });

  it.each<[string, Leaver, object]>([
    ['alive', { pid: process.ppid, born: '' }, { pid: process.ppid }],
    ['this process', {}, { pid: process.pid }],
    ['this process, where births are not told', { born: '' }, { pid: process.pid }],
    ['on another machine', { place: 'elsewhere.example' }, { pid: process.pid, elsewhere: 'elsewhere.example' }],
    ['in another container', { pid: 1, place: 'f00d pid:[7]' }, { pid: 1, elsewhere: 'f00d' }],
  ])('of a holder that is %s stays', async (_, leaver, holder) => {
    const folder = await temporaryFolder();
    await leaveLock(folder, 'x.lock', leaver);
    expect(await takeLock(join(folder, 'x.lock'))).toEqual(holder);
  });

  describe('that is held for long', () => {
    afterEach(() => void vi.useRealTimers());

    it('shows that its holder lives', async () => {
      const path = join(await temporaryFolder(), 'x.lock');
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const release = await takeLock(path);
      await utimes(path, 1, 1);
      vi.advanceTimersByTime(11_000);
      await expect.poll(async () => (await stat(path)).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
      if (typeof release === 'function') await release();
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});

async function takenByOne(folder: string): Promise<void> {
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(join(folder, 'x.lock'))));
  const releases = taken.filter((each) => typeof each === 'function');
  expect(releases).toHaveLength(1);
  expect(await readdir(folder)).toEqual(['x.lock']);
  await releases[0]?.();
  expect(await readdir(folder)).toEqual([]);
}
