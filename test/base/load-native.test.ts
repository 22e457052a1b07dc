import { afterEach, expect, it, vi } from 'vitest';
import { OddslabError } from '../../src/base/errors.js';
import { loadNative } from '../../src/base/packages.js';

const PLACE = `${process.platform}-${process.arch}`;

afterEach(() => {
  Reflect.deleteProperty(process.versions, 'pnp');
  vi.unstubAllEnvs();
});

it.each([
  ["Cannot find module 'engine/linux.node'\nRequire stack:\n- engine.js", "Cannot find module 'engine/linux.node'"],
  ['Cannot find native binding. npm has a bug. Please try again.', 'Cannot find native binding'],
  ["libc.so.6: version `GLIBC_2.34' not found", "libc.so.6: version `GLIBC_2.34' not found"],
])('says what is not installed, for which platform, and what would help: %j', async (message, reason) => {
  const cause = new Error(message);
  const loaded = loadNative('engine', () => Promise.reject(cause));
  await expect(loaded).rejects.toThrow(OddslabError);
  await expect(loaded).rejects.toMatchObject({
    message: `engine cannot be loaded on ${PLACE}: ${reason}. Remove node_modules and run npm install again on this machine, without --omit=optional.`,
    cause,
  });
});

it('says that cells need a node_modules folder where Yarn makes none', async () => {
  Object.assign(process.versions, { pnp: '3' });
  await expect(loadNative('parser', () => Promise.reject(new Error('Cannot find parser.')))).rejects.toThrow(
    `parser cannot be loaded on ${PLACE}: Cannot find parser. Parts with native code need a node_modules folder: set nodeLinker: node-modules in .yarnrc.yml and run yarn install again.`,
  );
});

it('says what is in the way where Node loads no native code', async () => {
  vi.stubEnv('NODE_OPTIONS', '--no-warnings --no-addons');
  await expect(loadNative('engine', () => Promise.reject(new Error('Loading is disabled.')))).rejects.toThrow(
    `engine cannot be loaded on ${PLACE}: Loading is disabled. Start Node.js without --no-addons, which NODE_OPTIONS may hold, too.`,
  );
});

it('leaves what the system refuses as it is', async () => {
  const refused = Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open' });
  await expect(loadNative('engine', () => Promise.reject(refused))).rejects.toBe(refused);
});

it('gives what was loaded', async () => {
  expect(await loadNative('engine', () => Promise.resolve(1))).toBe(1);
});
