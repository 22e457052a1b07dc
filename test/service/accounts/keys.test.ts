import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountIdOf, openAccount, switchAccount } from '../../../src/service/accounts/accounts.js';
import { createKey, hashKey, listKeys, revokeKey } from '../../../src/service/accounts/api-keys.js';
import { KeyUses, lastUse } from '../../../src/service/accounts/key-uses.js';
import { Keyring, keyOf } from '../../../src/service/accounts/known-keys.js';
import fc from '../../support/fast-check.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('is kept as a hash, with its owner where it has one', async () => {
  const folder = await temporaryFolder();
  const mine = await createKey(folder, 'laptop');
  const hers = await createKey(folder, 'report', { owner: 'a'.repeat(32) });
  expect(mine.key).toMatch(/^odl_[\w-]{43}$/);
  const { id, created } = hers.stored;
  expect(hers.stored).toEqual({ id, name: 'report', created, sha256: hashKey(hers.key), owner: 'a'.repeat(32) });
  expect(await listKeys(folder)).toEqual(expect.arrayContaining([mine.stored, hers.stored]));
  const path = join(folder, 'keys', `${id}.json`);
  expect(await readFile(path, 'utf8')).not.toContain(hers.key);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await revokeKey(folder, id);
  expect(await listKeys(folder)).toEqual([mine.stored]);
  await expect(revokeKey(folder, id)).rejects.toThrow(`No key ${id} in ${folder}; it has ${mine.stored.id}.`);
});

it('is read from a file that was made before keys had owners', async () => {
  const folder = await temporaryFolder();
  await createKey(folder, 'first');
  const old = { id: '01234567', name: 'old', created: '2025-01-01T00:00:00.000Z', sha256: hashKey('odl_old') };
  await writeFile(join(folder, 'keys', '01234567.json'), JSON.stringify(old));
  expect(keyOf(await listKeys(folder), 'odl_old')).toEqual(old);
});

it('is found among any keys, and no other text is', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 30 });
  fc.assert(
    fc.property(names, fc.string(), (texts, other) => {
      const keys = texts.map((text) => ({ id: text, name: '', created: '', sha256: hashKey(text) }));
      for (const key of keys) expect(keyOf(keys, key.id)).toBe(key);
      if (!texts.includes(other)) expect(keyOf(keys, other)).toBeUndefined();
      // A hash that is known is no key.
      for (const { sha256 } of keys) expect(keyOf(keys, sha256)).toBeUndefined();
    }),
  );
});

it('has its last use noted once a minute at most', async () => {
  const folder = await temporaryFolder();
  const { stored } = await createKey(folder, 'laptop');
  let now = Date.parse('2026-03-01T12:00:00Z');
  const uses = new KeyUses(folder, () => now);
  const noted = async () => {
    uses.note(stored.id);
    await uses.settled();
    return lastUse(folder, stored.id);
  };
  expect(await lastUse(folder, stored.id)).toBeUndefined();
  expect(await noted()).toBe('2026-03-01T12:00:00.000Z');
  now += 59_999;
  expect(await noted()).toBe('2026-03-01T12:00:00.000Z');
  now += 1;
  expect(await noted()).toBe('2026-03-01T12:01:00.000Z');
  expect(await readdir(join(folder, 'keys'))).toEqual([`${stored.id}.json`]);
  await revokeKey(folder, stored.id);
  expect(await readdir(join(folder, 'key-uses'))).toEqual([]);
});

it('is used all the same where its use cannot be noted', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'key-uses'), 'a file in the way');
  const uses = new KeyUses(folder);
  uses.note('01234567');
  await uses.settled();
  expect(await lastUse(folder, '01234567')).toBeUndefined();
});

it('is read from its file once', async () => {
  const folder = await temporaryFolder();
  const first = await createKey(folder, 'first');
  const known = await listKeys(folder);
  await writeFile(join(folder, 'keys', `${first.stored.id}.json`), 'nobody reads this again');
  const second = await createKey(folder, 'second');
  expect(await listKeys(folder, known)).toEqual(expect.arrayContaining([first.stored, second.stored]));
  expect(await listKeys(folder)).toEqual([second.stored]);
});

it('works beside files that are damaged or foreign, which one warning each names', async () => {
  const folder = await temporaryFolder();
  const { stored } = await createKey(folder, 'laptop');
  await writeFile(join(folder, 'keys', 'cut.json'), '{"id":"cut"');
  await writeFile(join(folder, 'keys', 'other.json'), '{"mine":true}');
  // One that nobody could revoke by its id.
  await writeFile(join(folder, 'keys', 'renamed.json'), JSON.stringify(stored));
  await mkdir(join(folder, 'keys', 'folder.json'));
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  for (let time = 0; time < 2; time++) expect(await listKeys(folder)).toEqual([stored]);
  const path = (name: string) => join(folder, 'keys', name);
  const damaged = 'is damaged: remove it and create another key. Until then it counts as no key.';
  expect(warn.mock.calls.flat().sort()).toEqual([
    `Cannot read the key file ${path('folder.json')} (EISDIR): let this user read it, or remove it. Until then it counts as no key.`,
    `The key file ${path('cut.json')} ${damaged}`,
    `The key file ${path('other.json')} ${damaged}`,
    `The key file ${path('renamed.json')} ${damaged}`,
  ]);
  await expect(revokeKey(folder, 'cut')).rejects.toThrow('is damaged: remove it and create another key.');
});

describe('a keyring', () => {
  it('has a key from when it is on disk until it is not, whoever makes and revokes it', async () => {
    const folder = await temporaryFolder();
    const rings = [new Keyring(folder), new Keyring(folder)];
    const ids = (key: string) => Promise.all(rings.map(async (ring) => (await ring.find(key))?.id));
    expect(await ids('odl_none')).toEqual([undefined, undefined]);
    for (let round = 0; round < 20; round++) {
      const { key, stored } = await createKey(folder, 'now');
      expect(await ids(key)).toEqual([stored.id, stored.id]);
      // Without a wait, as soon as it is known.
      expect(rings.map((ring) => ring.find(key))).toEqual([stored, stored]);
      await revokeKey(folder, stored.id);
      expect(await ids(key)).toEqual([undefined, undefined]);
    }
  });

  it('has a key of an account as long as that is there and enabled', async () => {
    const folder = await temporaryFolder();
    const ring = new Keyring(folder);
    const owner = accountIdOf('ann@example.org');
    const { key, stored } = await createKey(folder, 'hers', { owner });
    expect(await ring.find(key)).toBeUndefined();
    await openAccount(folder, 'ann@example.org', { nowMs: 0 });
    expect(await ring.find(key)).toEqual(stored);
    for (const isDisabled of [true, false]) {
      expect(await switchAccount(folder, owner, isDisabled)).toBe(true);
      expect(await switchAccount(folder, owner, isDisabled)).toBe(false);
      expect(await ring.find(key)).toEqual(isDisabled ? undefined : stored);
    }
  });

  it('looks for unknown keys once for all that wait, and rests in between', async () => {
    const ring = new Keyring(await temporaryFolder());
    const start = performance.now();
    for (let n = 0; n < 20; n++) await ring.find(`odl_${n}`);
    // Each look begins five milliseconds after the one before, by a timer that may be early by one.
    expect(performance.now() - start).toBeGreaterThan(19 * 4 - 1);
    const many = performance.now();
    await Promise.all(Array.from({ length: 10_000 }, (_, n) => ring.find(`odl_${n}`)));
    expect(performance.now() - many).toBeLessThan(10_000);
  });

  it('says that the disk cannot be read', async () => {
    const folder = await temporaryFolder();
    const ring = new Keyring(folder);
    await writeFile(join(folder, 'keys'), 'a file in the way');
    await expect(ring.find('odl_x')).rejects.toThrow(`Cannot read the keys of ${folder}: ENOTDIR.`);
  });
});
