import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSecret } from '../../../src/service/accounts/cookie-signer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('is made once, the same for all that load it at once, for its owner alone', async () => {
  const folder = await temporaryFolder();
  const secrets = await Promise.all(Array.from({ length: 10 }, () => loadSecret(folder)));
  expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
  expect(secrets[0]).toHaveLength(32);
  expect(await readdir(join(folder, 'dashboard'))).toEqual(['secret']);
  const path = join(folder, 'dashboard', 'secret');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o644);
  expect(await loadSecret(folder)).toEqual(secrets[0]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, 'short');
  await expect(loadSecret(folder)).rejects.toThrow('is damaged: remove the file');
});

it('says why it cannot be made', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'dashboard'), 'a file in the way');
  await expect(loadSecret(folder)).rejects.toThrow(`${folder}`);
});
