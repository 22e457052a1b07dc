import { expect, it } from 'vitest';
import { manifestText, type SnapshotEntry } from '../../../src/client/snapshot/snapshot-manifest.js';

const entry = (wallet: string, changes: Partial<SnapshotEntry> = {}): SnapshotEntry => ({
  dataset: 586,
  name: 'Lifetime "performance"\nof a wallet',
  params: { wallet_address: wallet },
  records: 1,
  bytes: 2,
  sha256: 'a'.repeat(64),
  recordedAt: '2026-01-01T00:00:00Z',
  service: 'http://127.0.0.1:8787',
  oddslab: '0.1.0',
  ...changes,
});

it('a manifest is indented JSON, sorted by query, and follows an entry that is replaced', () => {
  const [a, b] = [entry('0xa'), entry('0xb')];
  const textOf = (...queries: SnapshotEntry[]) => `${JSON.stringify({ format: 1, queries }, undefined, 2)}\n`;
  expect(manifestText(new Map())).toBe(textOf());
  const manifest = new Map([
    ['b', b],
    ['a', a],
  ]);
  expect(manifestText(manifest)).toBe(textOf(a, b));
  const later = entry('0xb', { records: 3 });
  expect(manifestText(manifest.set('b', later))).toBe(textOf(a, later));
});
