import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { declarationFiles } from '../../../src/kernel/types/project-files.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';

it('names the files of declarations in a folder, and links to them, but no folders and pipes', async () => {
  const folder = await temporaryFolder();
  for (const name of ['b.d.ts', 'a.d.mts', '.hidden.d.ts', 'code.ts']) await put(folder, name, '');
  await mkdir(join(folder, 'folder.d.ts'));
  await symlink(join(folder, 'b.d.ts'), join(folder, 'linked.d.ts'));
  execFileSync('mkfifo', [join(folder, 'pipe.d.ts')]);
  expect(declarationFiles(folder)).toEqual(['a.d.mts', 'b.d.ts', 'linked.d.ts']);
});

it('names a hundred at most, and none in a folder that is missing', async () => {
  const folder = await temporaryFolder();
  for (let each = 100; each < 201; each++) await put(folder, `${each}.d.ts`, '');
  const names = declarationFiles(folder);
  expect([names.length, names[0], names.at(-1)]).toEqual([100, '100.d.ts', '199.d.ts']);
  expect(declarationFiles(join(folder, 'none'))).toEqual([]);
});
