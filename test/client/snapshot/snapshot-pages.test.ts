import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataError, UsageError } from '../../../src/base/errors.js';
import type { PageSource } from '../../../src/client/paging/page-source.js';
import { snapshotPages } from '../../../src/client/snapshot/snapshot-pages.js';
import { walletOf } from '../../support/raw-records.js';
import { serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { contentOf, inside, nobody, pagesOf, pagesOfText, read, series, stateOf } from './recording.js';

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'oddslab-snap-'));
  await ingestSmall(data);
});
afterAll(() => rm(data, { recursive: true, force: true }));

const pnl = (n: number, params: Record<string, string> = {}) => series(569, { wallet: walletOf(n), ...params });
const replayOf = (folder: string) => snapshotPages(undefined, { folder, mode: 'replay' });
const autoOf = (source: PageSource, folder: string) => snapshotPages(source, { folder, mode: 'auto' });

describe('a recorded snapshot', () => {
  it('hands on what its replay hands on, and says where it came from in the same words', async () => {
    const url = await serveFolder(data);
    const folder = await temporaryFolder();
    const requests = [series(574), pnl(1), pnl(2), series(555, { closed: 'True' }), pnl(77)];
    const live = await Promise.all(requests.map((request) => read(pagesOf(url), request)));
    const first = await Promise.all(requests.map((request) => read(autoOf(pagesOf(url), folder), request)));
    const again = await Promise.all(requests.map((request) => read(autoOf(nobody, folder), request)));
    const replayed = await Promise.all(requests.map((request) => read(replayOf(folder), request)));
    expect(first.map(({ records }) => records)).toEqual(live.map(({ records }) => records));
    expect(live.map(({ records }) => records.length)).toEqual([12, 40, 40, 3, 0]);
    for (const [at, { texts, origin }] of first.entries()) {
      expect(inside(again[at]?.texts ?? [])).toBe(inside(texts));
      expect(inside(replayed[at]?.texts ?? [])).toBe(inside(texts));
      expect([again[at]?.origin, replayed[at]?.origin]).toEqual([origin, origin]);
      expect(origin).toMatchObject({ service: url, dataVersion: 'v1', snapshot: basename(folder) });
    }
  });

  it('is a readable manifest, sorted, and an answer for each sha-256', async () => {
    const folder = await temporaryFolder();
    const source = pagesOfText(
      '[{"b": 1.50, "a":"x\\n ,]"},\n{"b":123456789012345678901, "a":null}]',
      ' [ {"b":[1, 2]} ] ',
    );
    await read(autoOf(source, folder), series(999, { z: '1', a: '2' }));
    await read(autoOf(source, folder), series(999, { a: '2' }));
    await read(autoOf(pagesOfText('[]'), folder), series(12));
    const { format, queries, answers } = await stateOf(folder);
    const text = '{"b":1.50,"a":"x\\n ,]"}\n{"b":123456789012345678901,"a":null}\n{"b":[1,2]}\n';
    expect(answers.map((answer) => answer.text)).toEqual(['', text, text]);
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    const common = { recordedAt: '2026-11-21T09:30:00.000Z', service: 'http://127.0.0.1:1/api', oddslab: version };
    const three = { records: 3, bytes: text.length, sha256: answers[1]?.sha256, ...common };
    expect({ format, queries }).toEqual({
      format: 1,
      queries: [
        { dataset: 12, name: '12', params: {}, records: 0, bytes: 0, sha256: answers[0]?.sha256, ...common },
        { dataset: 999, name: '999', params: { a: '2' }, ...three },
        { dataset: 999, name: '999', params: { a: '2', z: '1' }, ...three },
      ],
    });
    expect(Object.keys(queries[2].params)).toEqual(['a', 'z']);
    expect((await readdir(join(folder, 'answers'))).sort()).toEqual(
      [...new Set(answers.map(({ sha256 }) => `${sha256}.ndjson.gz`))].sort(),
    );
    const all = Buffer.concat(Object.values(await contentOf(folder))).toString('latin1');
    expect(all).not.toContain('secret');
    expect(all).not.toContain(folder);
  });

  it('has the same answer files however the query was paged and whenever it was recorded', async () => {
    const url = await serveFolder(data);
    const folders = await Promise.all([1, 2, 3].map(() => temporaryFolder()));
    for (const [at, folder] of folders.entries()) {
      const source = snapshotPages(pagesOf(url, [1, 7, 1000][at]), { folder, mode: 'record' });
      for (const request of [pnl(1), series(574)]) await read(source, request);
    }
    const [one, ...others] = await Promise.all(folders.map(contentOf));
    expect(Object.keys(one ?? {})).toHaveLength(3);
    for (const other of others) expect({ ...other, 'manifest.json': '' }).toEqual({ ...one, 'manifest.json': '' });
  });

  it('of many records is cut into pages that tell how they go on', async () => {
    const folder = await temporaryFolder();
    const rows = Array.from({ length: 2500 }, (_, n) => ({ n, text: 'é'.repeat(n % 70) }));
    const { texts } = await read(autoOf(pagesOfText(JSON.stringify(rows)), folder), series(999));
    const pages = [];
    for await (const { results, ...page } of replayOf(folder)(series(999)).pages) {
      pages.push({ ...page, records: JSON.parse(Buffer.from(results).toString()) });
    }
    expect(pages.map(({ records, ...page }) => [page, records.length])).toEqual([
      [{ limit: 1000, offset: 0, hasMore: true }, 1000],
      [{ limit: 1000, offset: 1000, hasMore: true }, 1000],
      [{ limit: 500, offset: 2000, hasMore: false }, 500],
    ]);
    expect(pages.flatMap(({ records }) => records)).toEqual(JSON.parse(texts.join('')));
  });
});

describe('which queries a snapshot answers', () => {
  it('the first records from a longer answer, never a longer one from fewer', async () => {
    const url = await serveFolder(data);
    const folder = await temporaryFolder();
    const few = (maxRecords: number) => ({ ...pnl(1), maxRecords });
    const five = await read(autoOf(pagesOf(url), folder), few(5));
    expect(five.records).toHaveLength(5);
    expect((await read(replayOf(folder), few(3))).records).toEqual(five.records.slice(0, 3));
    await expect(read(replayOf(folder), few(6))).rejects.toThrow('the most records is 5 there, 6 here');
    await expect(read(replayOf(folder), pnl(1))).rejects.toThrow('the most records is 5 there, all here');
    const all = await read(autoOf(pagesOf(url), folder), pnl(1));
    for (const most of [0, 1, 5, 6, 39, 40, 41]) {
      expect((await read(replayOf(folder), few(most))).records).toEqual(all.records.slice(0, most));
    }
    expect((await stateOf(folder)).queries).toMatchObject([{ records: 40 }, { maxRecords: 5, records: 5 }]);
  });

  it('all of it where fewer records came than were wanted', async () => {
    const folder = await temporaryFolder();
    await read(autoOf(pagesOfText('[{"a":1}]'), folder), series(999, {}, { maxRecords: 9 }));
    expect((await read(replayOf(folder), series(999))).records).toEqual([{ a: 1 }]);
  });

  it('no other: shows the nearest, what differs, and how to record it', async () => {
    const folder = await temporaryFolder();
    await expect(read(replayOf(folder), pnl(1))).rejects.toThrow('It holds no query at all.');
    const record = autoOf(pagesOfText('[{"a":1}]'), folder);
    for (const request of [
      series(574, { closed: 'True' }),
      pnl(2, { granularity: '1d' }),
      pnl(1, { granularity: '1d' }),
    ])
      await read(record, request);
    const failure = await read(replayOf(folder), pnl(1, { granularity: '1w', start_time: '2026-01-01' })).catch(
      (e) => e,
    );
    expect(failure).toBeInstanceOf(DataError);
    expect(failure.message).toBe(`The snapshot ${folder} does not hold the query
  pnl (569): granularity=1w, start_time=2026-01-01, wallet=${walletOf(1)}
The nearest that it holds, of 2026-11-21T09:30:00.000Z, is
  pnl (569): wallet=${walletOf(1)}
in which granularity is 1d there, 1w here; start_time is not given there, 2026-01-01 here.
To record it, run it once with connect({ snapshot: '${folder}', mode: 'auto' }), or ODDSLAB_SNAPSHOT_MODE=auto, where the service is.`);
  });
});

describe('modes', () => {
  it('record asks anew and takes the place of what was there; live leaves the snapshot aside', async () => {
    const folder = await temporaryFolder();
    await read(autoOf(pagesOfText('[{"a":1}]'), folder), series(999));
    const anew = pagesOfText('[{"a":2}]');
    expect((await read(autoOf(anew, folder), series(999))).records).toEqual([{ a: 1 }]);
    expect((await read(snapshotPages(anew, { folder, mode: 'live' }), series(999))).records).toEqual([{ a: 2 }]);
    expect((await read(replayOf(folder), series(999))).records).toEqual([{ a: 1 }]);
    await read(snapshotPages(anew, { folder, mode: 'record' }), series(999));
    expect((await read(replayOf(folder), series(999))).records).toEqual([{ a: 2 }]);
    expect(await readdir(join(folder, 'answers'))).toHaveLength(1);
  });

  it('replay alone does without a service', () => {
    for (const mode of ['auto', 'record', 'live'] as const) {
      expect(() => snapshotPages(undefined, { folder: 'x', mode })).toThrow(UsageError);
    }
  });
});

describe('nothing is recorded', () => {
  const files = async (folder: string) => Object.keys(await contentOf(folder));

  it('of a series that was not read to its end, failed, or is no list of records', async () => {
    const folder = await temporaryFolder();
    for await (const _ of autoOf(pagesOfText('[{"a":1}]', '[{"a":2}]'), folder)(series(999)).pages) break;
    expect(await files(folder)).toEqual([]);
    const refusing = autoOf(
      () => ({
        pages: (async function* () {
          yield* [];
          throw new Error('401 no');
        })(),
        origin: () => ({ service: '', queriedAt: '' }),
      }),
      join(folder, 'new'),
    );
    await expect(read(refusing, series(999))).rejects.toThrow('401 no');
    const failing: PageSource = (request) => ({
      ...pagesOfText()(request),
      pages: (async function* () {
        yield* pagesOfText('[{"a":1}]')(request).pages;
        throw new Error('the line went dead');
      })(),
    });
    await expect(read(autoOf(failing, folder), series(999))).rejects.toThrow('the line went dead');
    await expect(read(autoOf(pagesOfText('[{"a":1}'), folder), series(999))).rejects.toThrow('no JSON array');
    expect([await files(folder), await readdir(folder)]).toEqual([[], ['answers']]);
  });

  it('before its pages are read', async () => {
    autoOf(nobody, '/nowhere/at/all')(series(999));
  });

  it('where the folder cannot be written, which is said', async () => {
    const folder = join(data, 'm.json', 'snap');
    await expect(read(autoOf(pagesOfText('[]'), folder), series(999))).rejects.toThrow(
      /Cannot read .* a part of its path is a file/,
    );
    const record = snapshotPages(pagesOfText('[]'), { folder, mode: 'record' });
    await expect(read(record, series(999))).rejects.toThrow(/Cannot record .* a file of that name is in the way/);
  });
});

it('records many queries at once in one process', async () => {
  const folder = await temporaryFolder();
  const source = autoOf(pagesOfText('[{"a":1}]'), folder);
  await Promise.all(Array.from({ length: 60 }, (_, n) => read(source, series(999, { n: String(n) }))));
  expect((await stateOf(folder)).queries).toHaveLength(60);
  expect(await readdir(folder)).toEqual(['answers', 'manifest.json']);
});
