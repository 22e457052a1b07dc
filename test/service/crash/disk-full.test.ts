import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { currentVersion } from '../../../src/service/folder/current-version.js';
import { folderError } from '../../../src/service/folder/folder-layout.js';
import { rollBack, verifyVersion } from '../../../src/service/folder/roll-back.js';
import { FolderStores } from '../../../src/service/store/folder-stores.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { ingestNext } from '../folder/numbered-version.js';
import { publishTiny } from '../folder/tiny-version.js';

/** A small memory disk of its own; undefined, with the reason, where this user may not make one. */
async function smallDisk(megabytes: number): Promise<string | undefined> {
  const place = join(await temporaryFolder(), 'disk');
  await mkdir(place);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', place], { stdio: 'pipe' });
  } catch (error) {
    console.warn(`skipped: cannot mount a disk here: ${(error as Error).message.split('\n').at(-1)}`);
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', place]));
  return place;
}

/** Fills a disk but for some bytes. */
async function fillBut(disk: string, left: number): Promise<void> {
  await rm(join(disk, 'filler'), { force: true });
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
}

/** All that a folder holds but the inputs that were read already, which the next run of the ingest needs not read again. */
async function stateOf(folder: string): Promise<unknown> {
  const entries = (await readdir(folder, { recursive: true })).filter((name) => !/^staging/.test(name)).sort();
  const current = await currentVersion(folder);
  return { entries, current, damages: current && (await verifyVersion(folder, current.name)) };
}

it('a disk that is full at any step of publishing leaves the old version, and nothing else', async () => {
  const disk = await smallDisk(1);
  if (disk === undefined) return;
  const folder = join(disk, 'data');
  await mkdir(folder);
  await publishTiny(folder, 'a');
  await publishTiny(folder, 'b');
  const before = await stateOf(folder);
  const failed: number[] = [];
  for (let pages = 0; ; pages++) {
    await fillBut(disk, pages * 4096);
    const outcome = await publishTiny(folder, 'c').catch((error: unknown) => folderError(folder, error));
    if (!(outcome instanceof Error)) break;
    expect(outcome.message, `${pages} pages`).toContain('the disk is full');
    failed.push(pages);
    // The draft of the failed one is the ingest's to remove; the folder's next owner finds it otherwise.
    for (const name of await readdir(join(folder, 'versions'))) {
      if (name.startsWith('.draft-')) await rm(join(folder, 'versions', name), { recursive: true });
    }
    expect(await stateOf(folder), `${pages} pages`).toEqual(before);
  }
  expect(failed.length).toBeGreaterThan(3);
  expect((await currentVersion(folder))?.manifest.inputs[0]?.file).toBe('c');
  await fillBut(disk, 0);
  await expect(rollBack(folder)).rejects.toThrow('the disk is full');
  expect((await currentVersion(folder))?.name).toBe('000003');
});

it('an ingest onto a full disk leaves the old version served, and succeeds once there is room', async () => {
  const disk = await smallDisk(64);
  if (disk === undefined) return;
  const [folder, beside] = [join(disk, 'data'), await temporaryFolder()];
  await ingestNext(folder, beside, 1);
  const before = await stateOf(folder);
  const stores = new FolderStores(folder);
  onTestFinished(() => stores.close());
  for (const left of [0, 4096, 65_536, 300_000, 700_000]) {
    await fillBut(disk, left);
    await expect(ingestNext(folder, beside, 2), `${left} left`).rejects.toThrow('the disk is full');
    expect(await stateOf(folder), `${left} left`).toEqual(before);
    expect((await stores.use(async (_, id) => id))?.slice(0, 6)).toBe('000001');
  }
  await rm(join(disk, 'filler'));
  expect(await ingestNext(folder, beside, 2)).toBe('000002');
});
