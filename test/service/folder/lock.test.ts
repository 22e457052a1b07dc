import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockFolder } from '../../../src/service/folder/lock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('is one’s alone, and gone once it is given back', async () => {
  const folder = await temporaryFolder();
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`Another ingest (process ${process.pid}) is writing ${folder}`);
  await unlock();
  await (await lockFolder(folder))();
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['dead', '4194305 17\n'],
  ['dead, of an earlier release', '4194305'],
  ['this one before a restart', `${process.pid} 1\n`],
  ['another that was given its number since', `${process.ppid} 1\n`],
  ['dead before it wrote its number', ''],
])('of a holder that is %s is taken over by one of many', async (_, content) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'ingest.lock'), content);
  const taken = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  const locks = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(locks).toHaveLength(1);
  expect(await readdir(folder)).toEqual(['ingest.lock']);
  for (const unlock of locks) await unlock();
});

it('of a live process stays', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'ingest.lock'), `${process.ppid}`);
  await expect(lockFolder(folder)).rejects.toThrow(`process ${process.ppid}`);
});
