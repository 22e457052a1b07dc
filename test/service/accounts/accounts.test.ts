import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findAccount, openAccount } from '../../../src/service/accounts/accounts.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');

it('is made once, by one of many that open it at once, and found from then on', async () => {
  const folder = await temporaryFolder();
  const opened = await Promise.all(Array.from({ length: 10 }, () => openAccount(folder, 'ann@example.org', NOON)));
  expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
  const account = {
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    email: 'ann@example.org',
    created: '2026-03-01T12:00:00.000Z',
  };
  expect(opened[0]?.account).toEqual(account);
  const id = opened[0]?.account.id ?? '';
  expect(await openAccount(folder, 'ann@example.org', NOON + 1)).toEqual({ account, isNew: false });
  expect(await findAccount(folder, id)).toEqual(account);
  expect((await stat(join(folder, 'accounts', `${id}.json`))).mode & 0o777).toBe(0o600);
});

it('is another one for another address, and none where there is none', async () => {
  const folder = await temporaryFolder();
  const [bob, carol] = await Promise.all(
    ['bob', 'carol'].map((name) => openAccount(folder, `${name}@example.org`, NOON)),
  );
  expect(bob?.account.id).not.toBe(carol?.account.id);
  expect(await findAccount(folder, '0'.repeat(32))).toBeUndefined();
});

it('says which file is damaged', async () => {
  const folder = await temporaryFolder();
  const { account } = await openAccount(folder, 'dan@example.org', NOON);
  await writeFile(join(folder, 'accounts', `${account.id}.json`), '{"id":');
  await expect(findAccount(folder, account.id)).rejects.toThrow(`${account.id}.json cannot be read, or is damaged`);
});
