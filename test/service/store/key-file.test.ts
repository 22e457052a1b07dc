import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataError } from '../../../src/base/errors.js';
import { type KeyEntry, KeyFile, writeKeyFile } from '../../../src/service/store/key-file.js';
import fc from '../../support/fast-check.js';

const OPTIONS = { keyBytes: 3, content: 'test' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function* stream(entries: readonly KeyEntry[]) {
  yield* entries;
}

const entriesOf = (count: number): KeyEntry[] =>
  Array.from({ length: count }, (_, i) => ({ key: Buffer.from([i >> 8, i & 255, 7]), value: Buffer.alloc(i % 90, i) }));

describe('a key file', () => {
  it('gives back every value, and nothing for another key', async () => {
    const path = join(folder, 'any.bin');
    const bytes = fc.uint8Array({ minLength: 3, maxLength: 3 });
    const entry = fc.record({
      key: bytes,
      value: fc.oneof(
        fc.uint8Array(),
        fc.nat(9000).map((size) => Buffer.alloc(size, 3)),
      ),
    });
    const entries = fc.uniqueArray(entry, { selector: ({ key }) => Buffer.from(key).toString('hex'), maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(entries, bytes, fc.constantFrom(0, 5000, 1e6), async (some, other, keptBytes) => {
        const sorted = [...some].sort((a, b) => Buffer.compare(a.key, b.key));
        expect(await writeKeyFile(path, stream(sorted), OPTIONS)).toBe(sorted.length);
        const file = KeyFile.open(path, OPTIONS, keptBytes);
        for (const _ of ['read', 'again, of what is kept']) {
          const found = sorted.map(({ key }) => Buffer.from(file?.find(key) ?? 'none').toString('hex'));
          expect(found).toEqual(sorted.map(({ value }) => Buffer.from(value).toString('hex')));
        }
        const has = some.some(({ key }) => Buffer.compare(key, other) === 0);
        expect(file?.find(other) !== undefined).toBe(has);
        file?.close();
      }),
      { numRuns: 60 },
    );
  });

  it('refuses keys that do not ascend, and leaves nothing behind', async () => {
    const path = join(folder, 'order.bin');
    const writing = writeKeyFile(path, stream([...entriesOf(3), ...entriesOf(1)]), OPTIONS);
    await expect(writing).rejects.toThrow(/its keys are not in order/);
    expect(KeyFile.open(path, OPTIONS)).toBeUndefined();
  });

  it('reads what it keeps once, and no more than it may keep', async () => {
    const path = join(folder, 'kept.bin');
    const entries = entriesOf(400);
    await writeKeyFile(path, stream(entries), OPTIONS);
    const whole = readFileSync(path);
    for (const [keptBytes, isRead] of [
      [0, () => false],
      [6000, (found: number) => found > 10 && found < 390],
      [whole.length, (found: number) => found === 400],
    ] as const) {
      writeFileSync(path, whole);
      const file = KeyFile.open(path, OPTIONS, keptBytes);
      for (const { key } of entries) file?.find(key);
      writeFileSync(path, Buffer.alloc(whole.length));
      const found = entries.filter(({ key, value }) => {
        try {
          return file?.find(key)?.equals(value);
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
          return false;
        }
      });
      expect(found.length === 0 || isRead(found.length), `${found.length} of ${keptBytes} bytes`).toBe(true);
      expect(found.length === 0).toBe(keptBytes === 0);
      file?.close();
    }
  });

  it('names itself where it is truncated, at any length', async () => {
    const path = join(folder, 'short.bin');
    await writeKeyFile(path, stream(entriesOf(400)), OPTIONS);
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length += 499) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      expect(() => KeyFile.open(path, OPTIONS)).toThrow(DataError);
    }
  });

  it('never gives a wrong value, whichever bit flips', async () => {
    const path = join(folder, 'flipped.bin');
    const entries = entriesOf(200);
    await writeKeyFile(path, stream(entries), OPTIONS);
    const whole = readFileSync(path);
    for (let bit = 0; bit < 8 * whole.length; bit += 2003) {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(path, flipped);
      let complaints = 0;
      const orComplaint = <T>(work: () => T): T | undefined => {
        try {
          return work();
        } catch (error) {
          if (!(error instanceof DataError && error.message.includes(path))) throw error;
          complaints++;
          return undefined;
        }
      };
      const file = orComplaint(() => KeyFile.open(path, OPTIONS));
      for (const { key, value } of file ? entries : []) {
        const found = orComplaint(() => file?.find(key));
        if (found && !found.equals(value))
          throw new Error(`a wrong value came for ${Buffer.from(key).toString('hex')}`);
      }
      file?.close();
      expect(complaints).toBeGreaterThan(0);
    }
  });

  it('is not taken for one with other content', async () => {
    const path = join(folder, 'other.bin');
    await writeKeyFile(path, stream(entriesOf(1)), OPTIONS);
    expect(() => KeyFile.open(path, { ...OPTIONS, content: 'else' })).toThrow(
      /it holds "test" in format 1, not "else"/,
    );
  });
});
