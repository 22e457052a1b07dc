import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Tickets } from '../../../src/service/accounts/tickets.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Tickets that live a second, over a folder and a clock of their own. */
async function start() {
  const data = await temporaryFolder();
  const clock = { now: 1_000_000 };
  const open = () => new Tickets(data, 'links', { lifetimeMs: 1000, now: () => clock.now });
  return { folder: join(data, 'dashboard', 'links'), clock, open, tickets: open() };
}

it('stands for its holder until it is taken, once', async () => {
  const { tickets } = await start();
  const secret = await tickets.issue('ann');
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await tickets.holderOf(secret)).toBe('ann');
  expect(await tickets.holderOf(secret)).toBe('ann');
  expect(await tickets.take(secret)).toBe('ann');
  expect([await tickets.take(secret), await tickets.holderOf(secret)]).toEqual([undefined, undefined]);
});

it('is given to one of many that take it at once, in several processes', async () => {
  const { open, tickets } = await start();
  const others = Array.from({ length: 8 }, open);
  for (let round = 0; round < 20; round++) {
    const secret = await tickets.issue('ann');
    const taken = await Promise.all(others.map((other) => other.take(secret)));
    expect(taken.filter((holder) => holder === 'ann')).toHaveLength(1);
  }
});

it('expires to the millisecond', async () => {
  const { clock, tickets } = await start();
  const secret = await tickets.issue('ann');
  clock.now += 999;
  expect(await tickets.holderOf(secret)).toBe('ann');
  clock.now += 1;
  expect([await tickets.holderOf(secret), await tickets.take(secret)]).toEqual([undefined, undefined]);
});

it('is kept as a hash alone, for its owner alone', async () => {
  const { folder, tickets } = await start();
  const secret = await tickets.issue('ann');
  const [file = ''] = await readdir(folder);
  expect(file).toBe(`${createHash('sha256').update(secret).digest('hex')}.json`);
  expect(await readFile(join(folder, file), 'utf8')).not.toContain(secret);
  expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, file))).mode & 0o777]).toEqual([0o700, 0o600]);
});

it.each(['', '../../keys/a', 'x'.repeat(43), 'x'.repeat(42), `${'x'.repeat(42)}/`])(
  'knows nothing of %j',
  async (text) => {
    const { tickets } = await start();
    await tickets.issue('ann');
    expect(await tickets.take(text)).toBeUndefined();
  },
);

it('takes a damaged one for a missing one', async () => {
  const { folder, tickets } = await start();
  const secret = await tickets.issue('ann');
  const [file = ''] = await readdir(folder);
  for (const text of ['', '{', '{"holder":1,"expires":9e99}', 'null']) {
    await writeFile(join(folder, file), text);
    expect(await tickets.holderOf(secret)).toBeUndefined();
  }
});

it('is swept away some time after it expired', async () => {
  const { folder, clock, tickets } = await start();
  await tickets.issue('ann');
  clock.now += 11 * 60_000;
  const fresh = await tickets.issue('bob');
  expect(await readdir(folder)).toHaveLength(1);
  expect(await tickets.holderOf(fresh)).toBe('bob');
});
