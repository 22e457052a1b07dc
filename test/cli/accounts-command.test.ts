import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accountIdOf, openAccount } from '../../src/service/accounts/accounts.js';
import { createKey } from '../../src/service/accounts/api-keys.js';
import { KeyUses } from '../../src/service/accounts/key-uses.js';
import { runHere } from '../support/run-here.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');

/** A folder with two accounts, one of which has keys, and a key without an account. */
async function start() {
  const folder = await temporaryFolder();
  for (const name of ['ann', 'bob']) await openAccount(folder, `${name}@example.org`, { nowMs: NOON });
  const ann = accountIdOf('ann@example.org');
  const mine = await createKey(folder, 'laptop', { owner: ann });
  await createKey(folder, 'report', { owner: ann });
  const alone = await createKey(folder, 'prometheus', { role: 'operator' });
  const uses = new KeyUses(folder, () => Date.parse('2026-03-02T04:05:06Z'));
  uses.note(mine.stored.id);
  await uses.settled();
  return { folder, ann, bob: accountIdOf('bob@example.org'), mine, alone };
}

it('are listed with their state, keys and last use, oldest first', async () => {
  const { folder, ann, bob } = await start();
  expect((await runHere(['accounts', 'disable', bob, '--data', folder])).code).toBe(0);
  const { code, out, err } = await runHere(['accounts', 'list', '--data', folder]);
  expect([code, err]).toEqual([0, '']);
  expect(out.trim().split('\n').sort()).toEqual(
    [
      `${ann}\t2026-03-01\tenabled\t2\t2026-03-02 04:05\tann@example.org`,
      `${bob}\t2026-03-01\tdisabled\t0\t\tbob@example.org`,
    ].sort(),
  );
  const listed = JSON.parse((await runHere(['accounts', 'list', '--data', folder, '--json'])).out);
  expect(listed).toContainEqual({
    id: ann,
    email: 'ann@example.org',
    created: '2026-03-01T12:00:00.000Z',
    state: 'enabled',
    keys: 2,
    used: '2026-03-02T04:05:06.000Z',
  });
  const none = await runHere(['accounts', 'list', '--data', await temporaryFolder()]);
  expect(none).toMatchObject({ code: 0, out: '', err: expect.stringContaining('No accounts yet') });
});

it('own keys that are listed with their owner and last use', async () => {
  const { folder, ann, mine, alone } = await start();
  const { out } = await runHere(['keys', 'list', '--data', folder]);
  const today = mine.stored.created.slice(0, 10);
  const rows = out.split('\n');
  expect(rows).toContain(`${mine.stored.id}\t${today}\tlaptop\treader\t2026-03-02 04:05\tann@example.org`);
  expect(rows).toContain(`${alone.stored.id}\t${today}\tprometheus\toperator\t\t`);
  const listed = JSON.parse((await runHere(['keys', 'list', '--data', folder, '--json'])).out);
  expect(listed.find(({ id }: { id: string }) => id === mine.stored.id)).toEqual({
    id: mine.stored.id,
    name: 'laptop',
    created: mine.stored.created,
    role: 'reader',
    used: '2026-03-02T04:05:06.000Z',
    account: ann,
    owner: 'ann@example.org',
  });
  expect(JSON.stringify(listed)).not.toMatch(/odl_|sha256/);
});

it.each(['disable', 'enable', 'delete'])(
  'that are not there cannot be told to %s, nor a folder that is not',
  async (how) => {
    const folder = await temporaryFolder();
    for (const [named, said] of [
      ['f'.repeat(32), `No account ${'f'.repeat(32)} in`],
      ['Eve@Example.org', 'No account of this address in'],
      ['../keys/x', 'No account of this name in'],
    ] as const) {
      const { code, out, err } = await runHere(['accounts', how, named, '--data', folder]);
      expect([code, out, err]).toEqual([64, '', expect.stringContaining(said)]);
      expect(err.toLowerCase()).not.toContain('eve@');
    }
    expect((await runHere(['accounts', how, 'x', '--data', '/nowhere'])).err).toContain('There is no data folder');
  },
);

it('that are damaged are left out with a warning, and keep no other from being governed', async () => {
  const { folder, ann, bob } = await start();
  await writeFile(join(folder, 'accounts', `${bob}.json`), '{');
  const { code, err } = await runHere(['accounts', 'disable', ann, '--data', folder]);
  expect([code, err]).toEqual([
    0,
    expect.stringContaining(`Account ${ann} is disabled: 2 keys are refused, 0 sessions ended.\n`),
  ]);
});

it('get keys of a role that there is', async () => {
  const { code, err } = await runHere(['keys', 'create', '--role', 'admin', '--data', await temporaryFolder()]);
  expect([code, err]).toEqual([64, expect.stringContaining('reader, operator')]);
});
