import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { currentVersion, draftVersion } from '../../../src/service/folder/current-version.js';
import { lockFolder } from '../../../src/service/folder/folder-layout.js';
import { listVersions } from '../../../src/service/folder/list-versions.js';
import { verifyVersion } from '../../../src/service/folder/roll-back.js';
import { FolderStores } from '../../../src/service/store/folder-stores.js';
import { type Ended, endOf, startCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { ingestNext, nextInputs } from '../folder/numbered-version.js';
import { publishTiny } from '../folder/tiny-version.js';

/** How often a process is killed; one who looks closely takes more (`ODDSLAB_KILLS=300`). */
const KILLS = Number(process.env.ODDSLAB_KILLS ?? 50);

/** Those of ingests, which take longer. */
const INGESTS = Math.ceil(KILLS / 6);

/** Where the scripts are built: within the package, so that its dependencies are found from there. */
let built: string;
beforeAll(async () => {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/oddslab', import.meta.url));
  await mkdir(cache, { recursive: true });
  built = await mkdtemp(join(cache, 'crash-'));
  const entryPoints = ['die-at.ts', 'switch-once.ts'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
  const outExtension = { '.js': '.mjs' };
  await build({
    entryPoints,
    outdir: built,
    outExtension,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
});
afterAll(() => rm(built, { recursive: true, force: true }));

/** The environment of a process that is killed at its nth change of the file system. */
function dyingAt(call: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${join(built, 'die-at.mjs')}`,
    DIE_AT: String(call),
    CALLS_INTO: join(built, 'calls'),
  };
}

/** How many changes of the file system the process made that ended last by itself. */
async function callsMade(): Promise<number> {
  return Number(await readFile(join(built, 'calls'), 'utf8'));
}

/** Every byte of every version that is to be seen is as it was written. */
async function expectWhole(folder: string, after: string): Promise<void> {
  for (const { name } of await listVersions(folder)) expect(await verifyVersion(folder, name), after).toEqual([]);
}

/** What a killed process left, and no version has a use for. */
async function leftovers(folder: string): Promise<string[]> {
  const names = [...(await readdir(folder)), ...(await readdir(join(folder, 'versions')).catch(() => []))];
  return names.filter((name) => !/^(current|versions|\d{6})$/.test(name));
}

async function textOf(folder: string): Promise<string> {
  const version = await currentVersion(folder);
  return version === undefined ? '' : readFile(version.database, 'utf8');
}

function switchOnce(folder: string, text: string | undefined, env: Record<string, string>): ChildProcess {
  const words = [join(built, 'switch-once.mjs'), folder, ...(text === undefined ? [] : [text])];
  return spawn(process.execPath, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function heal(folder: string, after: string): Promise<void> {
  const unlock = await lockFolder(folder);
  await rm(await draftVersion(folder), { recursive: true });
  await unlock();
  expect(await leftovers(folder), after).toEqual([]);
}

it.each(['publishing', 'rolling back'])(
  'a kill at any change by %s leaves what was or what comes, whole',
  { timeout: 600_000 },
  async (what) => {
    const folder = await temporaryFolder();
    for (const text of 'abc') await publishTiny(folder, text);
    const run = async (text: string, call: number): Promise<Ended> =>
      endOf(switchOnce(folder, what === 'publishing' ? text : undefined, dyingAt(call)));
    expect(await run('d', Number.POSITIVE_INFINITY)).toEqual({ code: 0, out: 'done\n', err: '' });
    const calls = await callsMade();
    const step = Math.max(1, calls / ((KILLS - INGESTS) / 2));
    const left = new Set<string>();
    for (let at = 1 + Math.random() * (step - 1); at <= calls; at += step) {
      // Each begins with three versions, of which the last is current, and a fourth is to come or the second.
      for (let n = 0; n < 2; n++) await publishTiny(folder, `before ${at} ${n}`);
      const was = await textOf(folder);
      const comes = what === 'publishing' ? `after ${at}` : `before ${at} 0`;
      const call = Math.floor(at);
      const ended = await run(`after ${at}`, call);
      const after = `${what}, killed at call ${call} of ${calls}`;
      expect(ended, after).toEqual({ code: null, out: expect.stringMatching(/^(done\n)?$/), err: '' });
      const served = await textOf(folder);
      expect(ended.out === '' ? [was, comes] : [comes], after).toContain(served);
      await expectWhole(folder, after);
      for (const name of await leftovers(folder)) left.add(name.replace(/(?<=\w)[-.]\w{6,}.*/, ''));
      await heal(folder, after);
      expect(await textOf(folder), after).toBe(served);
    }
    expect([...left]).toContain('ingest.lock');
  },
);

it('kills of ingests never fail a reader, and the next run heals', { timeout: 900_000 }, async () => {
  const beside = await temporaryFolder();
  const folder = join(beside, 'data');
  await ingestNext(folder, beside, 1);
  const stores = new FolderStores(folder);
  onTestFinished(() => stores.close());
  const markets = () =>
    stores.use(async (store) => {
      const every = {} as Parameters<typeof store.markets>[0];
      return (await store.markets(every, { limit: 1000, offset: 0 })).length;
    });
  const seen: number[] = [];
  let isOver = false;
  const reading = (async () => {
    for (; !isOver; await sleep(20)) seen.push((await markets()) ?? 0);
  })();
  let [durationMs, calls] = [500, 100];
  for (let n = 2; n <= INGESTS + 1; n++) {
    const words = ['ingest', '--data', folder, ...(await nextInputs(beside, n))];
    // By turns at any time, as within the database, and at any change of the file system.
    const [delayMs, call] =
      n % 2 ? [Math.random() * durationMs, Infinity] : [Infinity, Math.ceil(Math.random() * calls)];
    const child = startCommand(words, dyingAt(call));
    const timer = delayMs === Infinity ? undefined : setTimeout(() => child.kill('SIGKILL'), delayMs);
    await endOf(child);
    clearTimeout(timer);
    const after = `kill ${n - 1} after ${delayMs} ms of ${durationMs}, or at call ${call} of ${calls}`;
    await expectWhole(folder, after);
    expect([n - 1, n], after).toContain((await currentVersion(folder))?.manifest.totals.markets);
    const started = performance.now();
    expect(await endOf(startCommand(words, dyingAt(Infinity))), after).toMatchObject({ code: 0 });
    [durationMs, calls] = [performance.now() - started, await callsMade()];
    expect(await leftovers(folder), after).toEqual([]);
    expect((await currentVersion(folder))?.manifest.totals.markets, after).toBe(n);
  }
  await expect.poll(() => seen.at(-1)).toBe(INGESTS + 1);
  isOver = true;
  await reading;
  // It never goes back.
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});
