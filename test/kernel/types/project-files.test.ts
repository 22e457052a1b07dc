import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readAsset } from '../../../src/base/packages.js';
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

it('types what require gives of each module that the types of Node know', () => {
  const types = dirname(createRequire(import.meta.url).resolve('@types/node/package.json'));
  const texts = readdirSync(types, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => readFileSync(join(types, path), 'utf8'));
  const declared = new Set(
    texts.flatMap((text) => [...text.matchAll(/declare module ["']([^"']+)["']/g)].map(([, name]) => name)),
  );
  const plain = [...declared].map((name = '') => name.replace(/^node:/, ''));
  const names = new Set(plain.map((name) => (declared.has(name) ? name : `node:${name}`)));
  const written = readAsset('kernel/required-modules.d.ts').matchAll(/^ {2}'?([\w:/]+)'?: typeof import\('(.+)'\);$/gm);
  expect([...written].map(([, name = '', from]) => [name, from]).sort()).toEqual(
    [...names].map((name) => [name, name.startsWith('node:') ? name : `node:${name}`]).sort(),
  );
});
