import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataError, UsageError } from '../../../src/base/errors.js';
import { packageRoot } from '../../../src/base/packages.js';
import { installKernel, uninstallKernel } from '../../../src/kernel/install/install-kernel.js';
import { installedKernels, kernelSpec, readInstalledKernel } from '../../../src/kernel/install/kernel-spec.js';
import { isAbsent } from '../../support/is-absent.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';

const FILES = ['kernel.json', 'logo-32x32.png', 'logo-64x64.png', 'logo-svg.svg'];
const main = join(packageRoot(), 'dist', 'kernel', 'main.cjs');
const specIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'kernel.json'), 'utf8'));

/** A kernels folder in which something else has taken a name. */
async function taken(content: Readonly<Record<string, unknown>>): Promise<string> {
  const kernels = await temporaryFolder();
  mkdirSync(join(kernels, 'oddslab'));
  for (const [name, value] of Object.entries(content)) await put(join(kernels, 'oddslab'), name, value);
  return kernels;
}

describe('installKernel', () => {
  it('writes a kernelspec with logos, whole, and nothing beside it', async () => {
    const kernels = join(await temporaryFolder(), 'share', 'jupyter', 'kernels');
    const folder = join(kernels, 'oddslab');
    expect(await installKernel({ kernels })).toEqual({ folder, updated: false });
    expect(readdirSync(kernels)).toEqual(['oddslab']);
    expect(readdirSync(folder).sort()).toEqual(FILES);
    expect(specIn(folder)).toEqual({
      argv: [process.execPath, main, '{connection_file}'],
      display_name: 'TypeScript (Oddslab)',
      language: 'typescript',
      interrupt_mode: 'message',
      env: {},
      metadata: { debugger: false, oddslab: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) } },
    });
  });

  it('brings logos of the sizes that they say', async () => {
    const { folder } = await installKernel({ kernels: await temporaryFolder() });
    for (const size of [32, 64]) {
      const png = readFileSync(join(folder, `logo-${size}x${size}.png`));
      expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
      expect(png.subarray(-8, -4).toString('latin1')).toBe('IEND');
    }
    expect(readFileSync(join(folder, 'logo-svg.svg'), 'utf8')).toMatch(/^<svg xmlns=.*<\/svg>\n$/s);
  });

  it('shows another name in the menu', async () => {
    const { folder } = await installKernel({ kernels: await temporaryFolder(), name: 'strict', types: 'block' });
    expect(specIn(folder)).toMatchObject({
      display_name: 'TypeScript (Oddslab, strict)',
      env: { ODDSLAB_TYPES: 'block' },
    });
  });

  it('renews ours and keeps the types that were chosen, until others are', async () => {
    const kernels = await temporaryFolder();
    const modes = ['block', undefined, 'off'] as const;
    const env = [];
    for (const types of modes) {
      const { folder, updated } = await installKernel({ kernels, ...(types ? { types } : {}) });
      env.push([updated, specIn(folder).env]);
    }
    expect(env).toEqual([
      [false, { ODDSLAB_TYPES: 'block' }],
      [true, { ODDSLAB_TYPES: 'block' }],
      [true, { ODDSLAB_TYPES: 'off' }],
    ]);
  });

  it.each([
    ['another kernel', { 'kernel.json': { argv: ['deno'], display_name: 'Deno', language: 'typescript' } }],
    ['a kernel that cannot be read', { 'kernel.json': '{"argv": [' }],
    ['some folder', { 'thesis.txt': 'mine' }],
  ])('leaves %s of the name alone', async (_, content) => {
    const kernels = await taken(content);
    const before = readdirSync(join(kernels, 'oddslab'));
    await expect(installKernel({ kernels })).rejects.toThrow(UsageError);
    await expect(uninstallKernel(kernels, 'oddslab')).rejects.toThrow("another program's kernel");
    expect(readdirSync(join(kernels, 'oddslab'))).toEqual(before);
  });

  it('takes the place of what a torn install left', async () => {
    const kernels = await taken({ 'logo-32x32.png': 'half' });
    expect(await installKernel({ kernels })).toMatchObject({ updated: false });
    expect(readdirSync(join(kernels, 'oddslab')).sort()).toEqual(FILES);
  });

  it.each(['', 'A', 'a b', '../up', '.hidden', 'ä', 'x'.repeat(101)])('refuses the name %j', async (name) => {
    await expect(installKernel({ kernels: await temporaryFolder(), name })).rejects.toThrow(UsageError);
  });

  it('says what would help where the folder cannot be made, and leaves nothing', async () => {
    const folder = await temporaryFolder();
    const file = await put(folder, 'file', 'no folder');
    const installing = installKernel({ kernels: join(file, 'kernels') });
    await expect(installing).rejects.toThrow(DataError);
    await expect(installing).rejects.toThrow(
      /^Cannot write .*kernels.oddslab: a file of that name is in the way\. --prefix DIR or JUPYTER_DATA_DIR name another place\.$/,
    );
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

it.skipIf(isAbsent('/proc/self', 'a folder that takes no folders'))(
  'says of a place that takes no folders that it is to be another',
  async () => {
    await expect(installKernel({ kernels: '/proc/.local/share/jupyter/kernels' })).rejects.toThrow(
      /^Cannot write .*: no folder can be made there; choose another\. --prefix DIR or JUPYTER_DATA_DIR name another place\.$/,
    );
  },
);

describe('installedKernels', () => {
  it('tells ready, elsewhere and broken apart, and knows no others', async () => {
    const kernels = await taken({ 'kernel.json': { argv: ['deno'], display_name: 'Deno', language: 'typescript' } });
    const spec = kernelSpec();
    const other = await put(await temporaryFolder(), 'main.cjs', '');
    for (const name of ['a-ready', 'b-elsewhere', 'c-broken', 'd-cut']) await installKernel({ kernels, name });
    const rewrite = (name: string, argv: unknown[]) =>
      writeFileSync(join(kernels, name, 'kernel.json'), JSON.stringify({ ...spec, argv }));
    rewrite('b-elsewhere', [process.execPath, other, '{connection_file}']);
    rewrite('c-broken', ['/gone/node', main, '{connection_file}']);
    rewrite('d-cut', []);
    const found = await installedKernels([join(kernels, 'none'), kernels]);
    expect(found.map(({ name, state, missing }) => [name, state, missing])).toEqual([
      ['a-ready', 'ready', []],
      ['b-elsewhere', 'elsewhere', []],
      ['c-broken', 'broken', ['/gone/node']],
      ['d-cut', 'broken', []],
    ]);
  });
});

describe('uninstallKernel', () => {
  it('removes ours, says where it was, and finds nothing the next time', async () => {
    const kernels = await temporaryFolder();
    const { folder } = await installKernel({ kernels });
    await installKernel({ kernels, name: 'strict' });
    expect(await uninstallKernel(kernels, 'oddslab')).toBe(folder);
    expect(readdirSync(kernels)).toEqual(['strict']);
    expect(await readInstalledKernel(kernels, 'oddslab')).toBeUndefined();
    expect(await uninstallKernel(kernels, 'oddslab')).toBeUndefined();
  });

  it('refuses a name that leads elsewhere', async () => {
    await expect(uninstallKernel(await temporaryFolder(), '../x')).rejects.toThrow(UsageError);
  });
});
