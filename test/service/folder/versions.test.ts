import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DataError } from '../../../src/base/errors.js';
import { currentVersion, draftVersion, publishVersion } from '../../../src/service/folder/current-version.js';
import { lockFolder } from '../../../src/service/folder/folder-layout.js';
import { listVersions } from '../../../src/service/folder/list-versions.js';
import { rollBack } from '../../../src/service/folder/roll-back.js';
import { leaveLock } from '../../support/leave-lock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { publishTiny, tinyManifest } from './tiny-version.js';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

async function names(folder: string): Promise<string[]> {
  return (await listVersions(folder)).map(({ name }) => name);
}

describe('a version', () => {
  it('names each of its files with size and sha-256, and lets nobody write them', async () => {
    const folder = await temporaryFolder();
    const version = await publishTiny(folder, 'one');
    expect(version).toMatchObject({ name: '000001', manifest: tinyManifest('one') });
    expect(version.files).toEqual({
      'lab.duckdb': { bytes: 3, sha256: hash('one') },
      'wallets.bin': { bytes: 14, sha256: hash('wallets of one') },
    });
    for (const file of ['lab.duckdb', 'wallets.bin', 'manifest.json']) {
      expect((await stat(join(version.path, file))).mode & 0o222).toBe(0);
    }
    expect(await currentVersion(folder)).toEqual(version);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual([
      'current',
      'versions',
      'versions/000001',
      'versions/000001/lab.duckdb',
      'versions/000001/manifest.json',
      'versions/000001/wallets.bin',
    ]);
  });

  it('has another id than one of the same number in a folder made anew', async () => {
    const [a, b] = [await publishTiny(await temporaryFolder(), 'a'), await publishTiny(await temporaryFolder(), 'b')];
    expect([a.name, b.name]).toEqual(['000001', '000001']);
    expect(a.id).toMatch(/^000001-[0-9a-f]{8}$/);
    expect(a.id).not.toBe(b.id);
  });

  it('that cannot be published leaves all as it was', async () => {
    const folder = await temporaryFolder();
    const first = await publishTiny(folder, 'one');
    const draft = await draftVersion(folder);
    await mkdir(join(draft, 'spill'));
    await expect(publishVersion(folder, draft, tinyManifest('two'))).rejects.toThrow('plain files alone');
    expect(await currentVersion(folder)).toEqual(first);
    // In the way of the switch itself.
    const next = await draftVersion(folder);
    await writeFile(join(next, 'lab.duckdb'), 'two');
    const other = await temporaryFolder();
    await mkdir(join(other, 'current', 'x'), { recursive: true });
    await expect(publishVersion(other, next, tinyManifest('two'))).rejects.toThrow(DataError);
    expect(await names(folder)).toEqual(['000001']);
  });

  it('of another release is refused with what to do', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'versions', '000001');
    await mkdir(path, { recursive: true });
    await writeFile(join(folder, 'current'), '000001\n');
    await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...tinyManifest('old'), schema: 1 }));
    await expect(currentVersion(folder)).rejects.toThrow(
      /another release wrote it \(layout 1, this one reads \d+\).*ingest its inputs again into a new folder/,
    );
  });
});

describe('old versions', () => {
  it.each([
    [undefined, ['000003', '000004', '000005']],
    [1, ['000005']],
    [2, ['000004', '000005']],
    [9, ['000001', '000002', '000003', '000004', '000005']],
  ])('stay by count: %s', async (keep, expected) => {
    const folder = await temporaryFolder();
    for (const text of 'abcde') await publishTiny(folder, text, keep);
    expect(await names(folder)).toEqual(expected);
    expect((await readdir(join(folder, 'versions'))).sort()).toEqual(expected);
  });

  it('and the new one are never removed all', async () => {
    const folder = await temporaryFolder();
    await publishTiny(folder, 'a');
    await expect(publishTiny(folder, 'b', 0)).rejects.toThrow('At least 1 version must be kept; got 0.');
    expect(await names(folder)).toEqual(['000001']);
  });

  it('stay where the next one was built on them, before those that were rolled back from', async () => {
    const folder = await temporaryFolder();
    for (const text of 'abc') await publishTiny(folder, text);
    await rollBack(folder, '000001');
    expect(await names(folder)).toEqual(['000001', '000002', '000003']);
    expect((await publishTiny(folder, 'd', 2)).name).toBe('000004');
    expect(await names(folder)).toEqual(['000001', '000004']);
  });

  it.skipIf(process.platform !== 'linux')('stay while a reader of this machine holds them open', async () => {
    const folder = await temporaryFolder();
    const { database } = await publishTiny(folder, 'a');
    const reader = await open(database, 'r');
    onTestFinished(() => reader.close().catch(() => {}));
    for (const text of 'bc') await publishTiny(folder, text, 1);
    expect(await names(folder)).toEqual(['000001', '000003']);
    await reader.close();
    await publishTiny(folder, 'd', 1);
    expect(await names(folder)).toEqual(['000004']);
  });
});

describe('what a killed ingest left', () => {
  it('is out of sight, and taken away by the next', async () => {
    const folder = await temporaryFolder();
    await publishTiny(folder, 'a');
    await publishTiny(folder, 'never switched to');
    const versions = join(folder, 'versions');
    await writeFile(join(folder, 'current'), '000001\n');
    await writeFile(join(versions, '.publishing'), '000002\n');
    await mkdir(join(versions, '.draft-abc', 'spill'), { recursive: true });
    await mkdir(join(versions, '.gone-000000'));
    for (const part of ['current.0a.part', 'versions/.publishing.0b.part']) await writeFile(join(folder, part), 'x');
    await leaveLock(folder, 'ingest.lock', { pid: 4_194_305 });
    expect(await listVersions(folder)).toEqual([
      {
        name: '000001',
        current: true,
        rejected: false,
        base: null,
        created: tinyManifest('a').created,
        inputs: 1,
        rows: 2,
        bytes: 13,
        problem: null,
      },
    ]);
    const unlock = await lockFolder(folder);
    const next = await publishTiny(folder, 'b');
    await unlock();
    expect([next.name, next.manifest.inputs[0]?.file]).toEqual(['000002', 'b']);
    expect((await readdir(versions)).sort()).toEqual(['000001', '000002']);
    expect((await readdir(folder)).sort()).toEqual(['current', 'versions']);
  });

  it('after the switch itself is the new version', async () => {
    const folder = await temporaryFolder();
    await publishTiny(folder, 'a');
    await publishTiny(folder, 'b');
    await writeFile(join(folder, 'versions', '.publishing'), '000002\n');
    expect(await names(folder)).toEqual(['000001', '000002']);
    await draftVersion(folder);
    expect(await names(folder)).toEqual(['000001', '000002']);
    expect(await readFile(join(folder, 'current'), 'utf8')).toBe('000002\n');
  });
});
