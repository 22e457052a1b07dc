import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { foldedProvenance } from '../../../src/frame/files/frame-facts.js';
import { type Provenance, provenanceLine, setProvenance } from '../../../src/frame/tabular/provenance.js';
import { longFrame } from '../sql/sql-frames.js';
import { someQueries } from './some-queries.js';

it('keeps a few queries as they are', () => {
  const few = someQueries(20);
  expect(foldedProvenance(few)).toBe(few);
  expect(foldedProvenance([])).toEqual([]);
});

it('keeps the first of many, and of the rest what they share, their number and their digest', () => {
  const all = someQueries(500);
  const folded = foldedProvenance(all);
  const [kept, rest] = [folded.slice(0, -1), folded.at(-1)];
  expect(kept).toEqual(all.slice(0, kept.length));
  expect(kept.length).toBeGreaterThan(20);
  const others = all.slice(kept.length);
  expect(rest).toEqual({
    service: 'http://localhost:8321',
    dataset: 569,
    params: { granularity: '1d' },
    queriedAt: all.at(-1)?.queriedAt,
    records: others.reduce((sum, { records }) => sum + records, 0),
    dataVersion: 'v1',
    together: {
      queries: others.length,
      sha256: createHash('sha256')
        .update(others.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
        .digest('hex'),
    },
  });
  expect(JSON.stringify(folded).length).toBeLessThan(9000);
  expect(foldedProvenance(folded)).toEqual(folded);
});

it('folds each dataset by itself, and says of no entry what is true of some alone', () => {
  const [first, ...others] = someQueries(100);
  const mixed = [first, ...others].map((entry, at) => {
    return { ...entry, dataset: at % 2 ? 569 : 586, dataVersion: `v${at % 4}`, snapshot: 's' } as Provenance;
  });
  const folded = foldedProvenance(mixed);
  expect(
    folded
      .slice(-2)
      .map(({ dataset, dataVersion, snapshot }) => [dataset, dataVersion, snapshot])
      .sort(),
  ).toEqual([
    [569, undefined, 's'],
    [586, undefined, 's'],
  ]);
  const frame = longFrame(1);
  setProvenance(frame, folded);
  expect(provenanceLine(frame)).toContain('(100 queries)');
});

it('keeps of many queries whose records are not complete', () => {
  const all = someQueries(200).map((entry, at) => {
    const wallet = `0x${at.toString(16).padStart(40, '0')}`;
    const record = at % 50 === 49 ? { seen: true, feeless_fills: 2 } : { seen: true, first: '2026-01-01T00:00:00Z' };
    return { ...entry, completeness: { [wallet]: record } };
  });
  const folded = foldedProvenance(all);
  expect(folded.length).toBe(foldedProvenance(someQueries(200)).length);
  const rest = Object.values(folded.at(-1)?.completeness ?? {});
  expect(rest).toEqual(Array(4).fill({ seen: true, feeless_fills: 2 }));
  expect(foldedProvenance(folded)).toEqual(folded);
});
