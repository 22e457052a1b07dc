import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import type { PageSource } from '../../../src/client/paging/page-source.js';
import { queryKey } from '../../../src/client/snapshot/recorded-query.js';
import { refreshSnapshot } from '../../../src/client/snapshot/refresh-snapshot.js';
import { manifestPath, readManifest } from '../../../src/client/snapshot/snapshot-manifest.js';
import { snapshotPages } from '../../../src/client/snapshot/snapshot-pages.js';
import { walletOf } from '../../support/raw-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { pnlRecord } from '../paged-server.js';
import { nobody, pagesOfText, read, series, stateOf } from './recording.js';

const wallet = walletOf(1);
const plain = series(569, { wallet });
const spelled = series(569, { wallet, granularity: '1d', condition_id: 'all' });
const [text, other] = [JSON.stringify([pnlRecord(0)]), JSON.stringify([pnlRecord(1)])];

describe('a filter with its default value', () => {
  it('makes no other query', () => {
    const key = (params: Record<string, string>) => queryKey({ dataset: 569, params });
    expect(key({ granularity: '1d', wallet, condition_id: 'ALL' })).toBe(key({ wallet }));
    expect(key({ wallet, condition_id: '0xAB' })).toBe(key({ condition_id: '0xab', wallet }));
    expect(key({ wallet, granularity: '1w' })).not.toBe(key({ wallet }));
    expect(queryKey({ dataset: 574, params: { granularity: '1d' } })).not.toBe(queryKey({ dataset: 574, params: {} }));
  });

  it.each([
    [plain, spelled],
    [spelled, plain],
  ])('is recorded once and replayed with and without it', async (one, another) => {
    const folder = await temporaryFolder();
    await read(snapshotPages(pagesOfText(text), { folder, mode: 'auto' }), one);
    const again = await read(snapshotPages(nobody, { folder, mode: 'auto' }), another);
    expect(again.records).toEqual([pnlRecord(0)]);
    expect((await stateOf(folder)).queries).toMatchObject([{ params: { wallet } }]);
  });

  it('in a manifest of an earlier version is read as its absence, the later answer of both', async () => {
    const folder = await temporaryFolder();
    await read(snapshotPages(pagesOfText(text), { folder, mode: 'auto' }), plain);
    await read(snapshotPages(pagesOfText(other), { folder, mode: 'auto' }), series(569, { wallet, granularity: '1w' }));
    const path = manifestPath(folder);
    const earlier = JSON.parse(await readFile(path, 'utf8'));
    const renamed = earlier.queries.find(({ params }: { params: object }) => 'granularity' in params);
    Object.assign(renamed, { params: { wallet, granularity: '1d' }, recordedAt: '2026-12-01T00:00:00.000Z' });
    await writeFile(path, JSON.stringify(earlier));
    expect([...((await readManifest(folder)) ?? [])].length).toBe(1);
    const replayed = await read(snapshotPages(undefined, { folder, mode: 'replay' }), plain);
    expect(replayed.records).toEqual([pnlRecord(1)]);
    earlier.queries.push({ ...renamed, params: { granularity: '1d', wallet } });
    await writeFile(path, JSON.stringify(earlier));
    await expect(readManifest(folder)).rejects.toThrow('query 3 is there twice');
  });
});

it('a refresh ends where the service goes round in circles', async () => {
  const folder = await temporaryFolder();
  await read(snapshotPages(pagesOfText(text), { folder, mode: 'auto' }), plain);
  const before = await stateOf(folder);
  const circling: PageSource = () => ({
    origin: () => ({ service: 'http://127.0.0.1:1', queriedAt: '2026-11-21T09:30:00.000Z' }),
    pages: (async function* () {
      for (let offset = 0; offset < 100; offset += 1) {
        yield { limit: 1, offset, hasMore: true, results: Buffer.from(offset % 2 === 0 ? text : other) };
      }
    })(),
  });
  await expect(refreshSnapshot(folder, circling)).rejects.toThrow(
    new AnswerError('Dataset 569 sent only records that came before at offset 2, yet says that there is more.'),
  );
  expect(await stateOf(folder)).toEqual(before);
});
