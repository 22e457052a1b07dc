import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  entryOf,
  findAccount,
  listAccounts,
  openAccount,
  switchAccount,
} from '../../../src/service/accounts/accounts.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');

/** Opens an account at noon, which must not be refused. */
async function opened(folder: string, email: string) {
  const result = await openAccount(folder, email, { nowMs: NOON });
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

it('is made once, by one of many that open it at once, and found from then on', async () => {
  const folder = await temporaryFolder();
  const all = await Promise.all(Array.from({ length: 10 }, () => opened(folder, 'ann@example.org')));
  expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
  const account = {
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    email: 'ann@example.org',
    created: '2026-03-01T12:00:00.000Z',
  };
  expect(all[0]?.account).toEqual(account);
  const id = all[0]?.account.id ?? '';
  expect(await openAccount(folder, 'ann@example.org', { nowMs: NOON + 1 })).toEqual({ account, isNew: false });
  expect(await findAccount(folder, id)).toEqual(account);
  expect((await stat(join(folder, 'accounts', `${id}.json`))).mode & 0o777).toBe(0o600);
});

it('is another one for another address, and none where there is none', async () => {
  const folder = await temporaryFolder();
  const [bob, carol] = await Promise.all(['bob', 'carol'].map((name) => opened(folder, `${name}@example.org`)));
  expect(bob?.account.id).not.toBe(carol?.account.id);
  expect(await findAccount(folder, '0'.repeat(32))).toBeUndefined();
});

it('says which file is damaged', async () => {
  const folder = await temporaryFolder();
  const { account } = await opened(folder, 'dan@example.org');
  await writeFile(join(folder, 'accounts', `${account.id}.json`), '{"id":');
  await expect(findAccount(folder, account.id)).rejects.toThrow(`${account.id}.json cannot be read, or is damaged`);
});

it('lets its holder in unless it is disabled, and a stranger if they may join', async () => {
  const folder = await temporaryFolder();
  const { account } = await opened(folder, 'eve@example.org');
  const entries = (email: string) => Promise.all([true, false].map((mayJoin) => entryOf(folder, email, mayJoin)));
  expect(await entries('eve@example.org')).toEqual([{ account: account.id }, { account: account.id }]);
  expect(await entries('new@example.org')).toEqual([{}, { refused: 'sign-up closed' }]);
  await switchAccount(folder, account.id, true);
  const disabled = { account: account.id, refused: 'account disabled' };
  expect(await entries('eve@example.org')).toEqual([disabled, disabled]);
  expect(await openAccount(folder, 'eve@example.org', { nowMs: NOON })).toEqual({ refused: 'account disabled' });
  expect(await openAccount(folder, 'new@example.org', { nowMs: NOON, mayJoin: false })).toEqual({
    refused: 'sign-up closed',
  });
  expect(await listAccounts(folder)).toEqual([{ ...account, isDisabled: true }]);
});

it('is never there twice, nor enabled by signing in, while it is switched to and fro', async () => {
  const folder = await temporaryFolder();
  const { account } = await opened(folder, 'fay@example.org');
  for (let round = 0; round < 30; round++) {
    const opening = Array.from({ length: 4 }, () => openAccount(folder, 'fay@example.org', { nowMs: NOON }));
    await switchAccount(folder, account.id, true);
    await Promise.all(opening);
    expect(await listAccounts(folder)).toEqual([{ ...account, isDisabled: true }]);
    await switchAccount(folder, account.id, false);
  }
});
