import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { packageRoot } from '../../../src/base/packages.js';
import { draftNames } from '../../../src/kernel/types/cell-names.js';
import { CheckerAccess } from '../../../src/kernel/types/checker.js';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';

// Within the package, so that the bundle finds the package's dependencies.
const folder = join(packageRoot(), 'node_modules/.cache/oddslab', `types-${process.pid}`);
const bundle = join(folder, 'holder.mjs');

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const contents = `import { openTypeService } from './src/kernel/types/open-type-service.ts';
    const types = openTypeService({ folder: ${JSON.stringify(folder)} });
    const found = await types.add('const a: number = "1"', 'cell 1').diagnostics;
    console.log(JSON.stringify({ pid: types.pid, found: found.length }));
    setInterval(() => {}, 1000);`;
  const stdin = { contents, resolveDir: packageRoot(), loader: 'ts' as const };
  await build({ stdin, outfile: bundle, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a process runs. */
function runs(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function gone(pid: number | undefined): Promise<void> {
  while (runs(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('starts a server anew after it was killed, and knows the cells of before', async () => {
  const types = openTypeService({ folder });
  expect(await types.add('const a = 1;', 'cell 1').diagnostics).toEqual([]);
  const first = types.pid;
  process.kill(first ?? 0, 'SIGKILL');
  await gone(first);
  expect(await types.add('a.foo', 'cell 2').diagnostics).toMatchObject([{ code: 2339 }]);
  expect(types.pid).not.toBe(first);
  await types.close();
});

it('tells what may be wrong where the checker cannot be asked', async () => {
  const refused = vi.spyOn(CheckerAccess.prototype, 'program').mockRejectedValue(new Error('no session'));
  onTestFinished(() => refused.mockRestore());
  const types = openTypeService({ folder });
  onTestFinished(() => types.close());
  expect(await types.add('const a = { b: 1 };', 'cell 1').diagnostics).toEqual([]);
  expect(await types.add('a.foo; a.b = "x"; (x) => x', 'cell 2').diagnostics).toMatchObject([
    { code: 2339 },
    { code: 2322 },
  ]);
  expect(refused).toHaveBeenCalled();
});

it('opens the checker anew with a server that follows another', async () => {
  const types = openTypeService({ folder });
  onTestFinished(() => types.close());
  await types.add('const row = { a: 1 }', 'cell 1').diagnostics;
  expect(await types.add('row.b = 2', 'cell 2').diagnostics).toEqual([]);
  const first = types.pid;
  process.kill(first ?? 0, 'SIGKILL');
  await gone(first);
  expect(await types.add('row.b + row.c; row.d = 1', 'cell 3').diagnostics).toMatchObject([{ code: 2339 }]);
});

it('finds nothing where the server dies under a question, and rejects nothing', async () => {
  const types = openTypeService({ folder });
  const first = types.add('const a: number = "1"', 'cell 1').diagnostics;
  const asked = [types.complete('"x".conc', 8), types.hover('a', 0), types.complete('"x".conc', 8)];
  process.kill(types.pid ?? 0, 'SIGKILL');
  expect(await first).toEqual([]);
  // By now there may be another server.
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  // On a busy machine, the first may be given up while the new server still reads its libraries.
  const completed = { start: 4, end: 8, items: [{ text: 'concat' }] };
  await expect.poll(() => types.complete('"x".conc', 8)).toMatchObject(completed);
  await types.close();
});

it('finds nothing where no server can start', async () => {
  const types = openTypeService({ folder: join(folder, 'no-such-folder') });
  const unchecked = types.add('const a: number = "1"', 'cell 1');
  expect([await unchecked.diagnostics, await unchecked.obstacle]).toEqual([[], 'The language server has ended.']);
  expect(await types.complete('a.', 2)).toEqual({ start: 2, end: 2, items: [] });
  expect(await types.hover('a', 0)).toBeUndefined();
  await types.close();
});

it('says of each cell why it is not checked where the program of the server is not installed', async () => {
  await draftNames('');
  const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {};
  Object.defineProperty(process, 'arch', { ...arch, value: 'pdp11' });
  try {
    const types = openTypeService({ folder });
    for (const name of ['cell 1', 'cell 2', 'cell 3', 'cell 4']) {
      expect(await types.add('const a: number = "1"', name).obstacle).toMatch(
        /^typescript cannot be loaded on \w+-pdp11: Cannot find module '@typescript.*Remove node_modules and run npm/,
      );
    }
  } finally {
    Object.defineProperty(process, 'arch', arch);
  }
});

it('ends its server, also at once and twice, and finds nothing then', async () => {
  const types = openTypeService({ folder });
  const { pid } = types;
  expect(runs(pid)).toBe(true);
  const asked = types.add('1', 'cell 1').diagnostics;
  await Promise.all([types.close(), types.close()]);
  expect(runs(pid)).toBe(false);
  expect(await asked).toEqual([]);
  expect(await types.add('const a: number = ""', 'cell 1').diagnostics).toEqual([]);
});

it('leaves no server behind when its process is killed', async () => {
  const holder = spawn(process.execPath, [bundle], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(holder.stdout, 'data');
  const { pid, found } = JSON.parse(String(line));
  expect(found).toBe(1);
  expect(runs(pid)).toBe(true);
  holder.kill('SIGKILL');
  await gone(pid);
  expect(runs(pid)).toBe(false);
});
