import { chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createKey } from '../../../src/service/accounts/api-keys.js';
import { leaveEvent } from '../../../src/service/accounts/audit.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The user of a service, whoever that is here. */
const [USER, GROUP] = [65_534, 65_533];

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  console.log('skipped: what root writes belongs to the owner of the data folder, as these tests are not run by root');

it.skipIf(!isRoot)('what root writes beside a running service belongs to the user of the service', async () => {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder);
  await chown(folder, USER, GROUP);
  const { stored } = await createKey(folder, 'first');
  await leaveEvent(folder, 'key created', { key: stored.id });
  const [event = ''] = await readdir(join(folder, 'events'));
  for (const path of ['keys', `keys/${stored.id}.json`, 'events', `events/${event}`]) {
    const { uid, gid, mode } = await stat(join(folder, path));
    expect([path, uid, gid, mode & 0o077]).toEqual([path, USER, GROUP, 0]);
  }
});
