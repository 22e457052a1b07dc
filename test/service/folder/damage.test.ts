import { chmod, copyFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataError, UsageError } from '../../../src/base/errors.js';
import { currentVersion } from '../../../src/service/folder/current-version.js';
import { earlierVersions, listVersions } from '../../../src/service/folder/list-versions.js';
import { rollBack, verifyVersion } from '../../../src/service/folder/roll-back.js';
import { SCHEMA } from '../../../src/service/folder/sealed-version.js';
import { readManifest, writeManifest } from '../../../src/service/folder/version.js';
import fc from '../../support/fast-check.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { publishTiny } from './tiny-version.js';

const FILES = ['lab.duckdb', 'wallets.bin', 'manifest.json'];

async function threeVersions(): Promise<string> {
  const folder = await temporaryFolder();
  for (const text of ['one', 'two', 'three']) await publishTiny(folder, text);
  return folder;
}

function fileOf(folder: string, name: string, file = 'lab.duckdb'): string {
  return join(folder, 'versions', name, file);
}

/** Changes one bit of a file, wherever. */
async function flip(path: string, at: number, bit: number): Promise<void> {
  await chmod(path, 0o644);
  const bytes = await readFile(path);
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  await writeFile(path, bytes);
}

/** Rewrites a manifest as an earlier release wrote it. */
async function withoutBase(path: string): Promise<void> {
  const { base: _, seal: __, files, ...manifest } = await readManifest(join(path, '..'));
  await rm(path);
  await writeManifest(join(path, '..'), { ...manifest, schema: SCHEMA }, files);
}

describe('verifyVersion', () => {
  it('finds nothing in what was published', async () => {
    const folder = await threeVersions();
    for (const name of ['000001', '000002', '000003']) expect(await verifyVersion(folder, name)).toEqual([]);
  });

  it.each(FILES)('finds every bit that flipped in %s', async (file) => {
    const folder = await threeVersions();
    const path = fileOf(folder, '000002', file);
    await copyFile(path, join(folder, 'whole'));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat({ max: 7 }), async (at, bit) => {
        await flip(path, at, bit);
        const [found] = await verifyVersion(folder, '000002');
        expect(found?.file).toBe(file);
        await rm(path);
        await copyFile(join(folder, 'whole'), path);
      }),
      { numRuns: 40 },
    );
    expect(await verifyVersion(folder, '000002')).toEqual([]);
  });

  it('says what is wrong where', async () => {
    const folder = await threeVersions();
    await truncate(fileOf(folder, '000001'), 1);
    await rm(fileOf(folder, '000001', 'wallets.bin'));
    await writeFile(fileOf(folder, '000001', 'lab.duckdb.wal'), 'replay me');
    await flip(fileOf(folder, '000002'), 0, 0);
    await writeFile(join(folder, 'text'), 'not JSON');
    await rm(fileOf(folder, '000003', 'manifest.json'));
    expect(await verifyVersion(folder, '000001')).toEqual([
      { file: 'lab.duckdb', problem: 'has 1 bytes instead of 3' },
      { file: 'wallets.bin', problem: 'is not there' },
      { file: 'lab.duckdb.wal', problem: 'does not belong there: remove it' },
    ]);
    expect(await verifyVersion(folder, '000002')).toEqual([
      { file: 'lab.duckdb', problem: 'holds other bytes than were written' },
    ]);
    expect(await verifyVersion(folder, '000003')).toEqual([{ file: 'manifest.json', problem: 'is not there' }]);
    expect((await listVersions(folder)).map(({ name, current, problem }) => [name, current, problem])).toEqual([
      ['000001', false, expect.stringContaining('lab.duckdb has 1 bytes instead of 3')],
      ['000002', false, null],
      ['000003', true, expect.stringContaining('manifest.json is not there')],
    ]);
  });
});

describe('rollBack', () => {
  it('goes to the version before, and to one that is named, also forth', async () => {
    const folder = await threeVersions();
    expect(await rollBack(folder)).toEqual({ was: '000003', is: '000002', passed: [] });
    expect(await rollBack(folder)).toEqual({ was: '000002', is: '000001', passed: [] });
    await expect(rollBack(folder)).rejects.toThrow('no whole version before 000001');
    expect(await rollBack(folder, '000003')).toEqual({ was: '000001', is: '000003', passed: [] });
    expect(await rollBack(folder, '000003')).toEqual({ was: '000003', is: '000003', passed: [] });
    expect((await readdir(folder)).sort()).toEqual(['current', 'versions']);
  });

  it('goes to what the current version was built on, never to one that was rolled back from', async () => {
    const folder = await threeVersions();
    await rollBack(folder, '000001');
    await publishTiny(folder, 'four', 9);
    expect((await readManifest(join(folder, 'versions', '000004'))).base).toBe('000001');
    expect((await listVersions(folder)).map(({ name, base, rejected }) => [name, base, rejected])).toEqual([
      ['000001', null, false],
      ['000002', '000001', true],
      ['000003', '000002', true],
      ['000004', '000001', false],
    ]);
    expect(await rollBack(folder)).toEqual({ was: '000004', is: '000001', passed: [] });
    await expect(rollBack(folder)).rejects.toThrow('no whole version before 000001');
    await rollBack(folder, '000003');
    expect(await earlierVersions(folder, '000003')).toEqual(['000002', '000001']);
  });

  it('goes by number where a version does not say what it was built on, or that one is gone', async () => {
    const folder = await threeVersions();
    await withoutBase(fileOf(folder, '000003', 'manifest.json'));
    expect(await earlierVersions(folder, '000003')).toEqual(['000002', '000001']);
    await publishTiny(folder, 'four', 9);
    await rm(join(folder, 'versions', '000003'), { recursive: true });
    expect(await earlierVersions(folder, '000004')).toEqual(['000002', '000001']);
    expect(await earlierVersions(folder, '000003')).toEqual(['000002', '000001']);
    expect(await earlierVersions(folder, '?')).toEqual(['000004', '000002', '000001']);
    expect(await earlierVersions(await temporaryFolder(), undefined)).toEqual([]);
  });

  it('passes over what is damaged, and refuses it by name', async () => {
    const folder = await threeVersions();
    await flip(fileOf(folder, '000002'), 1, 3);
    await expect(rollBack(folder, '000002')).rejects.toThrow(
      `Version 000002 of ${folder} is damaged: lab.duckdb holds other bytes than were written.`,
    );
    expect(await rollBack(folder)).toEqual({ was: '000003', is: '000001', passed: ['000002'] });
    await expect(rollBack(folder, '000009')).rejects.toThrow(UsageError);
    await expect(rollBack(folder, '../x')).rejects.toThrow('it has 000001, 000002, 000003');
  });

  it('finds a version where the name of the current one is gone or nonsense', async () => {
    const folder = await threeVersions();
    await writeFile(join(folder, 'current'), '00\x070003');
    expect(await rollBack(folder)).toMatchObject({ is: '000003' });
    await rm(join(folder, 'current'));
    // What would build on it, as an ingest, does not begin anew without a word.
    await expect(currentVersion(folder)).rejects.toThrow('"current" is gone');
    expect(await rollBack(folder)).toEqual({ was: undefined, is: '000003', passed: [] });
    await expect(rollBack(await temporaryFolder())).rejects.toThrow(DataError);
    expect(await currentVersion(await temporaryFolder())).toBeUndefined();
  });
});
