import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AnswerError, UsageError } from '../../../src/base/errors.js';
import { diffSnapshots } from '../../../src/client/snapshot/diff-snapshots.js';
import { refreshSnapshot } from '../../../src/client/snapshot/refresh-snapshot.js';
import { snapshotPages } from '../../../src/client/snapshot/snapshot-pages.js';
import { walletOf } from '../../support/raw-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { contentOf, pagesOfText, read, series } from './recording.js';

const row = (day: number, changes: object = {}) => ({
  date: `2026-01-0${day}T00:00:00Z`,
  proxy_wallet: walletOf(1),
  invested: '1.5',
  pnl: '-0.25',
  trades: 3,
  wins: 2,
  losses: 1,
  win_rate: '66.6',
  ...changes,
});
const key = (day: number) => ({ date: `2026-01-0${day}T00:00:00Z`, proxy_wallet: walletOf(1) });
const pnl = series(569, { wallet: walletOf(1) });

/** Records one answer to each query. */
async function snapshotOf(...answers: [ReturnType<typeof series>, object[]][]): Promise<string> {
  const folder = await temporaryFolder();
  for (const [request, rows] of answers) {
    await read(snapshotPages(pagesOfText(JSON.stringify(rows)), { folder, mode: 'record' }), request);
  }
  return folder;
}

describe('diffSnapshots', () => {
  it('tells which queries came and went, and which records of the others differ', async () => {
    const before = await snapshotOf(
      [series(574), []],
      [series(555), []],
      [pnl, [1, 2, 3, 4, 5].map((day) => row(day))],
    );
    const changes = { pnl: '0.5', trades: 4, invested: '1.50', note: 'new' };
    const rows = [row(2), row(1, changes), row(3, { pnl: '-1.250001' }), row(6)];
    const after = await snapshotOf([series(586), []], [series(555), []], [pnl, rows]);
    const { added, removed, changed, same } = await diffSnapshots(before, after, { examples: 1 });
    expect([added, removed, same]).toMatchObject([[{ dataset: 586 }], [{ dataset: 574 }], 1]);
    const fields = [
      { name: 'pnl', before: '-0.25', after: '0.5', difference: 0.75 },
      { name: 'trades', before: 3, after: 4, difference: 1 },
      { name: 'note', before: undefined, after: 'new' },
    ];
    expect(changed).toEqual([
      {
        before: expect.objectContaining({ records: 5 }),
        after: expect.objectContaining({ records: 4 }),
        added: 1,
        removed: 2,
        changed: 2,
        fields: [
          { name: 'pnl', records: 2, largest: -1.000001 },
          { name: 'trades', records: 1, largest: 1 },
          { name: 'note', records: 1 },
        ],
        examples: [
          { kind: 'changed', record: key(1), fields },
          { kind: 'added', record: row(6), fields: [] },
          { kind: 'removed', record: row(4), fields: [] },
        ],
      },
    ]);
  });

  it('compares records of an unknown dataset whole, equal ones by their number', async () => {
    const before = await snapshotOf([series(999), [{ a: 1 }, { a: 1 }, { a: 2 }]]);
    const after = await snapshotOf([series(999), [{ a: 2 }, { a: 1 }, { a: '3' }]]);
    const { changed } = await diffSnapshots(before, after);
    expect(changed).toMatchObject([
      { added: 1, removed: 1, changed: 0, examples: [{ record: { a: '3' } }, { record: { a: 1 } }] },
    ]);
  });

  it('knows the same records in another order or notation', async () => {
    const before = await snapshotOf([pnl, [row(1), row(2)]]);
    const after = await snapshotOf([pnl, [row(2), row(1, { pnl: -0.25 })]]);
    expect((await diffSnapshots(before, after)).changed).toMatchObject([{ added: 0, removed: 0, changed: 0 }]);
    expect(await diffSnapshots(before, before)).toEqual({ added: [], removed: [], changed: [], same: 1 });
  });

  it('takes ids in capitals for the same as in lower case', async () => {
    const small = { proxy_wallet: `0x${'ab'.repeat(20)}` };
    const capital = { proxy_wallet: `0x${'AB'.repeat(20)}` };
    const before = await snapshotOf([pnl, [row(1, small), row(2, small)]]);
    const after = await snapshotOf([pnl, [row(1, capital), row(2, { ...capital, wins: 3 })]]);
    const [change] = (await diffSnapshots(before, after)).changed;
    expect(change).toMatchObject({ added: 0, removed: 0, changed: 1, fields: [{ name: 'wins' }] });
  });

  it('takes ids of digits for no numbers', async () => {
    const market = { condition_id: '0x1', side_a_token_id: '123' };
    const before = await snapshotOf([series(574), [market]]);
    const after = await snapshotOf([series(574), [{ ...market, side_a_token_id: '124' }]]);
    expect((await diffSnapshots(before, after)).changed[0]?.fields).toEqual([{ name: 'side_a_token_id', records: 1 }]);
  });
});

describe('refreshSnapshot', () => {
  const ask = pagesOfText(JSON.stringify([row(1), row(7)]));

  it('asks every query again, says what changed, and keeps the new state in place of the old', async () => {
    const folder = await snapshotOf(
      [pnl, [row(1)]],
      [series(569, { wallet: walletOf(1), granularity: '1w' }), [row(1)]],
    );
    const progress: string[] = [];
    const onProgress = (query: number, total: number) => progress.push(`${query}/${total}`);
    const { changed } = await refreshSnapshot(folder, ask, { onProgress });
    expect([changed.map(({ added }) => added), progress]).toEqual([
      [1, 1],
      ['1/2', '2/2'],
    ]);
    const fresh = await snapshotOf(
      [pnl, [row(1), row(7)]],
      [series(569, { wallet: walletOf(1), granularity: '1w' }), [row(1), row(7)]],
    );
    expect(await contentOf(folder)).toEqual(await contentOf(fresh));
    expect((await readdir(folder)).sort()).toEqual(['answers', 'manifest.json']);
  });

  it('keeps it elsewhere where it is told to, and never over something else', async () => {
    const folder = await snapshotOf([pnl, [row(1)]]);
    const before = await contentOf(folder);
    const out = join(await temporaryFolder(), 'new');
    await refreshSnapshot(folder, ask, { out });
    expect(await contentOf(folder)).toEqual(before);
    expect((await diffSnapshots(folder, out)).changed).toMatchObject([{ added: 1 }]);
    await expect(refreshSnapshot(folder, ask, { out })).rejects.toThrow(UsageError);
    await expect(refreshSnapshot(join(folder, 'none'), ask)).rejects.toThrow('is no snapshot');
  });

  it('leaves all as it was where a query fails or its records contradict the contract', async () => {
    const folder = await snapshotOf([pnl, [row(1)]]);
    const before = await contentOf(folder);
    const wrong = pagesOfText(JSON.stringify([row(1, { trades: 'many' })]));
    await expect(refreshSnapshot(folder, wrong)).rejects.toThrow(AnswerError);
    await expect(refreshSnapshot(folder, ask, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    expect(await contentOf(folder)).toEqual(before);
    expect((await readdir(folder)).sort()).toEqual(['answers', 'manifest.json']);
  });
});
