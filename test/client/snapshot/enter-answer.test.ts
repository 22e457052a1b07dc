import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enterAnswer } from '../../../src/client/snapshot/enter-answer.js';
import { presentManifest } from '../../../src/client/snapshot/find-entry.js';
import type { SnapshotEntry } from '../../../src/client/snapshot/snapshot-manifest.js';

const entryOf = (digit: string): SnapshotEntry => ({
  dataset: 569,
  name: 'pnl',
  params: { wallet: `0x${digit.repeat(40)}` },
  records: 0,
  bytes: 0,
  sha256: digit.repeat(64),
  recordedAt: '2025-11-05T00:00:00.000Z',
  service: 'http://localhost',
  oddslab: '0.1.0',
});

describe('an answer that is entered', () => {
  it('leaves a manifest that this process need not read again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oddslab-enter-'));
    try {
      const [first, second] = [entryOf('1'), entryOf('2')];
      for (const entry of [first, second]) await enterAnswer(folder, { entry, path: undefined });
      const [one, other] = [...(await presentManifest(folder)).values()];
      expect(one).toBe(first);
      expect(other).toBe(second);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
