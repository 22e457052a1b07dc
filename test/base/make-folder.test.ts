import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../src/base/whole-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('makes what is missing and tells the topmost folder of it', async () => {
  const folder = await temporaryFolder();
  expect(await makeFolder(join(folder, 'a', 'b', 'c'))).toBe(join(folder, 'a'));
  expect((await stat(join(folder, 'a', 'b', 'c'))).isDirectory()).toBe(true);
  expect(await makeFolder(join(folder, 'a', 'b'))).toBeUndefined();
});

it('makes a folder that others make at the same time', async () => {
  const folder = await temporaryFolder();
  const paths = Array.from({ length: 20 }, () => join(folder, 'a', 'b'));
  const made = await Promise.all(paths.map(makeFolder));
  expect(made.filter((path) => path === join(folder, 'a'))).toHaveLength(1);
  expect((await stat(join(folder, 'a', 'b'))).isDirectory()).toBe(true);
});

it('refuses a path through a file, and one that takes no folders', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file', 'a'))).rejects.toThrow();
  // Node's own recursive mkdir never returns here.
  if (existsSync('/proc/self')) await expect(makeFolder('/proc/oddslab/a')).rejects.toMatchObject({ code: 'ENOENT' });
});
