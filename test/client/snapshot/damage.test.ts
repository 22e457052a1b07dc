import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DataError } from '../../../src/base/errors.js';
import { snapshotPages } from '../../../src/client/snapshot/snapshot-pages.js';
import { verifySnapshot } from '../../../src/client/snapshot/verify-snapshot.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { nobody, pagesOfText, read, series } from './recording.js';

const rows = Array.from({ length: 2100 }, (_, n) => ({ n, word: `word ${n * 7919}` }));
const request = series(999, { a: '1' });

/** A snapshot of one answer, with the path of it. */
async function recorded(): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder();
  const { origin } = await read(snapshotPages(pagesOfText(JSON.stringify(rows)), { folder, mode: 'auto' }), request);
  return { folder, path: join(folder, 'answers', `${origin.sha256}.ndjson.gz`) };
}

/** Reads as much as comes, and the error. */
async function attempt(folder: string, maxRecords?: number) {
  const source = snapshotPages(nobody, { folder, mode: 'auto' });
  let records = 0;
  try {
    for await (const { results } of source({ ...request, maxRecords }).pages) {
      records += JSON.parse(Buffer.from(results).toString()).length;
    }
  } catch (error) {
    return { records, error };
  }
  return { records, error: undefined };
}

async function editManifest(folder: string, edit: (text: string) => string): Promise<void> {
  const path = join(folder, 'manifest.json');
  await writeFile(path, edit(await readFile(path, 'utf8')));
}

const repack = (path: string, edit: (text: string) => string) => async () =>
  writeFile(path, gzipSync(edit(gunzipSync(await readFile(path)).toString())));

type Damage = (snapshot: { folder: string; path: string }) => Promise<unknown>;

const DAMAGES: readonly [string, Damage, RegExp][] = [
  ['a missing answer', ({ path }) => rm(path), /it is missing/],
  ['a cut answer', async ({ path }) => truncate(path, (await readFile(path)).length - 9), /cannot be unpacked/],
  ['an empty answer', ({ path }) => truncate(path, 0), /cannot be unpacked|0 of the \d+ bytes/],
  ['no gzip', ({ path }) => writeFile(path, 'hello'), /cannot be unpacked/],
  ['another number', ({ path }) => repack(path, (text) => text.replace('"n":5,', '"n":6,'))(), /another SHA-256/],
  ['a record less', ({ path }) => repack(path, (text) => text.slice(text.indexOf('\n') + 1))(), /of the \d+ bytes/],
  ['a record more', ({ path }) => repack(path, (text) => `${text}{}\n`)(), /more than the \d+ bytes/],
  ['a wrong count', ({ folder }) => editManifest(folder, (text) => text.replace('2100', '2101')), /2100 records where/],
];

describe('a damaged answer', () => {
  it.each(DAMAGES)('with %s is never handed on whole, and named', async (_, damage, message) => {
    const snapshot = await recorded();
    await damage(snapshot);
    for (const most of [undefined, 5]) {
      const { records, error } = await attempt(snapshot.folder, most);
      expect(records).toBeLessThan(most ?? rows.length);
      expect(error).toBeInstanceOf(DataError);
      expect(String(error)).toMatch(message);
      expect(String(error)).toContain(`The answer ${snapshot.path} of dataset 999: a=1 is damaged`);
      expect(String(error)).toContain("or record the query anew: mode 'record'");
      // One that is there but undefined would be shown.
      expect(Object.hasOwn(Object(error), 'cause')).toBe(Object(error).cause !== undefined);
    }
    const { faults } = await verifySnapshot(snapshot.folder);
    expect(faults).toEqual([expect.stringMatching(message)]);
  });

  it('is mended by recording it anew', async () => {
    const { folder, path } = await recorded();
    await truncate(path, 40);
    await read(snapshotPages(pagesOfText(JSON.stringify(rows)), { folder, mode: 'record' }), request);
    expect(await attempt(folder)).toEqual({ records: rows.length, error: undefined });
    expect((await verifySnapshot(folder)).faults).toEqual([]);
  });

  it('with any byte flipped reads as it was, or not at all', async () => {
    const { folder, path } = await recorded();
    const whole = await readFile(path);
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 150)) {
      const flipped = Buffer.from(whole);
      flipped[at] = (whole[at] ?? 0) ^ 0x10;
      await writeFile(path, flipped);
      const { records, error } = await attempt(folder);
      if (error === undefined) expect([records, at < 10]).toEqual([rows.length, true]);
      else expect(error).toBeInstanceOf(DataError);
    }
  });
});

describe('a manifest', () => {
  it('is read with a byte order mark too', async () => {
    const { folder } = await recorded();
    await editManifest(folder, (text) => `\ufeff${text}`);
    expect(await verifySnapshot(folder)).toMatchObject({ queries: 1, faults: [] });
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['that is no JSON', (text) => text.slice(0, -5), /it is not JSON/],
    ['with an unresolved merge', (text) => `<<<<<<< ours\n${text}`, /an unresolved merge/],
    ['of something else', () => '{"name":"x"}', /it lacks "format": 1 with a list of "queries"/],
    ['of a newer form', (text) => text.replace('"format": 1', '"format": 2'), /has form 2, .* use a newer oddslab/],
    [
      'with a path for a hash',
      (text) => text.replace(/"sha256": "\w{9}/, '"sha256": "../../../'),
      /query 1: "sha256" must be 64/,
    ],
    ['with a wrong number', (text) => text.replace('2100', '-1'), /query 1: "records" must be a whole number/],
    [
      'with wrong filters',
      (text) => text.replace('"a": "1"', '"a": 1'),
      /query 1: "params" must be an object of texts/,
    ],
    ['with a query twice', (text) => text.replace(/\[\n([\s\S]*)\n {2}\]/, '[\n$1,\n$1\n]'), /query 2 is there twice/],
  ])('%s is refused by readers and writers, and named', async (_, edit, message) => {
    const { folder } = await recorded();
    await editManifest(folder, edit);
    const { error } = await attempt(folder);
    expect(error).toBeInstanceOf(DataError);
    expect(Object.hasOwn(Object(error), 'cause')).toBe(Object(error).cause !== undefined);
    expect(String(error)).toContain(join(folder, 'manifest.json'));
    expect(String(error)).toMatch(message);
    await expect(read(snapshotPages(pagesOfText('[]'), { folder, mode: 'record' }), request)).rejects.toThrow(message);
    expect((await verifySnapshot(folder)).faults).toEqual([expect.stringMatching(message)]);
  });
});

describe('verifySnapshot', () => {
  it('counts what is there and names what lies about', async () => {
    const { folder } = await recorded();
    await writeFile(join(folder, 'README.md'), 'hello');
    expect(await verifySnapshot(folder)).toEqual({ queries: 1, answers: 1, records: 2100, faults: [] });
    await writeFile(join(folder, 'answers', 'stray.ndjson.gz'), '');
    await writeFile(join(folder, 'answers', 'abc.part'), '');
    expect((await verifySnapshot(folder)).faults).toEqual([
      `The file ${join(folder, 'answers', 'abc.part')} was left by a recording that is under way or was cut short; delete it unless one is running.`,
      `The file ${join(folder, 'answers', 'stray.ndjson.gz')} is named by no query; delete it.`,
    ]);
  });

  it('names a folder that is none, or no snapshot', async () => {
    await expect(verifySnapshot('/nowhere/at/all')).rejects.toThrow('/nowhere/at/all: there is no such folder.');
    expect((await verifySnapshot(await temporaryFolder())).faults).toEqual([
      expect.stringContaining('no manifest.json'),
    ]);
  });
});
