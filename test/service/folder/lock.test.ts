import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { lockFolder } from '../../../src/service/folder/folder-layout.js';
import { leaveLock } from '../../support/leave-lock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('is one’s alone, and gone once it is given back', async () => {
  const folder = await temporaryFolder();
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`Another ingest (process ${process.pid}) is writing ${folder}`);
  await unlock();
  await (await lockFolder(folder))();
  expect(await readdir(folder)).toEqual([]);
});

it('of another container is told with its place', async () => {
  const folder = await temporaryFolder();
  await leaveLock(folder, 'ingest.lock', { pid: 1, born: '17', place: 'f00d pid:[7]' });
  await expect(lockFolder(folder)).rejects.toThrow('Another ingest (process 1 on f00d) is writing');
});
