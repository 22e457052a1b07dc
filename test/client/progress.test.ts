import { describe, expect, it } from 'vitest';
import { connect } from '../../src/client/connect.js';
import { type Progress, progressLine, progressText } from '../../src/client/run-options.js';
import { walletOf } from '../support/raw-records.js';
import { pagedServer } from './paged-server.js';

const progress: Progress = {
  records: 1234,
  pages: 7,
  requests: 8,
  series: 1,
  seriesDone: 0,
  waitedMs: 0,
  elapsedMs: 2345,
};

describe('progress', () => {
  it('is told after every page, and at the end', async () => {
    const wallets = [walletOf(1), walletOf(2)];
    const seen = await pagedServer({ records: { [walletOf(1)]: 25, [walletOf(2)]: 3 } });
    const told: Progress[] = [];
    const query = connect({ baseUrl: seen.url, pageSize: 10, concurrency: 1 }).pnl(
      { wallet: wallets },
      { onProgress: (each) => told.push(each) },
    );
    await query.frame();
    expect(told.map(({ elapsedMs, ...each }) => each)).toEqual(
      [
        { records: 10, pages: 1, requests: 1, seriesDone: 0 },
        { records: 20, pages: 2, requests: 2, seriesDone: 0 },
        { records: 25, pages: 3, requests: 3, seriesDone: 0 },
        { records: 28, pages: 4, requests: 4, seriesDone: 1 },
        { records: 28, pages: 4, requests: 4, seriesDone: 2 },
      ].map((each) => ({ ...each, series: 2, waitedMs: 0 })),
    );
    const times = told.map(({ elapsedMs }) => elapsedMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('that throws ends the query with that error', async () => {
    const seen = await pagedServer({ records: 25 });
    const enough = new Error('enough');
    const query = connect({ baseUrl: seen.url }).pnl(
      { wallet: walletOf(1) },
      {
        onProgress() {
          throw enough;
        },
      },
    );
    await expect(query.frame()).rejects.toBe(enough);
  });
});

describe('the line of progress', () => {
  it.each<[Partial<Progress>, number | undefined, string]>([
    [{}, undefined, 'pnl: 1,234 records in 7 pages, 2.3 s'],
    [{}, 2468, 'pnl: ██████████░░░░░░░░░░ 1,234 records in 7 pages, 2.3 s'],
    [{}, 10, 'pnl: ████████████████████ 1,234 records in 7 pages, 2.3 s'],
    [
      { series: 10, seriesDone: 5, waitedMs: 3000 },
      undefined,
      'pnl: ██████████░░░░░░░░░░ 1,234 records in 7 pages, 5 of 10 queries, waited 3.0 s, 2.3 s',
    ],
  ])('of %j and %s is %s', (changes, most, text) => {
    expect(progressText('pnl', { ...progress, ...changes }, most)).toBe(text);
  });

  it('comes after a second, has no colours, and goes at the end', async () => {
    const written: string[] = [];
    const line = progressLine({ isTTY: true, columns: 30, write: (text) => written.push(text) }, 'pnl');
    line?.update(progress);
    await new Promise((done) => setTimeout(done, 500));
    expect(written).toEqual([]);
    await new Promise((done) => setTimeout(done, 1000));
    line?.end();
    expect(written[0]).toBe('\r\u001b[Kpnl: 1,234 records in 7 pages');
    expect(written.at(-1)).toBe('\r\u001b[K');
    const count = written.length;
    await new Promise((done) => setTimeout(done, 300));
    expect(written).toHaveLength(count);
  });

  it('leaves no trace of a quick query, nor where there is no terminal', () => {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    progressLine({ isTTY: true, write }, 'pnl')?.end();
    expect(progressLine({ write }, 'pnl')).toBeUndefined();
    expect(written).toEqual([]);
  });
});

it('is shown by the cell of a notebook where there is one', async () => {
  const place = Symbol.for('oddslab.progress');
  const lines: string[] = [];
  Reflect.set(globalThis, place, (line: string) => lines.push(line));
  try {
    const line = progressLine({ isTTY: false, write: () => expect.unreachable() }, 'pnl');
    line?.update(progress);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    line?.end();
  } finally {
    Reflect.deleteProperty(globalThis, place);
  }
  expect(lines[0]).toMatch(/^pnl: 1,234 records in 7 pages, \d+\.\d s$/);
  expect(lines.at(-1)).toBe('');
});
